"""Move counts of any game: how many sequences of so many actions there are from chosen positions, and their table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from arena_engine.game import State

#: Positions by name, each made anew when it is asked for.
Positions = Mapping[str, Callable[[], State]]
DEPTHS = 3


def count(state: State, depth: int) -> int:
    """How many sequences of `depth` actions the engine knows, of whoever is awaited."""
    total = 0
    for seat, _ in state.awaited():
        actions = list(state.legal_actions(seat))
        if depth == 1:
            total += len(actions)
            continue
        for action in actions:
            after = state.clone()
            after.apply(seat, action, 0)
            total += count(after, depth - 1)
    return total


def read_table(table: Path) -> dict[str, list[int]]:
    """The committed counts by name of position."""
    rows = (line.split() for line in table.read_text().splitlines() if not line.startswith("#"))
    return {name: [int(number) for number in counts] for name, *counts in rows}


def write_table(
    table: Path, command: str, positions: Positions, count_checked: Callable[[State, int], int]
) -> None:
    """Count all positions, checked at every step, and write the table that `command` makes."""
    lines = [f"# position, then sequences of 1, 2, 3 actions; from python -m {command}"]
    for name, make in positions.items():
        counts = [count_checked(make(), depth) for depth in range(1, DEPTHS + 1)]
        lines.append(" ".join([f"{name:24}", *(f"{number:8}" for number in counts)]))
        sys.stdout.write(lines[-1] + "\n")
    table.write_text("\n".join(lines) + "\n")
