"""Fleet processes between a NATS server and an API server's stand-in, and rooms that only beat and drain."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import grpc
from nats.aio.client import Client

from arena.room.v1.room_admin_service_pb2 import DrainRoomResponse
from arena.room.v1.room_admin_service_pb2_grpc import (
    RoomAdminServiceServicer,
    add_RoomAdminServiceServicer_to_server,
)
from arena_services.common.nats import connect
from arena_services.common.roster import Beat
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import Process
from tests.services.fleet.api_server import DEPLOYMENT, NAMESPACE, ApiServer, kubeconfig
from tests.services.running import service_spec

PLACES = 10
_SETTINGS = {
    "ARENA_FLEET_FLOOR": "2",
    "ARENA_FLEET_CEILING": "5",
    "ARENA_FLEET_FREE": "10",
    "ARENA_FLEET_PATIENCE_SECONDS": "2",
    "ARENA_FLEET_RETRY_SECONDS": "30",
    "ARENA_FLEET_DEPLOYMENT": DEPLOYMENT,
    "ARENA_FLEET_NAMESPACE": NAMESPACE,
}


class _Admin(RoomAdminServiceServicer):
    """What nobody asks here."""

    async def ListMatches(self, request: Any, context: Any) -> Any:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "")

    InspectMatch = HandOverMatch = VoidMatch = ListMatches


class Room(_Admin):
    """Says every half second how many matches it has, and lets go of them when it is told to."""

    def __init__(self, name: str, rooms: Rooms) -> None:
        self.name = name
        self.matches = 0
        self.is_draining = False
        self._rooms = rooms

    async def DrainRoom(self, request: Any, context: Any) -> DrainRoomResponse:
        self._rooms.drained.append(self.name)
        self.is_draining = True
        if self._rooms.is_stuck:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "nobody takes them")
        await self._rooms.may_move.wait()
        self.matches = 0
        return DrainRoomResponse()

    async def beat(self, nats: Client) -> None:
        server = grpc.aio.server()
        add_RoomAdminServiceServicer_to_server(self, server)
        address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        await server.start()
        try:
            while True:
                beat = Beat(
                    self.name,
                    address,
                    address,
                    self.matches,
                    is_draining=self.is_draining,
                    max_matches=PLACES,
                )
                await nats.publish(f"$KV.rooms.{self.name}", beat.to_bytes())
                await asyncio.sleep(0.5)
        finally:
            await server.stop(None)


@dataclass
class Rooms:
    """The rooms that pods hold."""

    api: ApiServer
    nats: Client
    alive: dict[str, Room] = field(default_factory=dict)
    drained: list[str] = field(default_factory=list)
    matches_at_end: dict[str, int] = field(default_factory=dict)
    """Of the rooms whose pods were ended."""
    may_move: asyncio.Event = field(default_factory=asyncio.Event)
    is_stuck: bool = False
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        room = self.alive[name] = Room(name, self)
        self._tasks[name] = asyncio.create_task(room.beat(self.nats), name=name)

    def end(self, name: str) -> None:
        room = self.alive.pop(name, None)
        self.matches_at_end[name] = room.matches if room else 0
        if (task := self._tasks.get(name)) is not None:
            task.cancel()

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        for task in self._tasks.values():
            with suppress(asyncio.CancelledError):
                await task


@dataclass
class Fleet:
    """A fleet process."""

    name: str
    process: Process
    metrics_url: str
    log: Path

    async def metrics(self) -> dict[str, float]:
        """What it shows, by series."""
        text = await asyncio.to_thread(self._read)
        lines = [line.rpartition(" ") for line in text.splitlines() if line[:1] != "#"]
        return {series: float(value) for series, _, value in lines}

    async def until(self, series: str, value: float, seconds: float = 10) -> None:
        """Wait until a series has at least a value."""
        async with asyncio.timeout(seconds):
            while (await self.metrics()).get(series, -1) < value:
                await asyncio.sleep(0.1)

    def _read(self) -> str:
        with urllib.request.urlopen(self.metrics_url, timeout=5) as page:  # noqa: S310 - our own
            return str(page.read().decode())


@dataclass
class Stage:
    """All of it."""

    api: ApiServer
    rooms: Rooms
    folder: Path
    nats_url: str
    fleets: list[Fleet] = field(default_factory=list)

    async def start(self, name: str) -> Fleet:
        """Start a fleet process and wait until it is ready."""
        config = self.folder / f"{name}.kubeconfig"
        config.write_text(kubeconfig(self.api, name))
        spec, _ = service_spec("fleet", name, self.nats_url, self.folder)
        environment = {**spec.environment, **_SETTINGS, "KUBECONFIG": str(config)}
        process = await Process.start(replace(spec, environment=environment))
        url = spec.ready_url.replace("/readyz", "/metrics")
        fleet = Fleet(name, process, url, spec.log)
        self.fleets.append(fleet)
        await process.wait_ready(60)
        return fleet

    async def start_leading(self, name: str) -> Fleet:
        """As `start`, and wait until it leads."""
        fleet = await self.start(name)
        await fleet.until("arena_fleet_is_leader", 1)
        await fleet.until("arena_fleet_rooms", 2)
        return fleet


@asynccontextmanager
async def staged(folder: Path, replicas: int = 2) -> AsyncIterator[Stage]:
    """Everything but the fleet, which the test starts; whatever it started is ended."""
    async with NatsServer(folder / "nats", sync_always=False) as nats_server:
        nats = await connect(nats_server.url, "test", 10)
        api = ApiServer(replicas)
        rooms = Rooms(api, nats)
        api.started, api.ended = rooms.start, rooms.end
        stage = Stage(api, rooms, folder, nats_server.url)
        try:
            async with api:
                try:
                    yield stage
                finally:
                    for fleet in stage.fleets:
                        await fleet.process.stop(0)
        finally:
            await rooms.close()
            await nats.close()
