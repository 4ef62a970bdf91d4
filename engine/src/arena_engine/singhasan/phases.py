"""What the match waits for and of whom: phases as ints, and the decisions that are open in them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.packing import offered_to
from arena_engine.singhasan.position import CLAIMED, Position

# `kinds.Phase` as ints.
CLAIM: Final = 1
COURT: Final = 2
ANSWER: Final = 3
ACT: Final = 4
SHIELD: Final = 5
CHOICE: Final = 6
DISCARD: Final = 7
QUIZ: Final = 8
STRIKE: Final = 9


def enter(p: Position, phase: i64) -> None:
    """Go into a phase: what was open before is closed, even where it is the same phase again."""
    p.phase = phase
    for seat in range(p.board.players):
        p.decisions[seat] = 0


def open_decisions(p: Position) -> None:
    """Open a decision for every seat that is awaited and has none, close those of the others.

    The duel opens and closes its own.
    """
    if p.phase >= QUIZ and not p.how:
        return
    for seat in range(p.board.players):
        if p.how or not _is_awaited(p, seat):
            p.decisions[seat] = 0
        elif p.decisions[seat] == 0:
            p.decision += 1
            p.decisions[seat] = p.decision


def _is_awaited(p: Position, seat: i64) -> bool:
    phase = p.phase
    if phase == COURT:
        return (p.in_court >> seat) & 1 != 0
    if phase == ACT:
        return seat == p.turn or (len(p.offers) > 0 and is_addressed(p, seat))
    if phase == SHIELD:
        return (p.asked >> seat) & 1 != 0
    if phase == CHOICE:
        return seat == p.choice_seat
    if phase == CLAIM:
        return p.flags[seat] & CLAIMED == 0
    return seat == p.turn


def is_addressed(p: Position, seat: i64) -> bool:
    """Whether an open offer waits for this rival's answer."""
    return any(is_offered(p, seat, place) for place in range(len(p.offers)))


def is_offered(p: Position, seat: i64, place: i64) -> bool:
    """Whether the offer in this place of the list is open, made to this rival, and not declined by it."""
    offer = p.offers[place]
    if offer == 0 or seat == p.turn or (p.declined[place] >> seat) & 1:
        return False
    rival = offered_to(offer)
    return rival in (-1, seat)
