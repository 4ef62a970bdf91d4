"""Whether one timer keeps its time: `python -m tests.bench.timer [--armed N] [--rate N] [--seconds N] [--json]`.

A timer of its own process on a real NATS, and in the room's place something light that answers its calls and, as a room
would, stores what follows. Lateness is from a deadline until the call has arrived. Then the timer is killed and started
anew, and has to know every deadline again from the log alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from rich.console import Console

from arena.room.v1 import room_control_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import (
    RoomControlServiceServicer,
    add_RoomControlServiceServicer_to_server,
)
from arena_services.common import logs
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.subjects import new_match_id, stream_of, subject_of
from arena_services.common.nats import connected
from arena_services.common.roster import BEAT_SECONDS, ROOMS_BUCKET, Beat
from arena_services.common.rpc import Server
from arena_services.local import probe
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import Process, ProcessSpec
from arena_services.room.control import header_consumer
from tests.bench.stage import cpu_seconds, resident_bytes
from tests.bench.windows import percentile, rounded
from tests.services.running import service_spec

GOAL_MS = 20.0
_PARTITIONS = 8
_FAR_MS = 3_600_000
_AHEAD_SECONDS = 5.0
_FLUSH_EVERY = 1000
_PATIENCE_SECONDS = 120.0


class LightRoom(RoomControlServiceServicer):
    """Answers a timer, and stores that matches go on."""

    CreateMatch = LoseMatches = None  # type: ignore[assignment]  # nobody asks for them

    def __init__(self, nats: Client) -> None:
        self._nats = nats
        self._sequences: dict[str, int] = {}
        self._deadlines: dict[str, int] = {}
        self.lateness_ms: list[float] = []

    async def OpenHeaderReader(
        self, request: pb.OpenHeaderReaderRequest, context: Any
    ) -> pb.OpenHeaderReaderResponse:
        """As a room does."""
        stream = stream_of(request.partition)
        name, config = header_consumer(request.reader, request.partition)
        await self._nats.jetstream().add_consumer(stream, config)
        return pb.OpenHeaderReaderResponse(stream=stream, consumer=name)

    async def Expire(self, request: pb.ExpireRequest, context: Any) -> pb.ExpireResponse:
        """Takes every call for right, and notes when it came."""
        if request.decision != self._sequences[request.match_id]:
            return pb.ExpireResponse(verdict=pb.ExpireResponse.VERDICT_STALE)
        self.lateness_ms.append(time.time() * 1000 - self._deadlines[request.match_id])
        await self.store(request.match_id, int(time.time() * 1000) + _FAR_MS)
        return pb.ExpireResponse(verdict=pb.ExpireResponse.VERDICT_EXPIRED)

    async def ExpireMany(
        self, request: pb.ExpireManyRequest, context: Any
    ) -> pb.ExpireManyResponse:
        """The same for many."""
        said = [await self.Expire(each, context) for each in request.expiries]
        return pb.ExpireManyResponse(results=[pb.ExpireResult(response=each) for each in said])

    async def store(self, match_id: str, deadline_ms: int) -> None:
        """Store a match's next entry: another decision with a deadline of its own."""
        sequence = self._sequences[match_id] = self._sequences.get(match_id, 0) + 1
        self._deadlines[match_id] = deadline_ms
        headers = EntryHeaders(
            sequence=sequence,
            time_ms=int(time.time() * 1000),
            epoch=1,
            append_id="00" * 16,
            game="crowns",
            decision=sequence,
            deadline_ms=deadline_ms,
            awaited=(0,),
            rules_version=1,
        )
        subject = subject_of(match_id, _PARTITIONS)
        await self._nats.publish(subject, b"entry", headers=headers.to_nats())

    async def beat(self, address: str) -> None:
        """Be known to the timer, for ever."""
        beat = Beat("room-1", address, address, 0)
        while True:
            await self._nats.publish(f"$KV.{ROOMS_BUCKET}.room-1", beat.to_bytes())
            await asyncio.sleep(BEAT_SECONDS)


