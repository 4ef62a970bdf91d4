"""How actions are packed into ints.

Bits 0-4 hold the kind. The rest depends on it; what an action does not use is 0.

- `FIRST`..`SIXTH`: six fields of 5 bits from bit 5 on. A field that may be absent holds its value plus one.
- Payments, and what a bank trade or an offer gives: four nibbles (Gold, Steel, Song, Oath) from bit 44 on.
- Offers: rival plus one in bits 5-7 (0: all), cards given (numbers, 0 none) in 8-12 and 13-17, cards asked (place in
  the rival's hand plus one) in 18-22 and 23-27, what is asked as four nibbles from bit 28 on.
- Discards: four amounts of 6 bits from bit 5 on. Taps: milliseconds in bits 5-24.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

CLAIM_SEAT: Final = 1
"""FIRST colour, SECOND sigil; payment: starting resources."""
PASS: Final = 2
"""Plays no court card."""
REDRAW: Final = 3
"""Payment."""
ANSWER: Final = 4
"""FIRST 0 (A) or 1 (B)."""
HIRE: Final = 5
"""FIRST slot 0-2, SECOND province, THIRD followers on Rifts, FOURTH 1 with Song of the Road; payment of the card."""
MARCH: Final = 6
"""FIRST from, SECOND to, THIRD whose follower."""
BANK: Final = 7
"""FIRST resource taken 1-4; payment: what is given."""
OFFER: Final = 8
"""See above."""
WITHDRAW: Final = 9
"""FIRST place of the offer in the list."""
ANSWER_OFFER: Final = 10
"""FIRST place of the offer, SECOND 1 to accept, 0 to decline."""
BUY: Final = 11
"""Buys the top Conspiracy. Payment."""
PLAY: Final = 12
"""FIRST card; SECOND rival + 1, THIRD province + 1, FOURTH to province + 1, FIFTH ideology or resource, SIXTH count."""
WOODEN_HORSE: Final = 13
"""FIRST province, SECOND rival."""
STABLES: Final = 14
"""FIRST province, SECOND rival, THIRD count."""
CHARM: Final = 15
"""FIRST from, SECOND to. The first of a turn pays, the second is free."""
WALLS: Final = 16
"""FIRST province."""
END_TURN: Final = 17
SHIELD: Final = 18
"""FIRST 1 to raise the Shield of Troy, 0 not to."""
CHOOSE: Final = 19
"""FIRST place of the option in the list."""
DISCARD: Final = 20
"""See above."""
QUIZ: Final = 21
"""FIRST choice 0-2."""
TAP: Final = 22
"""See above."""

FIRST: Final = 5
SECOND: Final = 10
THIRD: Final = 15
FOURTH: Final = 20
FIFTH: Final = 25
SIXTH: Final = 30
FIELD: Final = 31
PAYMENT: Final = 44
ASKED: Final = 28
NIBBLE: Final = 15

#: Every bit of an action: compiled code shifts a literal in 32 bits only.
_BITS: Final = vec[i64]([1 << shift for shift in range(62)])


def kind_of(action: i64) -> i64:
    """Kind of a packed action."""
    return action & FIELD


def field(action: i64, shift: i64) -> i64:
    """One field of 5 bits."""
    return (action >> shift) & FIELD


def amount(action: i64, shift: i64, resource: i64) -> i64:
    """One of the four nibbles from `shift` on; `resource` from 0."""
    return (action >> (shift + 4 * resource)) & NIBBLE


def offered_to(offer: i64) -> i64:
    """The rival to whom an offer is made; -1 for all."""
    return ((offer >> FIRST) & 7) - 1


def one_of(shift: i64, resource: i64) -> i64:
    """One of a resource, among the four nibbles from `shift` on."""
    return _BITS[shift + 4 * resource]
