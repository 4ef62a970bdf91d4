"""Resources: coming in and going out, what pays a cost, the treasury limit, and the bank.

Amounts of the four resources travel as four nibbles of one int (Gold lowest), as packed actions hold them.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.events import ResourcesGained, ResourcesLost
from arena_engine.singhasan.kinds import Cause
from arena_engine.singhasan.lasting import FORBID_BANK, is_forbidden, limit_change
from arena_engine.singhasan.legends import ODYSSEUS, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import BANK, FIRST, NIBBLE, PAYMENT, field
from arena_engine.singhasan.position import KINDS, Position

# Resources, and in the same order the ideologies and legends.
GOLD: Final = 0
STEEL: Final = 1
SONG: Final = 2
OATH: Final = 3

# `kinds.Cause` as ints.
BY_START: Final = 1
BY_ANSWER: Final = 2
BY_TRIBUTE: Final = 3
BY_REDRAW: Final = 4
BY_HIRE: Final = 5
BY_BANK: Final = 6
BY_TRADE: Final = 7
BY_CONSPIRACY: Final = 8
BY_POWER: Final = 9
BY_CARD: Final = 10
BY_HEADLINE: Final = 11
BY_DISCARD: Final = 12

#: All four nibbles of an amount.
AMOUNTS: Final = 0xFFFF
#: What a claimant may hold at the end of the own turn, without and with Many Harbours.
LIMIT: Final = 12
LIMIT_WITH_HARBOURS: Final = 15
#: What the bank takes for 1, without and with Many Harbours.
BANK_PRICE: Final = 3
BANK_PRICE_WITH_HARBOURS: Final = 2


def nibble(amounts: i64, kind: i64) -> i64:
    """How much of one kind is in packed amounts."""
    return (amounts >> (4 * kind)) & NIBBLE


def sum_of(amounts: i64) -> i64:
    """All four packed amounts together."""
    return (
        (amounts & NIBBLE)
        + ((amounts >> 4) & NIBBLE)
        + ((amounts >> 8) & NIBBLE)
        + ((amounts >> 12) & NIBBLE)
    )


def payment_of(action: i64) -> i64:
    """The payment of a packed action."""
    return (action >> PAYMENT) & AMOUNTS


def resources_of(amounts: i64) -> Resources:
    """Packed amounts as events have them."""
    return Resources(
        gold=amounts & NIBBLE,
        steel=(amounts >> 4) & NIBBLE,
        song=(amounts >> 8) & NIBBLE,
        oath=(amounts >> 12) & NIBBLE,
    )


def affords(p: Position, seat: i64, amounts: i64) -> bool:
    """Whether a seat has all of these packed amounts."""
    at = seat * KINDS
    return (
        p.stock[at] >= amounts & NIBBLE
        and p.stock[at + 1] >= (amounts >> 4) & NIBBLE
        and p.stock[at + 2] >= (amounts >> 8) & NIBBLE
        and p.stock[at + 3] >= (amounts >> 12) & NIBBLE
    )


def gain(p: Position, seat: i64, kind: i64, n: i64, cause: i64) -> None:
    """Bring in `n` of one kind. At most 15 at once; 0 does nothing."""
    if n > 0:
        receive(p, seat, n << (4 * kind), cause)


def receive(p: Position, seat: i64, amounts: i64, cause: i64) -> None:
    """Bring in packed amounts."""
    at = seat * KINDS
    for kind in range(i64(KINDS)):
        p.stock[at + kind] += nibble(amounts, kind)
    if p.log is not None:
        p.log.append(ResourcesGained(seat, resources_of(amounts), Cause(cause)))


def lose(p: Position, seat: i64, kind: i64, n: i64, cause: i64) -> i64:
    """Take `n` of one kind, or what there is of it. Returns how much it was; at most 15 at once."""
    there = p.stock[seat * KINDS + kind]
    n = min(n, there)
    if n > 0:
        pay(p, seat, n << (4 * kind), cause)
    return n


def pay(p: Position, seat: i64, payment: i64, cause: i64) -> None:
    """Take packed amounts that the seat holds; paying nothing is no event."""
    if payment == 0:
        return
    at = seat * KINDS
    for kind in range(i64(KINDS)):
        p.stock[at + kind] -= nibble(payment, kind)
    if p.log is not None:
        p.log.append(ResourcesLost(seat, resources_of(payment), Cause(cause)))


def covers(payment: i64, printed: i64, any_kind: i64, discount: i64 = 0) -> bool:
    """Whether a payment is exactly a cost: the printed amounts and `any_kind` more of whatever kinds.

    `discount` comes off the part that the payer chooses, off a printed amount or off the rest.
    """
    due = sum_of(printed) + any_kind - discount
    if sum_of(payment) != max(due, 0):
        return False
    missing: i64 = 0
    for kind in range(i64(KINDS)):
        short = nibble(printed, kind) - nibble(payment, kind)
        if short > 0:
            missing += short
    return missing <= discount


def canonical(p: Position, seat: i64, printed: i64, any_kind: i64, discount: i64 = 0) -> i64:
    """The one payment of a cost that is listed, -1 where the seat cannot pay it.

    A discount goes first to what the seat is short of, then to the part that any kind pays, then to the printed kinds
    of which it has least. That part is paid from the largest stock that is left, ties Gold, Steel, Song, Oath.
    """
    at = seat * KINDS
    payment: i64 = 0
    for kind in range(i64(KINDS)):
        part = nibble(printed, kind)
        there = p.stock[at + kind]
        if part > there:
            discount -= part - there
            part = there
        payment += part << (4 * kind)
    if discount < 0:
        return -1
    any_kind -= discount
    while any_kind < 0 and payment != 0:
        kind = _scarcest(p, seat, payment)
        payment -= i64(1) << (4 * kind)
        any_kind += 1
    return payment if any_kind <= 0 else _with_any(p, seat, payment, any_kind)


def _with_any(p: Position, seat: i64, payment: i64, any_kind: i64) -> i64:
    """A payment and so many more, each from the largest stock that is left; -1 where there are too few."""
    at = seat * KINDS
    gold = p.stock[at] - (payment & NIBBLE)
    steel = p.stock[at + 1] - ((payment >> 4) & NIBBLE)
    song = p.stock[at + 2] - ((payment >> 8) & NIBBLE)
    oath = p.stock[at + 3] - ((payment >> 12) & NIBBLE)
    if gold + steel + song + oath < any_kind:
        return -1
    while any_kind > 0:
        if gold >= steel and gold >= song and gold >= oath:
            gold -= 1
            payment += 1
        elif steel >= song and steel >= oath:
            steel -= 1
            payment += 1 << 4
        elif song >= oath:
            song -= 1
            payment += 1 << 8
        else:
            oath -= 1
            payment += 1 << 12
        any_kind -= 1
    return payment


def _scarcest(p: Position, seat: i64, payment: i64) -> i64:
    """Among the kinds in a payment that is not empty, the one a seat has least of."""
    best: i64 = -1
    for kind in range(i64(KINDS)):
        if nibble(payment, kind) > 0 and (
            best < 0 or p.stock[seat * KINDS + kind] < p.stock[seat * KINDS + best]
        ):
            best = kind
    return best


def limit(p: Position, seat: i64) -> i64:
    """What a seat may hold when its turn ends."""
    printed = LIMIT_WITH_HARBOURS if level(p, seat, ODYSSEUS) >= 3 else LIMIT
    changed = printed + limit_change(p, seat)
    return max(changed, 0)


def bank_price(p: Position, seat: i64) -> i64:
    """How many resources the bank takes from a seat for 1."""
    return BANK_PRICE_WITH_HARBOURS if level(p, seat, ODYSSEUS) >= 3 else BANK_PRICE


def fill_bank(p: Position, seat: i64, out: ActionList) -> None:
    """Append trades with the bank: those that give one kind for another.

    Where no kind suffices, the trades that give the canonical mix. `explain` takes every other mix as well.
    """
    if is_forbidden(p, seat, FORBID_BANK):
        return
    price = bank_price(p, seat)
    is_enough = False
    for given in range(i64(KINDS)):
        if p.stock[seat * KINDS + given] >= price:
            is_enough = True
            for taken in range(i64(KINDS)):
                if taken != given:
                    out.add(_bank_action(price << (4 * given), taken))
    if is_enough:
        return
    mix = canonical(p, seat, 0, price)
    if mix >= 0:
        for taken in range(i64(KINDS)):
            if nibble(mix, taken) == 0:
                out.add(_bank_action(mix, taken))


def _bank_action(given: i64, taken: i64) -> i64:
    return BANK | ((taken + 1) << FIRST) | (given << PAYMENT)


def do_bank(p: Position, seat: i64, action: i64) -> None:
    """Trade with the bank."""
    pay(p, seat, payment_of(action), BY_BANK)
    gain(p, seat, field(action, FIRST) - 1, 1, BY_BANK)
