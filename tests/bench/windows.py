"""Figures that were measured several times, and how they are told."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """One figure over several windows."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """The spread of measured values."""
        found = sorted(values)
        return cls(found[0], statistics.median(found), found[-1])

    def as_list(self) -> list[float]:
        """Least, middle, most."""
        return [rounded(self.low), rounded(self.median), rounded(self.high)]


def rounded(value: float) -> float:
    """Four significant digits; whole numbers from 1,000 up."""
    return round(value) if value >= 1000 else float(f"{value:.4g}")


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of all lie at or below."""
    found = sorted(values)
    return found[min(len(found) - 1, int(share * len(found)))]
