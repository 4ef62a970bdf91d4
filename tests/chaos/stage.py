"""What is hurt: rooms, NATS, timer and bot as processes that are watched over, and the lines between them.

A room reaches every NATS server through a line of its own, and whoever calls a room (players, other rooms, timer, bot)
does so through one more. Tests read the log from NATS directly.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from arena_services.common.clock import now_ms
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import ProcessSpec
from arena_services.local.supervisor import Supervised
from tests.chaos.schedule import Fault, Kind
from tests.services.room.proxy import Proxy
from tests.services.running import service_spec

#: A loaded machine starts slowly.
READY_SECONDS = 60.0
_GRACE_SECONDS = 10.0
_SLOW_SECONDS = 0.1

_Hurt: TypeAlias = Callable[[Fault], Awaitable[None]]


@dataclass(frozen=True)
class Layout:
    """How much there is of everything."""

    rooms: int = 3
    nats: int = 3

    @property
    def room_names(self) -> list[str]:
        """room-1, room-2..."""
        return [f"room-{number}" for number in range(1, self.rooms + 1)]

    @property
    def nats_names(self) -> list[str]:
        """nats-1, nats-2..."""
        return [f"nats-{number}" for number in range(1, self.nats + 1)]


@dataclass(frozen=True)
class Hurt:
    """A fault as it came to pass, times in milliseconds since the Unix epoch."""

    fault: Fault
    from_ms: int
    until_ms: int
    """When it was mended: processes are ready again, lines are open."""


@dataclass(frozen=True)
class _Room:
    process: Supervised
    line: Proxy
    """Between whoever calls it and the room."""
    to_nats: tuple[Proxy, ...]


class Stage:
    """A running platform, and the means to hurt it."""

    def __init__(
        self, rooms: Mapping[str, _Room], services: Mapping[str, Supervised], nats: NatsCluster
    ) -> None:
        self.hurts: list[Hurt] = []
        """What came to pass, in the order of mending."""
        self._kills: Counter[str] = Counter()
        self._rooms = rooms
        self._services = services
        self._nats = nats

    @property
    def nats_url(self) -> str:
        """All NATS servers."""
        return self._nats.url

    @property
    def room_addresses(self) -> dict[str, str]:
        """Where clients reach each room, by name."""
        return {name: room.line.address for name, room in self._rooms.items()}

    def own_ends(self) -> list[str]:
        """What ended though nobody here had killed it, with the last lines it wrote."""
        services = {**{name: room.process for name, room in self._rooms.items()}, **self._services}
        return [
            f"{name} ended {each.restarts - self._kills[name]} times by itself: {each.last_failure}"
            for name, each in services.items()
            if each.restarts > self._kills[name]
        ]

    async def hurt(self, fault: Fault) -> None:
        """Have a fault happen, and mend it. Raises `LocalError` for what does not come back."""
        start_ms = now_ms()
        await self._way_of(fault.kind)(fault)
        self.hurts.append(Hurt(fault, start_ms, now_ms()))

    def _way_of(self, kind: Kind) -> _Hurt:
        ways: dict[Kind, _Hurt] = {
            Kind.ROOM_KILLED: self._kill_service,
            Kind.ROOM_PAUSED: self._pause_room,
            Kind.ROOM_DRAINED: self._drain_room,
            Kind.ROOM_CUT_OFF: self._cut_room_off,
            Kind.ROOM_UNANSWERED: self._leave_room_unanswered,
            Kind.ROOM_SLOW: self._slow_room_down,
            Kind.NATS_KILLED: self._kill_nats,
            Kind.NATS_PAUSED: self._pause_nats,
            Kind.NATS_ALL_KILLED: self._kill_all_nats,
            Kind.TIMER_KILLED: self._kill_service,
            Kind.BOT_KILLED: self._kill_service,
            Kind.LINE_RESET: self._reset_line,
            Kind.LINE_STALLED: self._stall_line,
            Kind.LINE_SLOW: self._slow_line_down,
            Kind.LINE_CUT: self._cut_line,
        }
        return ways[kind]

    async def _kill_service(self, fault: Fault) -> None:
        room = self._rooms.get(fault.target)
        service = room.process if room else self._services[fault.target]
        self._kills[fault.target] += 1
        await service.kill()
        await service.wait_ready(READY_SECONDS)

    async def _pause_room(self, fault: Fault) -> None:
        process = self._rooms[fault.target].process
        process.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(fault.for_seconds)
        finally:
            process.send(signal.SIGCONT)

    async def _drain_room(self, fault: Fault) -> None:
        process = self._rooms[fault.target].process
        await process.stop(_GRACE_SECONDS)
        process.start()
        await process.wait_ready(READY_SECONDS)

    async def _cut_room_off(self, fault: Fault) -> None:
        lines = self._rooms[fault.target].to_nats
        await asyncio.gather(*(line.cut() for line in lines))
        await asyncio.sleep(fault.for_seconds)
        await asyncio.gather(*(line.mend() for line in lines))

    async def _leave_room_unanswered(self, fault: Fault) -> None:
        lines = self._rooms[fault.target].to_nats
        for line in lines:
            line.hold_answers()
        await asyncio.sleep(fault.for_seconds)
        await asyncio.gather(*(line.reset() for line in lines))

    async def _slow_room_down(self, fault: Fault) -> None:
        lines = self._rooms[fault.target].to_nats
        for line in lines:
            line.delay_seconds = _SLOW_SECONDS
        await asyncio.sleep(fault.for_seconds)
        for line in lines:
            line.resume()

    def _nats_server(self, name: str) -> NatsServer:
        return self._nats.servers[int(name.rpartition("-")[2]) - 1]

    async def _kill_nats(self, fault: Fault) -> None:
        server = self._nats_server(fault.target)
        await server.kill()
        await asyncio.sleep(fault.for_seconds)
        await server.start(ready_seconds=READY_SECONDS)

    async def _pause_nats(self, fault: Fault) -> None:
        server = self._nats_server(fault.target)
        server.pause()
        try:
            await asyncio.sleep(fault.for_seconds)
        finally:
            server.resume()
        await server.wait_ready(READY_SECONDS)

    async def _kill_all_nats(self, fault: Fault) -> None:
        servers = self._nats.servers
        await asyncio.gather(*(server.kill() for server in servers))
        await asyncio.sleep(fault.for_seconds)
        await asyncio.gather(*(server.start(ready_seconds=READY_SECONDS) for server in servers))

    async def _reset_line(self, fault: Fault) -> None:
        await self._rooms[fault.target].line.reset()

    async def _stall_line(self, fault: Fault) -> None:
        line = self._rooms[fault.target].line
        line.stall()
        await asyncio.sleep(fault.for_seconds)
        line.resume()

    async def _slow_line_down(self, fault: Fault) -> None:
        line = self._rooms[fault.target].line
        line.delay_seconds = _SLOW_SECONDS
        await asyncio.sleep(fault.for_seconds)
        line.resume()

    async def _cut_line(self, fault: Fault) -> None:
        line = self._rooms[fault.target].line
        await line.cut()
        await asyncio.sleep(fault.for_seconds)
        await line.mend()


def _keep(spec: ProcessSpec, stack: AsyncExitStack) -> Supervised:
    """A process that is started anew when it dies, and killed at the end: there is nobody left to be polite to."""
    process = Supervised(spec, lambda _: None)
    stack.push_async_callback(process.stop, 0.0)
    return process


def _with(spec: ProcessSpec, environment: Mapping[str, str]) -> ProcessSpec:
    return replace(spec, environment={**spec.environment, **environment})


@asynccontextmanager
async def open_stage(layout: Layout, folder: Path, seed: int) -> AsyncIterator[Stage]:
    """A platform in processes of its own; `folder` keeps logs and NATS's stores. Raises `LocalError`.

    `seed`: of every match's draws.
    """
    async with AsyncExitStack() as stack:
        nats = await stack.enter_async_context(NatsCluster(folder / "nats", layout.nats))
        environment = {
            "ARENA_LOG_REPLICAS": str(layout.nats),
            "ARENA_GRACE_SECONDS": str(_GRACE_SECONDS / 2),
            "ARENA_ROOM_TEST_SECRETS": f"chaos {seed}",
            "ARENA_BOT_THINK_MS": "300",
        }
        rooms = {
            name: await _open_room(name, nats, folder, environment, stack)
            for name in layout.room_names
        }
        services: dict[str, Supervised] = {}
        for name in ("timer", "bot"):
            spec, _ = service_spec(name, name, nats.url, folder)
            services[name] = _keep(_with(spec, environment), stack)
        # The first room makes the streams, which timer and bot look for.
        for process in [*(room.process for room in rooms.values()), *services.values()]:
            process.start()
            await process.wait_ready(READY_SECONDS)
        yield Stage(rooms, services, nats)


async def _open_room(
    name: str,
    nats: NatsCluster,
    folder: Path,
    environment: Mapping[str, str],
    stack: AsyncExitStack,
) -> _Room:
    """A room that is not started yet, behind its lines."""
    to_nats = [
        await stack.enter_async_context(Proxy(server.config.port)) for server in nats.servers
    ]
    spec, address = service_spec("room", name, ",".join(line.url for line in to_nats), folder)
    line = await stack.enter_async_context(Proxy(int(address.rpartition(":")[2])))
    spec = _with(spec, {**environment, "ARENA_ADVERTISE": line.address})
    return _Room(_keep(spec, stack), line, tuple(to_nats))
