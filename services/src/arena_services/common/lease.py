"""Leases: who alone does a piece of work, settled by the KV bucket `leases`.

A lease is a key that its holder rewrites before the bucket forgets it. The holder trusts it for less time than the
bucket keeps it, counted from before each renewal was sent, so that it has stopped before anybody else can begin. A
process that was paused cannot know that before it wakes: work that must not be done twice asks `Lease.check` right
before the step, and makes the step itself harmless to repeat.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Awaitable, Callable

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.log.streams import ensure_bucket

LEASES_BUCKET = "leases"
#: How long the bucket keeps a lease that nobody renews.
TTL_SECONDS = 5.0
#: How long its holder trusts a lease after a renewal. The rest of the TTL is for the server's clock and the way to it.
TRUSTED_SECONDS = 4.0
RENEW_SECONDS = 1.25
_RELEASE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 1.5

_log = logs.get()


class LeaseLostError(Exception):
    """The lease ran out, or somebody else has it."""


class Lease:
    """One lease while it is held."""

    def __init__(self, bucket: KeyValue, name: str, value: bytes) -> None:
        self.name = name
        self._bucket = bucket
        self._value = value
        self._revision = 0
        self._trusted_until = 0.0

    @property
    def is_held(self) -> bool:
        """Whether nobody else can have it yet."""
        return time.monotonic() < self._trusted_until

    def check(self) -> None:
        """Raise `LeaseLostError` unless it is held."""
        if not self.is_held:
            raise LeaseLostError(f"the lease {self.name} ran out")

    async def acquire(self) -> bool:
        """Try once to get it."""
        sent = time.monotonic()
        try:
            self._revision = await self._bucket.create(self.name, self._value)
        except KeyWrongLastSequenceError:
            try:
                await self._renew_unacknowledged()
            except (LeaseLostError, KeyWrongLastSequenceError):
                return False
        self._trusted_until = sent + TRUSTED_SECONDS
        return True

    async def keep(self) -> None:
        """Renew it for as long as that goes. Raises `LeaseLostError` at the end."""
        while True:
            check_cancelled()
            await asyncio.sleep(RENEW_SECONDS)
            sent = time.monotonic()
            try:
                async with asyncio.timeout(self._trusted_until - sent):
                    await self._renew()
            except (NatsError, TimeoutError) as error:
                _log.warning("lease not renewed", lease=self.name, error=repr(error))
                self.check()
            else:
                self._trusted_until = sent + TRUSTED_SECONDS

    async def release(self) -> None:
        """Give it up, so that the next one need not wait; as far as NATS can be reached."""
        self._trusted_until = 0.0
        try:
            async with asyncio.timeout(_RELEASE_SECONDS):
                await self._bucket.delete(self.name, last=self._revision)
        except (NatsError, TimeoutError) as error:
            _log.info("lease left to run out", lease=self.name, error=repr(error))

    async def _renew(self) -> None:
        try:
            self._revision = await self._update(self._revision)
        except KeyWrongLastSequenceError:
            await self._renew_unacknowledged()

    async def _renew_unacknowledged(self) -> None:
        """Renew what is ours by a write that was stored although its acknowledgement never came."""
        self._revision = await self._update(await self._own_revision())

    async def _update(self, last: int) -> int:
        return await self._bucket.update(self.name, self._value, last=last)

    async def _own_revision(self) -> int:
        try:
            entry = await self._bucket.get(self.name)
        except KeyNotFoundError:
            entry = None
        if entry is None or entry.value != self._value or entry.revision is None:
            raise LeaseLostError(f"the lease {self.name} is somebody else's") from None
        return entry.revision


class Leases:
    """The leases that this process takes part in."""

    def __init__(self, bucket: KeyValue, holder: str) -> None:
        self._bucket = bucket
        self._holder = holder

    @classmethod
    async def open(cls, js: JetStreamContext, replicas: int, holder: str) -> Leases:
        """The platform's leases, held in the name of `holder`."""
        bucket = await ensure_bucket(js, LEASES_BUCKET, replicas, ttl_seconds=TTL_SECONDS)
        return cls(bucket, holder)

    async def hold(self, name: str, work: Callable[[Lease], Awaitable[None]]) -> None:
        """Wait for the lease `name`, then do `work` while it lasts; returns when the work does.

        Raises `LeaseLostError`, the work cancelled at once, when the lease is lost meanwhile.
        """
        lease = await self._wait_for(name)
        _log.info("lease taken", lease=name)
        try:
            check_cancelled()
            async with asyncio.TaskGroup() as tasks:
                keeper = tasks.create_task(lease.keep(), name=f"lease-{name}")
                await work(lease)
                keeper.cancel()
        except* LeaseLostError:
            raise LeaseLostError(f"the lease {name} was lost") from None
        finally:
            await lease.release()

    async def _wait_for(self, name: str) -> Lease:
        """The lease, once it is free. It is asked for again and again, for an expiry is not announced."""
        # The nonce tells this holding from an earlier one of the same process.
        value = json.dumps({"holder": self._holder, "nonce": secrets.token_hex(8)}).encode()
        lease = Lease(self._bucket, name, value)
        while True:
            try:
                if await lease.acquire():
                    return lease
            except (NatsError, TimeoutError) as error:
                _log.warning("lease cannot be asked for", lease=name, error=repr(error))
            check_cancelled()
            await asyncio.sleep(random.uniform(_LONGEST_PAUSE_SECONDS / 3, _LONGEST_PAUSE_SECONDS))
