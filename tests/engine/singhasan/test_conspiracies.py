"""Conspiracies in hand: buying them, holding them, and the list of plays against the reasons for what is not in it."""

from __future__ import annotations

import random

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import hands, lasting
from arena_engine.singhasan.cards import do_buy, fill_buys, fill_plays, price
from arena_engine.singhasan.explain_cards import explain_buy, explain_play
from arena_engine.singhasan.kinds import Cause
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import (
    BUY,
    FIFTH,
    FIRST,
    FOURTH,
    PAYMENT,
    PLAY,
    SECOND,
    SIXTH,
    THIRD,
)
from arena_engine.singhasan.phases import COURT
from arena_engine.singhasan.position import FACT_PLAYED, SPENT, Position
from tests.engine.singhasan.boards import (
    THORNWOLD,
    acting,
    change,
    forbid,
    four,
    happened,
    listed,
    packed,
)
from tests.engine.singhasan.schemes import CONSPIRACY, named, play


def shop(*cards: str, stock: tuple[int, ...] = (3, 3, 3, 3)) -> Position:
    """Seat 0 before a pile with these cards, the first on top."""
    p = acting(stock={0: stock})
    for number, name in enumerate(reversed(cards)):
        p.conspiracy_pile[number] = CONSPIRACY[name]
    p.conspiracy_size = len(cards)
    return p


def buy(payment: int) -> int:
    return BUY | payment << PAYMENT


def test_top_conspiracy_is_bought_with_any_resources() -> None:
    p = shop("The Tithe", "Famine Prices")
    action = buy(packed(gold=1, steel=1, song=1, oath=2))
    assert explain_buy(p, 0, action) is None
    do_buy(p, 0, action)
    assert hands.holds(p, 0, CONSPIRACY["The Tithe"])
    assert four(p, 0) == (2, 2, 2, 1)
    assert happened(p, e.ConspiracyBought) == [e.ConspiracyBought(0, 20, 5)]
    assert happened(p, e.ResourcesLost) == [
        e.ResourcesLost(0, Resources(gold=1, steel=1, song=1, oath=2), Cause.CONSPIRACY)
    ]
    assert price(p, 0) == 4


def test_any_number_may_be_bought_and_one_canonical_payment_is_listed() -> None:
    p = shop("The Tithe", "Famine Prices", stock=(6, 3, 0, 0))
    for _ in range(2):
        (action,) = listed(p, fill_buys)
        do_buy(p, 0, action)
    assert hands.hand_size(p, 0) == 2
    assert four(p, 0) == (0, 0, 0, 0)
    assert listed(p, fill_buys) == []


def test_price_has_to_be_met_exactly() -> None:
    p = shop("The Tithe")
    assert explain_buy(p, 0, buy(packed(gold=3))) == "The top Conspiracy costs 5, not 3."
    assert explain_buy(p, 0, buy(packed(gold=5))) == "You do not hold what you would pay with."


def test_price_follows_lasting_effects() -> None:
    p = shop("The Tithe")
    change(p, 0, lasting.CONSPIRACY_CHANGE, -2)
    assert (price(p, 0), price(p, 1)) == (3, 5)
    assert explain_buy(p, 0, buy(packed(gold=3))) is None
    change(p, 0, lasting.CONSPIRACY_CHANGE, -5)
    assert listed(p, fill_buys) == [BUY]
    assert explain_buy(p, 0, BUY) is None


def test_empty_pile_sells_nothing_and_is_not_reshuffled() -> None:
    p = acting(stock={0: (9, 9, 9, 9)})
    play(p, named("The King's Shilling"))
    assert listed(p, fill_buys) == []
    assert explain_buy(p, 0, buy(packed(gold=4))) == "The pile of Conspiracies is empty."


def test_buying_can_be_forbidden() -> None:
    p = shop("The Tithe")
    forbid(p, 0, lasting.FORBID_BUY)
    assert listed(p, fill_buys) == []
    assert "forbids" in str(explain_buy(p, 0, buy(packed(gold=3, steel=2))))


def test_bought_card_can_be_played_in_the_same_turn() -> None:
    p = shop("The King's Shilling")
    (action,) = listed(p, fill_buys)
    do_buy(p, 0, action)
    play(p, named("The King's Shilling"))
    assert p.conspiracy_at[CONSPIRACY["The King's Shilling"] - 1] == SPENT


def test_play_is_seen_with_its_targets_and_counted() -> None:
    p = acting("1 thornwold 2")
    play(p, named("Assassins in the Night", rival=1, at=THORNWOLD, count=1))
    assert happened(p, e.ConspiracyPlayed) == [e.ConspiracyPlayed(0, 1, 1, THORNWOLD, None)]
    assert (p.last_played_by, p.facts[FACT_PLAYED * 3]) == (0, 1)


def test_card_that_is_not_held_is_not_played() -> None:
    p = acting("1 thornwold 2")
    action = named("Assassins in the Night", rival=1, at=THORNWOLD, count=1)
    hands.take(p, 1, CONSPIRACY["Assassins in the Night"])
    assert explain_play(p, 0, action) == "You do not hold Conspiracy 1."
    assert explain_play(p, 0, PLAY) == "You do not hold Conspiracy 0."


@pytest.mark.parametrize("seed", range(6))
def test_list_of_plays_and_reasons_agree(seed: int) -> None:
    dice = random.Random(seed)
    p = _crowded(dice)
    legal = set(listed(p, fill_plays))
    assert legal
    for action in legal:
        assert explain_play(p, 0, action) is None
        for _ in range(4):
            shift = dice.choice((FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH))
            other = action & ~(31 << shift) | dice.randrange(11) << shift
            assert (explain_play(p, 0, other) is None) == (other in legal), other


def _crowded(dice: random.Random) -> Position:
    """Followers of three in most provinces, some Sealed or protected; seat 0 holds every Conspiracy."""
    where = ("capital", "thornwold", "kingsmarch", "veilhaven", "emberfen", "skyreach")
    followers = [
        f"{seat} {province} {dice.randint(0, 2)}+{dice.randint(0, 1) if seat == 0 else 0}"
        for province in where
        for seat in range(3)
    ]
    stock = {seat: [dice.randint(0, 3) for _ in range(4)] for seat in range(3)}
    p = acting(*followers, stock=stock, answers={1: (1, 0, 2, 0), 2: (0, 0, 0, 0)})
    p.sealed[dice.randrange(6)] = 1
    lasting.begin(p, lasting.pack(lasting.PROTECTED, 0, 0, dice.randrange(6), 1), 1, 11, 0)
    for card in range(1, 30):
        hands.take(p, 0, card)
    hands.take(p, 1, 30)
    if dice.random() < 0.4:
        p.phase = COURT
        p.turn = 1
    return p
