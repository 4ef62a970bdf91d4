"""The connection to NATS: waited for at the start, kept for ever after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import (
    FlushTimeoutError,
    NoRespondersError,
    StaleConnectionError,
    UnexpectedEOF,
)
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import APIError, NoStreamResponseError, ServiceUnavailableError

from arena_services.common import logs
from arena_services.common.errors import UnavailableError
from arena_services.common.metrics import NATS_CONNECTED
from arena_services.common.nats_tls import TlsClient
from arena_services.common.pauses import Pauses
from arena_services.common.tls import NatsTls

_ATTEMPT_SECONDS = 2
_RETRY_SECONDS = 0.2
_SAY_EVERY_SECONDS = 2.0
_FIRST_RETRY_SECONDS = 0.2
_LONGEST_RETRY_SECONDS = 2.0

#: JetStream's code for what needs more servers than it knows to be there: a cluster that has just started.
_NO_PEERS = 10005
#: JetStream is not there yet, or has nobody who leads it; or a server has not heard yet of a stream just made.
_UNANSWERED = (
    NatsTimeoutError,
    NoRespondersError,
    NoStreamResponseError,
    ServiceUnavailableError,
    UnavailableError,
)

#: What the library meets as a connection breaks, and while nobody is there to make another one to.
_CONNECTION_ERRORS = (
    ConnectionError,
    TimeoutError,
    asyncio.IncompleteReadError,
    FlushTimeoutError,
    StaleConnectionError,
    UnexpectedEOF,
)

_T = TypeVar("_T")

_log = logs.get()


class NatsUnreachableError(Exception):
    """NATS did not answer in the time that a start waits for it."""


@dataclass(frozen=True)
class Login:
    """What a user shows to NATS."""

    user: str
    password: str


def inbox_prefix(user: str) -> str:
    """Under what a user hears answers: each under one of its own, which no other may listen to."""
    return f"_INBOX_{user}"


async def connect(
    url: str,
    name: str,
    wait_seconds: float,
    login: Login | None = None,
    tls: NatsTls | None = None,
) -> Client:
    """Connect, saying so while waiting. Raises `NatsUnreachableError` after `wait_seconds`, or one attempt.

    With `tls` a server that offers none is told nothing. Renewed certificates are used from the next attempt on.
    """
    told = _Told(url)
    try:
        client = Client() if tls is None else TlsClient(tls)
    except OSError as error:
        raise NatsUnreachableError(
            f"no certificates to reach NATS at {url} with: {error!r}"
        ) from error

    async def failed(error: Exception) -> None:
        _renew(client)
        await told.failed(error)

    async def disconnected() -> None:
        _renew(client)
        await told.disconnected()

    try:
        # The library itself tries again for ever, here as after a connection was lost.
        await _within(
            max(wait_seconds, _ATTEMPT_SECONDS),
            client.connect(
                [server.strip() for server in url.split(",")],
                name=name,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=_RETRY_SECONDS,  # type: ignore[arg-type] # it only sleeps for it
                connect_timeout=_ATTEMPT_SECONDS,
                # A server that hangs is left at the third unanswered one, after some six seconds.
                ping_interval=2,
                max_outstanding_pings=2,
                disconnected_cb=disconnected,
                reconnected_cb=told.reconnected,
                error_cb=failed,
                **(_shown(login) if login else {}),
                **(client.asked if isinstance(client, TlsClient) else {}),
            ),
        )
    except (TimeoutError, NatsError, OSError) as error:
        await close(client)
        raise NatsUnreachableError(
            f"NATS at {url} let nobody in within {wait_seconds:g} s ({told.error or error!r}); "
            "is it running, and are ARENA_NATS_URL, ARENA_NATS_USER and ARENA_NATS_PASSWORD right?"
        ) from error
    told.connected()
    return client


async def _within(seconds: float, attempt: Coroutine[Any, Any, None]) -> None:
    """As `asyncio.timeout`, but cancelled until it ends. Raises TimeoutError, or what the attempt does.

    The library loses a cancellation that comes together with what it waits for, and would go on for ever.
    """
    task = asyncio.create_task(attempt, name="connect to NATS")
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_RETRY_SECONDS)
    if task.cancelled():
        raise TimeoutError
    task.result()


class _Told:
    """Says how a connection fares: one line for each change, and before the first one now and then why it waits.

    While there is none, what else can be expected is not said at all, and other reasons once.
    """

    def __init__(self, url: str) -> None:
        self.error: Exception | None = None
        """What keeps it from being made."""
        self._url = url
        self._said: float | None = None
        self._is_made = False
        self._is_up = False
        self._down_since = 0.0
        self._reasons: set[type[Exception]] = set()

    def connected(self) -> None:
        """It has been made for the first time."""
        self._is_made = self._is_up = True
        NATS_CONNECTED.set(1)

    async def disconnected(self) -> None:
        """What the library calls when it is lost, or closed."""
        NATS_CONNECTED.set(0)
        if self._is_up:
            self._is_up = False
            self._reasons.clear()
            self._down_since = asyncio.get_running_loop().time()
            _log.warning("disconnected from NATS")

    async def reconnected(self) -> None:
        """What the library calls when it is made again."""
        NATS_CONNECTED.set(1)
        self._is_up = True
        away = asyncio.get_running_loop().time() - self._down_since
        _log.info("reconnected to NATS", away_seconds=round(away, 1))

    async def failed(self, error: Exception) -> None:
        """What the library calls with each failure."""
        if self._is_made:
            self._say_of(error)
            return
        # What NATS said tells more than that it hung up then.
        if not isinstance(self.error, NatsError):
            self.error = error
        now = asyncio.get_running_loop().time()
        if self._said is None or now - self._said >= _SAY_EVERY_SECONDS:
            self._said = now
            _log.warning("waiting for NATS", url=self._url, error=repr(error))

    def _say_of(self, error: Exception) -> None:
        if isinstance(error, _CONNECTION_ERRORS):
            return
        if self._is_up or type(error) not in self._reasons:
            _log.warning("NATS client error", error=repr(error))
        self._reasons.add(type(error))


def _renew(client: Client) -> None:
    if isinstance(client, TlsClient):
        client.renew()


@asynccontextmanager
async def connected(
    url: str,
    name: str,
    wait_seconds: float,
    login: Login | None = None,
    tls: NatsTls | None = None,
) -> AsyncIterator[Client]:
    """As `connect`; the connection is closed with the block."""
    client = await connect(url, name, wait_seconds, login, tls)
    try:
        yield client
    finally:
        await close(client)


async def close(client: Client) -> None:
    """Close a connection, which may be broken just now: then there is nobody left to say goodbye to."""
    with suppress(OSError):
        await client.close()


async def once_answered(call: Callable[[], Awaitable[_T]], wait_seconds: float) -> _T:
    """What an idempotent call gives, repeated while JetStream does not answer; for a service's start.

    A server that takes connections may be without a leader for a while. Raises what the call does, in the end.
    """
    pauses = Pauses(_FIRST_RETRY_SECONDS, _LONGEST_RETRY_SECONDS)
    deadline = asyncio.get_running_loop().time() + wait_seconds
    while True:
        try:
            return await call()
        except Exception as error:
            if not _is_unanswered(error) or asyncio.get_running_loop().time() >= deadline:
                raise
            _log.warning("waiting for JetStream", error=repr(error))
        await pauses.wait()


def _is_unanswered(error: Exception) -> bool:
    if isinstance(error, ExceptionGroup):
        return all(map(_is_unanswered, error.exceptions))
    is_without_peers = isinstance(error, APIError) and error.err_code == _NO_PEERS
    return is_without_peers or isinstance(error, _UNANSWERED)


def _shown(login: Login) -> dict[str, Any]:
    """A login as the client library takes it."""
    return {
        "user": login.user,
        "password": login.password,
        "inbox_prefix": inbox_prefix(login.user),
    }
