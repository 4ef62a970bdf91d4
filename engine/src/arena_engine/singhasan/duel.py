"""The duel for the throne: seven questions for all who are tied, then strikes at the mark for the best of them.

Answers and taps stay hidden until all duellists have given theirs or the time is up. No clock stands still in a duel,
and no match goes without: Unhurried matches have it, too.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.events import (
    DuelBegan,
    QuizAnswered,
    QuizAsked,
    QuizResolved,
    StrikeBegan,
    StrikeResolved,
    Struck,
)
from arena_engine.singhasan.kinds import Ideology
from arena_engine.singhasan.legends import strongest
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import FIRST, QUIZ, TAP, field
from arena_engine.singhasan.position import BOT, DRAW_DUEL, Position
from arena_engine.singhasan.quiz import CHOICES, ask, choice_texts, question_text, right_choice

QUESTIONS: Final = 7
QUIZ_MS: Final = 5000
#: From the announcement of a strike to the start of the swing: time for it to reach every screen.
LEAD_MS: Final = 1500
#: How long the blade takes across the bar.
SWING_MS: Final = 3000
#: A tap counts at most so long before it arrives.
CLAMP_MS: Final = 400
#: Rounds without any tap after which the lot decides.
ROUNDS_WITHOUT_TAPS: Final = 3
#: Strikes after which the lot decides, however close: clocks alike to the millisecond would never end.
MOST_STRIKES: Final = 20
#: The mark keeps this far from both ends of the bar.
_MARGIN_MS: Final = 600
_TAP_STEP_MS: Final = 100
_TAP_MASK: Final = 0xFFFFF

_QUIZ_PHASE: Final = 8
_STRIKE_PHASE: Final = 9
#: Where `p.quiz` counts the rounds without taps.
_NO_TAPS: Final = 5
_NOT_YET: Final = -1
_FARTHEST: Final = 1 << 30


def begin(p: Position, duellists: i64, now_ms: i64) -> None:
    """Begin the duel of the seats in `duellists` (bits), two at least."""
    p.duellists = duellists
    p.duel_number = 0
    for seat in range(p.board.players):
        p.duel_score[seat] = 0
    if p.log is not None:
        seats = _seats(p)
        legends = tuple([Ideology(strongest(p, seat) + 1) for seat in seats])
        p.log.append(DuelBegan(seats, legends))
    _ask(p, now_ms)


def fill_duel(p: Position, out: ActionList) -> None:
    """List what a duellist may do now: three choices, or taps at every tenth of a second."""
    if p.phase == _QUIZ_PHASE:
        for choice in range(CHOICES):
            out.add(QUIZ | (choice << FIRST))
        return
    for offset in range(0, SWING_MS + 1, _TAP_STEP_MS):
        out.add(TAP | (offset << FIRST))


def take(p: Position, seat: i64, action: i64, now_ms: i64) -> i64:
    """Take a duellist's answer or tap; returns the seat that has won the duel, or -1."""
    p.decisions[seat] = 0
    if p.phase == _QUIZ_PHASE:
        p.duel_answer[seat] = field(action, FIRST)
        if p.log is not None:
            p.log.append(QuizAnswered(seat))
    else:
        p.duel_answer[seat] = _distance(p, seat, (action >> FIRST) & _TAP_MASK, now_ms)
        if p.log is not None:
            p.log.append(Struck(seat))
    for other in range(p.board.players):
        if p.decisions[other] != 0:
            return -1
    return expire_duel(p, now_ms)


def expire_duel(p: Position, now_ms: i64) -> i64:
    """Close the question or the strike under way; returns the seat that has won the duel, or -1."""
    for seat in range(p.board.players):
        p.decisions[seat] = 0
    if p.phase == _QUIZ_PHASE:
        return _close_question(p, now_ms)
    return _close_strike(p, now_ms)


