"""Follows a KV bucket: every key's last value first, then each change, in order and none left out.

A push consumer in memory, watched by its own counter and heartbeats; and since one that stands still may have a heart
that beats, the stream's leader is asked now and then what there is. Whatever goes wrong with it (a gap, silence, NATS
restarted, the consumer dropped or paused) is mended in one way: a new consumer, and everything read again. What the
bucket forgets by age is not announced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.messages import last_message
from arena_services.common.metrics import BUCKETS_READ_ANEW

_HEARTBEAT_SECONDS = 1.0
_SILENCE_SECONDS = 3.5
#: How often the leader is asked what there is while nothing comes, and how soon after it was seen there it has to come.
_ASK_SECONDS = 4.0
_LATE_SECONDS = 3.0
_REQUEST_SECONDS = 2.0
_FORGOTTEN_AFTER_SECONDS = 30.0
_RETRY_SECONDS = 0.5
_DELETIONS = frozenset({"DEL", "PURGE"})

_log = logs.get()


@dataclass(frozen=True)
class Change:
    """One key's value at a revision; no value: deleted."""

    key: str
    revision: int
    value: bytes | None
    stored_ms: int = field(default=0, compare=False)
    """When that was stored, by NATS' clock: milliseconds since the Unix epoch."""
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)


class _BrokenError(Exception):
    """This consumer cannot be relied upon any longer."""


class _Progress:
    """How far a consumer has come, and what the leader said there is. Times are the event loop's, in seconds."""

    def __init__(self, now: float) -> None:
        self.received = 0
        """The newest revision that came."""
        self._stored = 0
        self._asked_at = now

    def is_in_doubt(self, now: float) -> bool:
        """Whether it is time to ask the leader what there is.

        Raises `_BrokenError` where something that was there for long has not come.
        """
        seconds = now - self._asked_at
        if self._stored > self.received and seconds >= _LATE_SECONDS:
            raise _BrokenError(f"{self._stored} is stored, {self.received} came last")
        return seconds >= _ASK_SECONDS

    def note_stored(self, revision: int, now: float) -> None:
        """What the leader says there is."""
        self._stored, self._asked_at = revision, now


class Follower:
    """Follows one bucket.

    `on_start` is called before everything is read (again), `on_change` for each value, `on_caught_up` once all that was
    stored at the start has been given.
    """

    def __init__(
        self,
        nats: Client,
        bucket: str,
        on_start: Callable[[], None],
        on_change: Callable[[Change], None],
        on_caught_up: Callable[[], None],
    ) -> None:
        self._nats = nats
        self._js: JetStreamContext = nats.jetstream(timeout=_REQUEST_SECONDS)
        self._bucket = bucket
        self._prefix = f"$KV.{bucket}."
        self._on_start = on_start
        self._on_change = on_change
        self._on_caught_up = on_caught_up
        BUCKETS_READ_ANEW.labels(bucket)

    async def run(self) -> None:
        """Follow for ever."""
        while True:
            subscription = await self._nats.subscribe(self._nats.new_inbox())
            try:
                await self._follow(subscription)
            except (_BrokenError, NatsError, TimeoutError) as error:
                BUCKETS_READ_ANEW.labels(self._bucket).inc()
                _log.info("reading bucket again", bucket=self._bucket, cause=repr(error))
            finally:
                await self._drop(subscription)
            check_cancelled()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _follow(self, subscription: Subscription) -> None:
        self._on_start()
        awaited = await self._consume_to(subscription.subject)
        is_caught_up, received = False, 0
        loop = asyncio.get_running_loop()
        progress = _Progress(loop.time())
        while True:
            check_cancelled()
            if not is_caught_up and received >= awaited:
                is_caught_up = True
                self._on_caught_up()
            message = await subscription.next_msg(timeout=_SILENCE_SECONDS)
            if message.headers and "Status" in message.headers:
                _check_heartbeat(message.headers, received)
                if progress.is_in_doubt(loop.time()):
                    progress.note_stored(await self._newest(), loop.time())
                continue
            received += 1
            change = self._read(message, received)
            progress.received = change.revision
            self._on_change(change)

    async def _newest(self) -> int:
        """The newest revision in the bucket, by the leader's word; 0 where it says nothing."""
        try:
            message = await last_message(self._nats, f"KV_{self._bucket}", f"{self._prefix}>")
        except LogUnavailableError:
            return 0
        return message.stream_sequence if message is not None else 0

    async def _consume_to(self, inbox: str) -> int:
        """Make the consumer; returns how many messages it has to begin with."""
        config = ConsumerConfig(
            deliver_subject=inbox,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
            filter_subject=f"{self._prefix}>",
            ack_policy=AckPolicy.NONE,
            idle_heartbeat=_HEARTBEAT_SECONDS,
            inactive_threshold=_FORGOTTEN_AFTER_SECONDS,
            mem_storage=True,
            num_replicas=1,
        )
        info = await self._js.add_consumer(f"KV_{self._bucket}", config)
        # Some may be on their way already: they count as delivered, no longer as pending.
        delivered = info.delivered.consumer_seq if info.delivered else 0
        return (info.num_pending or 0) + delivered

    def _read(self, message: Msg, received: int) -> Change:
        metadata = message.metadata
        if metadata.sequence.consumer != received:
            raise _BrokenError(f"message {metadata.sequence.consumer} came as number {received}")
        headers = message.headers or {}
        is_deleted = headers.get("KV-Operation") in _DELETIONS or "Nats-Marker-Reason" in headers
        return Change(
            message.subject.removeprefix(self._prefix),
            metadata.sequence.stream,
            None if is_deleted else message.data,
            int(metadata.timestamp.timestamp() * 1000),
            headers,
        )

    async def _drop(self, subscription: Subscription) -> None:
        """Without interest in its subject the consumer is dropped by the server."""
        if not self._nats.is_closed:
            await subscription.unsubscribe()


def _check_heartbeat(headers: dict[str, str], received: int) -> None:
    last = headers.get("Nats-Last-Consumer")
    if last is not None and int(last) != received:
        raise _BrokenError(f"the server has sent {last} messages, {received} came")
