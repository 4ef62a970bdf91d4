from __future__ import annotations

import itertools

import pytest

from tests.chaos.schedule import Fault, Kind, draw

ROOMS = ("room-1", "room-2", "room-3")
NATS = ("nats-1", "nats-2", "nats-3")


def test_a_seed_draws_the_same_schedule_again() -> None:
    assert draw(1, 300, ROOMS, NATS) == draw(1, 300, ROOMS, NATS)
    assert draw(1, 300, ROOMS, NATS) != draw(2, 300, ROOMS, NATS)


def test_a_longer_run_begins_as_a_shorter_one() -> None:
    short = draw(1, 60, ROOMS, NATS)
    assert draw(1, 300, ROOMS, NATS)[: len(short)] == short


@pytest.mark.parametrize("seed", range(20))
def test_faults_keep_to_the_time_and_leave_a_way_out(seed: int) -> None:
    faults = draw(seed, 300, ROOMS, NATS)
    assert {fault.kind for fault in faults} == set(Kind)
    assert all(0 < fault.at_seconds <= fault.until_seconds <= 300 for fault in faults)
    for part in ("room", "nats", "timer", "bot"):
        hurt = [fault for fault in faults if fault.target.startswith(part)]
        assert all(_is_apart(*pair) for pair in itertools.pairwise(hurt))


def _is_apart(fault: Fault, following: Fault) -> bool:
    return following.at_seconds >= fault.until_seconds + 3.9  # 4, rounded


def test_a_single_nats_server_is_not_paused() -> None:
    faults = draw(1, 600, ROOMS, ("nats-1",))
    assert Kind.NATS_PAUSED not in {fault.kind for fault in faults}
    assert Kind.NATS_KILLED in {fault.kind for fault in faults}


def test_one_kind_alone_is_drawn_where_that_is_asked_for() -> None:
    faults = draw(1, 60, ROOMS, NATS, [Kind.ROOM_KILLED])
    assert len(faults) > 5
    assert {fault.kind for fault in faults} == {Kind.ROOM_KILLED}
    assert draw(1, 60, ROOMS, ["nats-1"], [Kind.NATS_PAUSED]) == []
