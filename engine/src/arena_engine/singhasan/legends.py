"""The four legends: the answers that bring them, and how far each has come to a seat."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from arena_engine.singhasan.events import AnswerLost, LegendChanged
from arena_engine.singhasan.kinds import Ideology
from arena_engine.singhasan.position import KINDS, QUESTIONS, Position

# Legends, in the order of their ideologies and resources.
ODYSSEUS: Final = 0
HERACLES: Final = 1
ORPHEUS: Final = 2
HECTOR: Final = 3

#: Answers at which a legend joins and its first power wakes, and at which it stands by with its second.
JOINS: Final = 3
STANDS: Final = 5

#: `question_at` of a Question that was sent away, or whose answer was lost.
SENT_AWAY: Final = 1
#: `question_at` of a kept answer: this, plus four times its seat, plus its kind.
KEPT: Final = 3


def level(p: Position, seat: i64, kind: i64) -> i64:
    """How far a legend has come to a seat: 0, 3 or 5."""
    answers = p.answers[seat * KINDS + kind]
    if answers >= STANDS:
        return STANDS
    return JOINS if answers >= JOINS else 0


def add_answer(p: Position, seat: i64, kind: i64) -> None:
    """Count one more answer of a seat, and note its number in the match. Whose Question it is, the caller notes."""
    before = level(p, seat, kind)
    p.answered += 1
    p.answers[seat * KINDS + kind] += 1
    p.reached[seat * KINDS + kind] = p.answered
    _tell_level(p, seat, kind, before)


def lose_answer(p: Position, seat: i64, kind: i64) -> None:
    """Take one of a seat's answers of a kind, of which it has at least one; its Question goes to those sent away.

    It is the Question with the lowest number. When the legend was reached stays as it was.
    """
    before = level(p, seat, kind)
    kept = KEPT + seat * KINDS + kind
    question: i64 = 0
    while question < QUESTIONS - 1 and p.question_at[question] != kept:
        question += 1
    p.question_at[question] = u8(SENT_AWAY)
    p.answers[seat * KINDS + kind] -= 1
    if p.log is not None:
        p.log.append(AnswerLost(seat, Ideology(kind + 1), question + 1))
    _tell_level(p, seat, kind, before)


def _tell_level(p: Position, seat: i64, kind: i64, before: i64) -> None:
    after = level(p, seat, kind)
    if after != before and p.log is not None:
        p.log.append(LegendChanged(seat, Ideology(kind + 1), after))


def strongest(p: Position, seat: i64) -> i64:
    """The kind a seat has most answers of, tied the one reached first; -1 where it has no answer."""
    best: i64 = -1
    at = seat * KINDS
    for kind in range(i64(KINDS)):
        count = p.answers[at + kind]
        if count == 0:
            continue
        if (
            best < 0
            or count > p.answers[at + best]
            or (count == p.answers[at + best] and p.reached[at + kind] < p.reached[at + best])
        ):
            best = kind
    return best
