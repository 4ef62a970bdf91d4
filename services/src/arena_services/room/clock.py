"""Time as a room keeps it: the stretches in which the clock stood still for players."""

from __future__ import annotations

import time
from collections.abc import Callable

#: How often a room ticks, to see whether it stands still.
TICK_SECONDS = 0.25
#: A tick later than this is not explained by what else there was to do: nothing could be done meanwhile.
_STALL_SECONDS = 0.75


class Outage:
    """Whether NATS leaves this room without answers, or the room itself stands still, and since when."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.since_ms: int | None = None
        """Since when NATS does not answer."""
        self.answered_ms: int | None = None
        """When it last answered a beat; None where nothing beats."""
        self._monotonic = monotonic
        self._ticked_ms: int | None = None
        self._ticked = 0.0

    def answered(self, now_ms: int) -> None:
        """NATS has answered a beat: if it was away, it is no longer."""
        self.since_ms = None
        self.answered_ms = now_ms

    def tick(self, now_ms: int) -> int | None:
        """This room does something. Since when it had stood still before that; None if it had not."""
        stalled_ms = self._stalled_ms()
        self._ticked_ms, self._ticked = now_ms, self._monotonic()
        return stalled_ms

    def began_ms(self) -> int | None:
        """When the outage began that goes on now; None for none.

        A room that wakes up may be asked for something before its next tick shows that it stood still.
        """
        began = [each for each in (self.since_ms, self._stalled_ms()) if each is not None]
        return min(began, default=None)

    def _stalled_ms(self) -> int | None:
        if self._ticked_ms is None or self._monotonic() - self._ticked <= _STALL_SECONDS:
            return None
        return self._ticked_ms


class Standstill:
    """Stretches in which the platform kept one match waiting, not yet given back to its clocks.

    An entry at some time gives back what lies before it; the rest waits for the next one.
    """

    __slots__ = (
        "_outage",
        "_settled_ms",
        "_stretches",
    )

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
