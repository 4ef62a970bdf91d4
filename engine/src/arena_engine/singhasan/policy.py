"""The yardstick player: looks one action ahead, never deeper, and judges what it sees as `judgement` does.

What is done often (hires, Marches, powers) is weighed by the provinces that it changes; what is rare (cards, choices,
Shields, trades) is tried on a copy. It cannot read: which answer to give is drawn by lot. Nothing goes round in
circles: Marches and powers are used up, hires and cards are paid for, and the bank is asked only on the way to those.
"""

from __future__ import annotations

from random import Random
from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan import bargains
from arena_engine.singhasan.aim import aims_of, can_raise
from arena_engine.singhasan.cards import fill_plays
from arena_engine.singhasan.choices import fill_choices
from arena_engine.singhasan.duel import SWING_MS
from arena_engine.singhasan.hands import hand_size
from arena_engine.singhasan.hire import fill_hires
from arena_engine.singhasan.judgement import judge
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.march import fill_marches
from arena_engine.singhasan.packing import END_TURN, FIRST, PASS, PLAY, QUIZ, REDRAW, TAP, kind_of
from arena_engine.singhasan.phases import ACT, ANSWER, CHOICE, CLAIM, COURT, STRIKE
from arena_engine.singhasan.phases import QUIZ as QUIZ_PHASE
from arena_engine.singhasan.phases import SHIELD as SHIELD_PHASE
from arena_engine.singhasan.position import USED_SHIELD, Position
from arena_engine.singhasan.powers import fill_powers
from arena_engine.singhasan.quiz import CHOICES, right_choice
from arena_engine.singhasan.stock import limit, payment_of
from arena_engine.singhasan.turns import apply_action, fill_legal
from arena_engine.singhasan.weighing import SHIELDED, WORTHWHILE, Scales

#: Below every judgement.
_NOTHING: Final = -1_000_000_000
#: How far a card's choices are followed.
_CHOICES_AHEAD: Final = 2
#: A Question is sent away once in so many times that its price would be discarded anyway.
_REDRAW_ONCE_IN: Final = 4

#: How often a question of the duel is answered right, in hundredths.
QUIZ_RIGHT: Final = 70
#: How far from the mark a tap is at most, in milliseconds; the nearer, the likelier.
TAP_SPREAD_MS: Final = 240


def choose(p: Position, seat: i64, rng: Random) -> i64:
    """A sensible action for an awaited seat; near equals are drawn by `rng`. The position stays as it is."""
    phase = p.phase
    if phase == QUIZ_PHASE:
        return _answer_quiz(p, rng)
    if phase == STRIKE:
        return _tap(p, rng)
    if phase == COURT and hand_size(p, seat) == 0:
        return PASS
    scales = Scales(p, seat, rng.getrandbits(32) | 1)
    legal = ActionList()
    if phase == ACT and seat == p.turn:
        return _act(scales, legal)
    fill_legal(p, seat, legal)
    if phase == ANSWER:
        return _answer(scales, legal)
    if phase == CLAIM:
        return _claim(scales, legal)
    if phase == COURT:
        # To pass changes nothing that can be seen yet.
        return _best_tried(scales, legal, PASS, judge(p, scales.view))
    return _best_tried(scales, legal, legal.items[0], _NOTHING)


def _answer_quiz(p: Position, rng: Random) -> i64:
    choice = right_choice(p)
    if rng.randrange(100) >= QUIZ_RIGHT:
        choice = (choice + rng.randrange(1, CHOICES)) % CHOICES
    return QUIZ | (choice << FIRST)


def _tap(p: Position, rng: Random) -> i64:
    off: i64 = rng.randrange(TAP_SPREAD_MS + 1) - rng.randrange(TAP_SPREAD_MS + 1)
    return TAP | (min(max(p.mark_ms + off, 0), SWING_MS) << FIRST)


def _answer(scales: Scales, legal: ActionList) -> i64:
    """Either answer by lot; now and then another Question for what would be discarded."""
    p = scales.p
    last = legal.items[legal.count - 1]
    is_rich = p.total(scales.seat) >= limit(p, scales.seat)
    if kind_of(last) == REDRAW and is_rich and scales.lot(_REDRAW_ONCE_IN) == 0:
        return last
    return legal.items[scales.lot(2)]


def _claim(scales: Scales, legal: ActionList) -> i64:
    """Any free colour and sigil; the claims that are listed first have resources as even as they come."""
    payment = payment_of(legal.items[0])
    even: i64 = 0
    while even < legal.count and payment_of(legal.items[even]) == payment:
        even += 1
    return legal.items[scales.lot(even)]


def _act(scales: Scales, legal: ActionList) -> i64:
    """The active claimant's next action: what brings most, then cards, then what makes more of its resources."""
    p = scales.p
    seat = scales.seat
    chosen = bargains.offer(scales, legal)
    if chosen != 0:
        return chosen
    legal.clear()
    fill_hires(p, seat, legal)
    fill_marches(p, seat, legal)
    fill_powers(p, seat, legal)
    chosen = scales.best(legal)
    if chosen != 0:
        return chosen
    legal.clear()
    fill_plays(p, seat, legal)
    if legal.count > 0:
        chosen = _best_tried(scales, legal, 0, judge(p, scales.view) + WORTHWHILE)
        if chosen != 0:
            return chosen
    chosen = bargains.bank(scales)
    if chosen != 0:
        return chosen
    chosen = bargains.buy(scales, legal)
    return chosen if chosen != 0 else END_TURN


def _best_tried(scales: Scales, legal: ActionList, otherwise: i64, least: i64) -> i64:
    """The listed action that leads to the best position, if that is better than `least`."""
    chosen = otherwise
    best = least
    for i in range(legal.count):
        action = legal.items[i]
        if action == PASS:
            continue
        worth = _try(scales, scales.p, scales.seat, action, _CHOICES_AHEAD) + scales.noise()
        if worth > best:
            best = worth
            chosen = action
    return chosen


def _try(scales: Scales, p: Position, seat: i64, action: i64, ahead: i64) -> i64:
    """What a position is worth after an action, and the choices that it brings."""
    after = p.clone()
    # What is still to be drawn or turned up is no reason to do anything: other things come up on the copy, or none.
    after.fast = scales.seed
    after.called = after.called[:0]
    if p.phase == SHIELD_PHASE:
        # Others who are asked decide for themselves.
        after.asked = i64(1) << seat
    may_fail = kind_of(action) == PLAY and _lower_shields(after, aims_of(p, seat, action))
    apply_action(after, seat, action, 0)
    worth = _outlook(scales, after, ahead)
    if may_fail:
        present = judge(p, scales.view)
        worth = present + (worth - present) * SHIELDED // 100
    return worth


def _lower_shields(p: Position, aims: i64) -> bool:
    """Keep all Shields of Troy down; whether one could have been raised by somebody who is aimed at."""
    could = False
    for rival in range(p.board.players):
        if aims >> rival & 1 and can_raise(p, rival):
            could = True
        p.used[rival] |= USED_SHIELD
    return could


def _outlook(scales: Scales, p: Position, ahead: i64) -> i64:
    """What a position is worth where a choice may be open: a rival chooses what is worst here."""
    if p.phase != CHOICE or ahead == 0:
        return judge(p, scales.view)
    chooser = p.choice_seat
    side: i64 = 1 if chooser == scales.seat else -1
    options = ActionList()
    fill_choices(p, options)
    best: i64 = _NOTHING
    for i in range(options.count):
        worth = _try(scales, p, chooser, options.items[i], ahead - 1) * side
        best = max(best, worth)
    return best * side
