"""Time as a room keeps it: the stretches in which the clock stood still for players."""

from __future__ import annotations

import time
from collections.abc import Callable

#: A gap between beats that a busy loop alone does not explain.
_GAP_SECONDS = 2.5


class Outage:
    """Whether NATS leaves this room without answers, or the room itself stood still, and since when."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.since_ms: int | None = None
        """Since when NATS does not answer."""
        self.answered_ms: int | None = None
        """When it last answered a beat; None where nothing beats."""
        self._monotonic = monotonic
        self._answered = 0.0

    def answered(self, now_ms: int) -> None:
        """NATS has answered a beat: whatever outage there was is over."""
        self.since_ms = None
        self.answered_ms = now_ms
        self._answered = self._monotonic()

    def began_ms(self) -> int | None:
        """When the outage began that goes on now; None for none.

        A room that wakes up may be asked for something before its next beat shows that it stood still.
        """
        if self.since_ms is None and self._monotonic() - self._answered > _GAP_SECONDS:
            return self.answered_ms
        return self.since_ms


class Standstill:
    """Stretches in which the platform kept one match waiting, not yet given back to its clocks.

    An entry at some time gives back what lies before it; the rest waits for the next one.
    """

    def __init__(self, outage: Outage, settled_ms: int) -> None:
        self._outage = outage
        self._settled_ms = settled_ms
        self._stretches: list[tuple[int, int]] = []

    def add(self, start_ms: int, end_ms: int) -> None:
        """Note a stretch; stretches may overlap."""
        if end_ms > max(start_ms, self._settled_ms):
            self._stretches.append((start_ms, end_ms))

    def due(self, now_ms: int) -> int:
        """Milliseconds to give back as of `now_ms`, each counted once."""
        since = self._outage.began_ms()
        if not self._stretches and since is None:
            return 0
        stretches = self._stretches if since is None else [*self._stretches, (since, now_ms)]
        total, reached = 0, self._settled_ms
        for start, end in sorted(stretches):
            start, end = max(start, reached), min(end, now_ms)  # noqa: PLW2901 - clipped to what still counts
            if end > start:
                total += end - start
                reached = end
        return total

    def settle(self, now_ms: int) -> None:
        """An entry at `now_ms` has given back what was due then."""
        self._settled_ms = max(self._settled_ms, now_ms)
        if self._stretches:
            self._stretches = [each for each in self._stretches if each[1] > self._settled_ms]
