"""Which room is to have a match that no living room is known to have: one that plays by its rules."""

from __future__ import annotations

from arena_services.common import games
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.owners import Owner
from arena_services.common.roster import Beat, Roster
from arena_services.room.errors import NoCapableRoomError
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.owners import Owners
from arena_services.room.rendezvous import choose


class Succession:
    """Names heirs. Rooms of two builds come to the same one, whoever of them is asked."""

    def __init__(self, room_id: str, owners: Owners, roster: Roster) -> None:
        self.heartbeat: Heartbeat
        """Set before anything is served."""
        self._room_id = room_id
        self._owners = owners
        self._roster = roster

    def choose(self, match_id: str, game: str, rules_version: int) -> Beat:
        """The room that hashing names for a match, of those that play by its rules. Raises `NoCapableRoomError`."""
        room = choose(match_id, self._capable(game, rules_version))
        if room is None:
            raise NoCapableRoomError(game, rules_version)
        return room

    def _capable(self, game: str, rules_version: int) -> list[Beat]:
        return [room for room in self._roster.serving() if room.can_play(game, rules_version)]

    async def find(self, match_id: str, headers: EntryHeaders, owner: Owner | None) -> Beat | None:
        """The room that is to have a match of which the bucket says `owner`; None for this one.

        Raises `NoCapableRoomError`.
        """
        if owner is not None and owner.room_id == self._room_id:
            return await self._find_for_own(match_id, headers, owner)
        room = self._roster.find(owner.room_id) if owner is not None else None
        # One that started anew as another build has the name of the room that had the match, and not its rules.
        if room is None or not room.can_play(headers.game, headers.rules_version):
            room = self.choose(match_id, headers.game, headers.rules_version)
        return None if room.room_id == self._room_id else room

    async def _find_for_own(
        self, match_id: str, headers: EntryHeaders, owner: Owner
    ) -> Beat | None:
        """As `find`, for what bears this room's own name."""
        is_capable = games.can_play(headers.game, headers.rules_version)
        if is_capable and owner.written_ms >= self.heartbeat.began_ms:
            return None
        # This room had it in a former life: one that died leaves its matches to steadier rooms, if there are any.
        capable = self._capable(headers.game, headers.rules_version)
        heir = choose(match_id, [room for room in capable if room.room_id != self._room_id])
        if heir is not None:
            known_ms = max(owner.had_until_ms, self.heartbeat.former_ms or 0)
            await self._owners.put(match_id, heir.room_id, known_ms)
        elif not is_capable:
            raise NoCapableRoomError(headers.game, headers.rules_version)
        return heir

    async def name(self, match_id: str, heir: Beat) -> None:
        """Leave a match whose room is gone to another one, which need not have noticed that it is its own to take.

        Rooms look after what is left among their like, and cannot tell from outside by what rules it is played. Raises
        `LogUnavailableError`.
        """
        owner = await self._owners.ask(match_id)
        if owner is None or owner.room_id == heir.room_id:
            return
        last_ms = await self.heartbeat.last_beat_ms(owner.room_id) or 0
        await self._owners.put(match_id, heir.room_id, max(owner.had_until_ms, last_ms))
