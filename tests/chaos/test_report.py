from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.chaos.figures import Tally
from tests.chaos.report import Report
from tests.chaos.schedule import Fault, Kind
from tests.chaos.stage import Hurt, Layout
from tests.chaos.tale import START_MS, Tale
from tests.witness.problems import Problem, Wrong


def _taken_over(given_back_ms: int = 3500) -> tuple[Tale, Hurt]:
    """A match whose room died a second after a move and that another one took over 3 s later."""
    tale = Tale()
    tale.act()
    tale.claim("room-2", 4000, given_back_ms)
    fault = Fault(1, 1.0, Kind.ROOM_KILLED, "room-1", 0.0)
    return tale, Hurt(fault, START_MS + 2000, START_MS + 9000)


def _report(*problems: Problem) -> Report:
    tale, hurt = _taken_over()
    tally = Tally([hurt])
    tally.add(tale.record, tale.entries)
    return Report(
        seed=7,
        minutes=0.5,
        layout=Layout(),
        counts={"matches": 1},
        refusals={"DECISION_CLOSED": 2},
        hurts=[hurt],
        waits=dict(tally.waits),
        problems=problems,
    )


def test_takeovers_count_from_the_fault_until_each_viewer_saw_them() -> None:
    waits = _report().waits[Kind.ROOM_KILLED]
    assert waits.takeovers == [3010, 3010, 3010]
    assert waits.as_json()["takeover_p99_ms"] == 3010
    assert waits.answers == []


def test_takeovers_that_waited_for_nats_as_well_are_told_apart() -> None:
    tale, killed = _taken_over()
    for until_ms, is_beside in ((START_MS + 1000, True), (START_MS - 9000, False)):
        nats = Hurt(Fault(2, 0.0, Kind.NATS_KILLED, "nats-1", 1.0), START_MS - 10_000, until_ms)
        tally = Tally([killed, nats])
        tally.add(tale.record, tale.entries)
        waits = tally.waits[Kind.ROOM_KILLED]
        assert len(waits.takeovers_beside) == 3 * is_beside
        assert len(waits.takeovers) == 3 * (not is_beside)


@pytest.mark.parametrize(
    ("given_back_ms", "missed_ms"),
    [(1200, 1210), (3500, 3010)],
    ids=["since it let go", "since an earlier outage"],
)
def test_a_room_that_leaves_in_order_is_missed_from_when_it_lets_go(
    given_back_ms: int, missed_ms: int
) -> None:
    tale, hurt = _taken_over(given_back_ms)
    fault = Fault(1, 1.0, Kind.ROOM_DRAINED, "room-1", 0.0)
    tally = Tally([Hurt(fault, hurt.from_ms, hurt.until_ms)])
    tally.add(tale.record, tale.entries)
    assert tally.waits[Kind.ROOM_DRAINED].takeovers == [missed_ms] * 3


def test_requests_count_that_were_open_while_something_was_hurt() -> None:
    tale, hurt = _taken_over()
    wish = tale.record.wishes[0]
    wish.sent_ms, wish.answered_ms = hurt.from_ms - 10, hurt.from_ms + 500
    tally = Tally([hurt])
    tally.add(tale.record, tale.entries)
    assert tally.waits[Kind.ROOM_KILLED].answers == [510]


def test_verdict_names_what_was_wrong() -> None:
    assert _report().verdict() == "zero lost, zero doubled, zero stuck"
    problems = [
        Problem(Wrong.LOST, "", ""),
        Problem(Wrong.LOST, "", ""),
        Problem(Wrong.GAP, "", ""),
    ]
    assert _report(*problems).verdict() == "2 lost, zero doubled, zero stuck, 1 gaps"


def test_report_is_written_for_people_and_for_programs(tmp_path: Path) -> None:
    report = _report(Problem(Wrong.STUCK, "a" * 26, "nothing after entry 3"))
    report.write(tmp_path)
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["verdict"] == "zero lost, zero doubled, 1 stuck"
    assert told["waits"]["room killed"]["takeovers"] == 3
    page = (tmp_path / "report.md").read_text()
    assert "| room killed | 1 | 3 | 3010 | 3010 | 3010 | 0 |" in page
    assert "| 1 | 1.0 | room killed | room-1 | 7.0 |" in page
    assert f"- stuck, match {'a' * 26}: nothing after entry 3" in page
