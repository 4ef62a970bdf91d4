"""Move counts: how many sequences of 1, 2 and 3 actions there are from chosen positions.

`python -m tests.engine.perft` counts anew with the engine and the naive model side by side, which takes a few minutes,
and writes `perft.txt`.
"""

from __future__ import annotations

from pathlib import Path

from arena_engine.game import State
from tests.engine.counting import Positions, write_table
from tests.engine.new_matches import new_match
from tests.engine.positions import card, position
from tests.engine.tandem import Tandem

TABLE = Path(__file__).with_name("perft.txt")

POSITIONS: Positions = {
    "start-2-standard": lambda: new_match(2, secret=1),
    "start-2-large": lambda: new_match(2, board="large", secret=1),
    "start-3-standard": lambda: new_match(3, secret=2),
    "start-4-large": lambda: new_match(4, board="large", secret=3),
    "start-5-standard": lambda: new_match(5, secret=4),
    "start-6-standard": lambda: new_match(6, secret=5),
    "start-6-large": lambda: new_match(6, board="large", secret=5),
    "melee": lambda: position("0:Kk@40 0:gg@39 1:Kg@41 1:kk@56", relics="crown@42 boat@26"),
    "full-triangles": lambda: position("0:kkg@40 0:kkg@41 0:Kgg@39 1:kkk@42 1:K@70"),
    "relics-beside": lambda: position(
        "0:K@40 0:kk@54 1:k@42", relics="horse@41 shield@39 loot@26 boat@55 crown@56"
    ),
    "shield-choice": lambda: position(
        "0:Kk@40 0:kk@43 0:kg@60 1:k@42", more="shield: 43\nmoves: 1\ndone: move"
    ),
    "horse-moves": lambda: position("0:k@40 0:K@60 1:k@43", more="moves: 3\ndone: move"),
    "blockade": lambda: position(
        "0:K@40 0:k@41 1:kg@4 1:K@5", relics="boat@42 boat@39", hands=[[card("green")]]
    ),
    "cards-all-colours": lambda: position(
        "0:Kk 0:k@40 1:k@42",
        players=3,
        crowns=[1, 1, 0],
        hands=[[card("gold"), card("red"), card("blue")], [card("white"), card("black")]],
    ),
    "sneak": lambda: position("0:Kk 1:k@14", hands=[[card("violet")]]),
    "snare": lambda: position("0:Kk@40 0:kg@43 1:Kkg@60", snares="40! 60", hands=[[card("black")]]),
    "bearer-near-home": lambda: position("0:Kg@13 0:kk@15 1:kk@4 1:g@3", crowns=[3, 2]),
    "walled-in": lambda: position("0:K 1:kk@3 1:kk@5 1:kk@14", hands=[[card("gold")]]),
    "six-in-the-middle-large": lambda: position(
        "0:Kk@68 1:kk@69 2:Kg@70 3:k@71 4:gg@81 5:K@82",
        players=6,
        board="large",
        relics="horse@67 fallen@83",
        crowns=[1, 0, 2],
    ),
}


def count_in_tandem(both: Tandem, depth: int) -> int:
    """How many sequences of `depth` actions there are, with the naive model beside the engine at every step."""
    actions = both.actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = both.branch()
        after.take(action)
        total += count_in_tandem(after, depth - 1)
    return total


def count_checked(state: State, depth: int) -> int:
    """The engine's count, checked by the naive model."""
    return count_in_tandem(Tandem(state), depth)


if __name__ == "__main__":
    write_table(TABLE, "tests.engine.perft", POSITIONS, count_checked)
