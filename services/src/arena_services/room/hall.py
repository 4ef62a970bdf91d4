"""The matches of this room: making, finding, taking over, letting go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress

from arena.log.v1.entry_pb2 import Player
from arena_services.common import games, logs
from arena_services.common.auth import Caller
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import ArenaError, ResourceExhaustedError, UnavailableError
from arena_services.common.log.errors import (
    CorruptLogError,
    FencedError,
    LogUnavailableError,
)
from arena_services.common.log.fold import Fold
from arena_services.common.log.reader import Stored
from arena_services.common.log.subjects import is_match_id
from arena_services.common.log.writer import LogWriter
from arena_services.common.owners import Owner, Reign
from arena_services.common.pauses import Pauses
from arena_services.common.roster import ALIVE_SECONDS, Beat, Roster
from arena_services.common.rpc import as_arena_error
from arena_services.room import metrics, takeover
from arena_services.room.aside import Aside
from arena_services.room.audience import Audience
from arena_services.room.chat import Chat
from arena_services.room.clock import Standstill
from arena_services.room.commands import Abandon, Release
from arena_services.room.config import RoomSettings
from arena_services.room.creation import FIRST_EPOCH
from arena_services.room.errors import (
    DrainingError,
    MatchArchivedError,
    MatchNotFoundError,
    NotOwnerError,
)
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.lapse import lapse_ms
from arena_services.room.match import Match
from arena_services.room.notices import Notices
from arena_services.room.pen import Pen
from arena_services.room.rendezvous import choose
from arena_services.room.replay import Teller
from arena_services.room.seats import check_viewer, people_of
from arena_services.room.stores import Stores
from arena_services.room.succession import Succession
from arena_services.room.takeover import Loaded
from arena_services.room.unread import void_unread
from arena_services.room.updates import remaining_field
from arena_services.room.viewers import Viewer

#: Each waits for NATS several times, the longer the farther or busier that is.
_CLAIMS_AT_ONCE = 32
#: How often matches are looked through for abandoned ones.
_LOOK_SECONDS = 60.0
#: A match that was announced so long ago, and has no entry yet, is not being made any more.
_LONGEST_MAKING_MS = 60_000
#: Nobody waits longer than this for what players are called.
_NAMES_SECONDS = 1.0
#: Before a room that drains says once more who is to have a match.
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 1.0

_log = logs.get()


class Hall:
    """Keeps the matches that this room owns, and finished ones that somebody looks at."""

    def __init__(
        self,
        settings: RoomSettings,
        stores: Stores,
        roster: Roster,
        notices: Notices,
        tasks: asyncio.TaskGroup,
    ) -> None:
        self.room_id = settings.instance
        self.reader = stores.reader
        self.archive = stores.archive
        self.succession = Succession(settings.instance, stores.owners, roster, stores.reader)
        self.is_draining = False
        self.heartbeat: Heartbeat
        """Set before anything is served."""
        self._settings = settings
        self._stores = stores
        self._owners = stores.owners
        self._roster = roster
        self._notices = notices
        self._tasks = tasks
        self._matches: dict[str, Match] = {}
        self._unfinished: set[Match] = set()
        self._arriving: dict[str, asyncio.Future[Match | ArenaError]] = {}
        self._claiming = asyncio.Semaphore(_CLAIMS_AT_ONCE)
        self._aside = Aside()

    @property
    def match_count(self) -> int:
        """How many unfinished matches this room owns."""
        return len(self._unfinished)

    @property
    def waiting(self) -> int:
        """How many commands wait in mailboxes. May be read from another thread."""
        return sum(match.waiting for match in list(self._matches.values()))

    @property
    def most_waiting(self) -> int:
        """How many commands wait in the fullest mailbox. May be read from another thread."""
        return max((match.waiting for match in list(self._matches.values())), default=0)

    def seats(self, *, bots: bool) -> int:
        """How many seats of unfinished matches bots play, or people. May be read from another thread."""
        return sum(match.bots.count(bots) for match in list(self._unfinished))

    def find(self, match_id: str) -> Match | None:
        """A match that is here."""
        return self._matches.get(match_id)

    def is_set_aside(self, match_id: str) -> bool:
        """Whether a match's log does not fold with this build: for now it is left alone."""
        return self._aside.holds(match_id)

    def owned(self) -> tuple[Match, ...]:
        """The unfinished matches that are here."""
        return tuple(self._unfinished)

    async def locate(self, match_id: str, *, is_forwarded: bool) -> Match | Beat:
        """The match, here, or the room that has it; an orphan is taken over if it falls to this room.

        Raises `MatchNotFoundError`; for what was forwarded here in vain `NotOwnerError`; and other
        `UnavailableError` where nobody can have the match right now.
        """
        match = self._matches.get(match_id)
        if match is not None:
            return match
        if not is_match_id(match_id):
            raise MatchNotFoundError(match_id)
        owner = self._owners.find(match_id)
        if owner is not None and owner != self.room_id:
            room = self._roster.find(owner)
            if room is not None and not self._owners.is_left_by(match_id, room):
                return self._elsewhere(match_id, room, is_forwarded=is_forwarded)
        return await self._look_up(match_id, is_forwarded=is_forwarded)

    def _elsewhere(self, match_id: str, room: Beat, *, is_forwarded: bool) -> Beat:
        if is_forwarded:
            raise NotOwnerError(match_id)
        return room

    async def _look_up(self, match_id: str, *, is_forwarded: bool) -> Match | Beat:
        """Find a match that no living room is known to have."""
        self._aside.check(match_id)
        tail = await self.reader.tail(match_id)
        if tail is None:
            raise MatchNotFoundError(match_id)
        if tail.headers.result:
            return await self._look_up_finished(match_id, tail, is_forwarded=is_forwarded)
        if not self.heartbeat.is_settled:
            raise UnavailableError(
                "SETTLING", "This room does not know yet who else is there; try again."
            )
        owner = await self._owners.ask(match_id)
        room = await self.succession.find(match_id, tail, owner)
        if room is not None:
            return self._elsewhere(match_id, room, is_forwarded=is_forwarded)
        if self.is_draining:
            raise DrainingError
        return await self._arrive(match_id, tail, owner)

    async def _look_up_finished(
        self, match_id: str, tail: Stored, *, is_forwarded: bool
    ) -> Match | Beat:
        """A finished match: any room that plays by its rules can read it; from the archive everybody can."""
        if self.is_draining:
            raise DrainingError
        game, version = tail.headers.game, tail.headers.rules_version
        if games.can_play(game, version):
            return await self._arrive(match_id, tail, None)
        if await self.archive.has(match_id):
            raise MatchArchivedError(match_id)
        room = self.succession.choose(match_id, game, version)
        return self._elsewhere(match_id, room, is_forwarded=is_forwarded)

    async def take_over(self, match_id: str) -> None:
        """Take a match over whose room is gone, or leave it to the room that it falls to. Raises `ArenaError`."""
        try:
            place = await self.locate(match_id, is_forwarded=False)
        except MatchNotFoundError:
            await self._forget_unmade(match_id)
            raise
        if isinstance(place, Beat) and (tail := await self.reader.tail(match_id)) is not None:
            await self.succession.name(match_id, tail, place)

    async def _forget_unmade(self, match_id: str) -> None:
        """Have nobody look any longer for a match that was announced, and then never made.

        Whoever makes it after all says anew who has it.
        """
        owner = await self._owners.ask(match_id)
        if owner and self.heartbeat.nats_ms() - owner.written_ms > _LONGEST_MAKING_MS:
            _log.warning("match announced and never made", match_id=match_id, owner=owner.room_id)
            await self._owners.strike(match_id, owner)

    async def void_unread(self, match_id: str) -> int:
        """End a match whose log does not fold; returns the sequence that says so. Raises `ArenaError`."""
        sequence = await void_unread(self.reader, match_id)
        _log.warning("match voided unread", match_id=match_id)
        await self._owners.remove(match_id)
        return sequence

    async def _arrive(self, match_id: str, tail: Stored, former: Owner | None) -> Match:
        """Take a match in; everybody who asks for it meanwhile waits for the same."""
        arriving = self._arriving.get(match_id)
        if arriving is None:
            arriving = self._arriving[match_id] = asyncio.get_running_loop().create_future()
            self._tasks.create_task(
                self._settle(arriving, match_id, tail, former), name=f"arrive-{match_id}"
            )
        # Shielded: who stops waiting must not make the others' wait end.
        said = await asyncio.shield(arriving)
        if isinstance(said, ArenaError):
            raise said
        return said

    async def _settle(
        self,
        arriving: asyncio.Future[Match | ArenaError],
        match_id: str,
        tail: Stored,
        former: Owner | None,
    ) -> None:
        try:
            arriving.set_result(await self._take_in(match_id, tail, former))
            self._aside.take_back(match_id)
        except CorruptLogError as error:
            _log.error("match set aside", match_id=match_id, error=str(error))
            if self._aside.put(match_id, error):
                metrics.SET_ASIDE.inc()
            arriving.set_result(error)
        except Exception as error:
            failure = as_arena_error(error)
            _log.info("match not taken in", match_id=match_id, error=str(failure))
            arriving.set_result(failure)
        finally:
            arriving.cancel()
            del self._arriving[match_id]

    async def _take_in(self, match_id: str, tail: Stored, former: Owner | None) -> Match:
        if (arrived := self._matches.get(match_id)) is not None:
            return arrived
        if tail.headers.result:
            loaded = await self._load_finished(match_id, tail)
            match = self.host(loaded, None, await self._names_of(loaded))
            self.match_ended(match)
            return match
        start = time.perf_counter()
        async with self._claiming:
            loaded = await takeover.load(self.reader, self._stores.snapshots, tail, match_id)
            claiming = takeover.claim(
                self.reader,
                self.room_id,
                loaded,
                tail,
                lambda: lapse_ms(self.heartbeat, tail, former, self.reader.partition(match_id)),
            )
            try:
                writer, names = await asyncio.gather(claiming, self._names_of(loaded))
            except FencedError:
                metrics.CLAIMS.labels("lost").inc()
                raise
        match = self.host(loaded, writer, names)
        metrics.CLAIMS.labels("claimed").inc()
        metrics.CLAIM_SECONDS.observe(time.perf_counter() - start)
        # Nobody has to wait for that: until it is stored others come to this room by hashing, and where it is not, it
        # shows as contested.
        reign = self._reign(match.epoch)
        saying = self._owners.put(match_id, self.room_id, self.heartbeat.nats_ms(), reign)
        self._tasks.create_task(saying, name=f"say-{match_id}")
        if former is not None:
            self._notices.send(former.room_id, match_id, reign)
        return match

    async def _load_finished(self, match_id: str, tail: Stored) -> Loaded:
        try:
            return await takeover.load(self.reader, self._stores.snapshots, tail, match_id)
        except CorruptLogError:
            # Purged, even while it was read.
            if await self.archive.has(match_id):
                raise MatchArchivedError(match_id) from None
            raise

    def _reign(self, epoch: int) -> Reign:
        return Reign(self.heartbeat.began_ms, epoch)

    async def settle_contest(self, match: Match) -> None:
        """Find out by the log who has a match that is here, too. Raises `LogUnavailableError`."""
        tail = await self.reader.tail(match.match_id)
        if tail is not None and tail.entry.epoch > match.epoch:
            self.match_lost(match)
            await self._release(match)
        elif tail is not None and not match.is_gone:
            owner, reign = await self._owners.ask(match.match_id), self._reign(match.epoch)
            if owner is None or (owner.room_id, owner.reign) != (self.room_id, reign):
                await self._owners.put(match.match_id, self.room_id, tail.stored_ms, reign)
            else:
                self._owners.note(match.match_id, self.room_id, reign, owner.written_ms)

    def host(self, loaded: Loaded, writer: LogWriter | None, names: Mapping[str, str]) -> Match:
        """Start playing a match here; `names` by player id."""
        fold = loaded.fold
        for seat, player in enumerate(fold.players):
            if (name := names.get(player.player_id)) is not None:
                loaded.feed.learn_name(seat, name)
        standstill = Standstill(self.heartbeat.outage, fold.time_ms)
        if writer is not None:
            # Since it was made or claimed nobody could act, and no outage was noted for a match that was not here yet.
            standstill.add(fold.time_ms, now_ms())
        chat = Chat(self._stores.chat, fold.match_id)
        pen = Pen(writer, standstill) if writer is not None else None
        audience = Audience(loaded.feed, fold, self._settings.spectator_delay_seconds)
        match = Match(fold, loaded.feed, audience, pen, standstill, chat, self)
        self._matches[match.match_id] = match
        if not match.is_over:
            self._unfinished.add(match)
            self._owners.hold(match.match_id, self.room_id, self._reign(match.epoch))
        self._tasks.create_task(match.run(), name=f"match-{match.match_id}")
        return match

    async def names(self, player_ids: Iterable[str]) -> dict[str, str]:
        """What players are called, by id, as far as that is known and the store answers."""
        try:
            async with asyncio.timeout(_NAMES_SECONDS):
                names = await self._stores.players.names(player_ids)
        except (UnavailableError, TimeoutError) as error:
            _log.warning("names not read", error=repr(error))
            return {}
        return {player_id: name for player_id, name in names.items() if name != player_id}

    async def _names_of(self, loaded: Loaded) -> dict[str, str]:
        return await self.names(player.player_id for player in loaded.fold.players)

    async def show_end(self, caller: Caller, viewer: Viewer) -> None:
        """Show somebody the last position of an archived match. Raises `ArenaError` where they may not see it."""
        created, end = await self.archive.end(viewer.match_id)
        if viewer.seat is not None:
            check_viewer(created.players, lambda seat: end.seating[seat][1], caller, viewer.seat)
        names = await self.names(player.player_id for player in created.players)
        if viewer.after_sequence != end.sequence and not viewer.is_gone:
            viewer.push(Teller(created, names).tell(end), remaining_field(None))

    def check_room(self) -> None:
        """Raise unless this room may take another match."""
        if self.is_draining:
            raise DrainingError
        if self.match_count >= self._settings.max_matches:
            raise ResourceExhaustedError(
                "ROOM_FULL",
                f"This room hosts {self._settings.max_matches} matches already; ask another one.",
            )

    async def expect(self, match_id: str, players: Iterable[Player]) -> dict[str, str]:
        """Prepare for a match that is about to be made; returns what its players are called, by id."""
        players = tuple(players)
        names, _ = await asyncio.gather(
            self.names(player.player_id for player in players),
            self._stores.history.begin(match_id, people_of(players)),
        )
        return names

    @asynccontextmanager
    async def announcing(self, match_id: str) -> AsyncIterator[None]:
        """Tell the other rooms that a match is here while it is being made.

        Before its first entry is stored: bots and timer hear of that at once, and any room that they ask would take
        over what nobody seems to have.
        """
        is_first = await self._owners.propose(
            match_id, self.room_id, self.heartbeat.nats_ms(), self._reign(FIRST_EPOCH)
        )
        try:
            yield
        except BaseException:
            if is_first:
                await self._owners.remove(match_id)
            raise

    def match_moved_on(self, fold: Fold, stream_sequence: int) -> None:
        """See `match.Owner`."""
        self._stores.snapshots.note(fold, stream_sequence)

    async def close_abandoned(self) -> None:
        """Close matches in which no person has acted for long, for ever."""
        after_ms = int(self._settings.abandoned_seconds * 1000)
        while True:
            await asyncio.sleep(min(_LOOK_SECONDS, self._settings.abandoned_seconds / 2))
            for match in self.owned():
                if now_ms() - match.person_time_ms >= after_ms:
                    with suppress(ArenaError):
                        match.submit(Abandon(after_ms))

    def match_ended(self, match: Match) -> None:
        """Let a finished match go after a while; whoever asks later has it read from the log again."""
        self._unfinished.discard(match)
        if self._matches.get(match.match_id) is match:
            self._owners.let_go(match.match_id)
        self._tasks.create_task(self._forget_later(match), name=f"finished-{match.match_id}")

    async def _forget_later(self, match: Match) -> None:
        if self._owners.find(match.match_id) is not None:
            await self._owners.remove(match.match_id)
            await self._stores.history.end(match.match_id, match.people, match.end)
        check_cancelled()  # or a room that is told to stop just now waits for this
        await asyncio.sleep(self._settings.keep_finished_seconds)
        await self._release(match)

    async def _release(self, match: Match) -> bool:
        """Have a match end at an entry's boundary; whether it was this room's until then."""
        if match.is_gone:
            return False
        try:
            said = await match.submit(Release())
        except ArenaError as error:
            _log.info("match let go unheard", match_id=match.match_id, error=str(error))
            match.is_gone = True
            said = None
        self._forget(match)
        return said is None

    def lose(self, match_id: str, room_id: str, reign: Reign) -> None:
        """Lead everybody to another room that says that it has gone on with a match: NATS may not tell this one."""
        match = self._matches.get(match_id)
        if match is None or match.is_over or match.epoch >= reign.epoch:
            return
        if self._roster.find(room_id) is not None:  # otherwise nobody could be led there
            _log.warning("replaced", match_id=match_id, room=room_id)
            self._owners.note(match_id, room_id, reign)
            self._forget(match)
            match.lose()

    def match_lost(self, match: Match) -> None:
        """Forget a match that another room has gone on with."""
        _log.warning("fenced", match_id=match.match_id)
        self._forget(match)

    def _forget(self, match: Match) -> None:
        self._unfinished.discard(match)
        self._stores.snapshots.forget(match.match_id)
        if self._matches.get(match.match_id) is match:
            del self._matches[match.match_id]
            self._owners.let_go(match.match_id)

    def stood_still(self, start_ms: int, end_ms: int) -> None:
        """Note for every match a stretch in which nothing could be done here."""
        for match in self._matches.values():
            match.standstill.add(start_ms, end_ms)

    async def drain(self) -> None:
        """Hand all matches over, each between two entries, to the rooms that hashing names."""
        self.is_draining = True
        await self.heartbeat.send()
        # What was on its way in when the drain began is handed over like the rest.
        if self._arriving:
            await asyncio.wait(set(self._arriving.values()))
        async with asyncio.TaskGroup() as group:
            for match in self.owned():
                group.create_task(self._pass_on(match), name=f"hand-over-{match.match_id}")

    async def _pass_on(self, match: Match) -> None:
        async with self._claiming:
            if not await self._release(match):
                return
            since_ms = self._unplayed_since_ms(match)
            pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
            while (heir := self.find_heir(match)) is not None:
                if await self._owners.put(match.match_id, heir.room_id, since_ms):
                    return
                await pauses.wait()
            _log.warning("match left to nobody", match_id=match.match_id)

    def others(self) -> list[Beat]:
        """The other rooms to send things to; none while NATS has been silent for so long that they cannot be told."""
        if self.heartbeat.deaf_seconds > ALIVE_SECONDS:
            return []
        return [room for room in self._roster.serving() if room.room_id != self.room_id]

    def find_heir(self, match: Match, room_id: str = "") -> Beat | None:
        """Another room that can play a match: the one of this id, otherwise the one that hashing names."""
        rooms = match.playable_in(self.others())
        return choose(match.match_id, [room for room in rooms if room_id in ("", room.room_id)])

    async def hand_over(self, match: Match, heir: Beat) -> None:
        """Let another room have a match, between two entries.

        Raises `NotOwnerError` where it is not here any more, and `LogUnavailableError` where that cannot be said: then
        it is this room's to take up again.
        """
        if not await self._release(match):
            raise NotOwnerError(match.match_id)
        since_ms = self._unplayed_since_ms(match)
        if not await self._owners.put(match.match_id, heir.room_id, since_ms):
            raise LogUnavailableError(f"saying that {heir.room_id} is to have {match.match_id}")

    def _unplayed_since_ms(self, match: Match) -> int:
        """Since when nobody could play a match that was let go just now: no entry has given that back yet."""
        return self.heartbeat.nats_ms() - match.standstill.due(now_ms())
