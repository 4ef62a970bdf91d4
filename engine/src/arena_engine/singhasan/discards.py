"""Discarding down to the treasury limit at the end of a turn."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.events import ResourcesLost
from arena_engine.singhasan.kinds import Cause
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import DISCARD, FIRST
from arena_engine.singhasan.position import KINDS, Position
from arena_engine.singhasan.stock import BY_DISCARD, limit

#: Bits of each of the four amounts in a packed discard.
AMOUNT_BITS: Final = 6
_AMOUNT: Final = 63


def excess(p: Position, seat: i64) -> i64:
    """How many resources a seat holds beyond its limit; 0 or less for none."""
    return p.total(seat) - limit(p, seat)


def discarded(action: i64, kind: i64) -> i64:
    """How much of a kind a packed discard puts away."""
    return (action >> (FIRST + AMOUNT_BITS * kind)) & _AMOUNT


def canonical_discard(p: Position, seat: i64, spared: i64) -> i64:
    """The discard that takes each one from the largest stock, ties Gold, Steel, Song, Oath, but never the spared kind.

    `spared` is -1 for none. Returns 0 where the other kinds are not enough.
    """
    action: i64 = DISCARD
    for _ in range(excess(p, seat)):
        best: i64 = -1
        most: i64 = 0
        for kind in range(KINDS):
            there = p.stock[seat * KINDS + kind] - discarded(action, kind)
            if kind != spared and there > most:
                most = there
                best = kind
        if best < 0:
            return 0
        action += i64(1) << (FIRST + AMOUNT_BITS * best)
    return action


def fill_discards(p: Position, seat: i64, out: ActionList) -> None:
    """Append the clock's discard and those that spare one kind; `explain` takes every other one as well."""
    out.add(canonical_discard(p, seat, -1))
    for spared in range(KINDS):
        action = canonical_discard(p, seat, spared)
        is_new = action != 0
        for i in range(out.count):
            if out.items[i] == action:
                is_new = False
        if is_new:
            out.add(action)


def do_discard(p: Position, seat: i64, action: i64) -> None:
    """Put resources away."""
    for kind in range(KINDS):
        p.stock[seat * KINDS + kind] -= discarded(action, kind)
    if p.log is not None:
        resources = Resources(
            discarded(action, 0), discarded(action, 1), discarded(action, 2), discarded(action, 3)
        )
        p.log.append(ResourcesLost(seat, resources, Cause(BY_DISCARD)))


def discard_by_clock(p: Position, seat: i64) -> None:
    """Put away what the clock chooses."""
    do_discard(p, seat, canonical_discard(p, seat, -1))
