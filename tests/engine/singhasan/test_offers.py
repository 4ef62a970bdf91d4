"""Trades with rivals: who may offer what to whom, accepting, declining, and what ends an offer."""

from __future__ import annotations

import pytest

from arena_engine.errors import MalformedActionError
from arena_engine.singhasan import events as e
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.hands import card_at, hand_size
from arena_engine.singhasan.kinds import Cause, Phase
from arena_engine.singhasan.messages import (
    AnswerAim,
    AnswerOffer,
    EndTurn,
    MakeOffer,
    March,
    PlayConspiracy,
    WithdrawOffer,
)
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import (
    ASSASSINS,
    act,
    all_of,
    awaited,
    decision,
    find,
    legal,
    match,
    resources,
    stock,
    why_not,
)

GOLD, STEEL = resources(1), resources(0, 1)
NOTHING = resources()


def trading(*lines: str, players: int = 4) -> SinghasanState:
    stocks = [f"seat {seat}: stock=5/5/0/0" for seat in range(players)]
    return match(*stocks, *lines, players=players)


def hand(state: SinghasanState, seat: int) -> list[int]:
    p = state.position
    return [card_at(p, seat, place) for place in range(hand_size(p, seat))]


def test_offer_to_one_rival_awaits_that_rival_beside_the_claimant() -> None:
    state = trading()
    events = act(state, 0, MakeOffer(GOLD, STEEL, rival=2))
    assert events == [e.OfferMade(0, 0, 2, GOLD, STEEL, (), ())]
    assert awaited(state) == [0, 2]


def test_accepted_offer_changes_hands_at_once() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL, rival=2))
    events = act(state, 2, AnswerOffer(0, accept=True))
    assert find(events, e.OfferAnswered) == e.OfferAnswered(2, 0, accepted=True)
    assert {change.cause for change in all_of(events, e.ResourcesGained)} == {Cause.TRADE}
    assert stock(state.position, 0) == (4, 6, 0, 0)
    assert stock(state.position, 2) == (6, 4, 0, 0)
    assert awaited(state) == [0]


def test_first_to_accept_an_offer_to_all_gets_it() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL))
    assert awaited(state) == [0, 1, 2, 3]
    act(state, 1, AnswerOffer(0, accept=False))
    assert awaited(state) == [0, 2, 3]
    act(state, 3, AnswerOffer(0, accept=True))
    assert awaited(state) == [0]
    assert "not for seat 2" in (why_not(state, 2, AnswerOffer(0, accept=True)) or "")


def test_offer_that_all_have_declined_is_closed() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL, rival=1))
    act(state, 1, AnswerOffer(0, accept=False))
    assert list(state.position.offers) == [0]
    assert why_not(state, 0, WithdrawOffer(0)) == "There is no open offer 0."


def test_decision_of_a_rival_stays_open_while_the_claimant_acts() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL, rival=1))
    before = decision(state, 1)
    act(state, 0, MakeOffer(STEEL, GOLD))
    assert decision(state, 1) == before
    act(state, 1, AnswerOffer(0, accept=False))
    assert decision(state, 1) > before


def test_withdrawn_offer_awaits_nobody() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL))
    assert act(state, 0, WithdrawOffer(0)) == [e.OfferWithdrawn(0)]
    assert awaited(state) == [0]


def test_offers_lapse_with_the_turn() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, STEEL))
    act(state, 0, MakeOffer(STEEL, GOLD, rival=1))
    events = act(state, 0, EndTurn())
    assert all_of(events, e.OfferWithdrawn) == [e.OfferWithdrawn(0), e.OfferWithdrawn(1)]
    assert len(state.position.offers) == 0


def test_offer_is_checked_again_when_it_is_accepted() -> None:
    state = trading()
    act(state, 0, MakeOffer(resources(5), STEEL, rival=1))
    act(state, 0, MakeOffer(GOLD, STEEL, rival=2))
    act(state, 2, AnswerOffer(1, accept=True))
    assert "cannot be kept" in (why_not(state, 1, AnswerOffer(0, accept=True)) or "")
    assert legal(state, 1) == [AnswerOffer(0, accept=False)]


def test_rival_who_lacks_what_is_asked_can_only_decline() -> None:
    state = trading()
    act(state, 0, MakeOffer(GOLD, resources(song=1), rival=1))
    assert legal(state, 1) == [AnswerOffer(0, accept=False)]


def test_either_side_may_give_nothing_but_not_both() -> None:
    state = trading()
    assert why_not(state, 0, MakeOffer(GOLD, NOTHING)) is None
    assert why_not(state, 0, MakeOffer(NOTHING, GOLD)) is None
    assert "nothing for nothing" in (why_not(state, 0, MakeOffer(NOTHING, NOTHING)) or "")


def test_conspiracies_of_both_sides_change_hands() -> None:
    state = trading("hand 0: 4 9", "hand 1: 20 7 30")
    events = act(state, 0, MakeOffer(GOLD, NOTHING, 1, give_cards=(9,), ask_cards=(0, 2)))
    made = find(events, e.OfferMade)
    assert made.give_costs == (CONSPIRACIES[8].cost,)
    assert made.ask_cards == (0, 2)
    events = act(state, 1, AnswerOffer(0, accept=True))
    assert [taken.card for taken in all_of(events, e.ConspiracyTaken)] == [9, 20, 30]
    assert hand(state, 0) == [4, 20, 30]
    assert hand(state, 1) == [7, 9]


