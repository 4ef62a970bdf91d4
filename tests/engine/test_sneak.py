"""The Sneak card: a whole formation somewhere else."""

from __future__ import annotations

import pytest

from tests.engine.positions import (
    a_card,
    act,
    card,
    outcome,
    plays,
    position,
    standing,
    view,
    why_not,
)

SNEAK = card("violet")


def test_sneak_puts_a_whole_formation_on_an_empty_triangle() -> None:
    state = position("0:Kkg@40", hands=[[SNEAK]])
    act(state, a_card(SNEAK, triangle=40, to_triangle=95))
    assert standing(state, 40) == ""
    assert standing(state, 95) == "0:Kkg"


def test_sneak_uses_the_move_and_ends_the_turn() -> None:
    state = position("0:k@40", hands=[[SNEAK]])
    act(state, a_card(SNEAK, triangle=40, to_triangle=95))
    assert view(state).turn == 1


def test_sneak_onto_pieces_or_relics_is_not_legal() -> None:
    state = position("0:k@40 0:k@43 1:k@60", relics="horse@50 fallen@51", hands=[[SNEAK]])
    for triangle in (40, 43, 60, 50, 51):
        assert why_not(state, a_card(SNEAK, triangle=40, to_triangle=triangle))


def test_sneak_reaches_every_empty_triangle_without_relics() -> None:
    state = position("0:k@40", relics="horse@50", hands=[[SNEAK]])
    ends = {play.to_triangle for play in plays(state, SNEAK) if play.triangle == 40}
    assert ends == set(range(96)) - {40, 50, 4, 91}


@pytest.mark.parametrize("gate", [4, 91])
def test_sneak_onto_any_gate_is_legal(gate: int) -> None:
    state = position("0:K@60 0:k@40 1:K@70", hands=[[SNEAK]])
    act(state, a_card(SNEAK, triangle=40, to_triangle=gate))
    assert standing(state, gate) == "0:k"


def test_sneak_of_the_bearer_onto_its_own_gate_wins() -> None:
    state = position("0:Kk@40", crowns=[3], hands=[[SNEAK]])
    act(state, a_card(SNEAK, triangle=40, to_triangle=4))
    assert (outcome(state).how, outcome(state).winner) == ("escape", 0)


def test_sneak_of_the_bearer_onto_its_gate_with_a_fallen_crown_is_not_legal() -> None:
    state = position("0:K@40", crowns=[3], relics="fallen@4", hands=[[SNEAK]])
    assert why_not(state, a_card(SNEAK, triangle=40, to_triangle=4))


def test_sneak_of_a_king_that_is_no_bearer_does_not_win() -> None:
    state = position("0:K@40", crowns=[2], hands=[[SNEAK]])
    act(state, a_card(SNEAK, triangle=40, to_triangle=4))
    assert state.outcome() is None


def test_sneak_of_a_rival_formation_is_not_legal() -> None:
    state = position("1:k@60", hands=[[SNEAK]])
    assert why_not(state, a_card(SNEAK, triangle=60, to_triangle=61))
    assert why_not(state, a_card(SNEAK, triangle=70, to_triangle=61))


def test_sneak_out_of_a_snared_triangle_is_not_legal() -> None:
    state = position("0:k@40", snares="40!", hands=[[SNEAK]])
    assert why_not(state, a_card(SNEAK, triangle=40, to_triangle=61))
