"""The steps of all cards, packed from the content: what the interpreter of their effects reads.

A program is a card's list of steps. Programs go by number: Conspiracies 1-30 by theirs, Headlines behind them.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.kinds import Op, Step

#: What comes before the number of a Headline in that of its program.
HEADLINE: Final = 30


def _packed(step: Step) -> int:
    """One step as `primitives` lays it out."""
    return (
        step.op
        | (step.who << prim.WHO)
        | (step.by << prim.BY)
        | ((step.amount + 16) << prim.AMOUNT)
        | (step.kind << prim.KIND)
        | (step.where << prim.WHERE)
        | (step.until << prim.UNTIL)
        | ((step.act if step.op == Op.FORBID else step.what) << prim.WHAT)
        | (step.when << prim.WHEN)
        | (step.per << prim.PER)
        | (step.most << prim.MOST)
        | (int(step.is_optional) << prim.OPTIONAL)
        | (step.branch << prim.BRANCH)
    )


def _starts(lengths: list[int]) -> list[int]:
    """Where each list of steps starts when all stand in one row, and where the last one ends."""
    starts = [0]
    for length in lengths:
        starts.append(starts[-1] + length)
    return starts


_PROGRAMS: Final = [card.steps for card in CONSPIRACIES] + [card.steps for card in HEADLINES]
_STEPS: Final = vec[i64]([_packed(step) for steps in _PROGRAMS for step in steps])
_STARTS: Final = vec[i64](_starts([0] + [len(steps) for steps in _PROGRAMS]))

#: The cost printed on each Conspiracy.
COSTS: Final = vec[i64]([0] + [card.cost for card in CONSPIRACIES])
_IS_COURT: Final = vec[i64]([0] + [int(card.is_court) for card in CONSPIRACIES])
_NAMES: Final = vec[i64]([0] + [int(card.names) for card in CONSPIRACIES])


def is_court_card(card: i64) -> bool:
    """Whether a Conspiracy is a court card, not a deed."""
    return _IS_COURT[card] != 0


def names_of(program: i64) -> i64:
    """Bits of what is named when a card is played: those of the registers in `steps`. A Headline names nothing."""
    return _NAMES[program] if program <= HEADLINE else 0


def step_count(program: i64) -> i64:
    """How many steps a program has."""
    return _STARTS[program + 1] - _STARTS[program]


def step_at(program: i64, step: i64) -> i64:
    """One step of a program, from 0."""
    return _STEPS[_STARTS[program] + step]
