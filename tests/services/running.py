"""Runs services within the test's process, on a real NATS, as `arena_services.common.service.run` runs them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from arena_services.common.auth import Tokens
from arena_services.common.config import ServiceSettings
from arena_services.common.nats import connect
from arena_services.common.rpc import Server
from arena_services.common.service import Bind, Bindings

TOKEN_KEY = "k" * 32

_Settings = TypeVar("_Settings", bound=ServiceSettings)


class _Over(Exception):  # noqa: N818 - not an error: it ends the task group
    """The service is to end."""


@asynccontextmanager
async def running(
    bind: Bind[_Settings], settings: _Settings, *, drain: bool = False
) -> AsyncIterator[Bindings[_Settings]]:
    """Run a service while the block runs. It ends like a crash, or in order with `drain`."""
    client = await connect(settings.nats_url, settings.instance, 10)
    server = Server(settings.listen)
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
            if drain:
                for hand_over in bindings.on_drain:
                    await hand_over()
            raise _Over  # noqa: TRY301 - how a task group is left early
    except* _Over:
        pass
    finally:
        await server.stop(0)
        await client.close()
