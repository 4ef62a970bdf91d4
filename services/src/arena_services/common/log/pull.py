"""Reads a JetStream pull consumer to its end, one message at a time, and notices whatever it missed.

Unlike a client library's fetch it keeps one request open all the time, so that a new message arrives at once, and asks
for idle heartbeats, so that a consumer that is gone, or a connection that lost its request, is noticed within seconds.
One that is paused, or reads a copy of the log that is cut off from the others, goes on to say that it has nothing to
say: what others know to be stored has to come all the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from arena_services.common.cancellation import check_cancelled

#: How often the server says that it has nothing to say.
HEARTBEAT_SECONDS = 1.0
#: A consumer that was silent for so long is taken for lost.
SILENCE_SECONDS = 2.5
#: So long after something was known to be stored it has to have come, where there is silence but for heartbeats.
_LATE_SECONDS = 4.0
_ROUND_TRIP_SECONDS = 5
_BATCH = 1000
_REQUEST_SECONDS = 30.0
_NANOSECONDS = 1_000_000_000

_STATUS = "Status"
_HEARTBEAT = "100"
_REQUEST_EXPIRED = "408"


class Pull:
    """One reading of one consumer that acknowledges nothing."""

    def __init__(
        self,
        nats: Client,
        stream: str,
        consumer: str,
        take: Callable[[Msg], None],
        stored: Callable[[], int] = lambda: 0,
    ) -> None:
        """`take` is called with each message, in order, each once.

        `stored` tells a stream sequence up to which messages are certainly stored, the last one for good.
        """
        self._stored = stored
        self._place = 0
        self._awaited = 0
        self._awaited_since = 0.0
        self._nats = nats
        self._next = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._take = take
        self._inbox = nats.new_inbox()
        self._wanted = 0
        self._received = 0
        self._heard = 0.0
        self._lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def run(self) -> str:
        """Read until something is missed or the consumer is gone; returns what happened.

        Raises nats.errors.Error when NATS does not answer.
        """
        subscription = await self._nats.subscribe(self._inbox, cb=self._hear)
        try:
            self._note_life()
            await self._ask()
            return await self._watch(subscription)
        finally:
            if not self._nats.is_closed:
                await subscription.unsubscribe()

    async def _watch(self, subscription: Subscription) -> str:
        """Wait until the consumer is lost, or silent for too long."""
        while not self._lost.done():
            check_cancelled()
            left = self._heard + SILENCE_SECONDS - asyncio.get_running_loop().time()
            if left > 0:
                await asyncio.wait((self._lost,), timeout=left)
            elif await self._is_silent(subscription):
                return "silence"
        return self._lost.result()

    async def _is_silent(self, subscription: Subscription) -> bool:
        """Whether nothing has come for long, rather than lies unread because this process is busy."""
        heard = self._heard
        await self._nats.flush(_ROUND_TRIP_SECONDS)  # whatever was sent before has arrived then
        return heard == self._heard and not subscription.pending_msgs

    async def _hear(self, message: Msg) -> None:
        self._note_life()
        status = (message.headers or {}).get(_STATUS)
        if status is None:
            await self._receive(message)
        elif status == _HEARTBEAT:
            self._check(int((message.headers or {}).get("Nats-Last-Consumer", self._received)))
            self._check_progress()
        elif status == _REQUEST_EXPIRED:
            await self._ask()
        else:
            reason = (message.headers or {}).get("Description", "")
            self._lose(f"status {status} {reason}".rstrip())

    async def _receive(self, message: Msg) -> None:
        self._check(message.metadata.sequence.consumer - 1)
        if self._lost.done():
            return
        self._received += 1
        self._place = message.metadata.sequence.stream
        self._take(message)
        self._wanted -= 1
        if self._wanted <= 0:
            await self._ask()

    def _check(self, sent: int) -> None:
        """Compare what the server has sent so far with what arrived."""
        if sent != self._received:
            self._lose(f"a gap: {sent} messages were sent, {self._received} arrived")

    def _check_progress(self) -> None:
        """See whether what was known to be stored a heartbeat ago has come."""
        now = asyncio.get_running_loop().time()
        if self._awaited <= self._place:
            self._awaited, self._awaited_since = self._stored(), now
        elif now - self._awaited_since >= _LATE_SECONDS:
            self._lose(f"it stands still: {self._awaited} is stored, {self._place} came last")

    async def _ask(self) -> None:
        self._wanted = _BATCH
        request = {
            "batch": _BATCH,
            "expires": int(_REQUEST_SECONDS * _NANOSECONDS),
            "idle_heartbeat": int(HEARTBEAT_SECONDS * _NANOSECONDS),
        }
        await self._nats.publish(self._next, json.dumps(request).encode(), reply=self._inbox)

    def _note_life(self) -> None:
        self._heard = asyncio.get_running_loop().time()

    def _lose(self, why: str) -> None:
        if not self._lost.done():
            self._lost.set_result(why)
