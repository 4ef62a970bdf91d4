"""Set-up: the map by claimants, claiming a seat, what everybody starts with."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan.board import PROVINCES
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.kinds import Cause, Colour, Phase, Sigil, Speed
from arena_engine.singhasan.messages import ClaimSeat
from tests.engine.singhasan.matches import (
    act,
    all_of,
    awaited,
    expire,
    find,
    legal,
    new_match,
    resources,
    stock,
    why_not,
)

STARTING = {2: (0, 4), 3: (0, 3, 6), 4: (0, 3, 5, 7), 5: (1, 3, 4, 6, 7)}


def claim(colour: int, sigil: int, *amounts: int) -> ClaimSeat:
    return ClaimSeat(Colour(colour), Sigil(sigil), resources(*amounts))


@pytest.mark.parametrize(
    ("players", "sunk"),
    [
        (5, set()),
        (4, set()),
        (3, {"ashfall", "saltcoast"}),
        (2, {"ashfall", "saltcoast", "hollowmere", "skyreach"}),
    ],
)
def test_the_storm_sinks_provinces_by_number_of_claimants(players: int, sunk: set[str]) -> None:
    board = new_match(players).position.board
    assert {b.id for number, b in enumerate(PROVINCES) if not board.in_play[number]} == sunk
    assert board.wildfolk == (players == 2)


@pytest.mark.parametrize(("players", "supply"), [(2, 30), (3, 26), (4, 22), (5, 20)])
def test_supply_by_number_of_claimants(players: int, supply: int) -> None:
    assert list(new_match(players).position.supply) == [supply] * players


def test_map_has_93_seats_and_14_rifts() -> None:
    assert sum(province.seats for province in PROVINCES) == 93
    assert sum(province.rifts for province in PROVINCES) == 14


def test_hire_row_of_three_is_dealt_at_the_start() -> None:
    p = new_match(4).position
    assert len(set(p.row)) == 3
    assert min(p.row) > 0
    assert p.follower_size == len(FOLLOWERS) - 3


def test_all_claim_at_once_each_with_a_decision_of_its_own() -> None:
    assert new_match(4).awaited() == ((0, 1), (1, 2), (2, 3), (3, 4))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_who_is_late_gets_the_first_free_colour_and_sigil_and_even_resources(players: int) -> None:
    state = new_match(players)
    events = expire(state)
    p = state.position
    assert list(p.colour) == list(p.sigil) == list(range(1, players + 1))
    for seat, total in enumerate(STARTING[players]):
        amounts = stock(p, seat)
        assert sum(amounts) == total
        assert max(amounts) - min(amounts) <= 1
        assert sorted(amounts, reverse=True) == list(amounts)
    assert all(claimed.by_clock for claimed in all_of(events, e.SeatClaimed))
    assert p.phase == Phase.COURT


def test_late_claimant_gets_what_the_others_left() -> None:
    state = new_match(3)
    act(state, 2, claim(1, 2, 6))
    expire(state)
    p = state.position
    assert list(p.colour) == [2, 3, 1]
    assert list(p.sigil) == [1, 3, 2]


def test_claimant_chooses_colour_sigil_and_kinds_of_resources() -> None:
    state = new_match(3)
    events = act(state, 1, claim(5, 4, 0, 3))
    assert events == [
        e.SeatClaimed(1, Colour.VIOLET, Sigil.SERPENT, by_clock=False),
        e.ResourcesGained(1, resources(0, 3), Cause.START),
    ]
    assert stock(state.position, 1) == (0, 3, 0, 0)
    assert awaited(state) == [0, 2]


def test_claim_has_to_name_what_is_free_and_the_printed_total() -> None:
    state = new_match(3)
    act(state, 1, claim(1, 1, 3))
    assert "colour" in (why_not(state, 2, claim(1, 2, 6)) or "")
    assert "sigil" in (why_not(state, 2, claim(2, 1, 6)) or "")
    assert "6 resources" in (why_not(state, 2, claim(2, 2, 5)) or "")
    assert why_not(state, 2, claim(2, 2, 1, 1, 1, 3)) is None
    assert why_not(state, 1, claim(2, 2, 3)) == "Seat 1 has been claimed."


def test_listed_claims_hold_every_look_and_every_split() -> None:
    listed = legal(new_match(3), 1)
    assert len({(a.colour, a.sigil) for a in listed}) == 25
    assert len({a.resources for a in listed}) == 20


def test_first_turn_begins_when_the_last_seat_is_claimed() -> None:
    state = new_match(2)
    act(state, 1, claim(1, 1, 2, 2))
    events = act(state, 0, claim(2, 2))
    assert find(events, e.TurnBegan) == e.TurnBegan(0, 1, is_last=False)
    assert awaited(state) == [1]


def test_claims_have_30_seconds() -> None:
    assert new_match(3).deadline_ms() == 30_000
    assert new_match(3, speed=Speed.SWIFT).deadline_ms() == 15_000
    assert new_match(3, speed=Speed.UNHURRIED).deadline_ms() is None
