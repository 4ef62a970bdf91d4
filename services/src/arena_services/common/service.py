"""How a service starts, runs and stops; the same for all.

Start: settings, logs, metrics, NATS, `bind`, ready. Stop, on SIGTERM or SIGINT: not ready, what `on_drain` was given (a
room hands its matches over), the server within its grace time, the closers in reverse, NATS. Any task that dies ends
the process with code 1, so that whoever watches over it starts it anew.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import uvloop
from nats.aio.client import Client

from arena_services.common import config, garbage, logs, metrics, tracing
from arena_services.common.auth import Tokens
from arena_services.common.nats import Login, NatsUnreachableError, close, connect
from arena_services.common.rpc import Server

_Settings = TypeVar("_Settings", bound=config.ServiceSettings)

_log = logs.get()


@dataclass
class Bindings(Generic[_Settings]):
    """What a service's `bind` is given to build on."""

    settings: _Settings
    nats: Client
    tokens: Tokens
    server: Server
    tasks: asyncio.TaskGroup
    """For tasks that live as long as the service; name each."""
    closers: AsyncExitStack
    """Closed in reverse after the server has stopped."""
    on_start: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Called in order once the server listens and its address is known, before it is ready."""
    on_drain: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Called in order when a stop begins, while calls are still served."""

    @property
    def address(self) -> str:
        """Where other services reach this one. Known once the server listens."""
        return self.settings.advertise or self.server.address


Bind = Callable[[Bindings[_Settings]], Awaitable[None]]


def run(service: str, settings_type: type[_Settings], bind: Bind[_Settings]) -> None:
    """Run a service until it is told to stop. Exits 1 on failure, 2 on settings that do not hold."""
    settings = config.load(settings_type)
    logs.set_up(service, settings.instance, settings.log_format, settings.log_level)
    try:
        with tracing.exporting(service, settings):
            uvloop.run(_serve(service, settings, bind))
    except NatsUnreachableError as error:
        _log.error("cannot start", error=str(error))
        raise SystemExit(1) from None
    except ExceptionGroup as group:
        for cause in group.exceptions:
            _log.error("a task died", error=repr(cause), exc_info=cause)
        raise SystemExit(1) from None


async def _serve(service: str, settings: _Settings, bind: Bind[_Settings]) -> None:
    stopping = _stop_signal()
    server = Server(settings.listen, settings.tls)
    with metrics.serve(settings.metrics_listen, lambda: server.is_ready) as metrics_address:
        client = await _connect_unless_stopped(service, settings, stopping)
        if client is None:
            return
        try:
            async with asyncio.TaskGroup() as tasks, AsyncExitStack() as closers:
                tokens = Tokens(settings.token_key.get_secret_value())
                bindings = Bindings(settings, client, tokens, server, tasks, closers)
                await bind(bindings)
                await server.start()
                for start in bindings.on_start:
                    await start()
                await server.set_ready(True)
                tasks.create_task(garbage.tend(), name="garbage")
                _log.info("ready", address=bindings.address, metrics=metrics_address)
                await stopping.wait()
                await _stop(bindings)
                raise _Stopped  # noqa: TRY301 - how a task group is left early
        except* _Stopped:
            pass
        finally:
            await close(client)
        _log.info("stopped")


class _Stopped(Exception):  # noqa: N818 - not an error: it ends the task group
    """The service was told to stop and has."""


async def _stop(bindings: Bindings[_Settings]) -> None:
    _log.info("stopping", grace_seconds=bindings.settings.grace_seconds)
    await bindings.server.set_ready(False)
    try:
        async with asyncio.timeout(bindings.settings.grace_seconds):
            for drain in bindings.on_drain:
                await drain()
    except TimeoutError:
        _log.warning("grace time ran out before all was handed over")
    await bindings.server.stop(bindings.settings.grace_seconds)


async def _connect_unless_stopped(
    service: str, settings: _Settings, stopping: asyncio.Event
) -> Client | None:
    """A connection, or None when told to stop while waiting for one."""
    name = f"{service}-{settings.instance}"
    login = Login(settings.nats_user, settings.nats_password.get_secret_value())
    connecting = asyncio.create_task(
        connect(
            settings.nats_url,
            name,
            settings.nats_wait_seconds,
            login if settings.nats_user else None,
            settings.nats_tls,
        ),
        name="connect",
    )
    stopped = asyncio.create_task(stopping.wait(), name="stop")
    await asyncio.wait((connecting, stopped), return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if connecting.done():
        return connecting.result()
    connecting.cancel()
    return None


def _stop_signal() -> asyncio.Event:
    """Set by SIGTERM and SIGINT."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping
