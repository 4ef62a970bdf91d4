"""Golden Knights stop attacks: one shield for each."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import Blocked, Captured
from tests.engine.positions import (
    all_of,
    ends,
    find,
    move,
    position,
    relics_at,
    seat_view,
    standing,
    view,
)


def test_golden_knight_becomes_normal_and_stops_the_attack() -> None:
    state = position("0:k@40 1:g@41")
    events = move(state, 40, 41, "k")
    assert standing(state, 40) == "0:k"
    assert standing(state, 41) == "1:k"
    blocked = find(events, Blocked)
    assert (blocked.seat, blocked.rival) == (0, 1)
    assert (blocked.from_triangle, blocked.to_triangle) == (40, 41)
    assert not all_of(events, Captured)


def test_one_attack_breaks_only_one_shield() -> None:
    state = position("0:kkk@40 1:ggg@41")
    move(state, 40, 41, "kkk")
    assert standing(state, 41) == "1:kgg"


def test_combat_is_normal_once_no_golden_knight_is_left() -> None:
    state = position("0:kk@40 1:gg@41 1:k@60")
    move(state, 40, 41, "kk")
    assert standing(state, 41) == "1:kg"
    move(state, 60, 61, "k")
    move(state, 40, 41, "kk")
    assert standing(state, 41) == "1:kk"
    move(state, 61, 60, "k")
    move(state, 40, 41, "kk")
    assert standing(state, 41) == "0:kk"


@pytest.mark.parametrize("attackers", ["K", "k", "g", "Kg", "kg"])
def test_shield_works_against_every_attacker(attackers: str) -> None:
    state = position(f"0:{attackers}@40 1:g@41")
    move(state, 40, 41, attackers)
    assert standing(state, 40) == f"0:{attackers}"
    assert standing(state, 41) == "1:k"


def test_power_still_decides_whether_a_shield_may_be_attacked() -> None:
    state = position("0:k@40 1:kg@41")
    assert 41 not in ends(state, 40, "k")


def test_shield_protects_the_king_of_its_group() -> None:
    state = position("0:kk@40 1:Kg@41")
    move(state, 40, 41, "kk")
    assert standing(state, 41) == "1:Kk"
    assert seat_view(state, 1).is_alive


def test_stopped_attack_uses_the_move() -> None:
    state = position("0:k@40 1:g@41")
    move(state, 40, 41, "k")
    assert view(state).turn == 1


def test_stopped_attack_collects_nothing() -> None:
    state = position("0:K@40 1:g@41", relics="crown@41")
    move(state, 40, 41, "K")
    assert seat_view(state, 0).crowns == 0
    assert relics_at(state, 41) == ["crown"]


def test_stopped_attack_from_afar_leaves_the_attackers_where_they_started() -> None:
    state = position("0:g@40 1:g@43")
    move(state, 40, 43, "g")
    assert standing(state, 40) == "0:g"
    assert standing(state, 43) == "1:k"
