"""Which finished matches are archived when, and by which room.

Rooms share the partitions by hashing: each is looked after by one of those that play the same rules, so that an older
build archives what it alone can play. While rooms come and go two may look after the same one; that does no harm.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import NamedTuple

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import games, logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import UnavailableError
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import Newest
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
        done: set[int] = set()
        while True:
            check_cancelled()
            await asyncio.sleep(spread(self._pause_seconds))
            if not self._falls_here(partition):
                self._oldest_ms.pop(partition, None)
                done.clear()
                continue
            try:
                await self._go_through(partition, done)
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

    async def _go_through(self, partition: int, done: set[int]) -> None:
        """Archive what is due in a partition. `done`: places behind the bookmark where nothing is left to do.

        Raises `UnavailableError` where it has to be gone on with later.
        """
        bookmark = _Bookmark(self._hall.reader.nats, partition)
        since = await bookmark.read()
        looked = await self._look(partition, since)
        due = [each for each in looked.ended if each.stream_sequence not in done]
        left: list[Newest] = []
        self._note_oldest(partition, due)
        for index, match in enumerate(due):
            check_cancelled()
            if not self._falls_here(partition):
                return
            if await self._settle(match):
                done.add(match.stream_sequence)
            else:
                left.append(match)
            self._note_oldest(partition, left or due[index + 1 :])
        up_to = left[0].stream_sequence - 1 if left else looked.up_to
        if up_to > since:
            await bookmark.write(up_to)
            done.difference_update([place for place in done if place <= up_to])

    async def _look(self, partition: int, since: int) -> _Look:
        """Read the newest headers of all matches that have been as they are for long enough."""
        before_ms = now_ms() - self._after_ms
        ended: list[Newest] = []
        found = self._hall.reader.newest(partition, since)
        async with aclosing(found):
            async for match in found:
                if match.stored_ms > before_ms:
                    break
                since = match.stream_sequence
                if match.headers.result:
                    ended.append(match)
        return _Look(ended, since)

    def _is_ours(self, match: Newest) -> bool:
        """Whether a room of this kind is to archive a match: one that can, or any where none can."""
        game, version = match.headers.game, match.headers.rules_version
        able = [room for room in self._roster.alive() if room.can_play(game, version)]
        mine = self._mine()
        return not able or (mine is not None and mine in able)

    async def _settle(self, match: Newest) -> bool:
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

    def _note_oldest(self, partition: int, left: list[Newest]) -> None:
        if left:
            self._oldest_ms[partition] = left[0].stored_ms
        else:
            self._oldest_ms.pop(partition, None)

    def _backlog_seconds(self) -> float:
        """May be read from another thread."""
        now = now_ms()
        oldest_ms = min(list(self._oldest_ms.values()), default=now - self._after_ms)
        return max(0, now - self._after_ms - oldest_ms) / 1000


class _Look(NamedTuple):
    ended: list[Newest]
    up_to: int
    """The place of the last match that was looked at."""


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
