"""What an eliminated player leaves behind, and how players are ranked."""

from __future__ import annotations

from arena_engine.crowns.events import Eliminated, MatchEnded
from arena_engine.crowns.messages import Resign
from tests.engine.positions import (
    act,
    card,
    collected,
    find,
    hand,
    move,
    on_turn,
    outcome,
    position,
    relics_at,
    seat_view,
    standing,
    view,
    why_not,
)


def test_king_defeated_leaves_a_fallen_crown() -> None:
    state = position("0:k@40 1:K@41", players=3)
    events = move(state, 40, 41, "k")
    fallen = find(events, Eliminated)
    assert (fallen.seat, fallen.by_seat, fallen.triangle) == (1, 0, 41)
    assert relics_at(state, 41) == ["fallen"]
    assert standing(state, 41) == "0:k"


def test_king_among_the_attackers_collects_the_fallen_crown_at_once() -> None:
    state = position("0:K@40 1:K@41", players=3)
    assert collected(move(state, 40, 41, "K")) == ["fallen"]
    assert seat_view(state, 0).crowns == 1
    assert relics_at(state, 41) == []


def test_fallen_crown_may_be_collected_by_any_surviving_king() -> None:
    state = position("0:k@40 1:K@41 2:K@60", players=3, relics="fallen@61", more="turn: 2")
    move(state, 60, 61, "K")
    assert seat_view(state, 2).crowns == 1


def test_eliminated_player_loses_pieces_hand_and_crowns() -> None:
    cards = [card("gold"), card("blue")]
    state = position("0:k@40 1:K@41 1:kk@60 1:g@70", players=3, crowns=[0, 2], hands=[[], cards])
    move(state, 40, 41, "k")
    assert standing(state, 60) == standing(state, 70) == ""
    assert hand(state, 1) == []
    assert view(state).discard == tuple(cards)
    assert seat_view(state, 1).crowns == 0


def test_only_one_fallen_crown_lies_whatever_the_eliminated_held() -> None:
    state = position("0:k@40 1:K@41", players=3, crowns=[0, 2])
    move(state, 40, 41, "k")
    assert relics_at(state, 41) == ["fallen"]


def test_eliminated_player_is_passed_over() -> None:
    state = position("0:k@40 1:K@41", players=3)
    move(state, 40, 41, "k")
    assert on_turn(state) == 2


def test_fallen_crown_can_lie_on_a_crown() -> None:
    state = position("0:k@40 1:K@41", players=3, relics="crown@41", crowns=[0, 3])
    move(state, 40, 41, "k")
    assert sorted(relics_at(state, 41)) == ["crown", "fallen"]


def test_last_king_standing_wins() -> None:
    state = position("0:k@40 1:K@41")
    ended = find(move(state, 40, 41, "k"), MatchEnded)
    assert (ended.how, ended.winner) == ("last_king", 0)
    assert outcome(state).places == (1, 2)
    assert state.awaited() == ()


def test_last_king_wins_before_relics_are_counted() -> None:
    """The Fallen Crown under the last rival stays where it fell."""
    state = position("0:K@14 1:K@4", crowns=[2])
    assert collected(move(state, 14, 4, "K")) == []
    assert outcome(state).how == "last_king"


def test_resigning_eliminates_and_leaves_a_fallen_crown() -> None:
    cards = [card("gold")]
    state = position("0:K@40 0:k@60", players=3, crowns=[2], hands=[cards])
    fallen = find(act(state, Resign()), Eliminated)
    assert (fallen.seat, fallen.by_seat, fallen.triangle) == (0, None, 40)
    assert relics_at(state, 40) == ["fallen"]
    assert standing(state, 60) == ""
    assert view(state).discard == tuple(cards)
    assert on_turn(state) == 1


def test_resigning_is_allowed_out_of_turn() -> None:
    state = position("2:K@40", players=3)
    decision = state.awaited()[0]
    assert state.is_any_time(Resign())
    act(state, Resign(), seat=2)
    assert not seat_view(state, 2).is_alive
    assert state.awaited() == (decision,)


def test_resigning_leaves_the_last_king_as_winner() -> None:
    state = position()
    act(state, Resign(), seat=1)
    assert (outcome(state).how, outcome(state).winner) == ("last_king", 0)


def test_resigning_is_allowed_while_a_shield_waits() -> None:
    state = position("0:k@40 0:k@60", players=3, more="shield: 40\nmoves: 0\ndone: move")
    act(state, Resign())
    assert on_turn(state) == 1
    assert view(state).shield_choices == ()


def test_resigning_twice_is_not_legal() -> None:
    state = position(players=3)
    act(state, Resign(), seat=2)
    assert why_not(state, Resign(), seat=2)


def test_resigning_after_the_end_is_not_legal() -> None:
    state = position()
    act(state, Resign(), seat=1)
    assert state.explain(0, state.pack(Resign()))


def test_players_rank_by_how_long_they_stayed() -> None:
    state = position("0:K@14", players=4, crowns=[3], out=[2])
    act(state, Resign(), seat=1)
    move(state, 14, 4, "K")
    assert outcome(state).places == (1, 3, 4, 2)


def test_survivors_beside_the_winner_are_level() -> None:
    state = position("0:K@14", players=4, crowns=[3], out=[2])
    move(state, 14, 4, "K")
    assert outcome(state).places == (1, 2, 4, 2)


def test_gate_of_an_eliminated_player_stays_without_number() -> None:
    """No relic comes back there, though it is the only free triangle."""
    relics = " ".join(f"horse@{t}" for t in range(96) if t not in (4, 64, 74, 73))
    state = position(
        "1:K@73", players=3, relics=relics, out=[2], more="turn: 1\nreturning: boat@40"
    )
    move(state, 73, 74, "K")
    assert relics_at(state, 64) == []
    assert relics_at(state, 73) == ["boat"]
