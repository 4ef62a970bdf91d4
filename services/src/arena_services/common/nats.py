"""The connection to NATS: waited for at the start, kept for ever after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from arena_services.common import logs
from arena_services.common.metrics import NATS_CONNECTED
from arena_services.common.pauses import Pauses

_FIRST_RETRY_SECONDS = 0.2
_LONGEST_RETRY_SECONDS = 2.0

_log = logs.get()


class NatsUnreachableError(Exception):
    """NATS did not answer in the time that a start waits for it."""


async def connect(url: str, name: str, wait_seconds: float) -> Client:
    """Connect, saying so while waiting. Raises `NatsUnreachableError` after `wait_seconds`."""
    servers = [server.strip() for server in url.split(",")]
    pauses = Pauses(_FIRST_RETRY_SECONDS, _LONGEST_RETRY_SECONDS)
    deadline = asyncio.get_running_loop().time() + wait_seconds
    while True:
        try:
            client = await nats.connect(
                servers,
                name=name,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=_FIRST_RETRY_SECONDS,
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                disconnected_cb=_disconnected,
                reconnected_cb=_reconnected,
                error_cb=_failed,
            )
        except (NoServersError, NatsError, OSError) as error:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                raise NatsUnreachableError(
                    f"NATS at {url} did not answer within {wait_seconds:g} s ({error}); "
                    "is it running, and is ARENA_NATS_URL right?"
                ) from error
            _log.warning("waiting for NATS", url=url, seconds_left=round(left, 1), error=str(error))
            await asyncio.sleep(min(pauses.next(), left))
        else:
            NATS_CONNECTED.set(1)
            return client


@asynccontextmanager
async def connected(url: str, name: str, wait_seconds: float) -> AsyncIterator[Client]:
    """As `connect`; the connection is closed with the block."""
    client = await connect(url, name, wait_seconds)
    try:
        yield client
    finally:
        await client.close()


async def _disconnected() -> None:
    NATS_CONNECTED.set(0)
    _log.warning("disconnected from NATS")


async def _reconnected() -> None:
    NATS_CONNECTED.set(1)
    _log.info("reconnected to NATS")


async def _failed(error: Exception) -> None:
    _log.warning("NATS client error", error=repr(error))
