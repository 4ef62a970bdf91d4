"""Looks for matches that nobody plays, and takes over those that fall to this room.

Players' requests do the same at once for their own matches; this is for matches that only a clock or a bot waits for.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

from arena_services.common import logs
from arena_services.common.errors import ArenaError
from arena_services.common.roster import Roster
from arena_services.room.hall import Hall
from arena_services.room.links import Peers
from arena_services.room.match import Match
from arena_services.room.owners import Owners
from arena_services.room.rendezvous import choose

_EVERY_SECONDS = 1.0
#: Changes come in crowds; one round serves them all.
_GATHER_SECONDS = 0.05

_log = logs.get()


class Sweep:
    """Goes round once a second, and soon after an owner changes."""

    def __init__(
        self, hall: Hall, owners: Owners, roster: Roster, peers: Peers, claims_per_second: float
    ) -> None:
        self._hall = hall
        self._owners = owners
        self._roster = roster
        self._peers = peers
        self._pause_seconds = 1 / claims_per_second

    async def run(self) -> None:
        """Sweep for ever."""
        while True:
            if self._hall.heartbeat.is_settled and not self._hall.is_draining:
                self._peers.cut_all_but({room.room_id for room in self._roster.alive()})
                async with asyncio.TaskGroup() as group:
                    for match in self._contested():
                        group.create_task(self._settle(match), name=f"settle-{match.match_id}")
                    await self._take_over(group)
            self._owners.changed.clear()
            await asyncio.sleep(_GATHER_SECONDS)
            try:
                async with asyncio.timeout(_EVERY_SECONDS):
                    await self._owners.changed.wait()
            except TimeoutError:
                pass

    async def _take_over(self, group: asyncio.TaskGroup) -> None:
        for match_id in list(self._orphans()):
            group.create_task(self._claim(match_id), name=f"claim-{match_id}")
            await asyncio.sleep(random.uniform(0, 2 * self._pause_seconds))

    async def _claim(self, match_id: str) -> None:
        try:
            await self._hall.locate(match_id, is_forwarded=False)
        except ArenaError as error:
            _log.info("orphan not taken over", match_id=match_id, error=str(error))

    async def _settle(self, match: Match) -> None:
        try:
            await self._hall.settle_contest(match)
        except ArenaError as error:
            _log.info("contest not settled", match_id=match.match_id, error=str(error))

    def _contested(self) -> list[Match]:
        """Matches that are here, and of which the bucket says otherwise."""
        mine = self._hall.room_id
        return [match for match in self._hall.owned() if self._owners.find(match.match_id) != mine]

    def _orphans(self) -> Iterator[str]:
        """Matches of this room's name that are not here, and this room's share of those whose room is gone."""
        mine = self._hall.room_id
        for match_id in self._owners.matches_of(mine):
            if self._hall.find(match_id) is None and not self._hall.is_set_aside(match_id):
                yield match_id
        alive = {room.room_id for room in self._roster.alive()}
        for room_id in self._owners.rooms():
            if room_id not in alive and room_id != mine:
                yield from self._share(self._owners.matches_of(room_id))

    def _share(self, matches: tuple[str, ...]) -> Iterator[str]:
        rooms = self._roster.serving()
        for match_id in matches:
            chosen = choose(match_id, rooms)
            is_ours = chosen is not None and chosen.room_id == self._hall.room_id
            if is_ours and not self._hall.is_set_aside(match_id):
                yield match_id
