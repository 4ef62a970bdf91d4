"""What so many matches at once need: `python -m tests.bench.sizing FIGURES [--matches N,...] [--json]`.

FIGURES is what `make bench JSON=1` printed, W2 and W3 at least. All else that goes into it is an assumption, has an
option of its own and is named below the table. The table says what is planned, not what was tried: nobody has
run a million matches here.

One cell is a platform of its own: three NATS servers and all parts around them. More cells stand side by side, each
with its own address, matches and queues.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import ceil
from pathlib import Path
from typing import Any

SIZES = (1_000, 100_000, 1_000_000)
#: What stands around the tables in a file that gets them.
_BEGIN, _END = "<!-- sizing -->", "<!-- end of sizing -->"
_NATS_SERVERS = 3
_FEWEST_PARTITIONS = 8
_GIB = 1024**3
#: What a process has before it has any work, and the least that it is given of a core.
_PROCESS_MIB = 128
_LEAST_CORES = 0.1
_TIMER_KIB = 1.5
#: Disks are planned to be so full; the alert speaks then.
_FILLED = 0.7


class FiguresError(Exception):
    """The benchmark's report lacks a figure."""


@dataclass(frozen=True)
class Figures:
    """What `make bench` measured, as far as it is needed."""

    room_us: float
    """Of a room's core for each move, updates to all viewers included."""
    nats_us: float
    """Of all three NATS servers' cores for each move."""
    match_kib: float
    """Of a room's memory for each match with its four connections."""
    stored_bytes: float
    """That one NATS server stores for each move, snapshots included."""
    taken: str
    """When and on what."""

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> Figures:
        """From the benchmark's report. Raises `FiguresError`."""
        paced, replicated = _run(report, "W2", "fsync"), _run(report, "W3", "r3")
        try:
            return cls(
                room_us=paced["server_us_per_move"],
                nats_us=replicated["nats_us_per_move"],
                match_kib=paced["kib_per_match"],
                stored_bytes=replicated["stored_bytes_per_move"],
                taken="{date}, {processor}, {cores} cores".format(**report["taken"]),
            )
        except KeyError as missing:
            raise FiguresError(f"the report has no {missing}; measure anew") from missing


def _run(report: Mapping[str, Any], load: str, log: str) -> Mapping[str, Any]:
    for run in report["runs"]:
        if (run["load"], run["server"], run["log"]) == (load, "room", log):
            found: Mapping[str, Any] = run
            return found
    raise FiguresError(f"the report has no {load} of a room with log {log}: ONLY=W2,W3")


def _assumed(default: float, about: str) -> Any:
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Assumptions:
    """What the benchmark does not say."""

    move_seconds: float = _assumed(5, "seconds between two moves of a match")
    match_minutes: float = _assumed(20, "minutes that a match lasts")
    bot_share: float = _assumed(0.25, "of all moves are made by bots")
    busy: float = _assumed(0.6, "of a core is used in the busiest hour")
    places: float = _assumed(2000, "matches that a room may own (ARENA_MAX_MATCHES)")
    header_us: float = _assumed(50, "us of a timer's or bot's core to read a header")
    bot_us: float = _assumed(4400, "us of a bot's core for each of its moves")
    edge_us: float = _assumed(410, "us of Envoy's core for each move and its updates")
    seat_us: float = _assumed(55000, "us of matchmaking's core for each match")
    side_writes: float = _assumed(
        25, "writes for each match beside its log: tickets, history, owner"
    )
    partition_entries: float = _assumed(400, "entries a second are planned for a partition")
    nats_cores: float = _assumed(8, "cores of a NATS server at most")
    kept_minutes: float = _assumed(
        60, "minutes that a finished match's log stays, until it is archived"
    )
    archive_kib: float = _assumed(16, "KiB of a match's archive on a NATS server")
    archive_days: float = _assumed(30, "days of archive that disks have room for")
    core_usd: float = _assumed(25, "USD a month for a core")
    memory_usd: float = _assumed(3.5, "USD a month for a GiB of memory")
    disk_usd: float = _assumed(0.12, "USD a month for a GiB of fast disk")

    @property
    def core_us(self) -> float:
        """Of a core's second, what is planned to be used."""
        return self.busy * 1e6

    @property
    def starts(self) -> float:
        """Of each match under way, in each second."""
        return 1 / (60 * self.match_minutes)

    @property
    def entries(self) -> float:
        """That each match under way has stored in each second, on all streams."""
        return 1 / self.move_seconds + self.side_writes * self.starts


