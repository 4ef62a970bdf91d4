"""Checksums of seeded random playouts, the same compiled or not.

`python -m tests.engine.singhasan.playouts` writes them anew, which is due when rules, cards, or the order or packing of
actions changed.
"""

from __future__ import annotations

from pathlib import Path

from arena_engine.singhasan import GAME
from tests.engine.singhasan.matches import new_match

TABLE = Path(__file__).with_name("golden") / "playouts.txt"
STARTS = [(players, seed) for players in (2, 3, 4, 5) for seed in (1, 2)]
MOST_ACTIONS = 2000


def checksum_line(players: int, seed: int) -> str:
    """One row of the table: claimants, the seed, actions played, checksum."""
    actions, checksum = GAME.playout(new_match(players, secret=seed), seed, MOST_ACTIONS)
    return f"{players} {seed} {actions} {checksum}"


def all_lines() -> list[str]:
    """The whole table."""
    return [checksum_line(players, seed) for players, seed in STARTS]


if __name__ == "__main__":
    TABLE.write_text("\n".join(all_lines()) + "\n")
