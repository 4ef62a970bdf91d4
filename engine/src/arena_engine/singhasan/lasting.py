"""Lasting effects: what is in force for whom, how strongly, and until when.

Each effect is one packed int of `Position.lasting`. One card may bring several of them: they share a chip, the number
by which clients know them while they are in force, and end together. This module only answers questions and lets
effects begin and end; what an effect changes is for those who ask.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from arena_engine.singhasan.events import LastingBegan, LastingEnded
from arena_engine.singhasan.position import Position

# What an effect changes.
HIRE_CHANGE: Final = 1
"""Amount: more (or, below 0, less) for each hire, in any resource."""
CONSPIRACY_CHANGE: Final = 2
"""Amount: likewise for each Conspiracy bought."""
LIMIT_CHANGE: Final = 3
"""Amount: on top of the treasury limit."""
INCOME_CHANGE: Final = 4
"""Amount: on top of what an answer pays, in the resource of its ideology."""
FORBIDDEN: Final = 5
"""Amount: one of the `FORBID_*`."""
PROTECTED: Final = 6
"""A province: nothing in it can be removed, moved or converted. It can still be entered."""

# What can be forbidden.
FORBID_MARCH: Final = 1
FORBID_HIRE: Final = 2
FORBID_BANK: Final = 3
FORBID_OFFER: Final = 4
FORBID_BUY: Final = 5
FORBID_DEED: Final = 6
FORBID_POWER: Final = 7
"""The powers of the act step: Horse, Stables, Song, Charm and Walls. The Shield of Troy stays."""

# When an effect ends.
UNTIL_TURN_END: Final = 0
"""At the end of the turn under way."""
UNTIL_NEXT_TURN: Final = 1
"""When the next turn begins of the claimant who called or played it."""
UNTIL_NEXT_TURN_END: Final = 2
"""At the end of that claimant's next turn."""
UNTIL_NEXT_ROUND_END: Final = 3
"""At the end of the round after the one under way."""

# Layout. The amount is kept with 8 added; a province with 1, 0 for none.
WHAT: Final = 15
SUBJECTS: Final = 4
AMOUNT: Final = 9
PROVINCE: Final = 13
UNTIL: Final = 17
SOURCE: Final = 19
CONSPIRACY: Final = 22
HEADLINE: Final = 27
CHIP: Final = 33
RIPE: Final = 1 << 39
"""The turn or the round has begun at whose end the effect ends."""


def hire_change(p: Position, seat: i64) -> i64:
    """What each hire costs a seat more (or less), in any resource."""
    return _sum(p, seat, HIRE_CHANGE)


def conspiracy_change(p: Position, seat: i64) -> i64:
    """What each Conspiracy costs a seat more (or less)."""
    return _sum(p, seat, CONSPIRACY_CHANGE)


def limit_change(p: Position, seat: i64) -> i64:
    """What is on top of a seat's treasury limit."""
    return _sum(p, seat, LIMIT_CHANGE)


def income_change(p: Position, seat: i64) -> i64:
    """What an answer pays a seat more (or less), in the resource of its ideology."""
    return _sum(p, seat, INCOME_CHANGE)


def _sum(p: Position, seat: i64, what: i64) -> i64:
    total: i64 = 0
    for i in range(len(p.lasting)):
        packed = p.lasting[i]
        if packed & WHAT == what and (packed >> (SUBJECTS + seat)) & 1:
            total += amount_of(packed)
    return total


def is_forbidden(p: Position, seat: i64, what: i64) -> bool:
    """Whether one of the `FORBID_*` is forbidden to a seat."""
    for i in range(len(p.lasting)):
        packed = p.lasting[i]
        if (
            packed & WHAT == FORBIDDEN
            and (packed >> (SUBJECTS + seat)) & 1
            and amount_of(packed) == what
        ):
            return True
    return False


def is_protected(p: Position, province: i64) -> bool:
    """Whether nothing in a province can be removed, moved or converted for now. Sealed is something else."""
    for i in range(len(p.lasting)):
        packed = p.lasting[i]
        if packed & WHAT == PROTECTED and province_of(packed) == province:
            return True
    return False


def amount_of(packed: i64) -> i64:
    """How strong an effect is, or what it forbids."""
    return ((packed >> AMOUNT) & 15) - 8


