"""The engine and whole matches: `python -m tests.bench [--only W1,...] [--json]`.

W1: so many matches of four, each player with a connection of its own, moving as fast as they can. W2: a thousand
matches, each with a move about every five seconds. W3: W1 with every entry written through to the disk, and on three
NATS servers. "forwarding": two rooms on the server's core, every player connected to the one that has not its match.
Beside them the yardstick: gRPC alone with the same messages, without and with the log. One core has the server and
NATS, another one the players; each run has a server of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import sys
import tempfile
from collections import defaultdict
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from arena_services.local.errors import LocalError
from tests.bench import engine_worker, players
from tests.bench.players import Load
from tests.bench.stage import Cores, Log, Stage, bare_stage, room_stage
from tests.bench.windows import Spread, rounded

_PLAYERS = 4
_ENGINE_WINDOWS = 5
_ENGINE_SECONDS = 0.3
#: A run that takes longer than this, and this for each match that has to be seated, is given up.
_RUN_SECONDS = 60.0
_SEATING_SECONDS = 0.15
_COMPARED = 100
#: How often a room is compared with its yardstick: machines that others share change their pace from minute to minute.
_TIMES = 3
#: Columns of the report where it goes to no terminal.
_PIPE_WIDTH = 200


class Run(NamedTuple):
    """One server under one load."""

    load: str
    server: str
    """room, forwarding or bare."""
    log: Log
    how: Load


def _compared(load: str, log: Log) -> tuple[Run, Run]:
    """A room next to its yardstick, so that whatever else the machine does falls on both alike."""
    return Run(load, "room", log, Load(_COMPARED)), Run(load, "bare", log, Load(_COMPARED))


RUNS = (
    Run("W1", "room", Log.CACHED, Load(10)),
    *_compared("W1", Log.CACHED) * _TIMES,
    Run("W1", "bare", Log.NONE, Load(_COMPARED)),
    Run("W1", "room", Log.CACHED, Load(400)),
    Run("W1", "forwarding", Log.CACHED, Load(_COMPARED, is_forwarded=True)),
    *_compared("W3", Log.FSYNC) * _TIMES,
    *_compared("W3", Log.R3),
    Run("W2", "room", Log.FSYNC, Load(1000, every_ms=5000, seconds=15)),
    Run("W2", "bare", Log.FSYNC, Load(1000, every_ms=5000, seconds=15)),
)
_SHOWN = (
    *("moves_per_s", "p50_ms", "p99_ms", "server_us_per_move", "nats_us_per_move"),
    *("server_cpu_share", "kib_per_match", "load_cpu_share"),
)
_LOADS = sorted({run.load for run in RUNS})


def taken() -> dict[str, Any]:
    """When and on what figures are measured."""
    facts = Path("/proc/cpuinfo").read_text()
    named = re.search(r"^model name\s*: (.*)$", facts, re.MULTILINE)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": named[1] if named else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
    }


def measure_engine() -> dict[str, Any]:
    """Random moves per second of the engine that this process imports."""
    values = [
        engine_worker.playouts("crowns", "standard", _PLAYERS, seed, _ENGINE_SECONDS)["moves_per_s"]
        for seed in range(1, _ENGINE_WINDOWS + 1)
    ]
    spread = Spread.of(values)
    return {
        **engine_worker.facts(),
        "players": _PLAYERS,
        "moves_per_s": rounded(spread.median),
        "spread": {"moves_per_s": spread.as_list()},
    }


async def measure_run(run: Run, cores: Cores) -> dict[str, Any]:
    """One run on a server of its own. Raises `RuntimeError`, `LocalError` or TimeoutError."""
    limit = _RUN_SECONDS + _SEATING_SECONDS * run.how.matches
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        async with asyncio.timeout(limit), _stage(run, Path(folder), cores) as ready:
            figures = await players.measure(ready, run.how, cores.players)
    return {"load": run.load, "server": run.server, "log": run.log.value, **figures}


def _stage(run: Run, folder: Path, cores: Cores) -> AbstractAsyncContextManager[Stage]:
    if run.server == "bare":
        return bare_stage(run.log, folder, cores)
    return room_stage(run.log, folder, cores, rooms=2 if run.how.is_forwarded else 1)


def shares(runs: list[dict[str, Any]]) -> dict[str, float]:
    """For each log: a room's moves per second as a share of the bare server's with the same log, by medians."""
    found = defaultdict[tuple[str, str], list[float]](list)
    for run in runs:
        if run["matches"] == _COMPARED and run["counts"]:
            found[run["server"], run["log"]].append(run["moves_per_s"])
    return {
        log: rounded(median(rates) / median(found["bare", log]))
        for (server, log), rates in found.items()
        if server == "room" and ("bare", log) in found
    }


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    engine = report["engine"]
    build = "compiled" if engine["is_compiled"] else "NOT compiled"
    low, _, high = engine["spread"]["moves_per_s"]
    console.print(
        f"engine ({build}), {_PLAYERS} players, random: {engine['moves_per_s']:,g} moves/s "
        f"({low:,g} - {high:,g})"
    )
    table = Table("load", "server", "log", "matches", *_SHOWN, title="Matches of four")
    for run in report["runs"]:
        doubt = "" if run["counts"] else " (players too busy: does not count)"
        figures = [f"{run[name]:,g}" for name in _SHOWN]
        table.add_row(run["load"], run["server"], run["log"], f"{run['matches']}{doubt}", *figures)
    console.print(table)
    for log, share in report["shares"].items():
        console.print(f"room / bare with the same log ({log}), by medians: {100 * share:.0f} %")


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--only", default=",".join(_LOADS), help=f"loads to run, of {','.join(_LOADS)}"
    )
    given = parser.parse_args()
    wanted = given.only.split(",")
    if unknown := set(wanted) - set(_LOADS):
        parser.error(
            f"there is no load {', '.join(sorted(unknown))}; choose of {', '.join(_LOADS)}"
        )
    cores = Cores.of_this_machine()
    print("measuring the engine", file=sys.stderr)
    report: dict[str, Any] = {
        "taken": taken(),
        "cores": {"server": cores.server, "players": cores.players},
        "engine": measure_engine(),
        "runs": [],
    }
    for run in RUNS:
        if run.load in wanted:
            print(f"{run.load}: {run.server}, log {run.log}, {run.how}", file=sys.stderr)
            try:
                report["runs"].append(asyncio.run(measure_run(run, cores)))
            except (LocalError, RuntimeError, TimeoutError, FileNotFoundError) as error:
                print(f"bench: {str(error) or 'not done in time'}", file=sys.stderr)
                return 1
    report["shares"] = shares(report["runs"])
    if given.json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
