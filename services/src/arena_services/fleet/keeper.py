"""The fleet's round, once a second: hear the rooms, see what runs, take one step."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from arena_services.common import logs
from arena_services.common.roster import Beat, Roster
from arena_services.fleet import metrics
from arena_services.fleet.errors import FleetError, NotDrainedError, ThrottledError
from arena_services.fleet.planner import Bounds, Drain, Grow, Planner, Release, Room
from arena_services.fleet.rooms import Rooms, Sight

ROUND_SECONDS = 1.0
#: Before that not every room has been heard.
_SETTLE_SECONDS = 3.0

_log = logs.get()


class Keeper:
    """Keeps as many rooms as are needed while it leads."""

    def __init__(
        self,
        bounds: Bounds,
        roster: Roster,
        rooms: Rooms,
        drain: Callable[[Beat], Awaitable[None]],
        check: Callable[[], None] = lambda: None,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        """`drain`: has a room hand its matches over; `check`: raises once another one may act; `leads`: asks."""
        metrics.ROOMS_CEILING.set(bounds.ceiling)
        self._planner = Planner(bounds)
        self._roster = roster
        self._rooms = rooms
        self._drain = drain
        self._check = check
        self._leads = leads

    async def run(self) -> None:
        """Keep rooms for ever."""
        await asyncio.sleep(_SETTLE_SECONDS)
        while True:
            pause = ROUND_SECONDS
            try:
                if self._leads():
                    await self.round()
            except FleetError as error:
                metrics.ERRORS.labels(error.kind).inc()
                _log.warning("the fleet cannot act", kind=error.kind, error=str(error))
                if isinstance(error, ThrottledError):
                    pause = error.seconds
            await asyncio.sleep(pause)

    async def round(self) -> None:
        """Take one step, if there is one to take. Raises `FleetError`."""
        self._check()
        sight = await self._look()
        rooms = self._heard(sight)
        now = time.monotonic()
        self._show(sight, rooms, now)
        step = self._planner.plan(rooms, sight.replicas, now)
        self._check()
        match step:
            case Grow(to):
                await self._scale(sight, to, "up", rooms)
            case Drain(name):
                await self._empty(name)
            case Release(name, to):
                await self._rooms.mark(name)
                self._check()
                await self._scale(sight, to, "down", rooms)
            case None:
                pass

    async def _look(self) -> Sight:
        try:
            sight = await self._rooms.look()
        except FleetError:
            metrics.IS_BLIND.set(1)
            raise
        metrics.IS_BLIND.set(0)
        return sight

    def _heard(self, sight: Sight) -> list[Room]:
        """The rooms that beat, those aside that somebody else is ending."""
        return [room_of(beat) for beat in self._roster.alive() if beat.room_id in sight.names]

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

    async def _empty(self, name: str) -> None:
        beat = self._roster.find(name)
        if beat is None:
            return
        await self._rooms.mark(name)
        self._check()
        _log.info("draining a room", room_id=name, matches=beat.matches)
        try:
            await self._drain(beat)
        except NotDrainedError:
            self._planner.failed(name, time.monotonic())
            raise


def room_of(beat: Beat) -> Room:
    """A room as it says of itself."""
    rules = frozenset((game, version) for game, known in beat.rules.items() for version in known)
    return Room(beat.room_id, beat.matches, beat.max_matches, beat.is_draining, rules)
