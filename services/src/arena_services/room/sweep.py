"""Looks for matches that nobody plays, and takes over those that fall to this room.

Players' requests do the same at once for their own matches; this is for matches that only a clock or a bot waits for.

Rooms share these matches among their like, those that play by the same rules: only who has read a match knows by what
rules it is played. So each match is looked at once by every kind of room, and the first that finds whose it is says so.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from arena_services.common import logs
from arena_services.common.errors import ArenaError
from arena_services.common.roster import Beat, Roster
from arena_services.room import metrics
from arena_services.room.errors import NoCapableRoomError
from arena_services.room.hall import Hall
from arena_services.room.links import Peers
from arena_services.room.match import Match
from arena_services.room.owners import Owners
from arena_services.room.rendezvous import choose

_EVERY_SECONDS = 0.25
#: Changes come in crowds; one round serves them all.
_GATHER_SECONDS = 0.05

_log = logs.get()


class Sweep:
    """Goes round some times a second, and soon after an owner changes."""

    def __init__(
        self, hall: Hall, owners: Owners, roster: Roster, peers: Peers, claims_per_second: float
    ) -> None:
        self._hall = hall
        self._owners = owners
        self._roster = roster
        self._peers = peers
        self._pause_seconds = 1 / claims_per_second
        self._unplayable: dict[str, NoCapableRoomError] = {}
        self._under_way: set[str] = set()
        """Matches that are being claimed or settled: NATS may keep one of them waiting for long, and no other."""
        metrics.UNPLAYABLE.set_function(lambda: len(self._unplayable))

    async def run(self) -> None:
        """Sweep for ever."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                if self._hall.heartbeat.is_settled and not self._hall.is_draining:
                    self._peers.cut_all_but({room.room_id for room in self._roster.alive()})
                    for match in self._contested():
                        self._begin(tasks, match.match_id, partial(self._settle, match))
                    await self._take_over(tasks)
                self._owners.changed.clear()
                await asyncio.sleep(_GATHER_SECONDS)
                try:
                    async with asyncio.timeout(_EVERY_SECONDS):
                        await self._owners.changed.wait()
                except TimeoutError:
                    pass

    async def _take_over(self, tasks: asyncio.TaskGroup) -> None:
        orphans, serving = list(self._orphans()), self._roster.serving()
        # Looked at again only once a room is there that plays them.
        self._unplayable = {
            match_id: said
            for match_id in orphans
            if (said := self._unplayable.get(match_id)) is not None
            and not any(room.can_play(said.game, said.rules_version) for room in serving)
        }
        for match_id in orphans:
            if match_id not in self._unplayable and self._begin(
                tasks, match_id, partial(self._claim, match_id)
            ):
                await asyncio.sleep(random.uniform(0, 2 * self._pause_seconds))

    def _begin(
        self,
        tasks: asyncio.TaskGroup,
        match_id: str,
        work: Callable[[], Coroutine[Any, Any, None]],
    ) -> bool:
        """See to a match beside the others, unless that is under way; whether it was not."""
        if match_id in self._under_way:
            return False
        self._under_way.add(match_id)
        task = tasks.create_task(work(), name=f"sweep-{match_id}")
        task.add_done_callback(lambda _: self._under_way.discard(match_id))
        return True

    async def _claim(self, match_id: str) -> None:
        try:
            await self._hall.take_over(match_id)
        except NoCapableRoomError as error:
            _log.warning("nobody plays the rules of an orphan", match_id=match_id, error=str(error))
            self._unplayable[match_id] = error
        except ArenaError as error:
            _log.info("orphan not taken over", match_id=match_id, error=str(error))

    async def _settle(self, match: Match) -> None:
        try:
            await self._hall.settle_contest(match)
        except ArenaError as error:
            _log.info("contest not settled", match_id=match.match_id, error=str(error))

    def _contested(self) -> list[Match]:
        """Matches that are here, and of which the bucket says otherwise."""
        found = map(self._hall.find, self._owners.contested())
        return [match for match in found if match is not None]

    def _orphans(self) -> Iterator[str]:
        """Matches of this room's name that are not here, and this room's share of those whose room is gone."""
        mine = self._hall.room_id
        for match_id in self._owners.matches_of(mine):
            if self._hall.find(match_id) is None and not self._hall.is_set_aside(match_id):
                yield match_id
        alike = self._alike()
        for room_id in self._owners.rooms():
            if room_id != mine:
                heirs = [room for room in alike if room.room_id != room_id]
                yield from self._share(self._left_by(room_id), heirs)

    def _left_by(self, room_id: str) -> tuple[str, ...]:
        """The matches that a room had, or was to have, and leaves to others: it is gone, began anew, or drains."""
        room = self._roster.find(room_id)
        return self._owners.matches_of(room_id) if room is None else self._owners.left_by(room)

    def _alike(self) -> list[Beat]:
        """The rooms that play by the rules that this one plays by."""
        mine = self._roster.find(self._hall.room_id)
        return [room for room in self._roster.serving() if mine and room.rules == mine.rules]

    def _share(self, matches: Iterable[str], rooms: Sequence[Beat]) -> Iterator[str]:
        for match_id in matches:
            chosen = choose(match_id, rooms)
            is_ours = chosen is not None and chosen.room_id == self._hall.room_id
            if is_ours and not self._hall.is_set_aside(match_id):
                yield match_id
