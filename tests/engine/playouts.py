"""Checksums of seeded random playouts, the same compiled or not.

`python -m tests.engine.playouts` writes them anew, which is due when the order or the packing of actions changed.
"""

from __future__ import annotations

from pathlib import Path

from arena_engine.crowns import GAME
from tests.engine.new_matches import new_match

TABLE = Path(__file__).with_name("golden") / "playouts.txt"
STARTS = [(players, board) for board in ("standard", "large") for players in (2, 3, 6)]
MOST_ACTIONS = 400


def checksum_line(players: int, board: str, seed: int) -> str:
    """One row of the table: the start, the seed, actions played, checksum."""
    start = new_match(players, board=board, secret=seed)
    actions, checksum = GAME.playout(start, seed, MOST_ACTIONS)
    return f"{players} {board} {seed} {actions} {checksum}"


def all_lines() -> list[str]:
    """The whole table."""
    return [checksum_line(players, board, seed) for players, board in STARTS for seed in (1, 2)]


if __name__ == "__main__":
    TABLE.write_text("\n".join(all_lines()) + "\n")