async def measure(armed: int, rate: int, seconds: float) -> dict[str, Any]:
    """Lateness in milliseconds at so many expiries a second, and what a start takes."""
    logs.set_up("bench", "timer", "auto", "error")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            NatsServer(Path(folder) / "nats", sync_always=False) as nats,
            connected(nats.url, "bench", 10) as client,
            _served(client) as room,
        ):
            matches = [new_match_id() for _ in range(armed)]
            await _arm(client, room, matches)
            spec, _ = service_spec("timer", "timer-1", nats.url, Path(folder))
            async with _timer(spec, armed) as (timer, first_seconds):
                cpu, waited, start = cpu_seconds(timer.pid), _waited(timer.pid), time.monotonic()
                await _expire(client, room, matches[: int(rate * seconds)], rate)
                took = time.monotonic() - start
                cpu = cpu_seconds(timer.pid) - cpu
                waited = (_waited(timer.pid) - waited) / took
                memory = resident_bytes(timer.pid)
                timer.send(signal.SIGKILL)
                await timer.wait()
            async with _timer(spec, armed) as (_, again_seconds):
                pass
    return {
        "armed": armed,
        "rate": rate,
        "expired": len(room.lateness_ms),
        "lateness_ms": {
            name: rounded(percentile(room.lateness_ms, share))
            for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
        },
        "cpu_ms_each": rounded(1000 * cpu / len(room.lateness_ms)),
        "waited_for_cpu": rounded(waited),
        "memory_bytes": memory,
        "start_seconds": rounded(first_seconds),
        "restart_seconds": rounded(again_seconds),
        "goal_ms": GOAL_MS,
    }


@asynccontextmanager
async def _served(client: Client) -> AsyncIterator[LightRoom]:
    await ensure_streams(client.jetstream(), _PARTITIONS, 1)
    room, server = LightRoom(client), Server("127.0.0.1:0")
    add_RoomControlServiceServicer_to_server(room, server.raw)
    await server.start()
    beating = asyncio.create_task(room.beat(server.address), name="beat")
    try:
        yield room
    finally:
        beating.cancel()
        await server.stop(0)


async def _arm(client: Client, room: LightRoom, matches: list[str]) -> None:
    deadline_ms = int(time.time() * 1000) + _FAR_MS
    for number, match_id in enumerate(matches):
        await room.store(match_id, deadline_ms)
        if number % _FLUSH_EVERY == 0:
            await client.flush()
    await client.flush()


async def _expire(client: Client, room: LightRoom, matches: list[str], rate: int) -> None:
    """Have deadlines pass at an even pace, and wait until every one was called."""
    start_ms = int((time.time() + _AHEAD_SECONDS) * 1000)
    for number, match_id in enumerate(matches):
        await room.store(match_id, max(start_ms, int(time.time() * 1000)) + number * 1000 // rate)
    await client.flush()
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while len(room.lateness_ms) < len(matches):
            await asyncio.sleep(0.1)


def _waited(pid: int) -> float:
    """Seconds in which a process could have run and had no processor: other work on the machine is to blame."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


@asynccontextmanager
async def _timer(spec: ProcessSpec, armed: int) -> AsyncIterator[tuple[Process, float]]:
    """A timer that knows every deadline, and how long it took to learn them."""
    start = time.monotonic()
    timer = await Process.start(spec)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while await _armed(spec) < armed:
                await asyncio.sleep(0.1)
        yield timer, time.monotonic() - start
    finally:
        await timer.stop(5)


async def _armed(spec: ProcessSpec) -> int:
    """How many deadlines the timer says that it knows."""
    reply = await probe.get(spec.ready_url.replace("/readyz", "/metrics"))
    found = re.search(rb"^arena_timer_armed (\S+)", reply.body, re.MULTILINE) if reply else None
    return int(float(found[1])) if found else 0


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    late = report["lateness_ms"]
    Console(highlight=False).print(
        f"{report['armed']:,} deadlines armed, {report['expired']:,} of them passing at {report['rate']:,}/s: late by "
        f"p50 {late['p50']:g} ms, p99 {late['p99']:g} ms, at most {late['max']:g} ms (goal: p99 under "
        f"{report['goal_ms']:g} ms).\nThe timer took {report['cpu_ms_each']:g} ms "
        f"of a processor for each, waited for one {report['waited_for_cpu']:.0%} of the "
        f"time, and has {report['memory_bytes'] / 2**20:.0f} MiB.\n"
        f"A timer that starts knows them all after {report['start_seconds']:g} s; one that was killed and started anew "
        f"after {report['restart_seconds']:g} s.",
        soft_wrap=True,
    )


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.timer", description=__doc__)
    parser.add_argument("--armed", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=1_000, help="deadlines that pass each second")
    parser.add_argument("--seconds", type=float, default=15, help="for how long they do")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    report = asyncio.run(measure(given.armed, given.rate, given.seconds))
    if given.json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
