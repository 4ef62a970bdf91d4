"""Move counts from chosen positions, over listed actions.

`python -m tests.engine.singhasan.perft` counts anew with the engine and the naive model side by side, which takes a few
minutes, and writes `perft.txt`. Nobody holds Conspiracies here: what they do is not the naive model's.
"""

from __future__ import annotations

from pathlib import Path

from arena_engine.game import State
from arena_engine.singhasan.state import SinghasanState
from tests.engine.counting import Positions, write_table
from tests.engine.singhasan.matches import court, match, new_match
from tests.engine.singhasan.tandem import Tandem

TABLE = Path(__file__).with_name("perft.txt")

POSITIONS: Positions = {
    "claims-2": lambda: new_match(2, secret=1),
    "court-5": lambda: court("seat 0: stock=2/1/1/1", players=5),
    "redraw-by-the-last": lambda: match(
        "phase: answer", "question: 9", "done:", "turn: 2", "seat 2: stock=1/2/0/1"
    ),
    "hire-each-size": lambda: match("row: 1 20 40", "seat 0: stock=4/4/4/4", players=2),
    "hire-on-rifts": lambda: match(
        "row: 0 20 0",
        "seat 0: stock=3/3/3/3 answers=0/0/3/0",
        "at capital: s1=13 s2=0+1",
        "at emberfen: s0=4 s1=3",
    ),
    "hire-scraps-of-supply": lambda: match(
        "row: 40 0 0",
        "seat 0: stock=2/3/3/3",
        "at capital: s0=13",
        "at thornwold: s0=9 s1=0+2",
        "at kingsmarch: s0=2 s1=1",
    ),
    "march-with-sway": lambda: match(
        "row: 0 0 0",
        "at capital: s0=5 s1=3 s2=1+1",
        "at emberfen: s0=2+1 s1=2",
        "at thornwold: s1=2 s0=2",
    ),
    "march-wildfolk": lambda: match(
        "row: 0 0 0", "at capital: s0=2 s1=1", "at emberfen: s0=1", "at veilhaven: s0=2", players=2
    ),
    "march-lions-skin": lambda: match(
        "row: 0 0 0",
        "seat 1: answers=0/3/0/0",
        "seat 2: answers=0/0/0/3 stock=0/0/0/2",
        "at capital: s0=6 s1=2 s2=2",
        "at skyreach: s0=5 s2=2",
    ),
    "shield-twice": lambda: match(
        "row: 0 0 0",
        "seat 0: stock=2/1/0/0 answers=5/5/0/0",
        "seat 1: stock=0/0/0/3 answers=0/0/0/4",
        "at capital: s0=3 s1=4",
        "at emberfen: s1=5",
    ),
    "all-powers": lambda: match(
        "row: 0 0 0",
        "seat 0: stock=2/1/2/2 answers=5/5/5/5",
        "at capital: s0=8 s1=4",
        "at emberfen: s0=2 s1=3+1",
        "at hollowmere: s2=2",
    ),
    "sealed-and-full": lambda: match(
        "row: 1 0 0",
        "seat 0: stock=2/2/2/0 answers=0/5/5/0",
        "at capital: s0=5 s1=8 sealed",
        "at emberfen: s0=3 s1=5",
        "at veilhaven: s0=4 s2=2",
    ),
    "bank-and-offers": lambda: match(
        "row: 0 0 0", "seat 0: stock=2/1/0/0 answers=3/0/0/0", "seat 1: stock=0/0/1/0"
    ),
    "discard": lambda: match("seat 0: stock=7/3/3/2"),
    "last-turn-of-the-cap": lambda: match(
        "round: 18", "turn: 2", "row: 0 0 0", "at capital: s2=8", "at emberfen: s1=5"
    ),
}


def count_in_tandem(both: Tandem, depth: int) -> int:
    """How many sequences of `depth` actions there are, with the naive model beside the engine at every step."""
    total = 0
    for seat in both.awaited():
        actions = both.actions(seat)
        if depth == 1:
            total += len(actions)
            continue
        for action in actions:
            after = both.branch()
            after.take(seat, action)
            total += count_in_tandem(after, depth - 1)
    return total


def count_checked(state: State, depth: int) -> int:
    """The engine's count, checked by the naive model."""
    assert isinstance(state, SinghasanState)
    return count_in_tandem(Tandem(state), depth)


if __name__ == "__main__":
    write_table(TABLE, "tests.engine.singhasan.perft", POSITIONS, count_checked)