@dataclass(frozen=True)
class Part:
    """All pods of one part."""

    name: str
    pods: int
    cores: float
    memory_gib: float
    disk_gib: float = 0

    def times(self, cells: int) -> Part:
        """The same in all cells."""
        return Part(
            self.name,
            self.pods * cells,
            self.cores * cells,
            self.memory_gib * cells,
            self.disk_gib * cells,
        )


@dataclass(frozen=True)
class Plan:
    """What so many matches need."""

    matches: int
    moves_per_second: float
    cells: int
    partitions: int
    """Of each cell."""
    parts: tuple[Part, ...]
    archive_gib_per_day: float
    """By which the disk of each NATS server fills up."""
    usd_per_month: float

    def together(self) -> Part:
        """All parts as one."""
        return Part(
            "together",
            sum(part.pods for part in self.parts),
            sum(part.cores for part in self.parts),
            sum(part.memory_gib for part in self.parts),
            sum(part.disk_gib for part in self.parts),
        )


def plan(matches: int, figures: Figures, assumed: Assumptions) -> Plan:
    """What so many matches at once need."""
    cells = ceil(matches / min(cell_limits(figures, assumed).values()))
    each = ceil(matches / cells)
    parts = tuple(part.times(cells) for part in _cell(each, figures, assumed))
    return Plan(
        matches=matches,
        moves_per_second=matches / assumed.move_seconds,
        cells=cells,
        partitions=max(
            _FEWEST_PARTITIONS, ceil(each / assumed.move_seconds / assumed.partition_entries)
        ),
        parts=parts,
        archive_gib_per_day=_archive_gib_per_day(each, assumed),
        usd_per_month=sum(
            part.cores * assumed.core_usd
            + part.memory_gib * assumed.memory_usd
            + part.disk_gib * assumed.disk_usd
            for part in parts
        ),
    )


def cell_limits(figures: Figures, assumed: Assumptions) -> dict[str, float]:
    """How many matches a cell carries until something in it is full that no further pod relieves."""
    nats_us = figures.nats_us / _NATS_SERVERS
    return {
        # Every bot reads all headers of its cell, and needs the other half of its core to play.
        "bots reading headers": assumed.core_us / 2 / assumed.header_us / assumed.entries,
        "timers reading headers": assumed.core_us / assumed.header_us / assumed.entries,
        "NATS's cores": assumed.nats_cores * assumed.core_us / nats_us / assumed.entries,
    }


def _cell(matches: int, figures: Figures, assumed: Assumptions) -> tuple[Part, ...]:
    moves, entries = matches / assumed.move_seconds, matches * assumed.entries
    reading_us = entries * assumed.header_us
    # One room more than needed: an upgrade starts new ones before it empties old ones.
    rooms = 1 + max(_pods(moves * figures.room_us, assumed), ceil(matches / assumed.places))
    bots = _pods(moves * assumed.bot_share * assumed.bot_us, assumed, reading_us)
    edges = _pods(moves * assumed.edge_us, assumed)
    seating = _pods(matches * assumed.starts * assumed.seat_us, assumed)
    nats_cores = max(0.5, entries * figures.nats_us / _NATS_SERVERS / assumed.core_us)
    return (
        _single("edge", edges, moves * assumed.edge_us, assumed),
        _single("matchmaking", seating, matches * assumed.starts * assumed.seat_us, assumed),
        _single("room", rooms, moves * figures.room_us, assumed, matches * figures.match_kib),
        _single("bot", bots, bots * assumed.core_us, assumed),
        _single("timer", 2, 2 * reading_us, assumed, 2 * matches * _TIMER_KIB),
        _single("fleet", 2, 0, assumed),
        Part(
            "nats",
            _NATS_SERVERS,
            _NATS_SERVERS * nats_cores,
            _NATS_SERVERS * (1 + nats_cores),
            _NATS_SERVERS * _disk_gib(matches, figures, assumed),
        ),
    )


def _pods(us_per_second: float, assumed: Assumptions, taken_us: float = 0) -> int:
    """How many single-threaded processes do so much; `taken_us`: what each of them does besides. Two at least."""
    return max(2, ceil(us_per_second / (assumed.core_us - taken_us)))


def _single(
    name: str, pods: int, us_per_second: float, assumed: Assumptions, kib: float = 0
) -> Part:
    cores = max(pods * _LEAST_CORES, us_per_second / assumed.core_us)
    return Part(name, pods, cores, (pods * _PROCESS_MIB * 1024 + kib) * 1024 / _GIB)


