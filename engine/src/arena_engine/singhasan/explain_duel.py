"""Why an answer or a tap in the duel is not legal, in one line."""

from __future__ import annotations

from arena_engine.singhasan.duel import SWING_MS
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.packing import FIRST, QUIZ, field, kind_of
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.quiz import CHOICES


def explain_duel(p: Position, seat: int, action: int) -> str | None:
    """None when a duellist may give this answer or tap now."""
    is_quiz = kind_of(action) == QUIZ
    wanted = Phase.QUIZ if is_quiz else Phase.STRIKE
    if p.phase != wanted:
        what = "question is open" if is_quiz else "blade swings"
        return f"No {what} now: answers and taps belong to the duel."
    if not p.duellists >> seat & 1:
        return f"Seat {seat} is not in the duel."
    if not p.decisions[seat]:
        given = "answer" if is_quiz else "tap"
        return f"Seat {seat} has given its {given} already; one counts."
    if is_quiz and field(action, FIRST) >= CHOICES:
        return f"Choice {field(action, FIRST)} does not exist; there are 0, 1 and 2."
    if not is_quiz and action >> FIRST > SWING_MS:
        return f"A tap at {action >> FIRST} ms comes after the swing, which takes {SWING_MS} ms."
    return None
