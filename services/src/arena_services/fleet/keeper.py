"""The fleet's round, once a second: hear the rooms, see what runs, take one step."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from arena_services.common import logs
from arena_services.common.roster import ALIVE_SECONDS, Beat, Roster
from arena_services.fleet import metrics
from arena_services.fleet.errors import FleetError, NotDrainedError, ThrottledError
from arena_services.fleet.planner import Bounds, Drain, Grow, Planner, Release, Room
from arena_services.fleet.rooms import Rooms, Sight, Turn
from arena_services.fleet.troubles import Troubles

ROUND_SECONDS = 1.0
#: Before that not every room has been heard.
_SETTLE_SECONDS = 3.0
_GOING = (Turn.NEXT, Turn.LEAVES)

_log = logs.get()


class Leader(Protocol):
    """Whether this process is the one that acts."""

    is_blind: bool
    """Whether who leads could not be asked."""

    @property
    def is_held(self) -> bool:
        """Whether nobody else can lead yet."""

    def check(self) -> None:
        """Raise `LeaseLostError` unless this process leads."""


class Keeper:
    """Keeps as many rooms as are needed while it leads."""

    def __init__(
        self,
        bounds: Bounds,
        roster: Roster,
        rooms: Rooms,
        drain: Callable[[Beat], Awaitable[None]],
        leader: Leader,
    ) -> None:
        """`drain`: has a room hand its matches over; raises `NotDrainedError`."""
        metrics.ROOMS_CEILING.set(bounds.ceiling)
        metrics.IS_BLIND.set_function(lambda: leader.is_blind or self._is_blind)
        self._planner = Planner(bounds)
        self._roster = roster
        self._rooms = rooms
        self._drain = drain
        self._leader = leader
        self._is_blind = False
        self._emptying: asyncio.Task[None] | None = None
        self._troubles = Troubles("the fleet cannot act")
        self._drain_troubles = Troubles("a room cannot be emptied")

    async def run(self) -> None:
        """Keep rooms for ever."""
        await asyncio.sleep(_SETTLE_SECONDS)
        async with asyncio.TaskGroup() as tasks:
            while True:
                pause = ROUND_SECONDS
                if self._leader.is_held:
                    try:
                        await self._round(tasks)
                        self._troubles.end()
                    except FleetError as error:
                        self._troubles.tell(error)
                        if isinstance(error, ThrottledError):
                            pause = max(pause, error.seconds)
                else:
                    self._stand_by()
                await asyncio.sleep(pause)

    def _stand_by(self) -> None:
        """Let go of what was known, but for the time in which nobody can know more."""
        self._is_blind = False
        if not self._leader.is_blind:
            metrics.forget()
        self._planner = Planner(self._planner.bounds)

    async def _round(self, tasks: asyncio.TaskGroup) -> None:
        """Take one step, if there is one to take. Raises `FleetError`."""
        sight = await self._look()
        rooms = self._heard(sight)
        now = time.monotonic()
        self._show(sight, rooms, now)
        step = self._planner.plan(rooms, sight.replicas, now)
        self._leader.check()
        match step:
            case Grow(to):
                await self._scale(sight, to, "up", rooms)
            case Drain(name) if not self._is_emptying and (beat := self._roster.find(name)):
                self._emptying = tasks.create_task(self._empty(beat), name=f"drain-{name}")
            case Release(name, _) if sight.standings[name].turn != Turn.NEXT:
                await self._rooms.mark(name, Turn.NEXT)  # the next round sees who else would go
            case Release(name, to) if sight.would_go(name):
                await self._scale(sight, to, "down", rooms)
            case _:
                await self._take_back(sight, rooms)

    @property
    def _is_emptying(self) -> bool:
        return self._emptying is not None and not self._emptying.done()

    async def _look(self) -> Sight:
        try:
            sight = await self._rooms.look()
        except FleetError:
            self._is_blind = True
            raise
        self._is_blind = False
        return sight

    def _heard(self, sight: Sight) -> list[Room]:
        """The rooms that beat, those aside that somebody else is ending."""
        return [room_of(beat) for beat in self._roster.alive() if beat.room_id in sight.standings]

    def _show(self, sight: Sight, rooms: Sequence[Room], now: float) -> None:
        metrics.ROOMS.set(len(rooms))
        metrics.ROOMS_WANTED.set(sight.replicas)
        metrics.FREE_PLACES.set(sum(room.free for room in rooms))
        metrics.DRAINING.set(sum(room.is_draining for room in rooms))
        metrics.STUCK.set(len(self._planner.stuck(rooms, now)))

    async def _scale(self, sight: Sight, to: int, direction: str, rooms: Sequence[Room]) -> None:
        await self._rooms.scale(sight, to)
        metrics.SCALINGS.labels(direction).inc()
        free = sum(room.free for room in rooms)
        _log.info("rooms scaled", direction=direction, before=sight.replicas, to=to, free=free)

    async def _take_back(self, sight: Sight, rooms: Sequence[Room]) -> None:
        """A room that was to go and takes matches again, started anew or never drained, is as good as any."""
        if self._is_emptying:
            return
        for room in rooms:
            if not room.is_draining and sight.standings[room.name].turn in _GOING:
                await self._rooms.mark(room.name, Turn.STAYS)

    async def _empty(self, room: Beat) -> None:
        """Have a room hand its matches over, beside the rounds: it may take long."""
        try:
            await self._rooms.mark(room.room_id, Turn.LEAVES)
            self._leader.check()
            _log.info("draining a room", room_id=room.room_id, matches=room.matches)
            await self._drain(room)
            await asyncio.sleep(ALIVE_SECONDS)  # by then its beats say so
        except NotDrainedError as error:
            self._planner.failed(room.room_id, time.monotonic())
            self._drain_troubles.tell(error)
        except FleetError as error:
            self._drain_troubles.tell(error)
        else:
            self._drain_troubles.end()


def room_of(beat: Beat) -> Room:
    """A room as it says of itself."""
    rules = frozenset((game, version) for game, known in beat.rules.items() for version in known)
    return Room(beat.room_id, beat.matches, beat.max_matches, beat.is_draining, rules)
