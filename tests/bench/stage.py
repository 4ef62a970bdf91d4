"""What is put under load: one server on one core, NATS on the same core, everything else on another.

The server is a room (or two, on the same core, to see what forwarding costs), with matchmaking to seat its players, or
the bare yardstick. Bots and timer do not run: nobody
waits for them in these matches.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from arena_services.local.ports import HOST, find_free
from arena_services.local.process import Process
from tests.services.running import service_spec

_READY_SECONDS = 60.0
_GRACE_SECONDS = 5.0
_CLUSTER = 3
_ROOT = Path(__file__).parents[2]


class Log(StrEnum):
    """Where moves are stored before anybody sees them."""

    NONE = "none"
    """Nowhere: the bare server alone can do without."""
    CACHED = "cached"
    """One NATS server, which leaves writing to the disk to the system."""
    FSYNC = "fsync"
    """One NATS server, which writes everything through: how Arena runs on one machine."""
    R3 = "r3"
    """Three NATS servers that replicate to each other, each writing everything through."""


@dataclass(frozen=True)
class Cores:
    """Which processor does what; None where there is but one."""

    server: int | None
    players: int | None

    @classmethod
    def of_this_machine(cls) -> Cores:
        """The first core for the server, the last one for the players."""
        cores = sorted(os.sched_getaffinity(0))
        return cls(cores[0], cores[-1]) if len(cores) > 1 else cls(None, None)


@contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Have what is started within the block run on one core."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@dataclass(frozen=True)
class Usage:
    """What processes have used so far."""

    server_seconds: float
    nats_seconds: float
    server_bytes: int
    """Of memory, now."""
    stored_bytes: int
    """By NATS on disk, now: by each of its servers on the average."""


@dataclass(frozen=True)
class Stage:
    """A server that is ready for players."""

    address: str
    """Of matchmaking, host:port."""
    server_pids: tuple[int, ...]
    nats_pids: tuple[int, ...]
    store: Path
    """Folder of all NATS servers."""

    def usage(self) -> Usage:
        """CPU time and memory of the server, CPU time and disk of NATS."""
        return Usage(
            server_seconds=sum(map(cpu_seconds, self.server_pids)),
            nats_seconds=sum(map(cpu_seconds, self.nats_pids)),
            server_bytes=sum(map(resident_bytes, self.server_pids)),
            stored_bytes=_stored_bytes(self.store) // max(1, len(self.nats_pids)),
        )


@asynccontextmanager
async def room_stage(log: Log, folder: Path, cores: Cores, rooms: int = 1) -> AsyncIterator[Stage]:
    """Rooms as they are."""
    async with AsyncExitStack() as stack:
        with on_core(cores.server):
            url, nats_pids = await _start_nats(log, folder, stack)
            environment = {
                "ARENA_LOG_REPLICAS": str(_CLUSTER if log is Log.R3 else 1),
                "ARENA_LOG_LEVEL": "warning",
                "ARENA_MAX_MATCHES": "10000",
            }
            started = [
                await _start_service("room", f"room-{number}", url, folder, environment, stack)
                for number in range(1, rooms + 1)
            ]
        with on_core(cores.players):
            _, address = await _start_service(
                "matchmaking", "matchmaking-1", url, folder, environment, stack
            )
        yield Stage(address, tuple(room.pid for room, _ in started), nats_pids, folder / "nats")


@asynccontextmanager
async def bare_stage(log: Log, folder: Path, cores: Cores) -> AsyncIterator[Stage]:
    """The yardstick."""
    async with AsyncExitStack() as stack:
        with on_core(cores.server):
            url, nats_pids = await _start_nats(log, folder, stack)
            address = f"{HOST}:{find_free(1)[0]}"
            replicas = str(_CLUSTER if log is Log.R3 else 1)
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "arena_services.local.launch", str(os.getpid())),
                *(sys.executable, "-m", "tests.bench.bare", address),
                *((url, replicas) if url else ()),
                stdout=asyncio.subprocess.PIPE,
                cwd=_ROOT,
            )
        stack.push_async_callback(_kill, process)
        if process.stdout is None or not await process.stdout.readline():
            raise RuntimeError("the bare server ended early; its words are above")
        yield Stage(address, (process.pid,), nats_pids, folder / "nats")


async def _start_nats(log: Log, folder: Path, stack: AsyncExitStack) -> tuple[str, tuple[int, ...]]:
    """URL and processes of NATS; an empty URL where none is wanted."""
    if log is Log.NONE:
        return "", ()
    if log is Log.R3:
        cluster = await stack.enter_async_context(NatsCluster(folder / "nats", _CLUSTER))
        return cluster.url, tuple(server.process.pid for server in cluster.servers)
    nats = await stack.enter_async_context(
        NatsServer(folder / "nats", sync_always=log is Log.FSYNC)
    )
    return nats.url, (nats.process.pid,)


async def _start_service(
    service: str,
    name: str,
    nats_url: str,
    folder: Path,
    environment: Mapping[str, str],
    stack: AsyncExitStack,
) -> tuple[Process, str]:
    spec, address = service_spec(service, name, nats_url, folder)
    spec = replace(spec, environment={**spec.environment, **environment})
    process = await Process.start(spec)
    stack.push_async_callback(process.stop, _GRACE_SECONDS)
    await process.wait_ready(_READY_SECONDS)
    return process, address


async def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


def cpu_seconds(pid: int) -> float:
    """CPU time of all of a process's threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """Memory that a process has, as of now."""
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _stored_bytes(folder: Path) -> int:
    found = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # NATS puts files away meanwhile
            found += path.stat().st_size if path.is_file() else 0
    return found
