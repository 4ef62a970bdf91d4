"""What each claimant and a spectator may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from librt.vecs import append
from mypy_extensions import u8

from arena_engine.singhasan import events as ev
from arena_engine.singhasan import hands, views
from arena_engine.singhasan.actions import pack
from arena_engine.singhasan.events import Event
from arena_engine.singhasan.messages import MakeOffer, Resources
from arena_engine.singhasan.offers import do_offer
from arena_engine.singhasan.position import CONSPIRACIES, IN_PILE, KINDS, Position
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.seen import Own, View
from tests.engine.singhasan.boards import CAPITAL, EMBERFEN, acting, protect
from tests.engine.singhasan.test_duel import answer, tied


def view(p: Position) -> View:
    return views.view(p)


def private(p: Position, seat: int) -> Own:
    return views.own(p, seat, ())


def holding(cards: Sequence[Sequence[int]], players: int = 3, **more: Any) -> Position:
    """A position in which seats hold these Conspiracies; the others lie in the pile, ascending from the top."""
    p = acting("0 capital 5+1", "1 emberfen 2", players=players, **more)
    for seat, numbers in enumerate(cards):
        for card in numbers:
            hands.take(p, seat, card)
    pile = [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == IN_PILE]
    for place, card in enumerate(reversed(pile)):
        p.conspiracy_pile[place] = u8(card)
    p.conspiracy_size = len(pile)
    return p


def alike(card: int, others: Sequence[int]) -> int:
    """Another card that costs as much."""
    return next(other for other in others if other != card and COSTS[other] == COSTS[card])


def test_view_shows_costs_of_hands_and_of_the_top_of_the_pile_and_no_faces() -> None:
    p = holding([[3, 1], [20]])
    shown = view(p)
    costs = [tuple(COSTS[card] for card in cards) for cards in ([3, 1], [20], [])]
    assert [seat.hand_costs for seat in shown.seats] == costs
    assert (shown.pile_size, shown.top_cost) == (27, COSTS[2])


def test_own_message_holds_the_own_hand_in_the_order_in_which_costs_are_shown() -> None:
    p = holding([[3, 1], [20]])
    assert [private(p, seat).hand for seat in range(3)] == [(3, 1), (20,), ()]


@pytest.mark.parametrize("seat", [0, 2])
def test_another_face_in_a_rivals_hand_changes_no_message_but_its_own(seat: int) -> None:
    p = holding([[3, 1], [20]])
    other = holding([[3, 1], [alike(20, range(4, 31))]])
    hidden = p.conspiracy_pile[:], other.conspiracy_pile[:]
    assert hidden[0] != hidden[1]
    assert view(p) == view(other)
    assert private(p, seat) == private(other, seat)
    assert private(p, 1) != private(other, 1)


def test_orders_of_decks_change_no_message() -> None:
    p, other = holding([[3]]), holding([[3]])
    for deck in (other.headline_deck, other.follower_deck):
        deck[0], deck[1] = deck[1], deck[0]
    lowest = other.conspiracy_pile
    lowest[0], lowest[1] = lowest[1], lowest[0]
    assert view(p) == view(other)
    assert private(p, 0) == private(other, 0)


def test_called_headlines_show_their_caller_alone_until_they_are_turned_up() -> None:
    shown = []
    for called in (32, 31):
        p = acting()
        p.headline_size = 31
        p.headline_deck[30] = u8(31 + 32 - called)
        p.called = append(p.called, called | 1 << 8)
        shown.append(view(p))
    assert shown[0] == shown[1]
    assert (shown[0].called, shown[0].headline_deck, shown[0].turned) == ((1,), 31, ())


def test_bought_conspiracy_is_named_to_its_buyer_alone() -> None:
    bought = [Event(0, ev.ConspiracyBought(1, 7, 5))]
    p = acting()
    assert views.common(p, bought).events == (Event(0, ev.ConspiracyBought(1, 0, 5)),)
    assert [bool(views.own(p, seat, bought).events) for seat in range(3)] == [False, True, False]
    assert views.own(p, 1, bought).events == tuple(bought)


def test_conspiracy_that_changes_hands_is_named_to_both() -> None:
    taken = [Event(4, ev.ConspiracyTaken(0, 2, 7, 5))]
    p = acting()
    assert views.common(p, taken).events == (Event(4, ev.ConspiracyTaken(0, 2, 0, 5)),)
    assert [bool(views.own(p, seat, taken).events) for seat in range(3)] == [True, False, True]


def test_cards_that_a_claimant_looks_at_are_numbered_to_it_alone() -> None:
    seen = [Event(2, ev.CardsSeen(1, None, (), (4, 9)))]
    p = acting()
    assert views.common(p, seen).events == (Event(2, ev.CardsSeen(1, None, (), ())),)
    assert views.own(p, 1, seen).events == tuple(seen)
    assert views.own(p, 0, seen).events == ()


def test_offered_conspiracies_show_their_costs_alone() -> None:
    p = holding([[3, 1], [20]], stock={0: (2, 0, 0, 0), 1: (0, 3, 0, 0)})
    offer = MakeOffer(Resources(gold=1), Resources(steel=2), 1, (1,), (0,))
    do_offer(p, 0, pack(offer))
    (shown,) = view(p).offers
    assert (shown.rival, shown.give, shown.ask) == (1, Resources(gold=1), Resources(steel=2))
    assert (shown.give_costs, shown.ask_cards, shown.declined) == ((COSTS[1],), (0,), ())
    assert [offered.cards for offered in private(p, 0).offered] == [(1,)]
    assert private(p, 1).offered == ()


def test_quiz_answer_is_its_duellists_own_until_all_have_answered() -> None:
    p, other = tied(), tied()
    answer(p, 0, is_right=True)
    answer(other, 0, is_right=False)
    assert views.view(p) == views.view(other)
    assert views.own(p, 1, ()) == views.own(other, 1, ())
    assert views.own(p, 0, ()) != views.own(other, 0, ())
    assert [seat.decision > 0 for seat in views.view(p).seats] == [False, True, False]


def test_quiz_shows_the_question_and_three_choices() -> None:
    duel = views.view(tied()).duel
    assert duel is not None
    assert duel.question.endswith("?")
    assert len(set(duel.choices)) == 3
    assert duel.swing_at_ms is None


def test_view_shows_followers_oaths_and_what_is_in_play() -> None:
    shown = view(acting("0 capital 8+1", "1 capital 2", "1 emberfen 1"))
    found = [(one.province, one.seat, one.standing, one.on_rifts) for one in shown.presences]
    assert found == [(CAPITAL, 0, 8, 1), (CAPITAL, 1, 2, 0), (EMBERFEN, 1, 1, 0)]
    assert [province.sworn for province in shown.provinces] == [0, *[None] * 8]
    assert [province.is_in_play for province in shown.provinces] == [True] * 7 + [False] * 2
    assert [seat.score for seat in shown.seats] == [8, 0, 0]


def test_wildfolk_are_shown_with_two_claimants_only() -> None:
    assert sum(one.wildfolk for one in view(acting(players=2)).provinces) == 5
    assert sum(one.wildfolk for one in view(acting(players=3)).provinces) == 0


def test_lasting_effect_is_a_chip_with_what_it_does_and_when_it_ends() -> None:
    p = acting()
    protect(p, CAPITAL)
    (chip,) = view(p).chips
    assert (chip.chip, chip.seat, chip.headline, chip.conspiracy) == (1, 1, 2, 0)
    assert chip.text.endswith(".")
    assert chip.until == "until this turn ends"
    assert len(chip.effects) == 1


def test_answers_are_shown_with_the_questions_that_they_were_given_to() -> None:
    p = acting(answers={1: (1, 0, 2, 0)})
    for question, kind in ((7, 2), (9, 0), (40, 2)):
        p.question_at[question - 1] = u8(3 + KINDS + kind)
    shown = view(p).seats[1]
    assert shown.answers == (1, 0, 2, 0)
    assert shown.kept == (9, 7, 40)


def test_equal_parts_of_views_are_the_same_objects() -> None:
    """Whoever encodes views tells by it what is encoded already."""
    p = acting("0 capital 3", "1 emberfen 1")
    first, second = view(p), view(p)
    pairs = [
        *zip(first.seats, second.seats, strict=True),
        *zip(first.presences, second.presences, strict=True),
        *zip(first.provinces, second.provinces, strict=True),
    ]
    assert all(one is other for one, other in pairs)
