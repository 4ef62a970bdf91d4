"""Messages of a stream as they are stored, by the word of the stream's leader."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena_services.common.log.direct import headers_of, place_of, read_directly, time_of
from arena_services.common.log.errors import LogUnavailableError

_API = "$JS.API"
_ASK_SECONDS = 1.5
_READ_SECONDS = 5.0
_PURGE_SECONDS = 5.0
_BATCH = 500
_FORGET_READER_SECONDS = 30.0
_NO_MESSAGE = 10037


@dataclass(frozen=True)
class RawMessage:
    """One message of a stream, as its leader gave it."""

    subject: str
    stream_sequence: int
    stored_ms: int
    """When NATS stored it, by its own clock: milliseconds since the Unix epoch."""
    headers: dict[str, str]
    data: bytes


async def last_message(nats: Client, stream: str, subject: str) -> RawMessage | None:
    """The last message of a subject, read from the stream's leader. Raises `LogUnavailableError`."""
    return await _message(nats, stream, {"last_by_subj": subject})


async def first_message(nats: Client, stream: str, subject: str) -> RawMessage | None:
    """The first message of a subject, read from the stream's leader. Raises `LogUnavailableError`."""
    return await _message(nats, stream, {"seq": 1, "next_by_subj": subject})


async def messages_up_to(
    nats: Client, stream: str, subject: str, up_to: int, since: int = 0
) -> list[RawMessage]:
    """All of a subject from a stream sequence up to one that is known to hold one of them, in order.

    Raises `LogUnavailableError`.
    """
    directly = await read_directly(nats, stream, subject, since, up_to)
    if directly is not None:
        found = [_raw_directly(subject, message) for message in directly]
    else:
        found = await _messages(nats, stream, subject, since, up_to, is_last=False)
    return [message for message in found if message.stream_sequence <= up_to]


async def messages_from(
    nats: Client, stream: str, subject: str, since: int, most: int
) -> list[RawMessage]:
    """The first messages of a subject from a stream sequence on, at most so many, at least one that must be there.

    Raises `LogUnavailableError`.
    """
    return await _messages(nats, stream, subject, since, None, is_last=False, most=most)


async def all_messages(
    nats: Client, stream: str, subject: str, *, is_last: bool = False
) -> list[RawMessage]:
    """All that is stored on a subject, or of each subject of a wildcard the last, in order.

    Raises `LogUnavailableError`.
    """
    return await _messages(nats, stream, subject, 0, None, is_last=is_last)


async def headers_from(
    nats: Client, stream: str, subject: str, since: int
) -> AsyncGenerator[RawMessage, None]:
    """All messages of a wildcard's subjects from a stream sequence on, in order, without their data.

    As many as there were at the beginning, less those that are purged meanwhile. Raises `LogUnavailableError`, also in
    its midst.
    """
    config = _reading(
        DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=max(1, since), headers_only=True
    )
    try:
        consumer = await nats.jetstream().pull_subscribe(subject, stream=stream, config=config)
        try:
            left = (await consumer.consumer_info()).num_pending or 0
            while left > 0:
                found = await consumer.fetch(min(left, _BATCH), timeout=_ASK_SECONDS)
                for message in found:
                    yield _raw(message)
                left = min(left - len(found), found[-1].metadata.num_pending)
        finally:
            await _drop(nats, stream, consumer, config)
    except (TimeoutError, NatsError) as error:
        raise LogUnavailableError(f"reading the headers of {subject}: {error!r}") from error


async def purge(nats: Client, stream: str, subject: str, below: int = 0) -> None:
    """Remove all messages of a subject, or those before the one at stream sequence `below`.

    Raises `LogUnavailableError` where it is not certain that they are gone.
    """
    wanted: dict[str, Any] = {"filter": subject, **({"seq": below} if below else {})}
    data = json.dumps(wanted).encode()
    try:
        answer = await nats.request(f"{_API}.STREAM.PURGE.{stream}", data, timeout=_PURGE_SECONDS)
        said = json.loads(answer.data)
    except (TimeoutError, NatsError, OSError, ValueError) as error:
        raise LogUnavailableError(f"purging {subject}: {error!r}") from error
    if not said.get("success"):
        raise LogUnavailableError(f"purging {subject}: {said.get('error')}")


async def _messages(
    nats: Client,
    stream: str,
    subject: str,
    since: int,
    up_to: int | None,
    *,
    is_last: bool,
    most: int = 0,
) -> list[RawMessage]:
    if is_last:
        config = _reading(DeliverPolicy.LAST_PER_SUBJECT)
    else:
        config = _reading(DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=max(1, since))
    try:
        async with asyncio.timeout(_READ_SECONDS):
            return await _read(nats, stream, subject, config, up_to, most)
    except (TimeoutError, NatsError) as error:
        raise LogUnavailableError(f"reading {subject}: {error!r}") from error


async def _read(
    nats: Client, stream: str, subject: str, config: ConsumerConfig, up_to: int | None, most: int
) -> list[RawMessage]:
    """Read up to a stream sequence; without one, `most` at most, or as many as there were at the beginning."""
    consumer = await nats.jetstream().pull_subscribe(subject, stream=stream, config=config)
    found: list[RawMessage] = []
    try:
        if most:
            return list(map(_raw, await consumer.fetch(most, timeout=_ASK_SECONDS)))
        most = 0 if up_to else (await consumer.consumer_info()).num_pending or 0
        while (not found or found[-1].stream_sequence < up_to) if up_to else len(found) < most:
            found += map(_raw, await consumer.fetch(_BATCH, timeout=_ASK_SECONDS))
    finally:
        await _drop(nats, stream, consumer, config)
    return found


def _reading(policy: DeliverPolicy, **wanted: Any) -> ConsumerConfig:
    """A consumer to read by once."""
    return ConsumerConfig(
        deliver_policy=policy,
        ack_policy=AckPolicy.NONE,
        mem_storage=True,
        num_replicas=1,
        inactive_threshold=_FORGET_READER_SECONDS,
        **wanted,
    )


async def _drop(
    nats: Client, stream: str, consumer: JetStreamContext.PullSubscription, config: ConsumerConfig
) -> None:
    """Dropped by itself a consumer is only after a while; whoever takes over a whole room reads thousands of logs."""
    if not nats.is_closed:
        await consumer.unsubscribe()
        await nats.publish(f"{_API}.CONSUMER.DELETE.{stream}.{config.name}")


def _raw(message: Msg) -> RawMessage:
    metadata = message.metadata
    stored_ms = int(metadata.timestamp.timestamp() * 1000)
    headers = dict(message.headers or {})
    return RawMessage(message.subject, metadata.sequence.stream, stored_ms, headers, message.data)


def _raw_directly(subject: str, message: Msg) -> RawMessage:
    stored_ms = _milliseconds(time_of(message))
    return RawMessage(subject, place_of(message), stored_ms, headers_of(message), message.data)


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
        message["subject"],
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
