"""Runs services on a real NATS: within the test's process, to look inside, or as processes, to kill and to pause."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

from arena_services.common.auth import Tokens
from arena_services.common.config import ServiceSettings
from arena_services.common.nats import close, connect
from arena_services.common.rpc import Server
from arena_services.common.service import Bind, Bindings
from arena_services.local.ports import HOST, find_free
from arena_services.local.process import ProcessSpec

TOKEN_KEY = "k" * 32

_Settings = TypeVar("_Settings", bound=ServiceSettings)


class _Over(Exception):  # noqa: N818 - not an error: it ends the task group
    """The service is to end."""


@asynccontextmanager
async def running(bind: Bind[_Settings], settings: _Settings) -> AsyncIterator[Bindings[_Settings]]:
    """Run a service while the block runs, as `arena_services.common.service.run` does.

    At the end it is gone without a word, as after a crash.
    """
    client = await connect(settings.nats_url, settings.instance, 10)
    server = Server(settings.listen, settings.tls)
    tokens = Tokens(settings.token_key.get_secret_value())
    try:
        async with asyncio.TaskGroup() as tasks, AsyncExitStack() as closers:
            bindings = Bindings(settings, client, tokens, server, tasks, closers)
            await bind(bindings)
            await server.start()
            for start in bindings.on_start:
                await start()
            await server.set_ready(True)
            yield bindings
            raise _Over  # noqa: TRY301 - how a task group is left early
    except* _Over:
        pass
    finally:
        await server.stop(0)
        await close(client)


def service_spec(service: str, name: str, nats_url: str, folder: Path) -> tuple[ProcessSpec, str]:
    """How to run a service as a process, on free ports, and the address that it will serve."""
    port, metrics_port = find_free(2)
    address, metrics = f"{HOST}:{port}", f"{HOST}:{metrics_port}"
    spec = ProcessSpec(
        name=name,
        command=(sys.executable, "-m", f"arena_services.{service}"),
        ready_url=f"http://{metrics}/readyz",
        log=folder / f"{name}.log",
        environment={
            "ARENA_NATS_URL": nats_url,
            "ARENA_TOKEN_KEY": TOKEN_KEY,
            "ARENA_INSTANCE": name,
            "ARENA_LISTEN": address,
            "ARENA_METRICS_LISTEN": metrics,
        },
    )
    return spec, address
