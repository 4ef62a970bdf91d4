"""Pauses between tries that grow, and are spread so that many who wait do not come back at once."""

from __future__ import annotations

import asyncio
import random


def growing(first_seconds: float, longest_seconds: float, tries: int) -> float:
    """The pause after so many tries before the last one: twice as long each time, up to the longest."""
    return min(first_seconds * 2.0 ** min(tries, 60), longest_seconds)


def spread(seconds: float) -> float:
    """A pause by lot, from half of one to the whole."""
    return random.uniform(seconds / 2, seconds)


class Pauses:
    """The pauses of one who tries again and again."""

    def __init__(self, first_seconds: float, longest_seconds: float) -> None:
        self._first = first_seconds
        self._longest = longest_seconds
        self._tries = 0

    def reset(self) -> None:
        """It went well: begin with short pauses again."""
        self._tries = 0

    def next(self) -> float:
        """Seconds until the next try."""
        self._tries += 1
        return spread(growing(self._first, self._longest, self._tries - 1))

    async def wait(self) -> None:
        """Sleep until the next try."""
        await asyncio.sleep(self.next())
