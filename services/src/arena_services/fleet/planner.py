"""What the fleet does next. Pure: rooms and times come in as arguments, seconds on one monotonic base.

Places are added at once and taken away slowly: a room goes only after there was one too many for a while, one at a
time, and only when no room is starting. What remains must have the buffer and a margin, or the next match would bring
the room back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

#: Of a room's places: what must be free beyond the buffer once a room has gone.
_MARGIN = 0.25


@dataclass(frozen=True)
class Room:
    """A room that beats and is not being ended by somebody else."""

    name: str
    matches: int
    max_matches: int
    is_draining: bool = False
    rules: frozenset[tuple[str, int]] = frozenset()
    """What it can play: games and versions of their rules."""

    @property
    def free(self) -> int:
        """Matches that it can still take."""
        return 0 if self.is_draining else max(0, self.max_matches - self.matches)


@dataclass(frozen=True)
class Bounds:
    """How many rooms there may be."""

    floor: int
    ceiling: int
    free: int
    """Places to keep free."""
    patience_seconds: float
    retry_seconds: float
    places: int = 2000
    """Of a room, as long as none has said how many it has."""


@dataclass(frozen=True)
class Grow:
    """Ask for more rooms."""

    to: int


@dataclass(frozen=True)
class Drain:
    """Have a room hand its matches over."""

    room: str


@dataclass(frozen=True)
class Release:
    """End an empty room that drains; there are so many afterwards."""

    room: str
    to: int


Step = Grow | Drain | Release


@dataclass
class Planner:
    """Remembers only what hysteresis needs."""

    bounds: Bounds
    _surplus_since: float | None = None
    _shunned: dict[str, float] = field(default_factory=dict)
    _draining_since: dict[str, float] = field(default_factory=dict)

    def plan(self, rooms: Sequence[Room], replicas: int, now: float) -> Step | None:
        """The next step, as of `rooms` that beat and `replicas` that were asked for."""
        self._follow(rooms, now)
        staying = [room for room in rooms if not room.is_draining]
        leaving = [room for room in rooms if room.is_draining]
        starting = max(0, replicas - len(staying) - len(leaving))
        target = self._needed(staying, leaving, starting)
        if target > replicas:
            self._surplus_since = None
            return Grow(target)
        is_full = replicas >= self.bounds.ceiling
        if empty := [room for room in leaving if not room.matches]:
            if is_full or len(staying) >= self.bounds.floor:
                return Release(min(room.name for room in empty), replicas - 1)
            return None
        if replicas > self.bounds.ceiling:
            return self._drain(staying, now, is_forced=True)
        if starting or len(leaving) > len(self.stuck(rooms, now)):
            self._surplus_since = None
            return self._drain_again(leaving, now)
        return self._drain(staying, now) or self._drain_again(leaving, now)

    def failed(self, name: str, now: float) -> None:
        """A room could not be emptied: leave it alone for a while."""
        self._shunned[name] = now + self.bounds.retry_seconds
        self._surplus_since = None

    def stuck(self, rooms: Sequence[Room], now: float) -> list[str]:
        """Rooms that drain, and have not become empty for too long."""
        begun = self._draining_since
        return [
            room.name
            for room in rooms
            if room.is_draining
            and room.matches
            and now - begun.get(room.name, now) >= self.bounds.retry_seconds
        ]

    def _follow(self, rooms: Sequence[Room], now: float) -> None:
        draining = [room.name for room in rooms if room.is_draining]
        self._draining_since = {name: self._draining_since.get(name, now) for name in draining}
        self._shunned = {name: until for name, until in self._shunned.items() if until > now}

    def _places(self, rooms: Sequence[Room]) -> int:
        """Of a room that is yet to come: the least that one is known to have."""
        return max(1, min((room.max_matches for room in rooms), default=self.bounds.places))

    def _needed(self, staying: Sequence[Room], leaving: Sequence[Room], starting: int) -> int:
        """How many rooms there have to be, those that leave included."""
        places = self._places([*staying, *leaving])
        free = sum(room.free for room in staying) + starting * places
        missing = max(0, self.bounds.free - free)
        more = max(-(-missing // places), self.bounds.floor - len(staying) - starting, 0)
        return min(self.bounds.ceiling, len(staying) + starting + len(leaving) + more)

    def _drain(
        self, staying: Sequence[Room], now: float, *, is_forced: bool = False
    ) -> Step | None:
        """Have the emptiest go, once there was one too many for long enough."""
        candidate = self._candidate(staying, is_forced=is_forced)
        if candidate is None:
            self._surplus_since = None
            return None
        if self._surplus_since is None:
            self._surplus_since = now
        if now - self._surplus_since < self.bounds.patience_seconds:
            return None
        self._surplus_since = None
        return Drain(candidate.name)

    def _candidate(self, staying: Sequence[Room], *, is_forced: bool) -> Room | None:
        if len(staying) <= self.bounds.floor:
            return None
        spare = self.bounds.free + int(_MARGIN * self._places(staying))
        for room in sorted(staying, key=lambda room: (room.matches, room.name)):
            others = [other for other in staying if other is not room]
            left = sum(other.free for other in others) - room.matches
            playable = frozenset[tuple[str, int]]().union(*(other.rules for other in others))
            is_enough = left >= (0 if is_forced else spare)
            if is_enough and room.rules <= playable and room.name not in self._shunned:
                return room
        return None

    def _drain_again(self, leaving: Sequence[Room], now: float) -> Step | None:
        """Ask a room anew that drains and is not empty: it may have nobody to give its matches to before."""
        for room in leaving:
            if room.name in self.stuck([room], now) and room.name not in self._shunned:
                self._shunned[room.name] = now + self.bounds.retry_seconds
                return Drain(room.name)
        return None
