"""Claiming seats: the colour, the sigil and the starting resources, all claimants at once."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan.board import STARTING
from arena_engine.singhasan.events import SeatClaimed
from arena_engine.singhasan.kinds import Colour, Sigil
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import CLAIM_SEAT, FIRST, PAYMENT, SECOND, field
from arena_engine.singhasan.position import CLAIMED, KINDS, Position, with_value
from arena_engine.singhasan.stock import BY_START, payment_of, receive

#: Colours, and sigils, to choose from; both go by number from 1.
CHOICES: Final = 5

_STARTING: Final = [vec[i64](amounts) for amounts in STARTING]


def starting_total(p: Position, seat: i64) -> i64:
    """How many resources a seat starts with."""
    return _STARTING[p.board.players][seat]


def has_claimed(p: Position, seat: i64) -> bool:
    """Whether a seat has been claimed."""
    return p.flags[seat] & CLAIMED != 0


def is_colour_free(p: Position, colour: i64) -> bool:
    """Whether nobody has claimed a colour."""
    return all(p.colour[seat] != colour for seat in range(p.board.players))


def is_sigil_free(p: Position, sigil: i64) -> bool:
    """Whether nobody has claimed a sigil."""
    return all(p.sigil[seat] != sigil for seat in range(p.board.players))


def fill_claims(p: Position, seat: i64, out: ActionList) -> None:
    """Append every free colour with every free sigil and even resources, then the first of each with all others."""
    total = starting_total(p, seat)
    even = even_split(total)
    default = default_claim(p, seat)
    for colour in range(1, CHOICES + 1):
        if not is_colour_free(p, colour):
            continue
        for sigil in range(1, CHOICES + 1):
            if is_sigil_free(p, sigil):
                out.add(claim_action(colour, sigil, even))
    for gold in range(total + 1):
        for steel in range(total - gold + 1):
            for song in range(total - gold - steel + 1):
                oath = total - gold - steel - song
                split = gold | (steel << 4) | (song << 8) | (oath << 12)
                if split != even:
                    out.add((default & ((1 << PAYMENT) - 1)) | (split << PAYMENT))


def claim_action(colour: i64, sigil: i64, resources: i64) -> i64:
    """A packed claim."""
    return CLAIM_SEAT | (colour << FIRST) | (sigil << SECOND) | (resources << PAYMENT)


def even_split(total: i64) -> i64:
    """Resources as even as possible, what is over in the order Gold, Steel, Song, Oath; packed amounts."""
    split: i64 = 0
    for i in range(total):
        split += i64(1) << (4 * (i % KINDS))
    return split


def default_claim(p: Position, seat: i64) -> i64:
    """What the clock claims for who is late: the first free colour and sigil, even resources."""
    colour: i64 = 1
    while not is_colour_free(p, colour):
        colour += 1
    sigil: i64 = 1
    while not is_sigil_free(p, sigil):
        sigil += 1
    return claim_action(colour, sigil, even_split(starting_total(p, seat)))


def do_claim(p: Position, seat: i64, action: i64, *, by_clock: bool) -> None:
    """Claim a seat."""
    colour = field(action, FIRST)
    sigil = field(action, SECOND)
    p.flags = with_value(p.flags, seat, p.flags[seat] | CLAIMED)
    p.colour = with_value(p.colour, seat, colour)
    p.sigil = with_value(p.sigil, seat, sigil)
    if p.log is not None:
        p.log.append(SeatClaimed(seat, Colour(colour), Sigil(sigil), by_clock))
    resources = payment_of(action)
    if resources != 0:
        receive(p, seat, resources, BY_START)


def claim_late(p: Position) -> None:
    """Claim, by the clock, for all who have not."""
    for seat in range(p.board.players):
        if not has_claimed(p, seat):
            do_claim(p, seat, default_claim(p, seat), by_clock=True)


def is_all_claimed(p: Position) -> bool:
    """Whether every seat has been claimed."""
    return all(has_claimed(p, seat) for seat in range(p.board.players))