def _distance(p: Position, seat: i64, offset: i64, now_ms: i64) -> i64:
    """How far from the mark a tap counts. A bot's counts where it aimed: its spread is stated, and its way is short."""
    if p.flags[seat] & BOT == 0:
        arrival = now_ms - p.swing_at
        offset = min(max(offset, arrival - CLAMP_MS), arrival)
    offset = min(max(offset, 0), SWING_MS)
    off = offset - p.mark_ms
    return off if off >= 0 else -off


def _ask(p: Position, now_ms: i64) -> None:
    ask(p)
    p.duel_number += 1
    p.phase = _QUIZ_PHASE
    p.deadline = now_ms + QUIZ_MS
    _await_all(p)
    if p.log is not None:
        p.log.append(QuizAsked(p.duel_number, question_text(p), choice_texts(p)))


def _close_question(p: Position, now_ms: i64) -> i64:
    right = right_choice(p)
    for seat in range(p.board.players):
        if p.duellists >> seat & 1 and p.duel_answer[seat] == right:
            p.duel_score[seat] += 1
    if p.log is not None:
        seats = _seats(p)
        choices = tuple([p.duel_answer[seat] for seat in seats])
        scores = tuple([p.duel_score[seat] for seat in seats])
        p.log.append(QuizResolved(p.duel_number, right, choices, scores))
    if p.duel_number < QUESTIONS:
        _ask(p, now_ms)
        return -1
    best = -1
    for seat in range(p.board.players):
        if p.duellists >> seat & 1:
            best = max(best, p.duel_score[seat])
    level = 0
    for seat in range(p.board.players):
        if p.duellists >> seat & 1 and p.duel_score[seat] == best:
            level |= 1 << seat
    p.duel_number = 0
    p.quiz[_NO_TAPS] = 0
    return _go_on_with(p, level, now_ms)


def _go_on_with(p: Position, level: i64, now_ms: i64) -> i64:
    """The winner where one seat is left in `level`, else -1 with the next strike begun."""
    p.duellists = level
    seats = _seats(p)
    if len(seats) == 1:
        return seats[0]
    if p.quiz[_NO_TAPS] == ROUNDS_WITHOUT_TAPS or p.duel_number == MOST_STRIKES:
        return seats[p.draw(DRAW_DUEL, len(seats))]
    p.duel_number += 1
    p.phase = _STRIKE_PHASE
    p.swing_at = now_ms + LEAD_MS
    p.mark_ms = _MARGIN_MS + p.draw(DRAW_DUEL, SWING_MS - 2 * _MARGIN_MS)
    p.deadline = p.swing_at + SWING_MS + CLAMP_MS
    _await_all(p)
    if p.log is not None:
        p.log.append(StrikeBegan(p.duel_number, seats, SWING_MS, p.mark_ms))
    return -1


def _close_strike(p: Position, now_ms: i64) -> i64:
    seats = _seats(p)
    nearest = _FARTHEST
    for seat in seats:
        if p.duel_answer[seat] != _NOT_YET:
            nearest = min(nearest, p.duel_answer[seat])
    if p.log is not None:
        distances = tuple([p.duel_answer[seat] for seat in seats])
        p.log.append(StrikeResolved(p.duel_number, seats, distances))
    if nearest == _FARTHEST:
        p.quiz[_NO_TAPS] += 1
        return _go_on_with(p, p.duellists, now_ms)
    p.quiz[_NO_TAPS] = 0
    level = 0
    for seat in seats:
        if p.duel_answer[seat] == nearest:
            level |= 1 << seat
    return _go_on_with(p, level, now_ms)


def _await_all(p: Position) -> None:
    for seat in range(p.board.players):
        if p.duellists >> seat & 1:
            p.duel_answer[seat] = _NOT_YET
            p.decision += 1
            p.decisions[seat] = p.decision


def _seats(p: Position) -> tuple[int, ...]:
    return tuple([seat for seat in range(p.board.players) if p.duellists >> seat & 1])
