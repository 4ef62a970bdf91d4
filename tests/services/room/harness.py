"""Rooms to test: within this process, to look inside, and as processes, which can be killed and paused."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from arena_services.common.service import Bindings
from arena_services.local.process import Process, ProcessSpec
from arena_services.room.app import build
from arena_services.room.config import RoomSettings
from arena_services.room.hall import Hall
from tests.services.running import TOKEN_KEY, running, service_spec
from tests.waiting import eventually


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
    halls: list[Hall] = []

    async def bind(bindings: Bindings[RoomSettings]) -> None:
        halls.append(await build(bindings))

    async with running(bind, chosen) as bindings:
        yield RoomHere(bindings, *halls)


async def settled(*rooms: RoomHere) -> None:
    """Wait until the rooms know of each other, and may say so."""
    names = {room.hall.room_id for room in rooms}

    def know_all() -> bool:
        return all(
            room.hall.heartbeat.is_settled
            and names <= {beat.room_id for beat in room.hall._roster.alive()}
            for room in rooms
        )

    await eventually(know_all, 30)


class RoomProcess:
    """A room as a process of its own."""

    def __init__(self, spec: ProcessSpec, address: str) -> None:
        self.address = address
        self.metrics_url = spec.ready_url.replace("/readyz", "/metrics")
        self._spec = spec
        self._process: Process | None = None

    async def start(self) -> None:
        """Start it, for the first time or again."""
        self._process = await Process.start(self._spec)
        await self._process.wait_ready(20)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process is not None:
            self._process.send(number)

    async def kill(self) -> None:
        """Kill it outright."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def ended(self) -> None:
        """Wait for its end."""
        if self._process is not None:
            await self._process.wait()


@asynccontextmanager
async def room_process(nats_url: str, name: str, folder: Path) -> AsyncIterator[RoomProcess]:
    """Run a room as a process."""
    room = RoomProcess(*service_spec("room", name, nats_url, folder))
    try:
        await room.start()
        yield room
    finally:
        await room.kill()
