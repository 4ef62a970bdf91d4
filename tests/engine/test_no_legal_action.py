"""A seat without a legal move can only resign."""

from __future__ import annotations

from arena_engine.crowns.messages import EndTurn, PlayCard, Resign
from tests.engine.positions import (
    a_card,
    act,
    card,
    legal,
    on_turn,
    outcome,
    position,
    view,
    why_not,
)

#: Seat 0's King in its Gate, walled in by formations that its power does not reach.
WALLED = "0:K 1:kk@3 1:kk@5 1:kk@14"


def test_seat_without_a_move_can_only_resign() -> None:
    state = position(WALLED)
    assert legal(state) == [Resign()]
    act(state, Resign())
    assert outcome(state).winner == 1


def test_seat_without_a_move_cannot_pass() -> None:
    state = position(WALLED)
    assert why_not(state, EndTurn())


def test_free_cards_without_a_move_are_not_playable() -> None:
    cards = [card("gold"), card("white"), card("black")]
    state = position(WALLED, hands=[cards])
    assert legal(state) == [Resign()]
    assert why_not(state, a_card(card("gold")))
    assert why_not(state, a_card(card("black"), triangle=91))


def test_muster_that_would_give_a_move_is_not_playable_without_one() -> None:
    state = position(WALLED, hands=[[card("green")]])
    assert legal(state) == [Resign()]


def test_sneak_counts_as_a_move() -> None:
    sneak = card("violet")
    state = position(WALLED, hands=[[sneak]])
    actions = legal(state)
    assert actions
    assert all(isinstance(action, PlayCard) for action in actions)
    act(state, a_card(sneak, triangle=4, to_triangle=50))
    assert on_turn(state) == 1


def test_resigning_is_listed_only_where_nothing_else_is() -> None:
    state = position("0:K@40", hands=[[card("gold")]])
    assert Resign() not in legal(state)


def test_horse_moves_left_without_a_legal_move_can_be_ended() -> None:
    state = position(WALLED, more="done: move\nmoves: 1")
    assert legal(state) == [EndTurn()]


def test_seat_that_is_not_awaited_has_no_legal_actions() -> None:
    state = position("0:K@40")
    assert list(state.legal_actions(1)) == []


def test_finished_match_has_no_legal_actions() -> None:
    state = position()
    act(state, Resign(), seat=1)
    assert list(state.legal_actions(0)) == []
    assert view(state).ended is not None
