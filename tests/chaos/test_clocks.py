from __future__ import annotations

import pytest

from tests.chaos.clocks import Outage, charges, outages
from tests.chaos.schedule import Fault, Kind
from tests.chaos.stage import Hurt
from tests.chaos.tale import START_MS, Tale
from tests.witness.told import fold_log


def _hurt(kind: Kind, target: str, from_ms: int, seconds: float = 0.0) -> Hurt:
    return Hurt(Fault(1, 0.0, kind, target, seconds), from_ms, from_ms + int(seconds * 1000))


def _taken_over(given_back_ms: int, turn_seconds: int = 30) -> Tale:
    """A match whose room died two seconds after a move, taken over four seconds later."""
    tale = Tale(turn_seconds)
    tale.act()
    tale.claim("room-2", 6000, given_back_ms)
    tale.act()
    return tale


def _charges(tale: Tale, *hurts: Hurt) -> list[str]:
    steps = fold_log(tale.record, tale.entries).steps
    return list(charges(steps, outages(tale.record.room, tale.entries, hurts)))


_DIED_MS = START_MS + 3000


def test_time_without_a_room_has_to_be_given_back() -> None:
    died = _hurt(Kind.ROOM_KILLED, "room-1", _DIED_MS)
    assert outages("room-1", _taken_over(0).entries, [died]) == [
        Outage(_DIED_MS, START_MS + 7000, Kind.ROOM_KILLED)
    ]
    assert _charges(_taken_over(4000), died) == []
    assert _charges(_taken_over(3800), died) == []
    (charge,) = _charges(_taken_over(3000), died)
    assert "4000 ms before entry 3, which gives back 3000" in charge


def test_without_a_clock_nobody_is_charged() -> None:
    assert (
        _charges(_taken_over(0, turn_seconds=0), _hurt(Kind.ROOM_KILLED, "room-1", _DIED_MS)) == []
    )


@pytest.mark.parametrize(
    "hurt",
    [
        _hurt(Kind.ROOM_KILLED, "room-2", _DIED_MS),
        _hurt(Kind.ROOM_KILLED, "room-1", START_MS + 7500),
        _hurt(Kind.ROOM_DRAINED, "room-1", _DIED_MS),
        _hurt(Kind.LINE_CUT, "room-1", _DIED_MS, 3.0),
    ],
)
def test_what_hurts_another_room_or_stops_no_match_is_no_outage(hurt: Hurt) -> None:
    assert _charges(_taken_over(0), hurt) == []


def test_room_that_woke_up_before_it_was_replaced_was_away_until_then() -> None:
    paused = _hurt(Kind.ROOM_PAUSED, "room-1", _DIED_MS, 2.0)
    assert _charges(_taken_over(2000), paused) == []
    assert len(_charges(_taken_over(1000), paused)) == 1


def test_outage_of_all_nats_servers_hits_every_match() -> None:
    away = _hurt(Kind.NATS_ALL_KILLED, "nats", _DIED_MS, 3.0)
    assert len(_charges(_taken_over(0), away)) == 1
    assert _charges(_taken_over(3000), away) == []


def test_entry_that_was_stored_meanwhile_shortens_an_outage() -> None:
    tale = Tale()
    tale.act()
    tale.act(after_ms=3000)
    tale.claim("room-2", 3000, 2800)
    cut = _hurt(Kind.ROOM_UNANSWERED, "room-1", _DIED_MS, 10.0)
    assert _charges(tale, cut) == []


def test_outages_before_one_entry_have_to_be_given_back_together() -> None:
    away = _hurt(Kind.NATS_ALL_KILLED, "nats", START_MS + 2000, 2.0)
    paused = _hurt(Kind.ROOM_PAUSED, "room-1", START_MS + 3500, 2.5)
    assert _charges(_taken_over(4000), away, paused) == []
    (charge,) = _charges(_taken_over(3600), away, paused)
    assert "all NATS servers killed, room paused: 4000 ms before entry 3" in charge
