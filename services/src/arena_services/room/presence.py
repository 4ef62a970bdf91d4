"""Whose people are there, and who keeps a match waiting: known to its owner alone, for matches without a clock."""

from __future__ import annotations

import time
from collections.abc import Iterable

from arena_engine.game import Awaited


class Presence:
    """When each seat's person was last there, and since when the match waits for it, in seconds of a monotonic clock.

    A room that takes a match over knows nothing of before: whoever is away then counts as away from then on.
    """

    __slots__ = (
        "_began",
        "_open",
        "_seen",
    )

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._seen: dict[int, float] = {}
        self._open: dict[int, tuple[int, float]] = {}
        """The open decision of each awaited seat, and since when."""

    def see(self, seat: int) -> None:
        """The person of a seat is there, or has just gone."""
        self._seen[seat] = time.monotonic()

    def wait_for(self, awaited: Iterable[Awaited]) -> None:
        """Note for which seats the match waits now."""
        now = time.monotonic()
        former = self._open
        self._open = {
            seat: former[seat]
            if seat in former and former[seat][0] == decision
            else (decision, now)
            for seat, decision in awaited
        }

    def kept_waiting_seconds(self, seat: int) -> float | None:
        """How long a person who is away has kept the match waiting; None where it does not wait for the seat."""
        if seat not in self._open:
            return None
        since = max(self._open[seat][1], self._seen.get(seat, self._began))
        return time.monotonic() - since
