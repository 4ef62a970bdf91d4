"""What a step of a card can be done to, and what has to be chosen for it: questions alone, nothing is changed here.

A card under way keeps what was named or chosen for it in the registers of the position; -1 stands for "not yet".
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan import guard
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_touch, loose
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.hands import hand_size
from arena_engine.singhasan.lasting import is_protected
from arena_engine.singhasan.position import (
    COURT_BY_LOT,
    COURT_HUSHED,
    COURT_NO_REDRAW,
    KINDS,
    USED_SHIELD,
    Position,
)

# Registers.
R_RIVAL: Final = 0
R_FROM: Final = 1
R_TO: Final = 2
R_KIND: Final = 3
"""A resource or ideology from 0, or the place of a card in a hand."""
R_COUNT: Final = 4
R_LOOP: Final = 5
"""How many subjects of the step are done with."""
R_LEFT: Final = 6
"""How often the step is still to be done to its present subject; -1 before the first time."""
R_BRANCH: Final = 7
"""The branch that an `EITHER` chose, 0 for none."""

#: What an answer pays, which is all that can be taxed.
ANSWER_PAYS: Final = 3


def after(p: Position, seat: i64) -> i64:
    """The claimant after a seat."""
    return 0 if seat + 1 == p.board.players else seat + 1


def is_subject(p: Position, step: i64, caller: i64, seat: i64) -> bool:
    """Whether a step is for a seat. For one rival, any of them is: which, is chosen or named."""
    who = prim.who_of(step)
    if who == prim.CALLER:
        is_one = seat == caller
    elif who in (prim.RIVAL, prim.RIVALS):
        is_one = seat != caller
    elif who == prim.NEXT:
        is_one = seat == after(p, caller)
    elif who == prim.LEADERS:
        is_one = score(p, seat) == _best_score(p)
    elif who == prim.REST:
        is_one = score(p, seat) < _best_score(p)
    else:
        is_one = True
    return is_one and _is_met(p, step, seat)


def _best_score(p: Position) -> i64:
    best: i64 = 0
    for seat in range(p.board.players):
        best = max(best, score(p, seat))
    return best


def _is_met(p: Position, step: i64, seat: i64) -> bool:
    """Whether the condition on a subject holds."""
    when = prim.when_of(step)
    if when == 0:
        return True
    return (hand_size(p, seat) > 0) == (when == prim.WITH_CARDS)


def chooser_of(p: Position, step: i64, caller: i64, subject: i64) -> i64:
    """Who chooses what a step leaves open."""
    by = prim.chooser_of(step)
    if by == prim.BY_SUBJECT:
        return subject
    return after(p, caller) if by == prim.BY_NEXT else caller


def scaled(p: Position, step: i64, subject: i64) -> i64:
    """The amount of a step for a subject."""
    amount = prim.amount_of(step)
    per = prim.per_of(step)
    if per == 0:
        return amount
    if per == prim.PER_FOUR:
        amount *= p.total(subject) // 4
    else:
        sworn: i64 = 0
        for province in range(i64(PROVINCE_COUNT)):
            if p.sworn[province] == subject:
                sworn += 1
        amount *= sworn
    return min(amount, prim.most_of(step))


def is_within(p: Position, step: i64, caller: i64, subject: i64, province: i64) -> bool:
    """Whether the followers of a subject in a province are among those that a step may take (or where it may rally)."""
    where = prim.where_of(step)
    if where & prim.PRESENT and p.followers(_present(step, caller, subject), province) == 0:
        return False
    if where & prim.LOOSE and loose(p, subject, province) <= 0:
        return False
    if where & prim.MATCHED and p.followers(caller, province) < p.followers(subject, province):
        return False
    return where & prim.FULLEST == 0 or _is_fullest(p, province)


def _present(step: i64, caller: i64, subject: i64) -> i64:
    """Who has to be present: who gains the ground, or else the caller."""
    return subject if prim.op_of(step) in (prim.RALLY, prim.RELOCATE) else caller


def _is_fullest(p: Position, province: i64) -> bool:
    own = _crowd(p, province)
    return can_touch(p, province) and all(
        _crowd(p, other) <= own or not can_touch(p, other) for other in range(PROVINCE_COUNT)
    )


def _crowd(p: Position, province: i64) -> i64:
    crowd: i64 = 0
    for seat in range(p.board.players):
        crowd += p.followers(seat, province)
    return crowd


def converter(p: Position, caller: i64, subject: i64) -> i64:
    """Whose follower takes the place of a converted one: the caller's, for its own that of the claimant after it."""
    return after(p, caller) if subject == caller else caller


def can_leave(p: Position, step: i64, caller: i64, subject: i64, start: i64) -> bool:
    """Whether a step on followers can take one from a place; for a conversion, replace one there."""
    op = prim.op_of(step)
    if op == prim.RALLY:
        return p.supply[subject] > 0
    if op in (prim.RELOCATE, prim.SWAP):
        # What is said of where is about the place of arrival.
        owner = caller if op == prim.SWAP else subject
        return guard.leaving(p, owner, start) == guard.NOTHING
    if not is_within(p, step, caller, subject, start):
        return False
    if op == prim.CONVERT:
        by = converter(p, caller, subject)
        return guard.replacing(p, subject, start, by) == guard.NOTHING
    return guard.leaving(p, subject, start) == guard.NOTHING


