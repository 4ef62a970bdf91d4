"""Three Crowns, the Bearer, and the way out through the own Gate."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import CrownsChanged, MatchEnded
from tests.engine.positions import (
    a_card,
    act,
    card,
    collected,
    find,
    move,
    outcome,
    position,
    relics_at,
    seat_view,
    standing,
)


def test_third_crown_makes_the_king_bearer_and_does_not_win() -> None:
    state = position("0:K@40", relics="crown@41", crowns=[2])
    changed = find(move(state, 40, 41, "K"), CrownsChanged)
    assert (changed.seat, changed.crowns, changed.is_bearer) == (0, 3, True)
    assert seat_view(state, 0).is_bearer
    assert state.outcome() is None


def test_two_crowns_make_no_bearer() -> None:
    state = position("0:K@40", relics="crown@41", crowns=[1])
    assert not find(move(state, 40, 41, "K"), CrownsChanged).is_bearer
    assert not seat_view(state, 0).is_bearer


@pytest.mark.parametrize("group", ["K", "Kk", "Kgg"])
def test_bearer_that_moves_onto_its_gate_wins(group: str) -> None:
    state = position(f"0:{group}@14", crowns=[3])
    ended = find(move(state, 14, 4, group), MatchEnded)
    assert (ended.how, ended.winner) == ("escape", 0)
    assert (outcome(state).how, outcome(state).winner, outcome(state).places) == (
        "escape",
        0,
        (1, 2),
    )


def test_king_with_two_crowns_on_its_gate_does_not_win() -> None:
    state = position("0:K@14", crowns=[2])
    move(state, 14, 4, "K")
    assert state.outcome() is None


def test_bearer_on_the_gate_of_another_does_not_win() -> None:
    state = position("0:K@81 1:K@40", crowns=[3])
    move(state, 81, 91, "K")
    assert state.outcome() is None


def test_knights_of_the_bearer_on_the_gate_do_not_win() -> None:
    state = position("0:K@40 0:k@14", crowns=[3])
    move(state, 14, 4, "k")
    assert state.outcome() is None


def test_bearer_leaves_crowns_where_they_are() -> None:
    state = position("0:K@40", relics="crown@41 fallen@41", crowns=[3])
    assert collected(move(state, 40, 41, "K")) == []
    assert sorted(relics_at(state, 41)) == ["crown", "fallen"]
    assert seat_view(state, 0).crowns == 3


def test_bearer_collects_other_relics() -> None:
    state = position("0:K@40", relics="horse@41", crowns=[3])
    assert collected(move(state, 40, 41, "K")) == ["horse"]


def test_third_crown_collected_on_the_own_gate_wins_at_once() -> None:
    state = position("0:K@14", relics="fallen@4", crowns=[2])
    move(state, 14, 4, "K")
    assert (outcome(state).how, outcome(state).winner) == ("escape", 0)


def test_third_crown_of_a_king_beaten_on_the_own_gate_wins_at_once() -> None:
    state = position("0:K@14 1:K@4", players=3, crowns=[2])
    move(state, 14, 4, "K")
    assert (outcome(state).how, outcome(state).winner) == ("escape", 0)


def test_bearer_wins_on_its_gate_over_a_fallen_crown() -> None:
    state = position("0:K@14", relics="fallen@4", crowns=[3])
    assert collected(move(state, 14, 4, "K")) == []
    assert outcome(state).how == "escape"


def test_bearer_wins_by_a_successful_attack_into_its_gate() -> None:
    state = position("0:Kk@14 1:kk@4", crowns=[3])
    move(state, 14, 4, "Kk")
    assert (outcome(state).how, outcome(state).winner) == ("escape", 0)


def test_bearer_whose_attack_into_its_gate_is_stopped_does_not_win() -> None:
    state = position("0:Kk@14 1:kg@4", crowns=[3])
    move(state, 14, 4, "Kk")
    assert state.outcome() is None
    assert standing(state, 14) == "0:Kk"


def test_bearer_that_is_defeated_is_eliminated_and_its_crowns_are_gone() -> None:
    state = position("0:K@40 1:k@41", players=3, crowns=[3], more="turn: 1")
    move(state, 41, 40, "k")
    assert not seat_view(state, 0).is_alive
    assert seat_view(state, 0).crowns == 0
    assert relics_at(state, 40) == ["fallen"]


def test_bearer_robbed_by_snatch_is_none_until_it_has_three_again() -> None:
    snatch = card("red")
    state = position("0:K@14 1:k@60", crowns=[3], hands=[[], [snatch]], more="turn: 1")
    act(state, a_card(snatch, rival=0))
    assert not seat_view(state, 0).is_bearer
    move(state, 60, 61, "k")
    move(state, 14, 4, "K")
    assert state.outcome() is None


def test_bearer_is_shown_to_every_rival() -> None:
    state = position("0:K@40", crowns=[3], players=3)
    assert [seat.is_bearer for seat in state.common(()).view.seats] == [True, False, False]
