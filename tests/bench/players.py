"""Runs the Node client's load generator against a stage: a Python one would be busier than the room it measures."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from tests.bench.stage import Stage, Usage, on_core
from tests.bench.windows import rounded
from tests.node import CLIENT, find_node

_PLAYERS = 4
_WARM_UP_SECONDS = 2
#: A generator that is busier waits for itself.
_BUSIEST = 0.95


@dataclass(frozen=True)
class Load:
    """How much is played."""

    matches: int
    every_ms: int = 0
    """Pause before each move of a match; 0: none."""
    seconds: int = 6
    is_forwarded: bool = False
    """Whether players are connected to another room than the one that has their match."""


async def measure(stage: Stage, load: Load, core: int | None) -> dict[str, Any]:
    """One window. Raises `RuntimeError` where the players met any failure."""
    empty = stage.usage()
    with on_core(core):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "arena_services.local.launch", str(os.getpid())),
            *(find_node(), str(CLIENT / "load.js"), "--address", stage.address),
            *("--matches", str(load.matches), "--players", str(_PLAYERS)),
            *("--every", str(load.every_ms), "--seconds", str(load.seconds)),
            *("--warm-up", str(_WARM_UP_SECONDS)),
            *(("--forwarded",) if load.is_forwarded else ()),
            stdout=asyncio.subprocess.PIPE,
        )
    try:
        await _event(process, "opened")
        opened = stage.usage()
        found = await _event(process, "closed")
        return _figures(load, found, empty, opened, stage.usage())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _event(process: asyncio.subprocess.Process, name: str) -> dict[str, Any]:
    line = await process.stdout.readline() if process.stdout else b""
    if not line:
        raise RuntimeError("the players ended early; their words are above")
    event: dict[str, Any] = json.loads(line)
    if event.pop("event") != name:
        raise RuntimeError(f"the players said {line!r} instead of {name}")
    return event


def _figures(
    load: Load, found: dict[str, Any], empty: Usage, opened: Usage, closed: Usage
) -> dict[str, Any]:
    moves, seconds = max(1, found["moves"]), found["seconds"]
    server = closed.server_seconds - opened.server_seconds
    nats = closed.nats_seconds - opened.nats_seconds
    return {
        "matches": load.matches,
        **{name: rounded(found[name]) for name in ("moves_per_s", "p50_ms", "p99_ms")},
        "matches_ended": found["matches_ended"],
        "server_us_per_move": rounded(1e6 * server / moves),
        "nats_us_per_move": rounded(1e6 * nats / moves),
        "server_cpu_share": rounded(server / seconds),
        "nats_cpu_share": rounded(nats / seconds),
        "kib_per_match": rounded((opened.server_bytes - empty.server_bytes) / 1024 / load.matches),
        "stored_bytes_per_move": rounded((closed.stored_bytes - opened.stored_bytes) / moves),
        "load_cpu_share": rounded(found["cpu_share"]),
        "counts": found["cpu_share"] < _BUSIEST,
    }