def province_of(packed: i64) -> i64:
    """The province that an effect protects, -1 for none."""
    return ((packed >> PROVINCE) & 15) - 1


def subjects_of(packed: i64) -> i64:
    """Bits of the seats that an effect is for."""
    return (packed >> SUBJECTS) & 31


def until_of(packed: i64) -> i64:
    """When an effect ends: one of the `UNTIL_*`."""
    return (packed >> UNTIL) & 3


def source_of(packed: i64) -> i64:
    """The seat that called the Headline or played the Conspiracy."""
    return (packed >> SOURCE) & 7


def conspiracy_of(packed: i64) -> i64:
    """The Conspiracy that an effect came from, 0 for none."""
    return (packed >> CONSPIRACY) & 31


def headline_of(packed: i64) -> i64:
    """The Headline that an effect came from, 0 for none."""
    return (packed >> HEADLINE) & 63


def chip_of(packed: i64) -> i64:
    """The number by which clients know an effect while it is in force."""
    return (packed >> CHIP) & 63


def pack(what: i64, subjects: i64, amount: i64, province: i64, until: i64) -> i64:
    """An effect without its source. `province` is -1 for none."""
    return (
        what
        | (subjects << SUBJECTS)
        | ((amount + 8) << AMOUNT)
        | ((province + 1) << PROVINCE)
        | (until << UNTIL)
    )


def begin(p: Position, effect: i64, seat: i64, headline: i64, conspiracy: i64) -> None:
    """Put an effect in force, on the chip of its card."""
    source = (seat << SOURCE) | (conspiracy << CONSPIRACY) | (headline << HEADLINE)
    chip = _chip_for(p, source)
    if chip == 0:
        chip = _free_chip(p)
        if p.log is not None:
            p.log.append(LastingBegan(chip, seat, headline, conspiracy))
    p.lasting = append(p.lasting, effect | source | (chip << CHIP))


def _chip_for(p: Position, source: i64) -> i64:
    """The chip that a card has already, 0 for none: no card comes twice before its effects have ended."""
    mask: i64 = (7 << SOURCE) | (31 << CONSPIRACY) | (63 << HEADLINE)
    for i in range(len(p.lasting)):
        if p.lasting[i] & mask == source:
            return chip_of(p.lasting[i])
    return 0


def _free_chip(p: Position) -> i64:
    chip: i64 = 1
    i: i64 = 0
    while i < len(p.lasting):
        if chip_of(p.lasting[i]) == chip:
            chip += 1
            i = 0
        else:
            i += 1
    return chip


def begin_turn(p: Position, seat: i64) -> None:
    """End what lasts until a seat's next turn; to be called when that begins, before anything else in it."""
    for i in range(len(p.lasting)):
        packed = p.lasting[i]
        if until_of(packed) == UNTIL_NEXT_TURN_END and source_of(packed) == seat:
            p.lasting[i] = packed | RIPE
    _end(p, UNTIL_NEXT_TURN, seat)


def end_turn(p: Position, seat: i64) -> None:
    """End what lasts until the end of a seat's turn; to be called at its very end."""
    _end(p, UNTIL_TURN_END, -1)
    _end(p, UNTIL_NEXT_TURN_END, seat)


def end_round(p: Position) -> None:
    """End what lasts until the end of this round; to be called when that is complete, after `end_turn`."""
    _end(p, UNTIL_NEXT_ROUND_END, -1)
    for i in range(len(p.lasting)):
        if until_of(p.lasting[i]) == UNTIL_NEXT_ROUND_END:
            p.lasting[i] |= RIPE


def _end(p: Position, until: i64, seat: i64) -> None:
    """End the effects that are due; `seat` is whose, -1 for anybody's."""
    count: i64 = len(p.lasting)
    if count == 0:
        return
    kept = vec[i64]()
    told: i64 = 0
    for i in range(count):
        packed = p.lasting[i]
        if not _is_due(packed, until, seat):
            kept = append(kept, packed)
        elif chip_of(packed) != told:
            told = chip_of(packed)
            if p.log is not None:
                p.log.append(LastingEnded(told))
    p.lasting = kept


def _is_due(packed: i64, until: i64, seat: i64) -> bool:
    if until_of(packed) != until or (seat >= 0 and source_of(packed) != seat):
        return False
    is_ripe = packed & RIPE != 0
    return is_ripe or until in (UNTIL_TURN_END, UNTIL_NEXT_TURN)
