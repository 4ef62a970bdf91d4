"""The court: the window before an answer, sending the Question away, the answer and what it pays.

Court cards are played through `aim`; what they do to the answer lies in `Position.court` and `court_tax`.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.singhasan import clocks
from arena_engine.singhasan.content.kinds import Question
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.deal import draw_question, replace_question
from arena_engine.singhasan.events import Answered, Passed
from arena_engine.singhasan.kinds import Ideology
from arena_engine.singhasan.lasting import income_change
from arena_engine.singhasan.legends import KEPT, add_answer
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import ANSWER as TAKE_ANSWER
from arena_engine.singhasan.packing import FIRST, NIBBLE, PAYMENT, REDRAW
from arena_engine.singhasan.phases import ACT, ANSWER, COURT, enter
from arena_engine.singhasan.position import (
    COURT_BY_LOT,
    COURT_HUSHED,
    COURT_NO_REDRAW,
    COURT_REDRAWN,
    COURT_SWAPPED,
    DRAW_LOTS,
    FACT_REDRAWN,
    KINDS,
    Position,
)
from arena_engine.singhasan.stock import (
    BY_ANSWER,
    BY_CARD,
    BY_REDRAW,
    BY_TRIBUTE,
    canonical,
    nibble,
    pay,
    payment_of,
    receive,
)

#: What it costs to send a Question away, in any resources.
REDRAW_PRICE: Final = 3
#: Answers in an ideology for 1 Tribute.
TRIBUTE_FOR: Final = 2

# Who chose an answer.
CHOSEN: Final = 0
LATE: Final = 1
DRAWN: Final = 2


def _answers_of(question: Question) -> list[int]:
    """Both answers of a Question as kind | packed pay << 4."""
    return [
        (answer.ideology - 1) | sum(pay << (4 * kind + 4) for kind, pay in enumerate(answer.pays))
        for answer in (question.first, question.second)
    ]


#: By `2 * (question - 1)`, plus 1 for the second answer.
_ANSWERS: Final = vec[i64]([packed for question in QUESTIONS for packed in _answers_of(question)])


def kinds_of(question: int) -> tuple[int, int]:
    """What the two answers to a Question stand for, from 0."""
    return int(_ANSWERS[2 * question - 2]) & 3, int(_ANSWERS[2 * question - 1]) & 3


def open_court(p: Position, now_ms: i64) -> None:
    """Open the window before an answer for every rival."""
    p.in_court = ((i64(1) << p.board.players) - 1) & ~(i64(1) << p.turn)
    enter(p, COURT)
    clocks.start(p, clocks.COURT_CLOCK, now_ms)


def begin_court(p: Position, now_ms: i64) -> None:
    """Draw the Question of a turn and open the window."""
    p.court = 0
    p.court_tax = 0
    draw_question(p)
    open_court(p, now_ms)


def do_pass(p: Position, seat: i64, now_ms: i64) -> None:
    """Let a rival pass; the window closes with the last of them."""
    p.in_court &= ~(i64(1) << seat)
    if p.log is not None:
        p.log.append(Passed(seat))
    if p.in_court == 0:
        close_court(p, now_ms)


def close_court(p: Position, now_ms: i64) -> None:
    """Close the window: the claimant answers, or a lot does where a court card wants it."""
    p.in_court = 0
    if p.court & COURT_BY_LOT:
        answer(p, p.draw(DRAW_LOTS, 2), DRAWN, now_ms)
        return
    enter(p, ANSWER)
    clocks.start(p, clocks.ANSWER_CLOCK, now_ms)


def fill_answers(p: Position, seat: i64, out: ActionList) -> None:
    """Append both answers, and sending the Question away for the canonical payment."""
    out.add(TAKE_ANSWER)
    out.add(TAKE_ANSWER | (1 << FIRST))
    if p.court & (COURT_REDRAWN | COURT_NO_REDRAW) == 0:
        payment = canonical(p, seat, 0, REDRAW_PRICE)
        if payment >= 0:
            out.add(REDRAW | (payment << PAYMENT))


def do_redraw(p: Position, seat: i64, action: i64, now_ms: i64) -> None:
    """Pay to send the Question away: another comes, with a window of its own."""
    pay(p, seat, payment_of(action), BY_REDRAW)
    p.court |= COURT_REDRAWN
    p.facts[FACT_REDRAWN * p.board.players + seat] += 1
    replace_question(p, seat)
    open_court(p, now_ms)


def answer(p: Position, choice: i64, by: i64, now_ms: i64) -> None:
    """Answer the court for the active claimant, turn up what it stands for, pay, and go on to the act step.

    What a claimant's own answer leaves of the answer clock is added to the act clock.
    """
    seat = p.turn
    question = p.question
    swap: i64 = 1 if p.court & COURT_SWAPPED else 0
    packed = _ANSWERS[2 * (question - 1) + (choice ^ swap)]
    kind = packed & 3
    unused: i64 = 0
    if by == CHOSEN:
        unused = clocks.left(p, now_ms)
        p.has_answered = 1
        clocks.clear_misses(p, seat)
    if p.log is not None:
        is_lot = by != CHOSEN
        p.log.append(Answered(seat, question, choice, Ideology(kind + 1), is_lot, by == LATE))
    p.question = 0
    p.question_at[question - 1] = u8(KEPT + seat * KINDS + kind)
    add_answer(p, seat, kind)
    _pay_answer(p, seat, kind, packed >> 4)
    if p.court & COURT_HUSHED == 0:
        _pay_tribute(p, seat)
    enter(p, ACT)
    clocks.start(p, clocks.ACT_CLOCK, now_ms, unused)


def answer_by_clock(p: Position, now_ms: i64) -> None:
    """Draw the answer of a claimant whose clock ran out."""
    answer(p, p.draw(DRAW_LOTS, 2), LATE, now_ms)


def _pay_answer(p: Position, seat: i64, kind: i64, pays: i64) -> None:
    own = max(nibble(pays, kind) + income_change(p, seat), 0)
    paid = (pays & ~(NIBBLE << (4 * kind))) | (own << (4 * kind))
    if paid != 0:
        receive(p, seat, paid, BY_ANSWER)
    if p.court_tax != 0:
        _pay_tax(p, seat, paid)


def _pay_tax(p: Position, seat: i64, paid: i64) -> None:
    """Hand on what court cards take from an answer's pay, to one rival after the other, clockwise."""
    for step in range(1, p.board.players):
        rival = (seat + step) % p.board.players
        taken: i64 = 0
        for _ in range(nibble(p.court_tax, rival)):
            kind = _largest_part(paid)
            if kind >= 0:
                paid -= i64(1) << (4 * kind)
                taken += i64(1) << (4 * kind)
        if taken != 0:
            pay(p, seat, taken, BY_CARD)
            receive(p, rival, taken, BY_CARD)


def _largest_part(amounts: i64) -> i64:
    """The kind that packed amounts have most of, ties Gold, Steel, Song, Oath; -1 where they are nothing."""
    best: i64 = -1
    most: i64 = 0
    for kind in range(i64(KINDS)):
        if nibble(amounts, kind) > most:
            most = nibble(amounts, kind)
            best = kind
    return best


def _pay_tribute(p: Position, seat: i64) -> None:
    tribute: i64 = 0
    for kind in range(i64(KINDS)):
        tribute |= (p.answers[seat * KINDS + kind] // TRIBUTE_FOR) << (4 * kind)
    if tribute != 0:
        receive(p, seat, tribute, BY_TRIBUTE)
