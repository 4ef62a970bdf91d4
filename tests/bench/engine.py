"""Both games' engine, compiled and not, beside chess by python-chess and OpenSpiel: `python -m tests.bench.engine`.

Two processes hold the two builds; windows of all measurements take turns, so that whatever else the machine does
falls on all alike. Exits 1 when the engine is not installed compiled, or when the builds disagree about a seeded match.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.bench.windows import Spread, rounded

_ROOT = Path(__file__).parents[2]
_BUILDS = ("compiled", "interpreted")
_WINDOWS = 5
_SEED = 2026
_PLAYOUT_SECONDS = 0.4
_API_SECONDS = 0.2
_COPY_SECONDS = 0.1
_YARDSTICK_SECONDS = 0.5


class _Case(NamedTuple):
    """What is measured by itself."""

    game: str
    board: str
    """Empty where the game has but one."""
    players: int

    @property
    def path(self) -> tuple[str, ...]:
        """Where its figures are in the report."""
        return tuple(part for part in (self.game, self.board, str(self.players)) if part)

    @property
    def figures(self) -> tuple[str, ...]:
        """What is measured, by name."""
        unit = _UNITS[self.game]
        rates = (f"{unit}_per_s", "playouts_per_s", f"api_{unit}_per_s")
        return (*rates, "clone_us", "clone_apply_us")


_UNITS = {"crowns": "moves", "singhasan": "actions"}
_CASES = (
    *(_Case("crowns", board, players) for board in ("standard", "large") for players in (2, 6)),
    *(_Case("singhasan", "", players) for players in (2, 3, 4, 5)),
)


class BenchError(Exception):
    """What keeps the comparison from being one; the text says what to do."""


class _Worker:
    """A process that holds one build of the engine."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, measure: str, **arguments: Any) -> dict[str, Any]:
        """Have something measured."""
        if self._process.stdin is None or self._process.stdout is None:
            raise BenchError("the worker has no pipes")
        self._process.stdin.write(json.dumps({"measure": measure, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"the worker ended while measuring {measure}; see its words above")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def _worker(build: str) -> Iterator[_Worker]:
    """The compiled engine as installed, or the sources."""
    environment = dict(os.environ)
    environment.pop("PYTHONPATH", None)
    if build == "interpreted":
        environment["PYTHONPATH"] = str(_ROOT / "engine" / "src")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.engine_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        env=environment,
        text=True,
    )
    try:
        yield _Worker(process)
    finally:
        process.kill()
        process.communicate()


def measure() -> dict[str, Any]:
    """Everything, as one JSON object. Raises `BenchError`."""
    with ExitStack() as stack:
        workers = {build: stack.enter_context(_worker(build)) for build in _BUILDS}
        _check(workers)
        found: dict[_Case, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        chess: dict[str, list[float]] = defaultdict(list)
        progress = Console(file=sys.stderr)
        for window in track(range(_WINDOWS), "windows", console=progress, transient=True):
            for case in _CASES:
                for build, worker in workers.items():
                    for name, value in _window(worker, case, _SEED + window).items():
                        found[case][f"{build}_{name}"].append(value)
            for name, value in _yardsticks(_SEED + window).items():
                chess[name].append(value)
        sizes = {case: _sizes(workers, case) for case in _CASES}
    return _report(found, chess, sizes)


def _check(workers: dict[str, _Worker]) -> None:
    """Both builds are what they are called, and play alike."""
    if not workers["compiled"].ask("facts")["is_compiled"]:
        raise BenchError(
            "the installed engine is not compiled; type: make setup, with a C compiler"
        )
    if workers["interpreted"].ask("facts")["is_compiled"]:
        raise BenchError("engine/src holds compiled modules; remove the .so files there")
    for case in _CASES:
        wanted = {**case._asdict(), "seed": _SEED}
        answers = [worker.ask("checksum", **wanted) for worker in workers.values()]
        if answers[0] != answers[1]:
            raise BenchError(f"the builds play {' '.join(case.path)} differently: {answers}")


def _window(worker: _Worker, case: _Case, seed: int) -> dict[str, float]:
    where = case._asdict()
    return {
        **worker.ask("playouts", **where, seed=seed, seconds=_PLAYOUT_SECONDS),
        **worker.ask("api_moves", **where, seed=seed, seconds=_API_SECONDS),
        **worker.ask("copies", **where, seconds=_COPY_SECONDS),
    }


def _yardsticks(seed: int) -> dict[str, float]:
    from tests.bench import yardsticks

    return {
        "python_chess_moves_per_s": yardsticks.python_chess(_YARDSTICK_SECONDS, seed),
        "open_spiel_chess_moves_per_s": yardsticks.open_spiel_chess(_YARDSTICK_SECONDS, seed),
    }


def _sizes(workers: dict[str, _Worker], case: _Case) -> dict[str, float]:
    return {
        f"{build}_bytes_per_state": worker.ask("size", **case._asdict())["bytes_per_state"]
        for build, worker in workers.items()
    }


def _report(
    found: dict[_Case, dict[str, list[float]]],
    chess: dict[str, list[float]],
    sizes: dict[_Case, dict[str, float]],
) -> dict[str, Any]:
    """Medians under their names, and beside them in `spread` least, middle and most."""
    report: dict[str, Any] = {"windows": _WINDOWS, "seed": _SEED}
    for case, figures in found.items():
        entry = _with_spread(figures)
        rate = case.figures[0]
        entry["speedup"] = rounded(entry[f"compiled_{rate}"] / entry[f"interpreted_{rate}"])
        entry |= {name: rounded(value) for name, value in sizes[case].items()}
        entry["bytes_per_state"] = entry["compiled_bytes_per_state"]
        inner = report
        for part in case.path[:-1]:
            inner = inner.setdefault(part, {})
        inner[case.path[-1]] = entry
    return {**report, "yardsticks": _with_spread(chess)}


def _with_spread(figures: dict[str, list[float]]) -> dict[str, Any]:
    spreads = {name: Spread.of(values) for name, values in figures.items()}
    entry: dict[str, Any] = {name: rounded(spread.median) for name, spread in spreads.items()}
    entry["spread"] = {name: spread.as_list() for name, spread in spreads.items()}
    return entry


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    console = Console(highlight=False)
    title = f"Median of {report['windows']} interleaved windows (least - most)"
    table = Table("game", "board", "players", "figure", *_BUILDS, title=title)
    for case in _CASES:
        entry = _entry(report, case)
        what = (case.game, case.board, str(case.players))
        for figure in case.figures:
            table.add_row(*what, figure, *[_told(entry, f"{build}_{figure}") for build in _BUILDS])
        sizes = [f"{entry[f'{build}_bytes_per_state']:,g}" for build in _BUILDS]
        table.add_row(*what, "bytes_per_state", *sizes)
        table.add_row(*what, "speedup", f"{entry['speedup']:g}x", "")
        table.add_section()
    console.print(table)
    chess = Table("chess, driven from Python", "moves_per_s")
    for name in report["yardsticks"]["spread"]:
        chess.add_row(name.removesuffix("_moves_per_s"), _told(report["yardsticks"], name))
    console.print(chess)


def _entry(report: dict[str, Any], case: _Case) -> dict[str, Any]:
    entry = report
    for part in case.path:
        entry = entry[part]
    return entry


def _told(entry: dict[str, Any], name: str) -> str:
    low, median, high = entry["spread"][name]
    return f"{median:,g} ({low:,g} - {high:,g})"


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.engine", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wants_json = parser.parse_args().json
    try:
        report = measure()
    except BenchError as error:
        print(f"bench-engine: {error}", file=sys.stderr)
        return 1
    if wants_json:
        print(json.dumps(report))
    else:
        show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
