"""The yardstick player: sees what is one move away, and brings matches to an end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_engine.crowns import GAME
from arena_engine.crowns.messages import EndTurn, Resign
from arena_engine.game import State
from tests.engine.new_matches import new_match
from tests.engine.positions import a_card, a_move, card, position


def chosen(state: State, seed: int = 0) -> Any:
    """What the policy does for the seat on turn."""
    (awaited,) = state.awaited()
    return state.unpack(GAME.choose(state, awaited.seat, Random(seed)))


def test_bearer_beside_its_gate_escapes() -> None:
    assert chosen(position("0:K@14 1:k@13", crowns=[3])).to_triangle == 4


def test_bearer_with_sneak_escapes_from_anywhere() -> None:
    number = card("violet")
    state = position("0:K@70", crowns=[3], hands=[[number]])
    assert chosen(state) == a_card(number, triangle=70, to_triangle=4)


def test_fortune_that_wins_is_played() -> None:
    number = card("gold")
    assert chosen(position("0:K", crowns=[2], hands=[[number]])) == a_card(number)


def test_last_rival_king_within_reach_is_beaten() -> None:
    assert chosen(position("0:k@40 1:K@41")) == a_move(40, 41, "k")


def test_bearer_about_to_escape_is_beaten() -> None:
    state = position("0:k@40 1:K@41 2:k@43", players=3, crowns=[0, 3])
    assert chosen(state) == a_move(40, 41, "k")


def test_crown_within_safe_reach_is_collected() -> None:
    assert chosen(position("0:K@40", relics="crown@41")).to_triangle == 41


def test_only_a_seat_without_a_move_resigns() -> None:
    assert chosen(position("0:K 1:kk@3 1:kk@5 1:kk@14")) == Resign()


def test_same_generator_gives_the_same_choice() -> None:
    state = new_match(4, secret=3)
    assert [chosen(state, n) for n in range(5)] == [chosen(state, n) for n in range(5)]


def test_choosing_changes_nothing() -> None:
    state = new_match(3, secret=3)
    before = state.to_text()
    chosen(state)
    assert state.to_text() == before


@pytest.mark.parametrize(("players", "secret"), [(2, 1), (4, 2)])
def test_match_of_four_policies_ends(players: int, secret: int) -> None:
    state, rng = new_match(players, secret=secret), Random(secret)
    for _ in range(1_500):
        for awaited in state.awaited():
            state.apply(awaited.seat, GAME.choose(state, awaited.seat, rng), 0)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.how in {"escape", "last_king"}


def test_policy_does_not_shuttle_one_piece_to_and_fro() -> None:
    """Alone on an arena without relics it may wander; it must not throw its Horse moves away."""
    state = position("0:K@14 0:k@40", crowns=[3], more="moves: 2\ndone: move")
    assert chosen(state) != EndTurn()
