"""What each seat and a spectator may know, and positions drawn to fit it."""

from __future__ import annotations

import re
from random import Random

import pytest

from arena_engine.crowns import GAME
from arena_engine.crowns.events import CardDrawn
from arena_engine.game import State
from tests.engine.positions import a_card, a_move, act, card, hand, move, position, view

SHOWN = "0:Kk@40 0:g@43 1:Kkg@60 2:k@70"
HANDS = [[1, 12], [20], [30, 31, 33]]
MORE = "deck: 2 3 4 5 6 7\nreturning: boat@10 crown@20\nround: 4"


def crowded(more: str = MORE) -> State:
    """A position with everything in it, most of the cards discarded."""
    held = {1, 12, 20, 30, 31, 33, 2, 3, 4, 5, 6, 7}
    discard = " ".join(str(n) for n in range(1, 41) if n not in held)
    return position(
        SHOWN,
        players=3,
        relics="horse@50 crown@51 fallen@51",
        crowns=[1, 3],
        hands=HANDS,
        snares="60",
        more=f"{more}\ndiscard: {discard}",
    )


def test_view_shows_sizes_of_hands_and_never_their_cards() -> None:
    shown = view(crowded())
    assert [seat.hand_size for seat in shown.seats] == [2, 1, 3]
    assert shown.deck_size == 6


def test_own_message_holds_the_own_hand_in_the_order_drawn() -> None:
    state = crowded()
    assert [hand(state, seat) for seat in range(3)] == HANDS


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_swapping_hidden_cards_never_changes_another_seats_messages(seat: int) -> None:
    """Neither hands of rivals nor the deck's order leak into what a seat is sent."""
    state = crowded()
    rival = (seat + 1) % 3
    other = GAME.from_text(_swap_cards(state.to_text(), HANDS[rival][0], 7))
    assert hand(other, rival) != hand(state, rival)
    assert other.common(()) == state.common(())
    assert other.own(seat, ()) == state.own(seat, ())


def test_reordering_the_deck_never_changes_any_message() -> None:
    state = crowded()
    other = crowded(MORE.replace("2 3 4 5 6 7", "7 5 3 6 4 2"))
    assert other.common(()) == state.common(())
    assert [other.own(s, ()) for s in range(3)] == [state.own(s, ()) for s in range(3)]


def test_card_drawn_is_named_to_its_seat_alone() -> None:
    state = position("0:k@40", players=3, relics="loot@41", deck=[17, 3])
    (packed,) = [p for p in state.legal_actions(0) if state.unpack(p) == a_move(40, 41, "k")]
    events = state.apply(0, packed, 0)
    everybody = [e.event for e in state.common(events).events if isinstance(e.event, CardDrawn)]
    mine = [e.event for e in state.own(0, events).events if isinstance(e.event, CardDrawn)]
    assert everybody == [CardDrawn(0, 0)]
    assert mine == [CardDrawn(0, 17)]
    assert state.own(1, events).events == state.own(2, events).events == ()


def test_own_events_keep_their_index_of_the_common_message() -> None:
    state = position("0:k@40", relics="loot@41", deck=[17, 3])
    (packed,) = [p for p in state.legal_actions(0) if state.unpack(p) == a_move(40, 41, "k")]
    events = state.apply(0, packed, 0)
    common = state.common(events).events
    assert [event.index for event in common] == list(range(len(common)))
    for event in state.own(0, events).events:
        assert type(common[event.index].event) is type(event.event)


def test_played_card_is_seen_by_all() -> None:
    number = card("gold")
    state = position("0:K@40", hands=[[number]])
    act(state, a_card(number))
    assert view(state).discard == (number,)


def test_view_shows_pieces_relics_and_what_is_coming_back() -> None:
    shown = view(crowded())
    assert [(f.triangle, f.seat, f.king, f.knights, f.golden) for f in shown.formations] == [
        (40, 0, True, 1, 0),
        (43, 0, False, 0, 1),
        (60, 1, True, 1, 1),
        (64, 2, True, 0, 0),
        (70, 2, False, 1, 0),
    ]
    assert [(r.triangle, r.relic.name) for r in shown.relics] == [
        (50, "HORSE"),
        (51, "CROWN"),
        (51, "FALLEN_CROWN"),
    ]
    assert [(r.relic.name, r.triangle) for r in shown.returning] == [("BOAT", 10), ("CROWN", 20)]


def test_reserve_is_ten_less_the_knights_on_the_arena() -> None:
    assert [seat.reserve for seat in view(crowded()).seats] == [8, 8, 9]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_resampled_position_fits_all_that_a_seat_knows(seat: int) -> None:
    state = crowded()
    common, own = state.common(()), state.own(seat, ())
    for draw in range(5):
        drawn = GAME.resample(common, own, seat, Random(draw))
        assert drawn.common(()) == common
        assert drawn.own(seat, ()) == own
        assert list(drawn.legal_actions(0)) == list(state.legal_actions(0)) or seat != 0


def test_resampled_position_for_a_spectator_fits_the_public_view() -> None:
    state = crowded()
    drawn = GAME.resample(state.common(()), None, -1, Random(1))
    assert drawn.common(()) == state.common(())


def test_resampled_positions_differ_in_what_is_hidden() -> None:
    state = crowded()
    common, own = state.common(()), state.own(0, ())
    hands = {tuple(hand(GAME.resample(common, own, 0, Random(n)), 2)) for n in range(20)}
    assert len(hands) > 5


def test_resampled_position_deals_each_card_once() -> None:
    state = crowded()
    drawn = GAME.resample(state.common(()), state.own(0, ()), 0, Random(3))
    hidden = hand(drawn, 1) + hand(drawn, 2)
    unknown = {2, 3, 4, 5, 6, 7, 20, 30, 31, 33}
    assert set(hidden) <= unknown
    assert len(set(hidden)) == 4


def test_resampled_position_plays_on() -> None:
    drawn = GAME.resample(crowded().common(()), None, -1, Random(2))
    move(drawn, 43, 42, "g")
    assert GAME.from_text(drawn.to_text()).state_hash() == drawn.state_hash()


def _swap_cards(text: str, one: int, other: int) -> str:
    """The same position with two cards in each other's place."""
    names = {str(one): str(other), str(other): str(one)}

    def swapped(match: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda number: names.get(number[0], number[0]), match[0])

    return re.sub(r"(?m)^deck:.*$|hand=\S+", swapped, text)
