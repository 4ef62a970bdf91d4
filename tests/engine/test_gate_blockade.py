"""Spawning while a rival stands on the own Gate."""

from __future__ import annotations

from typing import Any

from arena_engine.crowns.events import BlockadeStruck, Eliminated, Spawned
from arena_engine.game import State
from tests.engine.positions import (
    a_card,
    act,
    all_of,
    card,
    find,
    move,
    outcome,
    position,
    relics_at,
    seat_view,
    standing,
    view,
)

HOME = "0:K@60 0:k@40 "


def boat_against(blockers: str, *, players: int = 2) -> tuple[list[Any], State]:
    """Seat 0 collects a Boat while `blockers` of seat 1 stand on its Gate."""
    home = "" if "K" in blockers else "1:K@80 "
    state = position(f"{HOME}{home}1:{blockers}@4", players=players, relics="boat@41")
    return move(state, 40, 41, "k"), state


def test_strike_breaks_one_golden_shield_first() -> None:
    events, state = boat_against("Kgg")
    struck = find(events, BlockadeStruck)
    assert (struck.seat, struck.rival, struck.triangle) == (0, 1, 4)
    assert (struck.shield_broken, struck.knight_removed, struck.king_defeated) == (
        True,
        False,
        False,
    )
    assert standing(state, 4) == "1:Kkg"


def test_strike_without_shield_removes_one_knight() -> None:
    events, state = boat_against("kk")
    assert find(events, BlockadeStruck).knight_removed
    assert standing(state, 4) == "1:k"
    assert seat_view(state, 1).reserve == 9


def test_strike_removes_the_king_last() -> None:
    events, state = boat_against("Kk")
    assert find(events, BlockadeStruck).knight_removed
    assert standing(state, 4) == "1:K"


def test_strike_on_a_lone_king_eliminates_it() -> None:
    events, state = boat_against("K", players=3)
    assert find(events, BlockadeStruck).king_defeated
    fallen = find(events, Eliminated)
    assert (fallen.seat, fallen.by_seat, fallen.triangle) == (1, 0, 4)
    assert relics_at(state, 4) == ["fallen"]
    assert state.outcome() is None


def test_strike_on_the_last_rival_king_wins() -> None:
    _, state = boat_against("K")
    assert (outcome(state).how, outcome(state).winner) == ("last_king", 0)


def test_strike_places_no_knight_though_the_last_blocker_falls() -> None:
    events, state = boat_against("k")
    assert not all_of(events, Spawned)
    assert standing(state, 4) == ""
    assert seat_view(state, 0).reserve == 9


def test_strike_is_one_attempt_for_each_boat() -> None:
    state = position("0:K@60 0:k@40 1:kk@4", relics="horse@41 boat@42 boat@43")
    move(state, 40, 41, "k")
    move(state, 41, 42, "k")
    assert standing(state, 4) == "1:k"
    move(state, 42, 43, "k")
    assert standing(state, 4) == ""


def test_strike_with_an_empty_reserve_works_all_the_same() -> None:
    ten = "0:K@60 0:kkk@40 0:kkk@43 0:kkk@46 0:k@58"
    state = position(f"{ten} 1:kk@4", relics="boat@41")
    move(state, 40, 41, "k")
    assert standing(state, 4) == "1:k"


def test_muster_strikes_a_blockade_as_a_boat_does() -> None:
    muster = card("green")
    state = position("0:K@60 1:kg@4", hands=[[muster]])
    events = act(state, a_card(muster))
    assert find(events, BlockadeStruck).shield_broken
    assert standing(state, 4) == "1:kk"


def test_strike_of_a_golden_knight_leaves_a_normal_one_for_the_next() -> None:
    state = position("0:K@60 0:k@40 1:g@4", relics="horse@41 boat@42 boat@43")
    move(state, 40, 41, "k")
    move(state, 41, 42, "k")
    assert standing(state, 4) == "1:k"
    move(state, 42, 43, "k")
    assert standing(state, 4) == ""


def test_gate_that_the_rival_has_left_spawns_again() -> None:
    state = position("0:K@60 0:k@40 1:k@4", relics="boat@41", more="turn: 1")
    move(state, 4, 14, "k")
    assert find(move(state, 40, 41, "k"), Spawned).triangle == 4


def test_strike_uses_up_the_boat_and_the_move() -> None:
    _, state = boat_against("kk")
    assert relics_at(state, 41) == []
    assert view(state).turn == 1
