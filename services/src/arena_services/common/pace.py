"""How often something may be done: a bucket of permits that fills up by itself."""

from __future__ import annotations


class Pace:
    """So many at once, and so many a second in the long run. Times are seconds on any one clock."""

    __slots__ = ("_at", "_left")

    def __init__(self, burst: float, at: float) -> None:
        self._left = burst
        self._at = at

    def take(self, per_second: float, burst: float, now: float, count: float = 1) -> bool:
        """Take so many permits, if they are there, or all of a full bucket that holds fewer."""
        self._left = min(burst, self._left + (now - self._at) * per_second)
        self._at = now
        count = min(count, burst)
        if self._left < count:
            return False
        self._left -= count
        return True

    def is_full(self, per_second: float, burst: float, now: float) -> bool:
        """Whether nothing was taken lately: the pace may be forgotten."""
        return self._left + (now - self._at) * per_second >= burst
