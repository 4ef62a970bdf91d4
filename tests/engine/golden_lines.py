"""Whole games of any game as text: what was done when, and the position's hash after it.

A golden game must play on alike in every later build of the same rules version, or stored matches would fold to
something else. Each game's `golden_games` plays its own anew; do that only together with a new rules version.

A line is `time what | hash`, where what is `seat notation`, `expire`, or `hand_over seat bot|person`. The last one may
tell the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena_engine.game import Game, State


def hash_of(state: State) -> str:
    """Enough of the hash to tell positions apart."""
    return state.state_hash().hex()[:12]


def do(game: Game, state: State, line: str) -> None:
    """Do what a line says; the action must be legal, the clock must have run out."""
    time, what, *rest = line.split(" ", 2)
    now_ms = int(time)
    if what == "expire":
        deadline = state.deadline_ms()
        assert deadline is not None
        assert now_ms >= deadline
        state.expire(now_ms)
    elif what == "hand_over":
        seat, to = rest[0].split()
        state.hand_over(int(seat), is_bot=to == "bot", now_ms=now_ms)
    else:
        packed = state.pack(game.table.parse(rest[0]))
        assert state.explain(int(what), packed) is None
        state.apply(int(what), packed, now_ms)


def record(
    game: Game, state: State, next_line: Callable[[State], str], most_lines: int
) -> list[str]:
    """Play a match as lines say; returns them, each with the hash after it."""
    lines: list[str] = []
    while state.awaited() and len(lines) < most_lines:
        line = next_line(state)
        do(game, state, line)
        lines.append(f"{line} | {hash_of(state)}")
    if state.outcome() is not None:
        lines.append(_told(state))
    return lines


def _told(state: State) -> str:
    outcome = state.outcome()
    assert outcome is not None
    return f"# {outcome.how}, places {outcome.places}"


def fold(game: Game, state: State, path: Path) -> None:
    """Play a golden game again, and assert that every position is as it was."""
    for number, line in enumerate(path.read_text().splitlines()):
        if line.startswith("#"):
            assert line == _told(state)
            continue
        what, expected = line.split(" | ")
        do(game, state, what)
        assert hash_of(state) == expected, f"line {number + 1}: {what}"


def fold_from_half_way(game: Game, state: State, path: Path) -> None:
    """Play half of a golden game, store the position as text, and go on from there to the same end."""
    lines = [line.split(" | ") for line in path.read_text().splitlines() if " | " in line]
    for what, _ in lines[: len(lines) // 2]:
        do(game, state, what)
    state = game.from_text(state.to_text())
    for what, _ in lines[len(lines) // 2 :]:
        do(game, state, what)
    assert hash_of(state) == lines[-1][1]