def can_arrive(p: Position, step: i64, caller: i64, subject: i64, start: i64, goal: i64) -> bool:
    """Whether a follower that can leave a place can arrive in a province; for a swap, change with one there."""
    op = prim.op_of(step)
    if start == goal:
        return False
    if op == prim.SWAP:
        return guard.leaving(p, subject, goal) == guard.NOTHING
    if op == prim.SHOVE:
        is_near = (p.board.borders[start] >> goal) & 1 != 0
        return is_near and guard.entering(p, goal) == guard.NOTHING
    return is_within(p, step, caller, subject, goal) and guard.entering(p, goal) == guard.NOTHING


def can_protect(p: Position, step: i64, caller: i64, province: i64) -> bool:
    """Whether a step can protect a province: one in play that is neither Sealed nor protected already."""
    return (
        p.board.in_play[province] != 0
        and p.sealed[province] == 0
        and not is_protected(p, province)
        and is_within(p, step, caller, caller, province)
    )


def has_goal(p: Position, step: i64, caller: i64, subject: i64, start: i64) -> bool:
    """Whether a follower that can leave a place has somewhere to go."""
    return any(can_arrive(p, step, caller, subject, start, goal) for goal in range(PROVINCE_COUNT))


def can_start(p: Position, step: i64, caller: i64, subject: i64, start: i64) -> bool:
    """Whether a step can be done in, or from, a province."""
    op = prim.op_of(step)
    if op == prim.PROTECT:
        return can_protect(p, step, caller, start)
    if op == prim.PICK:
        return is_within(p, step, caller, subject, start)
    if not can_leave(p, step, caller, subject, start):
        return False
    has_to_go = op in (prim.SHOVE, prim.RELOCATE, prim.SWAP)
    return not has_to_go or has_goal(p, step, caller, subject, start)


def payer(step: i64, caller: i64, subject: i64) -> i64:
    """Who pays where a step takes resources."""
    return caller if prim.op_of(step) == prim.GIVE else subject


def can_kind(p: Position, step: i64, caller: i64, subject: i64, kind: i64) -> bool:
    """Whether a step can be done to a resource, an ideology or, in a hand, a place."""
    op = prim.op_of(step)
    if op == prim.LOSE_ANSWER:
        return p.answers[subject * KINDS + kind] > 0
    if op in (prim.TAKE, prim.LOSE_CARD):
        return kind < hand_size(p, subject)
    if op in (prim.LOSE, prim.GIVE, prim.STEAL):
        return p.stock[payer(step, caller, subject) * KINDS + kind] > 0
    return scaled(p, step, subject) > 0


def needed(step: i64, registers_known: i64) -> i64:
    """The next register that a step needs, -1 where it has all; bits say which are known."""
    op = prim.op_of(step)
    if op in (prim.REMOVE, prim.DESERT, prim.CONVERT, prim.PROTECT, prim.PICK):
        needs: i64 = 1 << R_FROM
    elif op in (prim.SHOVE, prim.RELOCATE, prim.SWAP):
        needs = (1 << R_FROM) | (1 << R_TO)
    elif op == prim.RALLY:
        needs = 1 << R_TO
    elif op in (prim.LOSE_ANSWER, prim.TAKE, prim.LOSE_CARD):
        needs = 1 << R_KIND
    elif op in (prim.GAIN, prim.LOSE, prim.STEAL, prim.GIVE):
        needs = 1 << R_KIND if prim.kind_of(step) < 0 else 0
    else:
        needs = 1 << R_BRANCH if op == prim.EITHER else 0
    needs &= ~registers_known
    for register in range(R_BRANCH + 1):
        if (needs >> register) & 1:
            return register
    return -1


def can_do(p: Position, step: i64, caller: i64, subject: i64) -> bool:
    """Whether a step can be done to a subject in any way, whatever is chosen for it. Not for `EITHER`."""
    if not is_subject(p, step, caller, subject):
        return False
    register = needed(step, 0)
    op = prim.op_of(step)
    if register == R_FROM:
        return any(can_start(p, step, caller, subject, start) for start in range(PROVINCE_COUNT))
    if register == R_TO:
        return p.supply[subject] > 0 and has_goal(p, step, caller, subject, guard.HOME)
    if register == R_KIND:
        return any(can_kind(p, step, caller, subject, kind) for kind in range(KINDS))
    if op in (prim.GAIN, prim.LOSE, prim.STEAL):
        return can_kind(p, step, caller, subject, prim.kind_of(step))
    return _can_do_plain(p, op, subject)


def _can_do_plain(p: Position, op: i64, subject: i64) -> bool:
    """Whether a step for which nothing has to be chosen has an effect."""
    can = True
    if op == prim.DRAW:
        can = p.conspiracy_size > 0
    elif op == prim.PEEK_HAND:
        can = hand_size(p, subject) > 0
    elif op == prim.PEEK_HEADLINES:
        can = p.headline_size > 0
    elif op == prim.REFRESH:
        can = p.marched != 0 or p.used[subject] & ~USED_SHIELD != 0
    elif op == prim.HUSH:
        can = p.court & COURT_HUSHED == 0
    elif op == prim.BY_LOT:
        can = p.court & COURT_BY_LOT == 0
    elif op == prim.NO_REDRAW:
        can = p.court & COURT_NO_REDRAW == 0
    elif op == prim.TAX:
        can = taxed(p) < ANSWER_PAYS
    return can


def taxed(p: Position) -> i64:
    """How much of what the answer under way pays goes to others already."""
    total: i64 = 0
    for seat in range(p.board.players):
        total += (p.court_tax >> (4 * seat)) & 15
    return total
