"""The Snare card: nothing leaves a triangle in its owner's next turn."""

from __future__ import annotations

from arena_engine.crowns.events import SnareChanged
from tests.engine.positions import (
    a_card,
    a_move,
    act,
    card,
    ends,
    find,
    legal,
    move,
    plays,
    position,
    standing,
    view,
    why_not,
)

SNARE, SECOND = card("black"), card("black", 1)


def test_snare_targets_every_rival_triangle() -> None:
    state = position("0:k@40 1:k@60 2:kk@70", players=3, hands=[[SNARE]])
    assert {play.triangle for play in plays(state, SNARE)} == {60, 70, 74, 64}


def test_snare_on_an_own_or_empty_triangle_is_not_legal() -> None:
    state = position("0:k@40", hands=[[SNARE]])
    for triangle in (40, 4, 60):
        assert why_not(state, a_card(SNARE, triangle=triangle))


def test_snare_holds_everything_on_its_triangle_in_its_owners_next_turn() -> None:
    state = position("0:k@40 1:kg@60", hands=[[SNARE]])
    snared = find(act(state, a_card(SNARE, triangle=60)), SnareChanged)
    assert (snared.triangle, snared.seat, snared.is_snared) == (60, 1, True)
    move(state, 40, 41, "k")
    assert not ends(state, 60, "k")
    assert why_not(state, a_move(60, 61, "g"))
    assert ends(state, 91, "K")


def test_snare_forbids_attacks_out_of_its_triangle() -> None:
    state = position("0:k@40 1:k@42", snares="42!", more="turn: 1")
    assert why_not(state, a_move(42, 40, "k"))


def test_snare_does_not_hold_before_its_owners_next_turn_in_other_seats_turns() -> None:
    state = position("0:k@40 1:k@60 2:k@70", players=3, hands=[[SNARE]])
    act(state, a_card(SNARE, triangle=70))
    move(state, 40, 41, "k")
    move(state, 60, 61, "k")
    assert not ends(state, 70, "k")


def test_snare_ends_with_its_owners_turn() -> None:
    state = position("0:k@40 1:k@60", hands=[[SNARE]])
    act(state, a_card(SNARE, triangle=60))
    move(state, 40, 41, "k")
    ended = find(move(state, 91, 90, "K"), SnareChanged)
    assert not ended.is_snared
    move(state, 41, 40, "k")
    assert ends(state, 60, "k")


def test_snare_ends_with_its_owners_turn_though_it_was_missed() -> None:
    state = position("0:k@40 1:k@60", snares="60!", more="turn: 1\nclock: 30\ndeadline: 30000")
    state.expire(30_000)
    assert view(state).snares == ()


def test_snare_lets_friends_in_but_not_out_again() -> None:
    state = position("1:k@60 1:k@62", snares="60!", relics="horse@61", more="turn: 1")
    move(state, 62, 61, "k")
    move(state, 61, 60, "k")
    assert standing(state, 60) == "1:kk"
    assert not ends(state, 60, "k")


def test_snared_pieces_can_be_defeated() -> None:
    state = position("0:k@61 1:k@60", snares="60")
    move(state, 61, 60, "k")
    assert standing(state, 60) == "0:k"


def test_snare_lifts_with_the_last_piece_it_held() -> None:
    state = position("0:k@61 1:k@60 1:k@70", snares="60")
    lifted = find(move(state, 61, 60, "k"), SnareChanged)
    assert (lifted.triangle, lifted.seat, lifted.is_snared) == (60, 1, False)
    assert view(state).snares == ()


def test_snare_stays_while_a_shield_saves_what_it_holds() -> None:
    state = position("0:k@61 1:g@60", snares="60")
    move(state, 61, 60, "k")
    assert not ends(state, 60, "k")


def test_snare_on_a_snared_triangle_is_not_legal() -> None:
    state = position("0:k@40 1:k@60", snares="60", hands=[[SNARE]])
    assert why_not(state, a_card(SNARE, triangle=60))
    assert why_not(state, a_card(SNARE, triangle=91)) is None


def test_snare_is_void_when_its_owner_would_have_no_board_move() -> None:
    state = position("0:k@40", hands=[[SNARE]])
    act(state, a_card(SNARE, triangle=91))
    move(state, 40, 41, "k")
    assert view(state).snares == ()
    assert ends(state, 91, "K")


def test_snares_are_all_void_when_together_they_leave_no_board_move() -> None:
    state = position("0:k@40 1:k@60", snares="60", hands=[[SNARE]])
    act(state, a_card(SNARE, triangle=91))
    move(state, 40, 41, "k")
    assert ends(state, 91, "K")
    assert ends(state, 60, "k")


def test_snare_of_an_eliminated_seat_is_lifted() -> None:
    state = position("0:k@40 1:K@41 1:k@60", players=3, snares="60")
    move(state, 40, 41, "k")
    assert view(state).snares == ()


def test_snare_is_shown_to_all() -> None:
    state = position("0:k@40 1:k@60", snares="60")
    (snare,) = view(state).snares
    assert (snare.triangle, snare.seat, snare.is_active) == (60, 1, False)


def test_snare_and_the_move_it_leaves_are_listed_together() -> None:
    state = position("0:k@40 1:k@60", snares="60!", more="turn: 1")
    assert {action.from_triangle for action in legal(state)} == {91}


def test_second_snare_may_hold_another_triangle() -> None:
    state = position("0:k@40 1:k@60 1:k@70", snares="60", hands=[[SECOND]])
    act(state, a_card(SECOND, triangle=70))
    assert {snare.triangle for snare in view(state).snares} == {60, 70}
