"""Reads match logs as rooms may: whole entries, by the word of the stream's leader."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from nats.aio.client import Client

from arena.log.v1.entry_pb2 import Entry
from arena_services.common import logs
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import CorruptLogError, LogUnavailableError
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.messages import (
    RawMessage,
    first_message,
    headers_from,
    last_message,
    messages_from,
    messages_up_to,
)
from arena_services.common.log.subjects import (
    match_of,
    partition_of,
    stream_of,
    subject_in,
    subjects_of,
)

#: Entries of a part of a log.
_PART = 256

_log = logs.get()


@dataclass(frozen=True)
class Stored:
    """One entry with its place in the stream."""

    stream_sequence: int
    """JetStream's sequence, which appends are checked against. Not the match's own."""
    stored_ms: int
    """When NATS stored it, by its own clock: milliseconds since the Unix epoch."""
    headers: EntryHeaders
    entry: Entry


@dataclass(frozen=True)
class Heading:
    """One entry by its headers."""

    match_id: str
    stream_sequence: int
    stored_ms: int
    """When NATS stored it, by its own clock: milliseconds since the Unix epoch."""
    headers: EntryHeaders


class LogReader:
    """Reads the logs of one platform's matches."""

    def __init__(self, nats: Client, partitions: int) -> None:
        self.nats = nats
        self.newest_places = [0] * partitions
        """By partition, the stream sequence of the newest entry that this process knows to be stored."""
        self._partitions = partitions
        self._pending: tuple[dict[object, int], ...] = tuple({} for _ in range(partitions))

    def place(self, match_id: str) -> tuple[str, str]:
        """The stream and the subject of a match."""
        partition = self.partition(match_id)
        return stream_of(partition), subject_in(partition, match_id)

    def partition(self, match_id: str) -> int:
        """The partition of a match. A hash: who asks again and again had better keep it."""
        return partition_of(match_id, self._partitions)

    def note_stored(self, partition: int, stream_sequence: int) -> None:
        """An entry of a partition is certainly stored."""
        newest = self.newest_places[partition]
        self.newest_places[partition] = max(newest, stream_sequence)

    def note_pending(self, partition: int, writer: object) -> None:
        """A writer waits, from now on, for an entry of a partition to be stored."""
        self._pending[partition][writer] = now_ms()

    def note_settled(self, partition: int, writer: object) -> None:
        """It waits no longer."""
        self._pending[partition].pop(writer, None)

    def kept_since(self, longer_than_ms: int) -> dict[int, int]:
        """The partitions that keep a writer waiting for longer than so many milliseconds, and since when."""
        latest_ms = now_ms() - longer_than_ms
        oldest = ((each, next(iter(of.values()))) for each, of in enumerate(self._pending) if of)
        return {partition: since_ms for partition, since_ms in oldest if since_ms < latest_ms}

    async def tail(self, match_id: str, known: int = 0) -> Stored | None:
        """The last entry, by the leader's word; None where the match does not exist.

        A leader that slept may speak of the past for a moment after it woke. Whoever knows better gives as `known` the
        stream sequence of an entry that is certainly stored. Raises `LogUnavailableError`, also for an answer older
        than that.
        """
        stream, subject = self.place(match_id)
        raw = await last_message(self.nats, stream, subject)
        last = raw.stream_sequence if raw else 0
        if last < known:
            raise LogUnavailableError(f"{stream} answered with {last}, but {known} is stored")
        return _stored(match_id, raw)

    async def head(self, match_id: str) -> Stored | None:
        """The first entry; None where the match does not exist. Raises `LogUnavailableError`."""
        return _stored(match_id, await first_message(self.nats, *self.place(match_id)))

    async def read(self, match_id: str, up_to: int, since: int = 0) -> list[Stored]:
        """All entries from the stream sequence `since` up to one that is known to hold one of them, in order.

        Raises `LogUnavailableError`; `CorruptLogError` for what is no entry.
        """
        stream, subject = self.place(match_id)
        messages = await messages_up_to(self.nats, stream, subject, up_to, since)
        return [_parsed(match_id, message) for message in messages]

    async def follow(self, match_id: str, up_to: int) -> AsyncGenerator[Stored, None]:
        """As `read`, a part at a time, for whoever takes long over it. Raises the same, also in its midst."""
        stream, subject = self.place(match_id)
        since = 0
        while since <= up_to:
            for message in await messages_from(self.nats, stream, subject, since, _PART):
                if message.stream_sequence <= up_to:
                    yield _parsed(match_id, message)
                since = message.stream_sequence + 1

    async def headings(self, partition: int, beyond: int) -> AsyncGenerator[Heading, None]:
        """The entries of a partition beyond a stream sequence, in the order in which they were stored.

        Raises `LogUnavailableError`, also in its midst.
        """
        stream, subjects = stream_of(partition), subjects_of(partition)
        found = headers_from(self.nats, stream, subjects, beyond + 1)
        async with aclosing(found):
            async for raw in found:
                if (heading := _heading(raw)) is not None:
                    yield heading


def _heading(raw: RawMessage) -> Heading | None:
    match_id = match_of(raw.subject)
    try:
        headers = EntryHeaders.from_nats(raw.headers)
    except (KeyError, ValueError) as error:
        _log.error("headers do not read", match_id=match_id, error=repr(error))
        return None
    return Heading(match_id, raw.stream_sequence, raw.stored_ms, headers)


def _stored(match_id: str, raw: RawMessage | None) -> Stored | None:
    return None if raw is None else _parsed(match_id, raw)


def _parsed(match_id: str, raw: RawMessage) -> Stored:
    try:
        headers, entry = EntryHeaders.from_nats(raw.headers), Entry.FromString(raw.data)
    except (DecodeError, KeyError, ValueError) as error:
        raise CorruptLogError(
            match_id, f"stream sequence {raw.stream_sequence} holds no entry"
        ) from error
    return Stored(raw.stream_sequence, raw.stored_ms, headers, entry)
