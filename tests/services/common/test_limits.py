"""Paces and limits, without a server."""

from __future__ import annotations

import pytest

from arena_services.common import limits as limits_module
from arena_services.common.auth import Caller, Role
from arena_services.common.errors import ResourceExhaustedError
from arena_services.common.limits import Limits
from arena_services.common.pace import Pace

ADA = Caller("ada", "Ada", Role.PLAYER, 0)
BOB = Caller("bob", "Bob", Role.PLAYER, 0)
BOT = Caller("bot", "Bot", Role.BOT, 0)


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("arena_services.common.limits.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def admitted(limits: Limits, caller: Caller, times: int) -> int:
    """How many of so many requests are let in."""
    count = 0
    for _ in range(times):
        try:
            limits.admit(caller)
        except ResourceExhaustedError:
            continue
        count += 1
    return count


def test_a_pace_allows_a_burst_and_then_so_many_a_second() -> None:
    pace = Pace(3, 0.0)
    assert [pace.take(2, 3, 0.0) for _ in range(4)] == [True, True, True, False]
    assert [pace.take(2, 3, 0.5) for _ in range(2)] == [True, False]
    assert not pace.is_full(2, 3, 1.0)
    assert pace.is_full(2, 3, 2.5)
    assert [pace.take(2, 3, 100.0) for _ in range(4)] == [True, True, True, False]


def test_what_is_heavy_takes_several_permits() -> None:
    pace = Pace(10, 0.0)
    assert [pace.take(1, 10, 0.0, 4) for _ in range(3)] == [True, True, False]
    assert pace.take(1, 10, 0.0, 2)
    assert not pace.take(1, 10, 5.0, 100)
    assert pace.take(1, 10, 10.0, 100)


def test_each_player_has_a_pace_of_its_own_and_bots_have_none(clock: Clock) -> None:
    limits = Limits(10, 1)
    assert admitted(limits, ADA, 30) == 20
    assert admitted(limits, BOB, 5) == 5
    assert admitted(limits, BOT, 1000) == 1000
    clock.now += 1
    assert admitted(limits, ADA, 30) == 10
    assert admitted(Limits(0, 1), ADA, 1000) == 1000


def test_paces_of_those_who_have_gone_are_forgotten(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "_MOST_PACES", 100)
    limits = Limits(1, 1)
    for number in range(100):
        limits.admit(Caller(f"player-{number}", "", Role.PLAYER, 0))
    clock.now += 10
    assert admitted(limits, ADA, 3) == 2
    assert len(limits._paces) == 1
    assert admitted(limits, ADA, 1) == 0


def test_streams_are_counted_while_they_are_open() -> None:
    limits = Limits(1, 2)
    with limits.stream(ADA), limits.stream(BOB), limits.stream(ADA):
        with (
            pytest.raises(ResourceExhaustedError, match="2 streams") as refused,
            limits.stream(ADA),
        ):
            pass
        assert refused.value.reason == "TOO_MANY_STREAMS"
        for _ in range(5):
            with limits.stream(BOT):
                pass
    with limits.stream(ADA), limits.stream(ADA):
        pass
    assert not limits._streams