def test_bought_card_may_be_offered_only_by_its_holder_and_once() -> None:
    state = trading("hand 0: 4", "hand 1: 20")
    assert "do not hold" in (why_not(state, 0, MakeOffer(GOLD, STEEL, 1, (20,))) or "")
    assert "once only" in (why_not(state, 0, MakeOffer(GOLD, STEEL, 1, (4, 4))) or "")
    assert "asked for twice" in (why_not(state, 0, MakeOffer(GOLD, NOTHING, 1, (), (0, 0))) or "")
    assert "there is none" in (why_not(state, 0, MakeOffer(GOLD, NOTHING, 1, (), (1,))) or "")


def test_offer_to_all_asks_resources_only() -> None:
    state = trading("hand 1: 20")
    assert "resources only" in (why_not(state, 0, MakeOffer(GOLD, NOTHING, None, (), (0,))) or "")
    assert why_not(state, 0, MakeOffer(GOLD, NOTHING, 1, (), (0,))) is None


def test_offer_names_two_conspiracies_of_a_side_at_most() -> None:
    state = trading()
    with pytest.raises(MalformedActionError, match="two Conspiracies"):
        state.pack(MakeOffer(GOLD, STEEL, 1, (1, 2, 3)))


def test_card_offers_become_void_when_the_hand_they_ask_of_changes() -> None:
    state = trading("hand 1: 20 7")
    act(state, 0, MakeOffer(GOLD, NOTHING, 1, (), (0,)))
    act(state, 0, MakeOffer(STEEL, NOTHING, 1, (), (1,)))
    events = act(state, 1, AnswerOffer(0, accept=True))
    assert all_of(events, e.OfferWithdrawn) == [e.OfferWithdrawn(1)]
    assert hand(state, 1) == [7]


def test_card_offers_become_void_when_a_conspiracy_is_played() -> None:
    state = trading(f"hand 0: 9 {ASSASSINS}", "hand 1: 20", "at capital: s1=2")
    act(state, 0, MakeOffer(GOLD, NOTHING, 1, (), (0,)))
    act(state, 0, MakeOffer(NOTHING, STEEL, 1, (ASSASSINS,)))
    act(state, 0, MakeOffer(NOTHING, STEEL, 1, (9,)))
    events = act(state, 0, PlayConspiracy(ASSASSINS, rival=1, province=0, count=1))
    assert all_of(events, e.OfferWithdrawn) == [e.OfferWithdrawn(0), e.OfferWithdrawn(1)]


def test_offers_of_a_conspiracy_that_was_given_away_become_void() -> None:
    state = trading("hand 0: 20 7")
    act(state, 0, MakeOffer(NOTHING, GOLD, 1, (7,)))
    act(state, 0, MakeOffer(NOTHING, STEEL, 2, (20, 7)))
    act(state, 0, MakeOffer(NOTHING, STEEL, 2, (20,)))
    events = act(state, 1, AnswerOffer(0, accept=True))
    assert all_of(events, e.OfferWithdrawn) == [e.OfferWithdrawn(1)]
    view = state.common(()).view
    assert [offer.offer for offer in view.offers] == [2]


def test_three_offers_are_open_at_a_time_and_six_made_a_turn() -> None:
    state = trading()
    for _ in range(3):
        act(state, 0, MakeOffer(GOLD, STEEL))
    assert "3 offers are open" in (why_not(state, 0, MakeOffer(GOLD, STEEL)) or "")
    for place in range(3):
        act(state, 0, WithdrawOffer(place))
        act(state, 0, MakeOffer(GOLD, STEEL))
    act(state, 0, WithdrawOffer(3))
    assert "6 offers a turn" in (why_not(state, 0, MakeOffer(GOLD, STEEL)) or "")
    assert not all_of(legal(state, 0), MakeOffer)


def test_only_the_active_claimant_offers() -> None:
    state = trading()
    assert why_not(state, 1, MakeOffer(GOLD, STEEL)) == "It is the turn of seat 0."
    act(state, 0, MakeOffer(GOLD, STEEL))
    assert "answered by those" in (why_not(state, 0, AnswerOffer(0, accept=True)) or "")


def test_offers_wait_while_something_else_is_decided() -> None:
    lines = ["at capital: s0=3 s1=2", "hand 0: 9"]
    state = match(
        "seat 0: stock=5/0/0/0",
        "seat 1: answers=0/0/0/3 stock=0/0/0/1",
        *lines,
        f"hand 2: {ASSASSINS}",
    )
    act(state, 0, MakeOffer(GOLD, NOTHING, 2))
    before = decision(state, 2)
    act(state, 0, March(0, 1, 1))
    assert state.position.phase == Phase.SHIELD
    assert awaited(state) == [1]
    act(state, 1, AnswerAim(shield=False))
    assert awaited(state) == [0, 2]
    assert decision(state, 2) > before


def test_listed_offers_are_legal_and_few() -> None:
    state = trading("hand 0: 4 9", "hand 1: 20")
    listed = all_of(legal(state, 0), MakeOffer)
    assert 0 < len(listed) < 80
    assert {offer.rival for offer in listed} == {None, 1, 2, 3}
    assert any(offer.ask_cards for offer in listed)
    assert any(offer.give_cards for offer in listed)
