"""Trades with rivals: the active claimant offers, rivals accept or decline.

`Position.offers` is the list of the turn: an offer keeps its place in it, 0 once it is closed. What an offer names is
looked at again when it is accepted.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from arena_engine.singhasan.events import (
    ConspiracyTaken,
    OfferAnswered,
    OfferMade,
    OfferWithdrawn,
)
from arena_engine.singhasan.hands import card_at, hand_size, holds, pass_on
from arena_engine.singhasan.lasting import FORBID_OFFER, is_forbidden
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import (
    ANSWER_OFFER,
    ASKED,
    FIELD,
    FIRST,
    OFFER,
    PAYMENT,
    SECOND,
    WITHDRAW,
    field,
    offered_to,
    one_of,
)
from arena_engine.singhasan.phases import is_offered
from arena_engine.singhasan.position import CONSPIRACIES, FACT_TRADES, KINDS, Position
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.stock import (
    AMOUNTS,
    BY_TRADE,
    affords,
    canonical,
    pay,
    payment_of,
    receive,
    resources_of,
)

#: Most offers open at a time, and made in a turn.
MOST_OPEN: Final = 3
MOST_MADE: Final = 6
#: Where the cards lie in a packed offer: two given, by number, then two asked, by place in the hand plus one.
GIVEN_CARDS: Final = (8, 13)
ASKED_CARDS: Final = (18, 23)
#: What `fill_offers` wants for a Conspiracy, or gives for one.
_CARD_PRICE: Final = 4


def asked_of(offer: i64) -> i64:
    """The resources that an offer asks, as packed amounts."""
    return (offer >> ASKED) & AMOUNTS


def asks_cards(offer: i64) -> bool:
    """Whether an offer asks for Conspiracies."""
    return (offer >> ASKED_CARDS[0]) & 1023 != 0


def open_offers(p: Position) -> i64:
    """How many offers are open."""
    count: i64 = 0
    for place in range(len(p.offers)):
        if p.offers[place] != 0:
            count += 1
    return count


def may_offer(p: Position, seat: i64) -> bool:
    """Whether the active seat may make one more offer this turn, and now."""
    return (
        len(p.offers) < MOST_MADE
        and open_offers(p) < MOST_OPEN
        and not is_forbidden(p, seat, FORBID_OFFER)
    )


def fill_offers(p: Position, seat: i64, out: ActionList) -> None:
    """Append withdrawals, and a choice of offers; `explain` takes every other one as well.

    Offered are 1 resource for 1 of another kind, to all and to each rival who has it; each held Conspiracy for 4
    resources of a rival; and 4 resources for a rival's first Conspiracy.
    """
    for place in range(len(p.offers)):
        if p.offers[place] != 0:
            out.add(WITHDRAW | (place << FIRST))
    if not may_offer(p, seat):
        return
    _fill_swaps(p, seat, out)
    can_sell = hand_size(p, seat) > 0
    price = canonical(p, seat, 0, _CARD_PRICE)
    for rival in range(p.board.players):
        if rival == seat:
            continue
        if can_sell:
            _fill_sales(p, seat, rival, out)
        if price >= 0 and hand_size(p, rival) > 0:
            ask = ((rival + 1) << FIRST) | (1 << ASKED_CARDS[0])
            out.add(OFFER | ask | (price << PAYMENT))


def _fill_swaps(p: Position, seat: i64, out: ActionList) -> None:
    players = p.board.players
    stock = p.stock
    having = _rivals_having(p, seat)
    for given in range(i64(KINDS)):
        if stock[seat * KINDS + given] == 0:
            continue
        give = OFFER | one_of(PAYMENT, given)
        for asked in range(i64(KINDS)):
            rivals = (having >> (8 * asked)) & 255
            if asked == given or rivals == 0:
                continue
            swap = give | one_of(ASKED, asked)
            for rival in range(players):
                if rivals >> rival & 1 != 0:
                    out.add(swap | ((rival + 1) << FIRST))
            out.add(swap)


def _rivals_having(p: Position, seat: i64) -> i64:
    """Bits of the rivals who have a resource: 8 for each kind."""
    stock = p.stock
    having: i64 = 0
    for rival in range(p.board.players):
        if rival == seat:
            continue
        for kind in range(i64(KINDS)):
            if stock[rival * KINDS + kind] > 0:
                having |= i64(1) << (8 * kind + rival)
    return having


def _fill_sales(p: Position, seat: i64, rival: i64, out: ActionList) -> None:
    asked = canonical(p, rival, 0, _CARD_PRICE)
    if asked < 0:
        return
    sale = OFFER | ((rival + 1) << FIRST) | (asked << ASKED)
    left = hand_size(p, seat)
    for card in range(1, i64(CONSPIRACIES) + 1):
        if holds(p, seat, card):
            out.add(sale | (card << GIVEN_CARDS[0]))
            left -= 1
            if left == 0:
                return


def fill_offer_answers(p: Position, seat: i64, out: ActionList) -> None:
    """Append, for each open offer that waits for a rival, to accept it where that can be done, and to decline it."""
    for place in range(len(p.offers)):
        if is_offered(p, seat, place):
            if is_sound(p, seat, p.offers[place]):
                out.add(ANSWER_OFFER | (place << FIRST) | (1 << SECOND))
            out.add(ANSWER_OFFER | (place << FIRST))


def is_sound(p: Position, rival: i64, offer: i64) -> bool:
    """Whether both sides have what an offer names, should this rival accept it."""
    if not affords(p, p.turn, payment_of(offer)) or not affords(p, rival, asked_of(offer)):
        return False
    for shift in GIVEN_CARDS:
        card = (offer >> shift) & FIELD
        if card != 0 and not holds(p, p.turn, card):
            return False
    for shift in ASKED_CARDS:
        place = (offer >> shift) & FIELD
        if place > hand_size(p, rival):
            return False
    return True


def do_offer(p: Position, seat: i64, action: i64) -> None:
    """Lay an offer on the table."""
    p.offers = append(p.offers, action)
    p.declined = append(p.declined, 0)
    if p.log is not None:
        costs = tuple(
            [int(COSTS[(action >> s) & FIELD]) for s in GIVEN_CARDS if (action >> s) & FIELD]
        )
        places = tuple(
            [int((action >> s) & FIELD) - 1 for s in ASKED_CARDS if (action >> s) & FIELD]
        )
        rival = offered_to(action)
        p.log.append(
            OfferMade(
                seat,
                len(p.offers) - 1,
                rival if rival >= 0 else None,
                resources_of(payment_of(action)),
                resources_of(asked_of(action)),
                costs,
                places,
            )
        )


def do_withdraw(p: Position, action: i64) -> None:
    """Take an offer back."""
    _close(p, field(action, FIRST))


def _close(p: Position, place: i64) -> None:
    p.offers[place] = 0
    if p.log is not None:
        p.log.append(OfferWithdrawn(place))


def do_answer_offer(p: Position, seat: i64, action: i64) -> None:
    """Accept or decline an offer. One that all have declined is closed."""
    place = field(action, FIRST)
    is_accepted = field(action, SECOND) != 0
    if p.log is not None:
        p.log.append(OfferAnswered(seat, place, is_accepted))
    if is_accepted:
        offer = p.offers[place]
        p.offers[place] = 0
        _trade(p, seat, offer)
        return
    p.declined[place] |= i64(1) << seat
    for rival in range(p.board.players):
        if is_offered(p, rival, place):
            return
    p.offers[place] = 0


def _trade(p: Position, rival: i64, offer: i64) -> None:
    seat = p.turn
    given = payment_of(offer)
    asked = asked_of(offer)
    # The cards first: places in the hand are those of before the trade.
    first = card_at(p, rival, ((offer >> ASKED_CARDS[0]) & FIELD) - 1)
    second = card_at(p, rival, ((offer >> ASKED_CARDS[1]) & FIELD) - 1)
    for shift in GIVEN_CARDS:
        _hand_on(p, seat, rival, (offer >> shift) & FIELD)
    _hand_on(p, rival, seat, first)
    _hand_on(p, rival, seat, second)
    _send(p, seat, rival, given)
    _send(p, rival, seat, asked)
    p.facts[FACT_TRADES * p.board.players + seat] += 1
    p.facts[FACT_TRADES * p.board.players + rival] += 1
    if first != 0 or second != 0:
        void_card_offers(p, 0)
    void_lost_offers(p)


def _hand_on(p: Position, from_seat: i64, to_seat: i64, card: i64) -> None:
    if card == 0:
        return
    pass_on(p, card, to_seat)
    if p.log is not None:
        p.log.append(ConspiracyTaken(from_seat, to_seat, card, COSTS[card]))


def _send(p: Position, from_seat: i64, to_seat: i64, amounts: i64) -> None:
    if amounts != 0:
        pay(p, from_seat, amounts, BY_TRADE)
        receive(p, to_seat, amounts, BY_TRADE)


def void_card_offers(p: Position, card: i64) -> None:
    """Close the offers that ask for Conspiracies, whose places in hands may have changed, and those of `card`."""
    for place in range(len(p.offers)):
        offer = p.offers[place]
        if offer == 0:
            continue
        is_given = card != 0 and (
            (offer >> GIVEN_CARDS[0]) & FIELD == card or (offer >> GIVEN_CARDS[1]) & FIELD == card
        )
        if is_given or asks_cards(offer):
            _close(p, place)


def void_lost_offers(p: Position) -> None:
    """Close the offers that give a Conspiracy which the active claimant no longer holds."""
    for place in range(len(p.offers)):
        for shift in GIVEN_CARDS:
            card = (p.offers[place] >> shift) & FIELD
            if p.offers[place] != 0 and card != 0 and not holds(p, p.turn, card):
                _close(p, place)


def lapse(p: Position) -> None:
    """Close all offers at the end of a turn."""
    if len(p.offers) == 0:
        return
    for place in range(len(p.offers)):
        if p.offers[place] != 0:
            _close(p, place)
    p.offers = vec[i64]()
    p.declined = vec[i64]()
