"""The timer's schedule, on a clock of the test's own."""

from __future__ import annotations

import random
import time

from arena_services.timer.schedule import Alarm, Schedule


def _rung(schedule: Schedule, now: float) -> list[tuple[str, int]]:
    return [(alarm.match_id, alarm.decision) for alarm in schedule.pop_due(now, 1000)]


def _ring_one(schedule: Schedule, now: float) -> Alarm:
    (alarm,) = schedule.pop_due(now, 1000)
    return alarm


def test_alarms_ring_in_order_once_due_and_not_before() -> None:
    schedule = Schedule()
    schedule.arm("b", 1, 20.0)
    schedule.arm("a", 7, 10.0)
    assert schedule.next_due() == 10.0
    assert _rung(schedule, 9.999) == []
    assert _rung(schedule, 20.0) == [("a", 7), ("b", 1)]
    assert _rung(schedule, 99.0) == []


def test_a_match_that_moves_on_rings_only_for_its_newest_decision() -> None:
    schedule = Schedule()
    for decision in range(1, 6):
        schedule.arm("a", decision, 10.0 * decision)
    assert _rung(schedule, 49.0) == []
    assert _rung(schedule, 50.0) == [("a", 5)]
    assert len(schedule) == 1


def test_an_earlier_deadline_rings_earlier_and_only_once() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 60.0)
    schedule.arm("a", 2, 5.0)
    assert schedule.next_due() == 5.0
    assert _rung(schedule, 5.0) == [("a", 2)]
    assert _rung(schedule, 60.0) == []


def test_a_disarmed_match_never_rings_until_armed_again() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 10.0)
    schedule.disarm("a")
    schedule.disarm("a")
    schedule.arm("a", 2, 30.0)
    assert _rung(schedule, 10.0) == []
    assert _rung(schedule, 30.0) == [("a", 2)]


def test_an_early_alarm_rings_again_at_the_time_given() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 10.0)
    alarm = _ring_one(schedule, 10.0)
    schedule.ring_again(alarm, 12.5, is_failure=False)
    assert _rung(schedule, 12.4) == []
    assert _ring_one(schedule, 12.5).attempts == 0


def test_failures_are_counted_until_the_match_moves_on() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 1.0)
    for attempts in range(3):
        alarm = _ring_one(schedule, 10.0)
        assert alarm.attempts == attempts
        schedule.ring_again(alarm, 10.0, is_failure=True)
    schedule.arm("a", 2, 1.0)
    assert _ring_one(schedule, 10.0).attempts == 0


def test_what_a_call_brings_is_ignored_once_the_match_has_moved_on() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 1.0)
    late = _ring_one(schedule, 1.0)
    assert schedule.is_current(late)
    schedule.arm("a", 2, 50.0)
    assert not schedule.is_current(late)
    schedule.settle(late)
    schedule.ring_again(late, 2.0, is_failure=True)
    assert _rung(schedule, 49.0) == []
    assert _rung(schedule, 50.0) == [("a", 2)]


def test_a_decision_given_time_back_while_its_call_is_under_way_stays_armed() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 1.0)
    late = _ring_one(schedule, 1.0)
    schedule.arm("a", 1, 9.0)
    schedule.settle(late)
    assert _rung(schedule, 9.0) == [("a", 1)]


def test_a_settled_alarm_is_forgotten() -> None:
    schedule = Schedule()
    schedule.arm("a", 1, 1.0)
    schedule.settle(_ring_one(schedule, 1.0))
    assert len(schedule) == 0
    assert schedule.next_due() is None


def test_at_most_as_many_ring_as_asked_for() -> None:
    schedule = Schedule()
    for number in range(10):
        schedule.arm(f"m{number}", 1, 1.0)
    assert len(schedule.pop_due(1.0, 4)) == 4
    assert len(schedule.pop_due(1.0, 100)) == 6


def test_the_schedule_agrees_with_a_plain_table_over_random_events() -> None:
    rng = random.Random(7)
    schedule, table, now = Schedule(), dict[str, tuple[int, float]](), 0.0
    for decision in range(1, 4000):
        match_id = f"m{rng.randrange(20)}"
        if rng.random() < 0.2:
            schedule.disarm(match_id)
            table.pop(match_id, None)
        else:
            due = now + rng.choice([0.5, 1.0, 3.0, 10.0])
            schedule.arm(match_id, decision, due)
            table[match_id] = decision, due
        now += rng.random() * 0.2
        expected = sorted((due, m, d) for m, (d, due) in table.items() if due <= now)
        rung = schedule.pop_due(now, 1000)
        assert sorted((a.due, a.match_id, a.decision) for a in rung) == expected
        for alarm in rung:
            schedule.settle(alarm)
            del table[alarm.match_id]
        assert len(schedule) == len(table)


def test_a_hundred_thousand_matches_that_move_on_cost_little_time_and_room() -> None:
    schedule = Schedule()
    start = time.process_time()
    for decision in range(1, 4):
        for number in range(100_000):
            schedule.arm(f"m{number}", decision, 60.0 + decision + number / 100_000)
    assert time.process_time() - start < 10.0
    assert len(schedule._heap) == 100_000
