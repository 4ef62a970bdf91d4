"""Who may attack whom, and what a successful attack does."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import Captured
from arena_engine.crowns.messages import Move
from tests.engine.positions import (
    ends,
    find,
    move,
    position,
    relics_at,
    seat_view,
    standing,
    view,
    why_not,
)


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [("k", "k"), ("K", "k"), ("g", "k"), ("kk", "kk"), ("Kk", "kk"), ("kkk", "kkk"), ("kkg", "k")],
)
def test_attack_with_equal_or_greater_power_takes_the_triangle(
    attackers: str, defenders: str
) -> None:
    state = position(f"0:{attackers}@40 1:{defenders}@41")
    move(state, 40, 41, attackers)
    assert standing(state, 41) == f"0:{attackers}"
    assert standing(state, 40) == ""


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [("k", "kk"), ("K", "kk"), ("g", "kk"), ("kk", "kkk"), ("kk", "Kkk")],
)
def test_attack_with_less_power_is_not_legal(attackers: str, defenders: str) -> None:
    state = position(f"0:{attackers}@40 1:{defenders}@41")
    assert 41 not in ends(state, 40, attackers)
    king, knights, golden = "K" in attackers, attackers.count("k"), attackers.count("g")
    reason = why_not(state, Move(40, 41, king=king, knights=knights, golden=golden))
    assert reason
    assert "ower" in reason


def test_power_counts_only_the_pieces_that_attack() -> None:
    state = position("0:kkk@40 1:kk@41")
    assert 41 not in ends(state, 40, "k")
    move(state, 40, 41, "kk")
    assert standing(state, 40) == "0:k"
    assert standing(state, 41) == "0:kk"


def test_knight_attacks_two_triangles_away() -> None:
    state = position("0:k@40 1:k@42")
    move(state, 40, 42, "k")
    assert standing(state, 42) == "0:k"


def test_king_attacks_only_next_to_it() -> None:
    state = position("0:K@40 1:k@42 1:k@39")
    assert 42 not in ends(state, 40, "K")
    assert 39 in ends(state, 40, "K")


def test_attack_through_an_enemy_is_not_legal() -> None:
    state = position("0:g@40 1:k@41 1:k@42")
    assert 42 not in ends(state, 40, "g")


def test_defeated_knights_return_to_their_reserve() -> None:
    state = position("0:kkk@40 1:kk@41 1:k@60")
    before = seat_view(state, 1).reserve
    events = move(state, 40, 41, "kkk")
    assert seat_view(state, 1).reserve == before + 2
    captured = find(events, Captured)
    assert (captured.seat, captured.rival, captured.triangle) == (0, 1, 41)
    assert (captured.king, captured.knights) == (False, 2)


def test_king_defeated_by_an_attack_eliminates_its_player() -> None:
    state = position("0:kk@40 1:Kk@41 2:K", players=3)
    events = move(state, 40, 41, "kk")
    assert find(events, Captured).king
    assert not seat_view(state, 1).is_alive
    assert state.outcome() is None


def test_attack_uses_the_move() -> None:
    state = position("0:k@40 1:k@41")
    move(state, 40, 41, "k")
    assert view(state).turn == 1


def test_attackers_collect_the_relic_they_conquer() -> None:
    state = position("0:Kk@40 1:k@41", relics="crown@41")
    move(state, 40, 41, "Kk")
    assert seat_view(state, 0).crowns == 1
    assert relics_at(state, 41) == []


def test_rival_on_the_own_gate_is_attacked_like_any_other() -> None:
    state = position("0:K@60 0:k@14 1:k@4")
    move(state, 14, 4, "k")
    assert standing(state, 4) == "0:k"
