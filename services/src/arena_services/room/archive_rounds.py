"""Which finished matches are archived when, and by which room.

Rooms share the partitions by hashing: each is looked after by one of those that play the same rules, so that an older
build archives what it alone can play. While rooms come and go two may look after the same one; that does no harm.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import games, logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import UnavailableError
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import Heading, LogReader
from arena_services.common.pauses import spread
from arena_services.common.roster import Beat, Roster
from arena_services.common.rpc import as_arena_error
from arena_services.room import metrics
from arena_services.room.archive import ARCHIVE_BUCKET
from arena_services.room.archiver import Archiver
from arena_services.room.config import RoomSettings
from arena_services.room.hall import Hall
from arena_services.room.rendezvous import choose

#: The longest pause between two rounds: a match waits that much longer at most.
_ROUND_SECONDS = 300.0
_WRITE_SECONDS = 2.0
#: With so many matches of a partition waiting, because the archive is full for example, it is read no further.
_MOST_DUE = 10_000

_log = logs.get()


class ArchiveRounds:
    """Goes through the partitions that fall to this room. Nothing waits for it, and nothing fails with it."""

    def __init__(
        self, hall: Hall, archiver: Archiver, roster: Roster, settings: RoomSettings
    ) -> None:
        self._hall = hall
        self._archiver = archiver
        self._roster = roster
        self._partitions = range(settings.log_partitions)
        self._after_ms = round(settings.archive_after_seconds * 1000)
        self._pause_seconds = min(settings.archive_after_seconds / 4, _ROUND_SECONDS)
        self._rest_for_work = 1 / settings.archive_share - 1
        self._working = asyncio.Lock()
        self._oldest_ms: dict[int, int] = {}
        metrics.ARCHIVE_BACKLOG_SECONDS.set_function(self._backlog_seconds)

    async def run(self) -> None:
        """Go round for ever, in each partition by itself."""
        async with asyncio.TaskGroup() as tasks:
            for partition in self._partitions:
                tasks.create_task(self._look_after(partition), name=f"archive-{partition}")

    async def _look_after(self, partition: int) -> None:
        reading: _Reading | None = None
        while True:
            check_cancelled()
            await asyncio.sleep(spread(self._pause_seconds))
            if not self._falls_here(partition):
                self._oldest_ms.pop(partition, None)
                reading = None
                continue
            try:
                if reading is None:
                    reading = await _Reading.begin(self._hall.reader, partition)
                await self._go_through(reading)
            except Exception as error:
                _note_failure("", error)

    def _falls_here(self, partition: int) -> bool:
        """Whether this room looks after a partition, for its kind."""
        mine = self._mine()
        if mine is None or not self._hall.heartbeat.is_settled:
            return False
        alike = [room for room in self._roster.serving() if room.rules == mine.rules]
        chosen = choose(f"archive-{partition}", alike)
        return chosen is not None and chosen.room_id == mine.room_id

    def _mine(self) -> Beat | None:
        return self._roster.find(self._hall.room_id)

    async def _go_through(self, reading: _Reading) -> None:
        """Archive what is due in a partition. Raises `UnavailableError` where it has to be gone on with later."""
        await reading.go_on(now_ms() - self._after_ms)
        self._note_oldest(reading)
        for match in tuple(reading.due):
            check_cancelled()
            if not self._falls_here(reading.partition):
                return
            if await self._settle(match):
                reading.due.remove(match)
            self._note_oldest(reading)
        await reading.mark()

    def _is_ours(self, match: Heading) -> bool:
        """Whether a room of this kind is to archive a match: one that can, or any where none can."""
        game, version = match.headers.game, match.headers.rules_version
        able = [room for room in self._roster.alive() if room.can_play(game, version)]
        mine = self._mine()
        return not able or (mine is not None and mine in able)

    async def _settle(self, match: Heading) -> bool:
        """Archive a match, then let those who play have their share; whether nothing is left to do for it.

        One of another kind's rooms is only looked at: should they go before it is archived, that has to show here.
        Raises `UnavailableError`.
        """
        if not self._is_ours(match):
            return await self._archiver.is_settled(match.match_id)
        async with self._working:
            start = time.monotonic()
            try:
                await self._archiver.settle(match.match_id)
            except UnavailableError:
                raise
            except Exception as error:
                _note_failure(match.match_id, error)
                return False
            finally:
                check_cancelled()  # who is to end has no share to leave to others
                await asyncio.sleep((time.monotonic() - start) * self._rest_for_work)
        return True

    def _note_oldest(self, reading: _Reading) -> None:
        if reading.due:
            self._oldest_ms[reading.partition] = reading.due[0].stored_ms
        else:
            self._oldest_ms.pop(reading.partition, None)

    def _backlog_seconds(self) -> float:
        """May be read from another thread."""
        now = now_ms()
        oldest_ms = min(list(self._oldest_ms.values()), default=now - self._after_ms)
        return max(0, now - self._after_ms - oldest_ms) / 1000


class _Reading:
    """How far this room has read a partition, and what it found there that is still to be archived."""

    def __init__(self, reader: LogReader, partition: int, bookmark: _Bookmark, place: int) -> None:
        self.partition = partition
        self.due: list[Heading] = []
        """The last entries of matches that have ended for long enough, in the order in which these were stored."""
        self._reader = reader
        self._bookmark = bookmark
        self._marked = self._place = place

    @classmethod
    async def begin(cls, reader: LogReader, partition: int) -> _Reading:
        """Begin at the bookmark. Raises `LogUnavailableError`."""
        bookmark = _Bookmark(reader.nats, partition)
        return cls(reader, partition, bookmark, await bookmark.read())

    async def go_on(self, before_ms: int) -> None:
        """Read on, up to what was stored after a time. Raises `LogUnavailableError`.

        An entry with a result is its match's last; a match without one ends further on.
        """
        if len(self.due) >= _MOST_DUE:
            return
        found = self._reader.headings(self.partition, self._place)
        async with aclosing(found):
            async for heading in found:
                if heading.stored_ms > before_ms:
                    break
                self._place = heading.stream_sequence
                if heading.headers.result:
                    self.due.append(heading)

    async def mark(self) -> None:
        """Move the bookmark up to where nothing is left to do."""
        up_to = self.due[0].stream_sequence - 1 if self.due else self._place
        if up_to > self._marked:
            await self._bookmark.write(up_to)
            self._marked = up_to


class _Bookmark:
    """The place in a partition up to which rooms of this kind have nothing left to archive.

    A shortcut: where it is lost, what is archived already is looked at once more.
    """

    def __init__(self, nats: Client, partition: int) -> None:
        rules = (f"{each.game.name}-{each.game.rules_version}" for each in games.hosted())
        self._nats = nats
        self._subject = f"$KV.{ARCHIVE_BUCKET}.settled.{partition}.{'_'.join(sorted(rules))}"

    async def read(self) -> int:
        """A stream sequence; 0 where nothing is known. Raises `LogUnavailableError`."""
        message = await last_message(self._nats, f"KV_{ARCHIVE_BUCKET}", self._subject)
        text = message.data.decode() if message is not None else ""
        return int(text) if text.isdecimal() else 0

    async def write(self, place: int) -> None:
        """Note a place, as far as NATS takes it."""
        try:
            await self._nats.request(self._subject, str(place).encode(), timeout=_WRITE_SECONDS)
        except (TimeoutError, NatsError, OSError) as error:
            _log.info("bookmark not written", subject=self._subject, error=repr(error))


def _note_failure(match_id: str, error: Exception) -> None:
    failure = as_arena_error(error)
    metrics.ARCHIVE_FAILURES.labels(failure.reason).inc()
    _log.error("not archived", match_id=match_id, reason=failure.reason, error=str(failure))
