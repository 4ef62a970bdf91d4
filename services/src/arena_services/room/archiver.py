"""Archives one finished match, and purges its log once that is certain.

Every step may be done again, by anybody, at any time: what is archived is written whole, read back and held against the
log before the log goes. So it matters neither where a room dies on the way, nor whether two do the same at once.
"""

from __future__ import annotations

from contextlib import aclosing

from arena_services.common import logs
from arena_services.common.log import snapshot
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.messages import purge
from arena_services.common.log.reader import Stored
from arena_services.room import metrics
from arena_services.room.archive import Record, is_first, record
from arena_services.room.errors import ArchiveDamagedError
from arena_services.room.stores import Stores

_log = logs.get()


class Archiver:
    """Takes finished matches from the log to the archive."""

    def __init__(self, stores: Stores) -> None:
        self._reader = stores.reader
        self._archive = stores.archive
        self._owners = stores.owners

    async def is_settled(self, match_id: str) -> bool:
        """Whether nothing but the mark is left of a finished match's log. Raises `LogUnavailableError`."""
        head, tail = await self._reader.head(match_id), await self._reader.tail(match_id)
        return head is None or tail is None or head.stream_sequence == tail.stream_sequence

    async def settle(self, match_id: str) -> None:
        """See to it that a finished match is archived and its log is gone.

        Raises `LogUnavailableError` where that is to be tried again; `CorruptLogError`, `ArchiveDamagedError`,
        `ArchiveTooLargeError`, `ArchiveFullError` where the log has to stay.
        """
        head, tail = await self._reader.head(match_id), await self._reader.tail(match_id)
        if head is None or tail is None or head.stream_sequence == tail.stream_sequence:
            return  # the mark alone is left
        if is_first(head):
            rendered = await self._render(match_id, head, tail)
            if rendered is None:
                return
            await self._archive.keep(match_id, rendered)
        else:
            # A purge was cut short. Whoever began it had seen that the archive is whole; it had better still be.
            await self._check(match_id, tail)
        await self._purge(match_id, tail)
        metrics.ARCHIVED.inc()
        _log.info("archived", match_id=match_id, entries=tail.entry.sequence)

    async def _render(self, match_id: str, head: Stored, tail: Stored) -> Record | None:
        """What is to be archived; None where the log went meanwhile, because another room was faster."""
        entries = self._reader.follow(match_id, tail.stream_sequence)
        try:
            async with aclosing(entries):
                return await record(match_id, head, entries, tail)
        except CorruptLogError:
            now = await self._reader.head(match_id)
            if now is not None and not is_first(now):
                return None
            raise

    async def _check(self, match_id: str, tail: Stored) -> None:
        facts, steps = await self._archive.facts(match_id), await self._archive.replay(match_id)
        if facts.state_hash != tail.entry.state_hash or len(steps) != tail.entry.sequence:
            raise ArchiveDamagedError(match_id, "it does not end as the log does")

    async def _purge(self, match_id: str, tail: Stored) -> None:
        """Remove what is not needed any more: all of the log but its last entry."""
        if self._owners.find(match_id) is not None:
            await self._owners.remove(match_id)
        await purge(self._reader.nats, snapshot.STREAM, snapshot.subject_of(match_id))
        stream, subject = self._reader.place(match_id)
        await purge(self._reader.nats, stream, subject, below=tail.stream_sequence)
