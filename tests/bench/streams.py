"""Whether streams leave anything behind: `python -m tests.bench.streams [--streams N] [--json]`.

A room of its own process, one match, and streams that are opened, served and cancelled in waves: Watch and Play by
turns, each wave on connections of its own. The room's resident memory is read before, at its peak and after; a first
wave, which makes the room's libraries take what they keep, counts in neither.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import grpc
from rich.console import Console

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common import logs
from arena_services.common.auth import Metadata
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import Process
from tests.bench.stage import resident_bytes
from tests.services.room.table import Table, player
from tests.services.running import service_spec

MOST_GROWTH = 0.10
_WAVE = 500
#: Streams of one connection; servers and proxies allow about so many.
_LINE = 100
_SETTLE_SECONDS = 2.0
_READY_SECONDS = 60.0
_UNLIMITED = {
    "ARENA_REQUESTS_PER_SECOND": "0",
    "ARENA_STREAMS_PER_PLAYER": "100000",
    "ARENA_LOG_LEVEL": "warning",
}


async def measure(streams: int) -> dict[str, Any]:
    """Bytes of the room's memory before, meanwhile and after, and how long all took."""
    logs.set_up("bench", "streams", "auto", "error")
    with tempfile.TemporaryDirectory() as folder:
        async with NatsServer(Path(folder) / "nats", sync_always=False) as nats:
            spec, address = service_spec("room", "room-1", nats.url, Path(folder))
            spec = replace(spec, environment={**spec.environment, **_UNLIMITED})
            room = await Process.start(spec)
            try:
                await room.wait_ready(_READY_SECONDS)
                return await _measure(room, address, streams)
            finally:
                await room.stop(5)


async def _measure(room: Process, address: str, streams: int) -> dict[str, Any]:
    async with grpc.aio.insecure_channel(address) as channel:
        table = await Table.make(channel)
        await _wave(room, address, table, _WAVE)
        before = await _settled(room)
        start, peak = time.monotonic(), before
        for first in range(0, streams, _WAVE):
            peak = max(peak, await _wave(room, address, table, min(_WAVE, streams - first)))
        seconds = time.monotonic() - start
        after = await _settled(room)
    return {
        "streams": streams,
        "at_once": _WAVE,
        "seconds": round(seconds, 1),
        "before_bytes": before,
        "peak_bytes": peak,
        "after_bytes": after,
        "growth": round(after / before - 1, 4),
        "is_back": after <= before * (1 + MOST_GROWTH),
    }


async def _settled(room: Process) -> int:
    await asyncio.sleep(_SETTLE_SECONDS)
    return resident_bytes(room.pid)


async def _wave(room: Process, address: str, table: Table, streams: int) -> int:
    """Open streams, wait until each was served, cancel all at once; returns the room's memory in between."""
    served, enough = asyncio.Barrier(streams + 1), asyncio.Event()
    channels = [
        grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),))
        for _ in range(0, streams, _LINE)
    ]
    async with asyncio.TaskGroup() as tasks:
        for number in range(streams):
            kind = _play if number % 2 else _watch
            stream = kind(RoomServiceStub(channels[number // _LINE]), table, number)
            tasks.create_task(_hold(stream, served, enough), name=f"stream-{number}")
        await served.wait()
        memory = resident_bytes(room.pid)
        enough.set()
    for channel in channels:
        await channel.close()
    return memory


async def _hold(stream: Any, served: asyncio.Barrier, enough: asyncio.Event) -> None:
    said = await stream.read()
    if not said.HasField("update"):
        raise RuntimeError(f"a stream began with {said}")
    await served.wait()
    await enough.wait()
    stream.cancel()


@cache
def _viewer(number: int) -> Metadata:
    """The same people come again with every wave: a room keeps the tokens that it has checked."""
    return player(f"viewer-{number}")


def _watch(stub: Any, table: Table, number: int) -> Any:
    request = pb.WatchRequest(match_id=table.match_id)
    return stub.Watch(request, metadata=_viewer(number))


def _play(stub: Any, table: Table, number: int) -> Any:
    async def requests() -> AsyncIterator[pb.PlayRequest]:
        yield pb.PlayRequest(match_id=table.match_id, spectate=True, attach=pb.Attach())
        await asyncio.Event().wait()

    return stub.Play(requests(), metadata=_viewer(number))


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    before, peak, after = (
        f"{report[name] / 2**20:.1f}" for name in ("before_bytes", "peak_bytes", "after_bytes")
    )
    Console(highlight=False).print(
        f"{report['streams']:,} streams, {report['at_once']} at once, opened and cancelled in {report['seconds']:g} s: "
        f"{before} MiB before, {peak} MiB at most, {after} MiB after ({report['growth']:+.1%})",
        soft_wrap=True,
    )


def main() -> int:
    """Measure and tell; exits 1 where more was left behind than may be."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=10_000)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    report = asyncio.run(measure(given.streams))
    if given.json:
        print(json.dumps(report))
    else:
        show(report)
    return 0 if report["is_back"] else 1


if __name__ == "__main__":
    sys.exit(main())
