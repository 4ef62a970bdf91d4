"""Which room is to have a match that no living room is known to have: one that plays by its rules."""

from __future__ import annotations

from arena_services.common import games
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.owners import Owner
from arena_services.common.roster import Beat, Roster
from arena_services.room.errors import NoCapableRoomError
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.lapse import lapse_ms
from arena_services.room.owners import Owners, is_of_former_life, leaves
from arena_services.room.rendezvous import choose


class Succession:
    """Names heirs. Rooms of two builds come to the same one, whoever of them is asked."""

    def __init__(self, room_id: str, owners: Owners, roster: Roster, reader: LogReader) -> None:
        self.heartbeat: Heartbeat
        """Set before anything is served."""
        self._room_id = room_id
        self._owners = owners
        self._roster = roster
        self._reader = reader

    def choose(self, match_id: str, game: str, rules_version: int, former_id: str = "") -> Beat:
        """The room that hashing names for a match, of those that play by its rules. Raises `NoCapableRoomError`.

        `former_id`: the room that had it. One that died leaves its matches to steadier ones, if there are any.
        """
        capable = self._capable(game, rules_version)
        steadier = [room for room in capable if room.room_id != former_id]
        room = choose(match_id, steadier or capable)
        if room is None:
            raise NoCapableRoomError(game, rules_version)
        return room

    def _capable(self, game: str, rules_version: int) -> list[Beat]:
        return [room for room in self._roster.serving() if room.can_play(game, rules_version)]

    async def find(self, match_id: str, tail: Stored, owner: Owner | None) -> Beat | None:
        """The room that is to have a match of which the bucket says `owner`; None for this one.

        Raises `NoCapableRoomError`, `LogUnavailableError`.
        """
        game, version = tail.headers.game, tail.headers.rules_version
        if owner is None:
            room = self.choose(match_id, game, version)
        elif owner.room_id == self._room_id:
            return await self._find_for_own(match_id, tail, owner)
        else:
            room = self._holder(owner, game, version) or self.choose(
                match_id, game, version, owner.room_id
            )
        return None if room.room_id == self._room_id else room

    def _holder(self, owner: Owner, game: str, version: int) -> Beat | None:
        """The room that has a match, if it is alive and does not leave it to others."""
        room = self._roster.find(owner.room_id)
        if room is None or leaves(room, owner.written_ms, owner.reign):
            return None
        # One that began anew as another build, and does not say when, need not play by the same rules.
        return room if room.can_play(game, version) else None

    async def _find_for_own(self, match_id: str, tail: Stored, owner: Owner) -> Beat | None:
        """As `find`, for what bears this room's own name."""
        game, version = tail.headers.game, tail.headers.rules_version
        is_former = is_of_former_life(self.heartbeat.began_ms, owner.written_ms, owner.reign)
        if games.can_play(game, version) and not is_former:
            return None
        heir = self.choose(match_id, game, version, self._room_id)
        if heir.room_id == self._room_id:
            return None
        # Rooms of a build that cannot tell this process from its former one would send everybody back here.
        await self._pass_on(match_id, tail, owner, heir)
        return heir

    async def name(self, match_id: str, tail: Stored, heir: Beat) -> None:
        """Leave a match whose room is gone to another one, which need not have noticed that it is its own to take.

        Rooms look after what is left among their like, and cannot tell from outside by what rules it is played. Raises
        `LogUnavailableError`.
        """
        owner = await self._owners.ask(match_id)
        if owner is not None and owner.room_id != heir.room_id:
            await self._pass_on(match_id, tail, owner, heir)

    async def _pass_on(self, match_id: str, tail: Stored, former: Owner, heir: Beat) -> None:
        partition = self._reader.partition(match_id)
        lapsed_ms = await lapse_ms(self.heartbeat, tail, former, partition)
        since_ms = self.heartbeat.nats_ms() - lapsed_ms
        await self._owners.pass_on(match_id, former, heir.room_id, since_ms)
