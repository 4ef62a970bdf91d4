"""Reads match logs as rooms may: whole entries, by the word of the stream's leader."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from google.protobuf.message import DecodeError
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena.log.v1.entry_pb2 import Entry
from arena_services.common.log.errors import CorruptLogError, LogUnavailableError
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.subjects import partition_of, stream_of, subject_of

_API = "$JS.API"
_ASK_SECONDS = 1.5
_READ_SECONDS = 5.0
_BATCH = 500
_FORGET_READER_SECONDS = 30.0
_NO_MESSAGE = 10037


@dataclass(frozen=True)
class RawMessage:
    """One message of a stream, as its leader gave it."""

    stream_sequence: int
    stored_ms: int
    """When NATS stored it, by its own clock: milliseconds since the Unix epoch."""
    headers: dict[str, str]
    data: bytes


@dataclass(frozen=True)
class Stored:
    """One entry with its place in the stream."""

    stream_sequence: int
    """JetStream's sequence, which appends are checked against. Not the match's own."""
    stored_ms: int
    """When NATS stored it, by its own clock: milliseconds since the Unix epoch."""
    headers: EntryHeaders
    entry: Entry


async def last_message(nats: Client, stream: str, subject: str) -> RawMessage | None:
    """The last message of a subject, read from the stream's leader. Raises `LogUnavailableError`."""
    return await _message(nats, stream, {"last_by_subj": subject})


async def first_message(nats: Client, stream: str, subject: str) -> RawMessage | None:
    """The first message of a subject, read from the stream's leader. Raises `LogUnavailableError`."""
    return await _message(nats, stream, {"seq": 1, "next_by_subj": subject})


class LogReader:
    """Reads the logs of one platform's matches."""

    def __init__(self, nats: Client, partitions: int) -> None:
        self.nats = nats
        self._partitions = partitions

    def place(self, match_id: str) -> tuple[str, str]:
        """The stream and the subject of a match."""
        stream = stream_of(partition_of(match_id, self._partitions))
        return stream, subject_of(match_id, self._partitions)

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
        try:
            async with asyncio.timeout(_READ_SECONDS):
                messages = await self._read(stream, subject, up_to, since)
        except (TimeoutError, NatsError) as error:
            raise LogUnavailableError(f"reading {subject}: {error!r}") from error
        return [_parsed(match_id, message) for message in messages]

    async def _read(self, stream: str, subject: str, up_to: int, since: int) -> list[RawMessage]:
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=max(1, since),
            ack_policy=AckPolicy.NONE,
            mem_storage=True,
            num_replicas=1,
            inactive_threshold=_FORGET_READER_SECONDS,
        )
        consumer = await self.nats.jetstream().pull_subscribe(subject, stream=stream, config=config)
        found: list[RawMessage] = []
        try:
            while not found or found[-1].stream_sequence < up_to:
                found += map(_raw, await consumer.fetch(_BATCH, timeout=_ASK_SECONDS))
        finally:
            if not self.nats.is_closed:
                await consumer.unsubscribe()
        return [message for message in found if message.stream_sequence <= up_to]


def _raw(message: Msg) -> RawMessage:
    metadata = message.metadata
    stored_ms = int(metadata.timestamp.timestamp() * 1000)
    headers = dict(message.headers or {})
    return RawMessage(metadata.sequence.stream, stored_ms, headers, message.data)


async def _message(nats: Client, stream: str, wanted: dict[str, Any]) -> RawMessage | None:
    subject = f"{_API}.STREAM.MSG.GET.{stream}"
    try:
        answer = await nats.request(subject, json.dumps(wanted).encode(), timeout=_ASK_SECONDS)
    except (TimeoutError, NatsError, OSError) as error:
        raise LogUnavailableError(f"asking {stream}: {error!r}") from error
    said = json.loads(answer.data)
    if refusal := said.get("error"):
        if refusal.get("err_code") == _NO_MESSAGE:
            return None
        raise LogUnavailableError(f"asking {stream}: {refusal.get('description')}")
    message = said["message"]
    return RawMessage(
        message["seq"],
        _milliseconds(message["time"]),
        _headers(b64decode(message.get("hdrs", ""))),
        b64decode(message.get("data", "")),
    )


def _headers(block: bytes) -> dict[str, str]:
    """NATS headers from their wire form."""
    lines = block.decode().split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    return {name: value.strip() for name, _, value in pairs}


def _milliseconds(text: str) -> int:
    """Milliseconds since the Unix epoch of an RFC 3339 time in UTC with up to nine decimals."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = datetime.fromisoformat(whole).replace(tzinfo=UTC).timestamp()
    return int(seconds) * 1000 + int((fraction + "000")[:3])


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
