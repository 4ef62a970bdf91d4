"""The arithmetic of sizing, with figures that can be reckoned by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bench.sizing import (
    SIZES,
    Assumptions,
    Figures,
    FiguresError,
    Part,
    Plan,
    cell_limits,
    plan,
    show,
)

_HERE = Path(__file__).parent

_FIGURES = Figures(room_us=1000, nats_us=300, match_kib=1024, stored_bytes=1000, taken="2026-01-01")
#: A move a second, half of a core used, no writes beside moves.
_ASSUMED = Assumptions(
    move_seconds=1,
    match_minutes=10,
    bot_share=0.5,
    busy=0.5,
    places=1000,
    header_us=10,
    bot_us=2000,
    edge_us=100,
    seat_us=0,
    side_writes=0,
    partition_entries=100,
    nats_cores=4,
    kept_minutes=15,
    archive_kib=1024,
    archive_days=0,
    core_usd=10,
    memory_usd=0,
    disk_usd=0,
)


def _part(found: Plan, name: str) -> Part:
    (part,) = [each for each in found.parts if each.name == name]
    return part


def test_rooms_follow_their_processors_or_their_places() -> None:
    assert _part(plan(2000, _FIGURES, _ASSUMED), "room").pods == 1 + 4
    quick = replace(_FIGURES, room_us=10)
    assert _part(plan(2000, quick, _ASSUMED), "room").pods == 1 + 2
    assert _part(plan(5000, quick, _ASSUMED), "room").pods == 1 + 5


def test_memory_of_rooms_is_that_of_their_matches_and_of_themselves() -> None:
    room = _part(plan(1024, _FIGURES, _ASSUMED), "room")
    assert room.memory_gib == pytest.approx(1 + room.pods / 8)


def test_bots_have_what_reading_headers_leaves_of_their_cores() -> None:
    # 5,000 moves by bots of 2 ms each: 10 cores; each bot has 0.5 of a core and reads 10,000 headers of 10 us.
    assert _part(plan(10_000, _FIGURES, _ASSUMED), "bot").pods == 25


def test_a_cell_is_full_when_bots_read_headers_half_of_their_time() -> None:
    limits = cell_limits(_FIGURES, _ASSUMED)
    assert limits == {
        "bots reading headers": 25_000,
        "timers reading headers": 50_000,
        "NATS's cores": 20_000,
    }
    assert plan(20_000, _FIGURES, _ASSUMED).cells == 1
    assert plan(20_001, _FIGURES, _ASSUMED).cells == 2


def test_writes_beside_moves_count_as_entries() -> None:
    with_writes = replace(_ASSUMED, side_writes=600)
    halved = {name: limit / 2 for name, limit in cell_limits(_FIGURES, _ASSUMED).items()}
    assert cell_limits(_FIGURES, with_writes) == halved


def test_partitions_follow_moves_and_are_never_fewer_than_eight() -> None:
    assert plan(100, _FIGURES, _ASSUMED).partitions == 8
    assert plan(2000, _FIGURES, _ASSUMED).partitions == 20


def test_disks_hold_logs_until_they_are_archived_and_the_archive() -> None:
    nats = _part(plan(1000, _FIGURES, _ASSUMED), "nats")
    # 600 moves of 1,000 bytes; half of them under way and one and a half times as many matches that wait.
    logs = 1000 * 600 * 1000 * 2 / 1024**3
    assert nats.disk_gib == pytest.approx(3 * logs / 0.7)
    kept = plan(1000, _FIGURES, replace(_ASSUMED, archive_days=2))
    assert kept.archive_gib_per_day == pytest.approx(1000 * 144 / 1024)
    archive = 2 * kept.archive_gib_per_day
    assert _part(kept, "nats").disk_gib == pytest.approx(3 * (logs + archive) / 0.7)


def test_cost_is_that_of_all_parts_in_all_cells() -> None:
    found = plan(40_000, _FIGURES, _ASSUMED)
    assert found.cells == 2
    assert _part(found, "nats").pods == 6
    assert found.usd_per_month == pytest.approx(10 * sum(part.cores for part in found.parts))


def test_more_matches_never_need_less() -> None:
    costs = [plan(size, _FIGURES, Assumptions()).usd_per_month for size in (1, 10**3, 10**5, 10**6)]
    assert costs == sorted(costs)


def test_figures_come_from_the_report_of_the_benchmark() -> None:
    assert Figures.of(_report()) == replace(_FIGURES, taken="2026-01-01, Abacus, 2 cores")


@pytest.mark.parametrize("load", ["W2", "W3"])
def test_a_report_without_a_load_is_refused(load: str) -> None:
    report = _report()
    report["runs"] = [run for run in report["runs"] if run["load"] != load]
    with pytest.raises(FiguresError, match=f"no {load}"):
        Figures.of(report)


def test_the_program_tells_a_table_and_json(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps(_report()))
    told = _run(str(figures), "--matches", "10,2000")
    assert "| concurrent matches | 10 | 2,000 |" in told
    found = json.loads(_run(str(figures), "--matches", "2000", "--json"))
    assert found["plans"][0]["matches"] == 2000


def test_the_operating_guide_has_the_tables_of_the_recorded_figures() -> None:
    figures = Figures.of(json.loads((_HERE / "figures.json").read_text()))
    plans = [plan(size, figures, Assumptions()) for size in SIZES]
    assert (
        show(plans, figures, Assumptions()) in (_HERE.parents[1] / "docs/operating.md").read_text()
    )


def _report() -> dict[str, Any]:
    run = {
        "server": "room",
        "server_us_per_move": 1000,
        "nats_us_per_move": 300,
        "kib_per_match": 1024,
        "stored_bytes_per_move": 1000,
    }
    return {
        "taken": {"date": "2026-01-01", "processor": "Abacus", "cores": 2},
        "runs": [{**run, "load": "W2", "log": "fsync"}, {**run, "load": "W3", "log": "r3"}],
    }


def _run(*arguments: str) -> str:
    command = [sys.executable, "-m", "tests.bench.sizing", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
