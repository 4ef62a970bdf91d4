"""Rooms to test: within this process, to look inside, and as processes, which can be killed and paused."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from arena_services.common.auth import Tokens
from arena_services.common.nats import connect
from arena_services.common.rpc import Server
from arena_services.common.service import Bindings
from arena_services.local import ports
from arena_services.local.process import Process, ProcessSpec
from arena_services.room.app import build
from arena_services.room.config import RoomSettings
from arena_services.room.hall import Hall

TOKEN_KEY = "k" * 32


class RoomHere:
    """A room within this process."""

    def __init__(self, bindings: Bindings[RoomSettings], hall: Hall) -> None:
        self.address = bindings.address
        self.hall = hall
        self._bindings = bindings

    async def drain(self) -> None:
        """What happens first when it is told to stop."""
        for drain in self._bindings.on_drain:
            await drain()


@asynccontextmanager
async def room_here(
    nats_url: str, name: str = "room-1", **settings: Any
) -> AsyncIterator[RoomHere]:
    """Run a room within this process; at the end it is gone without a word, as after a crash."""
    chosen = RoomSettings(nats_url=nats_url, token_key=TOKEN_KEY, instance=name, **settings)
    client = await connect(nats_url, name, 10)
    server = Server("127.0.0.1:0")
    try:
        async with asyncio.TaskGroup() as tasks, AsyncExitStack() as closers:
            bindings = Bindings(chosen, client, Tokens(TOKEN_KEY), server, tasks, closers)
            hall = await build(bindings)
            await server.start()
            for start in bindings.on_start:
                await start()
            yield RoomHere(bindings, hall)
            raise _Stop  # noqa: TRY301 - leaves the task group
    except* _Stop:
        pass
    finally:
        await server.stop(0)
        await client.close()


class _Stop(Exception):  # noqa: N818 - not an error: it ends the task group
    """The test is over."""


class RoomProcess:
    """A room as a process of its own."""

    def __init__(self, spec: ProcessSpec, address: str) -> None:
        self.address = address
        self._spec = spec
        self._process: Process | None = None

    async def start(self) -> None:
        """Start it, for the first time or again."""
        self._process = await Process.start(self._spec)
        await self._process.wait_ready(20)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send(number)

    async def kill(self) -> None:
        """Kill it outright."""
        self.send(signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()


@asynccontextmanager
async def room_process(nats_url: str, name: str, folder: Path) -> AsyncIterator[RoomProcess]:
    """Run a room as a process."""
    port, metrics_port = ports.find_free(2)
    spec = ProcessSpec(
        name=name,
        command=(sys.executable, "-m", "arena_services.room"),
        ready_url=f"http://127.0.0.1:{metrics_port}/readyz",
        log=folder / f"{name}.log",
        environment={
            "ARENA_NATS_URL": nats_url,
            "ARENA_TOKEN_KEY": TOKEN_KEY,
            "ARENA_INSTANCE": name,
            "ARENA_LISTEN": f"127.0.0.1:{port}",
            "ARENA_METRICS_LISTEN": f"127.0.0.1:{metrics_port}",
        },
    )
    room = RoomProcess(spec, f"127.0.0.1:{port}")
    try:
        await room.start()
        yield room
    finally:
        await room.kill()
