"""Loot cards: when they may be played, and what happens to those that were."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import CardPlayed, DeckReshuffled
from tests.engine.positions import (
    a_card,
    a_move,
    act,
    card,
    ends,
    find,
    hand,
    legal,
    move,
    position,
    seat_view,
    view,
    why_not,
)

GOLD, RED, VIOLET = card("gold"), card("red"), card("violet")
BLUE, GREEN, WHITE, BLACK = card("blue"), card("green"), card("white"), card("black")


@pytest.mark.parametrize("number", [GOLD, GREEN, WHITE])
def test_free_card_keeps_the_normal_move(number: int) -> None:
    state = position("0:K@40", hands=[[number]])
    act(state, a_card(number))
    assert view(state).turn == 0
    assert ends(state, 40, "K")


def test_free_card_is_no_way_to_pass() -> None:
    state = position("0:K@40", hands=[[GOLD]])
    act(state, a_card(GOLD))
    assert all(type(action).__name__ == "Move" for action in legal(state))


def test_only_one_card_is_played_a_turn() -> None:
    state = position("0:K@40", hands=[[GOLD, WHITE]])
    act(state, a_card(GOLD))
    assert view(state).has_played_card
    assert why_not(state, a_card(WHITE))


def test_next_turn_allows_a_card_again() -> None:
    state = position("0:K@40 1:K@60", hands=[[GOLD, WHITE]])
    act(state, a_card(GOLD))
    move(state, 40, 41, "K")
    move(state, 60, 61, "K")
    assert why_not(state, a_card(WHITE)) is None


def test_card_after_a_move_is_not_legal() -> None:
    state = position("0:K@40", relics="horse@41", hands=[[GOLD]])
    move(state, 40, 41, "K")
    assert why_not(state, a_card(GOLD))
    assert all(type(action).__name__ != "PlayCard" for action in legal(state))


def test_card_that_is_not_in_hand_is_not_legal() -> None:
    state = position("0:K@40", hands=[[GOLD], [RED]])
    assert why_not(state, a_card(WHITE))
    assert why_not(state, a_card(RED, rival=1))


def test_played_card_goes_to_the_discard_pile_seen_by_all() -> None:
    state = position("0:K@40", hands=[[GOLD, WHITE]], more=f"discard: {BLUE}")
    played = find(act(state, a_card(GOLD)), CardPlayed)
    assert (played.seat, played.card) == (0, GOLD)
    assert view(state).discard == (BLUE, GOLD)
    assert hand(state, 0) == [WHITE]
    assert seat_view(state, 0).hand_size == 1


def test_discard_pile_is_reshuffled_on_a_draw_from_an_empty_deck() -> None:
    discard = [n for n in range(1, 41) if n != GOLD]
    state = position(
        "0:K@40",
        relics="loot@41",
        hands=[[GOLD]],
        more=f"discard: {' '.join(map(str, discard))}",
    )
    events = move(state, 40, 41, "K")
    assert find(events, DeckReshuffled).cards == 39
    assert view(state).discard == ()
    assert view(state).deck_size == 38
    assert len(hand(state, 0)) == 2


def test_discard_pile_stays_while_the_deck_has_cards() -> None:
    discard = list(range(1, 40))
    state = position(
        "0:K@40", relics="loot@41", more=f"deck: 40\ndiscard: {' '.join(map(str, discard))}"
    )
    move(state, 40, 41, "K")
    assert view(state).deck_size == 0
    assert len(view(state).discard) == 39


def test_card_drawn_is_playable_in_the_next_turn() -> None:
    state = position("0:K@40 1:K@60", relics="loot@41", deck=[GOLD])
    move(state, 40, 41, "K")
    move(state, 60, 61, "K")
    assert why_not(state, a_card(GOLD)) is None


def test_cards_are_playable_before_the_first_move_only_by_the_seat_on_turn() -> None:
    state = position("0:K@40", hands=[[], [GOLD]])
    assert why_not(state, a_card(GOLD), seat=1)


def test_fortune_gains_a_crown() -> None:
    state = position("0:K@40", hands=[[GOLD]])
    act(state, a_card(GOLD))
    assert seat_view(state, 0).crowns == 1


def test_fortune_cannot_be_played_by_the_bearer() -> None:
    state = position("0:K@40", crowns=[3], hands=[[GOLD]])
    assert why_not(state, a_card(GOLD))


def test_fortune_that_reaches_three_on_the_own_gate_wins() -> None:
    state = position("0:K", crowns=[2], hands=[[GOLD]])
    act(state, a_card(GOLD))
    result = state.outcome()
    assert result is not None
    assert (result.how, result.winner) == ("escape", 0)


def test_fortune_that_reaches_three_elsewhere_makes_a_bearer() -> None:
    state = position("0:K@40", crowns=[2], hands=[[GOLD]])
    act(state, a_card(GOLD))
    assert state.outcome() is None
    assert seat_view(state, 0).is_bearer


def test_snatch_takes_a_crown_from_a_rival() -> None:
    state = position("0:K@40", players=3, crowns=[1, 1, 2], hands=[[RED]])
    act(state, a_card(RED, rival=2))
    assert [seat.crowns for seat in view(state).seats] == [2, 1, 1]


def test_snatch_from_a_rival_without_crowns_is_not_legal() -> None:
    state = position("0:K@40", players=3, crowns=[0, 0, 2], hands=[[RED]])
    assert why_not(state, a_card(RED, rival=1))
    assert a_card(RED, rival=2) in legal(state)


def test_snatch_from_oneself_is_not_legal() -> None:
    state = position("0:K@40", crowns=[1, 1], hands=[[RED]])
    assert why_not(state, a_card(RED, rival=0))


def test_snatch_cannot_be_played_by_the_bearer() -> None:
    state = position("0:K@40", crowns=[3, 1], hands=[[RED]])
    assert why_not(state, a_card(RED, rival=1))


def test_snatch_that_reaches_three_on_the_own_gate_wins() -> None:
    state = position("0:K", crowns=[2, 1], hands=[[RED]])
    act(state, a_card(RED, rival=1))
    result = state.outcome()
    assert result is not None
    assert (result.how, result.winner) == ("escape", 0)


def test_aegis_turns_a_normal_knight_golden() -> None:
    state = position("0:kk@40", hands=[[BLUE]])
    act(state, a_card(BLUE, triangle=40))
    assert a_move(40, 41, "g") in legal(state)
    assert a_move(40, 41, "kg") in legal(state)


def test_aegis_without_a_normal_knight_there_is_not_legal() -> None:
    state = position("0:K@40 0:g@43 0:k@46 1:k@60", hands=[[BLUE]])
    for triangle in (40, 43, 60, 70):
        assert why_not(state, a_card(BLUE, triangle=triangle))
    assert why_not(state, a_card(BLUE, triangle=46)) is None


def test_muster_spawns_a_knight_as_a_boat_does() -> None:
    state = position("0:Kk", hands=[[GREEN]])
    act(state, a_card(GREEN))
    assert a_move(4, 14, "kk") in legal(state)


@pytest.mark.parametrize("pieces", ["0:Kkk", "0:kkk@40 0:kkk@43 0:kkk@46 0:k@60"])
def test_muster_at_a_full_gate_or_without_reserve_is_not_legal(pieces: str) -> None:
    state = position(pieces, hands=[[GREEN]])
    assert why_not(state, a_card(GREEN))


def test_muster_against_a_blockade_is_legal_without_reserve() -> None:
    ten = "0:K@70 0:kkk@40 0:kkk@43 0:kkk@46 0:k@60"
    state = position(f"{ten} 1:k@4", hands=[[GREEN]])
    assert why_not(state, a_card(GREEN)) is None


def test_gallop_gives_one_more_move() -> None:
    state = position("0:K@40", hands=[[WHITE]])
    act(state, a_card(WHITE))
    assert view(state).moves_left == 2
    move(state, 40, 41, "K")
    assert view(state).turn == 0
    move(state, 41, 40, "K")
    assert view(state).turn == 1


def test_gallop_move_left_over_may_be_dropped_by_ending_the_turn() -> None:
    state = position("0:K@40", hands=[[WHITE]])
    act(state, a_card(WHITE))
    move(state, 40, 41, "K")
    assert any(type(action).__name__ == "EndTurn" for action in legal(state))


@pytest.mark.parametrize(
    ("number", "asked"),
    [
        (GOLD, {"rival": 1}),
        (RED, {}),
        (RED, {"triangle": 40}),
        (VIOLET, {"triangle": 40}),
        (BLUE, {}),
        (GREEN, {"triangle": 40}),
        (BLACK, {}),
        (41, {}),
        (0, {}),
    ],
)
def test_card_with_missing_or_needless_details_is_refused(
    number: int, asked: dict[str, int]
) -> None:
    from arena_engine.errors import MalformedActionError

    state = position("0:Kk@40", crowns=[0, 1], hands=[[GOLD, RED, BLUE]])
    try:
        packed = state.pack(a_card(number, **asked))
    except MalformedActionError:
        return
    assert state.explain(0, packed)
