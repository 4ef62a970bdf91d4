"""The engine and whole matches through every service: `python -m tests.bench [--json]`.

Starts a platform of its own on free ports and a temporary folder. Players, platform and NATS share this machine's
cores, so the figures are of all of it together.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from arena_services.common import games
from arena_services.local.errors import LocalError
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.bench import engine_worker
from tests.bench.windows import Spread, percentile, rounded

_ROOT = Path(__file__).parents[2]
_MATCHES = (10, 100)
_PLAYERS = 4
_WINDOW_SECONDS = 6.0
_READY_SECONDS = 120.0
_LOAD_PROCESSES = 2
_ENGINE_WINDOWS = 5
_ENGINE_SECONDS = 0.3


def measure_engine() -> dict[str, Any]:
    """Random moves per second of the engine that this process imports."""
    values = [
        engine_worker.playouts("standard", _PLAYERS, seed, _ENGINE_SECONDS)["moves_per_s"]
        for seed in range(1, _ENGINE_WINDOWS + 1)
    ]
    spread = Spread.of(values)
    return {
        **engine_worker.facts(),
        "players": _PLAYERS,
        "moves_per_s": rounded(spread.median),
        "spread": {"moves_per_s": spread.as_list()},
    }


async def measure_matches(matches: int) -> dict[str, Any]:
    """So many matches at a time, for one window, on a platform of their own."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        settings = PlatformSettings(
            data_dir=Path(folder), ports="auto", edge=False, grace_seconds=5
        )
        async with Platform(settings, environment={"ARENA_LOG_LEVEL": "warning"}) as platform:
            crowds = [
                await _start_crowd(platform.matchmaking_address, matches, number)
                for number in range(_LOAD_PROCESSES)
            ]
            try:
                async with asyncio.timeout(_READY_SECONDS):
                    await asyncio.gather(*map(_wait_ready, crowds))
                answers = await asyncio.gather(*map(_measure, crowds))
            finally:
                for crowd in crowds:
                    if crowd.returncode is None:
                        crowd.kill()
                    await crowd.wait()
    return _summary(answers)


async def _start_crowd(address: str, matches: int, number: int) -> asyncio.subprocess.Process:
    people = matches * _PLAYERS // _LOAD_PROCESSES
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench.load",
        address,
        games.hosted()[0].game.name,
        str(people),
        str(_PLAYERS),
        f"crowd-{number}",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=_ROOT,
        limit=64 * 1024 * 1024,
    )


async def _wait_ready(crowd: asyncio.subprocess.Process) -> None:
    line = await _line(crowd)
    if line != b"ready\n":
        raise RuntimeError(f"a crowd of players ended early; its words are above ({line!r})")


async def _measure(crowd: asyncio.subprocess.Process) -> dict[str, Any]:
    if crowd.stdin is None:
        raise RuntimeError("the crowd has no pipe")
    crowd.stdin.write(f"{_WINDOW_SECONDS}\n".encode())
    await crowd.stdin.drain()
    answer: dict[str, Any] = json.loads(await _line(crowd))
    return answer


async def _line(crowd: asyncio.subprocess.Process) -> bytes:
    if crowd.stdout is None:
        raise RuntimeError("the crowd has no pipe")
    return await crowd.stdout.readline()


def _summary(answers: list[dict[str, Any]]) -> dict[str, Any]:
    latencies = [1000 * seconds for answer in answers for seconds in answer["latencies"]]
    seconds = max(answer["seconds"] for answer in answers)
    return {
        "moves": len(latencies),
        "seconds": rounded(seconds),
        "moves_per_s": rounded(len(latencies) / seconds),
        "p50_ms": rounded(percentile(latencies, 0.50)),
        "p99_ms": rounded(percentile(latencies, 0.99)),
        "matches_finished": sum(answer["seats_finished"] for answer in answers) // _PLAYERS,
    }


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    console = Console(highlight=False)
    engine = report["engine"]
    build = "compiled" if engine["is_compiled"] else "NOT compiled"
    low, _, high = engine["spread"]["moves_per_s"]
    console.print(
        f"engine ({build}), {_PLAYERS} players, random: {engine['moves_per_s']:,g} moves/s "
        f"({low:,g} - {high:,g})"
    )
    title = (
        f"Whole matches of {_PLAYERS}, every player its own Play stream; {report['cores']} cores"
    )
    table = Table("matches at once", "moves/s", "p50 ms", "p99 ms", "matches ended", title=title)
    for matches, figures in report["matches"].items():
        names = ("moves_per_s", "p50_ms", "p99_ms", "matches_finished")
        table.add_row(matches, *(f"{figures[name]:,g}" for name in names))
    console.print(table)


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wants_json = parser.parse_args().json
    report: dict[str, Any] = {"cores": len(os.sched_getaffinity(0)), "matches": {}}
    print("measuring the engine", file=sys.stderr)
    report["engine"] = measure_engine()
    for matches in _MATCHES:
        print(f"measuring {matches} matches at once", file=sys.stderr)
        try:
            report["matches"][str(matches)] = asyncio.run(measure_matches(matches))
        except (LocalError, RuntimeError, TimeoutError) as error:
            print(f"bench: {str(error) or 'players not ready in time'}", file=sys.stderr)
            return 1
    if wants_json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
