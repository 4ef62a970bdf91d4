"""Leaving a phase for an answer from somebody, and going back: meanwhile the clock of that phase stands still."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan import clocks
from arena_engine.singhasan.phases import enter
from arena_engine.singhasan.position import Position


def interrupt(p: Position, phase: i64, now_ms: i64) -> None:
    """Go into `SHIELD` or `CHOICE` for the length of a reaction, from either of them or from what they interrupt."""
    if p.resume_phase == 0:
        p.resume_phase = p.phase
        clocks.pause(p, now_ms)
    enter(p, phase)
    clocks.start(p, clocks.REACTION_CLOCK, now_ms)


def go_back(p: Position, now_ms: i64) -> None:
    """Return to the phase that was interrupted, and let its clock go on."""
    enter(p, p.resume_phase)
    p.resume_phase = 0
    clocks.resume(p, now_ms)
