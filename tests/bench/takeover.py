"""What taking a match over costs a room, by its length: `python -m tests.bench.takeover [--json]`.

From deciding to take it over until it can be served: its last entry, snapshot and what follows that are read and
folded, and the claim is appended. NATS writes every entry through to the disk, as by default, and shares the
machine. The snapshot is as old as one ever is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from arena_services.common import logs
from arena_services.common.log import snapshot
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import ensure_streams
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer
from arena_services.room import takeover
from arena_services.room.snapshots import EVERY, Snapshots
from arena_services.room.updates import RECENT
from tests.bench import engine_worker
from tests.bench.windows import percentile, rounded
from tests.services.room.long_match import LongMatch

_LENGTHS = (200, 1_000, 2_000)
_OLDEST = EVERY + RECENT
_ROUNDS = 20
_PARTITIONS = 2


async def measure() -> dict[str, Any]:
    """Milliseconds of a takeover for each length, with snapshot and without."""
    logs.set_up("bench", "takeover", "auto", "error")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            NatsServer(Path(folder)) as server,
            connected(server.url, "bench", 10) as client,
        ):
            js = client.jetstream()
            await ensure_streams(js, _PARTITIONS, 1)
            await snapshot.ensure_stream(js, 1)
            reader = LogReader(client, _PARTITIONS)
            lengths = {length: await _measure(reader, length) for length in _LENGTHS}
    return {**engine_worker.facts(), "rounds": _ROUNDS, "milliseconds": lengths}


async def _measure(reader: LogReader, length: int) -> dict[str, dict[str, float]]:
    match = LongMatch(reader)
    await match.begin()
    await match.grow(length - _OLDEST)
    shortcut = snapshot.write(match.fold, match.place)
    await match.grow(length)
    subject = snapshot.subject_of(match.match_id)
    await reader.nats.jetstream().publish(subject, shortcut)
    short = await _time(reader, match.match_id)
    await reader.nats.jetstream().purge_stream(snapshot.STREAM)
    return {"with": short, "without": await _time(reader, match.match_id)}


async def _time(reader: LogReader, match_id: str) -> dict[str, float]:
    snapshots, times = Snapshots(reader.nats), []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        tail = await reader.tail(match_id)
        assert tail is not None
        loaded = await takeover.load(reader, snapshots, tail, match_id)
        await takeover.claim(reader, "bench", loaded, tail, _no_outage)
        times.append((time.perf_counter() - start) * 1000)
    return {name: rounded(percentile(times, share)) for name, share in _SHARES.items()}


_SHARES = {"p50": 0.5, "p99": 0.99}


async def _no_outage() -> int:
    return 0


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    build = "compiled" if report["is_compiled"] else "NOT compiled"
    title = f"Taking a match of four over, engine {build}; milliseconds"
    table = Table("entries", "with snapshot p50", "p99", "without p50", "p99", title=title)
    for length, figures in report["milliseconds"].items():
        columns = (figures[kind][name] for kind in ("with", "without") for name in _SHARES)
        table.add_row(f"{length:,}", *(f"{figure:g}" for figure in columns))
    Console(highlight=False).print(table)


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.takeover", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wants_json = parser.parse_args().json
    report = asyncio.run(measure())
    if wants_json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
