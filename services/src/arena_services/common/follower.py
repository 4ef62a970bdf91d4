"""Follows a KV bucket: every key's last value first, then each change, in order and none left out.

A push consumer in memory, watched by its own counter and heartbeats. Whatever goes wrong with it (a gap, silence, NATS
restarted, the consumer dropped) is mended in one way: a new consumer, and everything read again. What the bucket
forgets by age is not announced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled

_HEARTBEAT_SECONDS = 1.0
_SILENCE_SECONDS = 3.5
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


class _BrokenError(Exception):
    """This consumer cannot be relied upon any longer."""


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

    async def run(self) -> None:
        """Follow for ever."""
        while True:
            subscription = await self._nats.subscribe(self._nats.new_inbox())
            try:
                await self._follow(subscription)
            except (_BrokenError, NatsError, TimeoutError) as error:
                _log.info("reading bucket again", bucket=self._bucket, cause=repr(error))
            finally:
                await self._drop(subscription)
            check_cancelled()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _follow(self, subscription: Subscription) -> None:
        self._on_start()
        awaited = await self._consume_to(subscription.subject)
        is_caught_up, received = False, 0
        while True:
            check_cancelled()
            if not is_caught_up and received >= awaited:
                is_caught_up = True
                self._on_caught_up()
            message = await subscription.next_msg(timeout=_SILENCE_SECONDS)
            if message.headers and "Status" in message.headers:
                _check_heartbeat(message.headers, received)
                continue
            received += 1
            self._on_change(self._read(message, received))

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
        )

    async def _drop(self, subscription: Subscription) -> None:
        """Without interest in its subject the consumer is dropped by the server."""
        if not self._nats.is_closed:
            await subscription.unsubscribe()


def _check_heartbeat(headers: dict[str, str], received: int) -> None:
    last = headers.get("Nats-Last-Consumer")
    if last is not None and int(last) != received:
        raise _BrokenError(f"the server has sent {last} messages, {received} came")