def _disk_gib(matches: int, figures: Figures, assumed: Assumptions) -> float:
    """Of one NATS server: logs of matches under way, half played, those that wait, and the archive."""
    whole_log = 60 * assumed.match_minutes / assumed.move_seconds * figures.stored_bytes
    logs = matches * (0.5 + assumed.kept_minutes / assumed.match_minutes)
    archive = assumed.archive_days * _archive_gib_per_day(matches, assumed)
    return (logs * whole_log / _GIB + archive) / _FILLED


def _archive_gib_per_day(matches: int, assumed: Assumptions) -> float:
    return matches * assumed.starts * 86400 * assumed.archive_kib * 1024 / _GIB


def show(plans: Sequence[Plan], figures: Figures, assumed: Assumptions) -> str:
    """The tables, in Markdown: they also stand in docs/operating.md."""
    limits = sorted(cell_limits(figures, assumed).items(), key=lambda limit: limit[1])
    rows = {
        "moves a second": [_number(each.moves_per_second) for each in plans],
        "cells, partitions of each": [f"{each.cells}, {each.partitions}" for each in plans],
        f"each cell full to ({limits[0][0]})": [
            f"{each.matches / each.cells / limits[0][1]:.0%}" for each in plans
        ],
    }
    for index, part in enumerate(plans[0].parts):
        rows[f"{part.name}: pods, cores, GiB of memory"] = [
            _row(each.parts[index]) for each in plans
        ]
    rows["**together**: pods, cores, GiB of memory"] = [_row(each.together()) for each in plans]
    rows["GiB of disk"] = [_number(each.together().disk_gib) for each in plans]
    rows["GiB of archive a day, on each NATS server"] = [
        _number(each.archive_gib_per_day) for each in plans
    ]
    rows["USD a month"] = [_number(each.usd_per_month) for each in plans]
    lines = [
        f"Figures of {figures.taken}. For each move: {figures.room_us:g} us of a room,",
        f"{figures.nats_us:g} us of three NATS servers, {figures.stored_bytes:g} bytes on each of them.",
        f"For each match: {figures.match_kib:g} KiB of a room.",
        "",
        f"| concurrent matches | {' | '.join(_number(each.matches) for each in plans)} |",
        "|---|" + "---:|" * len(plans),
        *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()),
        "",
        "| a cell is full at | with |",
        "|---:|---|",
        *(f"| {_number(limit)} matches | {name} |" for name, limit in limits),
        "",
        "| assumed | | option |",
        "|---:|---|---|",
        *(
            f"| {getattr(assumed, each.name):g} | {each.metadata['about']} | `--{_option(each.name)}` |"
            for each in fields(assumed)
        ),
    ]
    return "\n".join(lines)


def _row(part: Part) -> str:
    return f"{_number(part.pods)}, {_number(part.cores)}, {_number(part.memory_gib)}"


def _number(value: float) -> str:
    return f"{value:,.1f}" if value < 10 and value != int(value) else f"{value:,.0f}"


def _option(name: str) -> str:
    return name.replace("_", "-")


def main() -> int:
    """Plan and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sizing", description=__doc__)
    parser.add_argument("figures", type=Path, help="what `make bench JSON=1` printed")
    parser.add_argument("--matches", default=",".join(map(str, SIZES)), help="at once, by commas")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--into", type=Path, help="a Markdown file that gets the tables instead")
    for each in fields(Assumptions):
        about = f"{each.metadata['about']} (%(default)s)"
        parser.add_argument(f"--{_option(each.name)}", type=float, default=each.default, help=about)
    given = parser.parse_args()
    assumed = Assumptions(**{each.name: getattr(given, each.name) for each in fields(Assumptions)})
    try:
        figures = Figures.of(json.loads(given.figures.read_text()))
    except (OSError, ValueError, FiguresError) as error:
        print(f"sizing: {error}", file=sys.stderr)
        return 1
    plans = [plan(int(size), figures, assumed) for size in given.matches.split(",")]
    if given.json:
        report = {
            "figures": asdict(figures),
            "assumed": asdict(assumed),
            "cell_limits": cell_limits(figures, assumed),
            "plans": [asdict(each) for each in plans],
        }
        print(json.dumps(report))
    elif given.into:
        before, _, rest = given.into.read_text().partition(_BEGIN)
        after = rest.partition(_END)[2]
        told = show(plans, figures, assumed)
        given.into.write_text(f"{before}{_BEGIN}\n{told}\n{_END}{after}")
    else:
        print(show(plans, figures, assumed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
