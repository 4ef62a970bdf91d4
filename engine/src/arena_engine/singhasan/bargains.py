"""How the yardstick player makes more of its resources: the bank, Conspiracies, exchanges with rivals.

The bank is only asked for what a hire or a power lacks, so that every trade is a step towards one.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan.cards import fill_buys
from arena_engine.singhasan.hire import CARD_ANY, CARD_COST, hired_count
from arena_engine.singhasan.judgement import one_more_card
from arena_engine.singhasan.lasting import (
    FORBID_BANK,
    FORBID_HIRE,
    FORBID_POWER,
    hire_change,
    is_forbidden,
)
from arena_engine.singhasan.legends import STANDS, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.offers import asked_of, asks_cards, fill_offers, may_offer
from arena_engine.singhasan.packing import (
    BANK,
    FIRST,
    OFFER,
    PAYMENT,
    WOODEN_HORSE,
    kind_of,
    offered_to,
)
from arena_engine.singhasan.position import KINDS, ROW
from arena_engine.singhasan.powers import (
    CHARM_SONG,
    HORSE_GOLD,
    STABLES_STEEL,
    WALLS_OATH,
    fill_powers,
)
from arena_engine.singhasan.stock import (
    GOLD,
    OATH,
    SONG,
    STEEL,
    bank_price,
    canonical,
    nibble,
    payment_of,
    sum_of,
)
from arena_engine.singhasan.weighing import WORTHWHILE, Scales

# Exchanges: offered once in so many turns, where both sides gain so much.
_OFFER_ONCE_IN: Final = 2
_OFFER_GAIN: Final = 3

#: What the powers of the act step cost, as packed amounts; their actions are in the order of the legends.
_PRICES: Final = vec[i64](
    [
        HORSE_GOLD << (4 * GOLD),
        STABLES_STEEL << (4 * STEEL),
        CHARM_SONG << (4 * SONG),
        WALLS_OATH << (4 * OATH),
    ]
)


def bank(scales: Scales) -> i64:
    """The next trade with the bank on the way to what is worth most with such trades; 0 for none."""
    p = scales.p
    seat = scales.seat
    if is_forbidden(p, seat, FORBID_BANK):
        return 0
    chosen: i64 = 0
    best: i64 = WORTHWHILE
    for slot in range(ROW):
        card = p.row[slot]
        if card == 0 or p.supply[seat] == 0 or is_forbidden(p, seat, FORBID_HIRE):
            continue
        due = CARD_ANY[card] + hire_change(p, seat)
        trade = _trade_for(scales, CARD_COST[card], due)
        if trade != 0:
            worth = scales.best_settling(hired_count(p, seat, card, 0))
            worth -= _cost_with_bank(scales, CARD_COST[card], due)
            if worth > best:
                best = worth
                chosen = trade
    for kind in range(KINDS):
        if level(p, seat, kind) != STANDS or is_forbidden(p, seat, FORBID_POWER):
            continue
        trade = _trade_for(scales, _PRICES[kind], 0)
        if trade != 0:
            worth = _power_worth(scales, kind) - _cost_with_bank(scales, _PRICES[kind], 0)
            if worth > best:
                best = worth
                chosen = trade
    return chosen


def _power_worth(scales: Scales, kind: i64) -> i64:
    """What the power of a legend would bring if the seat could pay for it."""
    p = scales.copy
    at = scales.seat * KINDS
    stock = p.stock[:]
    for other in range(KINDS):
        p.stock[at + other] = nibble(_PRICES[kind], other)
    legal = ActionList()
    fill_powers(p, scales.seat, legal)
    p.stock = stock
    best: i64 = 0
    for i in range(legal.count):
        if kind_of(legal.items[i]) == WOODEN_HORSE + kind:
            worth = scales.weigh_power(legal.items[i])
            best = max(best, worth)
    return best


def _short_of(scales: Scales, named: i64, due: i64) -> i64:
    """How many resources the bank has to give for a price: named amounts and `due` of any kind, below 0 a discount."""
    short: i64 = 0
    for kind in range(KINDS):
        missing = nibble(named, kind) - scales.p.stock[scales.seat * KINDS + kind]
        short += max(missing, 0)
    return max(short + min(due, 0), 0)


def _trade_for(scales: Scales, named: i64, due: i64) -> i64:
    """A trade on the way to paying a price; 0 where it needs none, or they cannot be made."""
    p = scales.p
    at = scales.seat * KINDS
    short = _short_of(scales, named, due)
    if short == 0:
        return 0
    price = bank_price(p, scales.seat)
    spoken_for: i64 = 0
    spare: i64 = 0
    wanted: i64 = 0
    most: i64 = 0
    for kind in range(KINDS):
        part = nibble(named, kind)
        there = p.stock[at + kind]
        spoken_for += min(part, there) << (4 * kind)
        spare += max(there - part, 0)
        if part - there > most:
            most = part - there
            wanted = kind
    if spare < short * price + max(due, 0):
        return 0
    given = canonical(p, scales.seat, spoken_for, price) - spoken_for
    return BANK | ((wanted + 1) << FIRST) | (given << PAYMENT)


def _cost_with_bank(scales: Scales, named: i64, due: i64) -> i64:
    """What a price costs with the trades that it needs; near enough, from the largest stocks."""
    p = scales.p
    trades = _short_of(scales, named, due)
    total = sum_of(named) + due + trades * (bank_price(p, scales.seat) - 1)
    return scales.cost(canonical(p, scales.seat, 0, min(total, p.total(scales.seat))))


def buy(scales: Scales, legal: ActionList) -> i64:
    """A Conspiracy, where it is worth more than what it costs; else 0. Uses the list."""
    legal.clear()
    fill_buys(scales.p, scales.seat, legal)
    if legal.count == 0:
        return 0
    worth = one_more_card(scales.p, scales.seat) * scales.view.worth_later[scales.seat] // 100
    return legal.items[0] if worth > scales.cost(payment_of(legal.items[0])) else 0


def offer(scales: Scales, legal: ActionList) -> i64:
    """Now and then, before anything else of a turn, an exchange that both sides gain by; else 0. Uses the list."""
    p = scales.p
    if p.has_acted != 0 or scales.lot(_OFFER_ONCE_IN) != 0 or not may_offer(p, scales.seat):
        return 0
    legal.clear()
    fill_offers(p, scales.seat, legal)
    chosen: i64 = 0
    best: i64 = _OFFER_GAIN
    for i in range(legal.count):
        action = legal.items[i]
        if kind_of(action) == OFFER and offered_to(action) >= 0 and not asks_cards(action):
            worth = _weigh_offer(scales, action)
            if worth > best:
                best = worth
                chosen = action
    return chosen


def _weigh_offer(scales: Scales, action: i64) -> i64:
    """What an exchange of one resource for another brings; nothing where the rival would not accept, or for cards."""
    given = payment_of(action)
    asked = asked_of(action)
    if sum_of(given) != 1 or sum_of(asked) != 1:
        return 0
    rival = offered_to(action)
    theirs = scales.exchange(rival, asked, given)
    if theirs < _OFFER_GAIN:
        return 0
    return scales.exchange(scales.seat, given, asked) + theirs * scales.view.weights[rival] // 100
