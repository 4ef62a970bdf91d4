"""Random games at full speed: the loop that benchmarks time and simulations run."""

from __future__ import annotations

from typing import NamedTuple

from mypy_extensions import i64

from arena_engine.crowns.draws import next_fast
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.position import Position
from arena_engine.crowns.turns import apply_action, fill_legal

_CHECK_PRIME = 16_777_619
_CHECK_MASK = 0xFFFFFFFF


class Playout(NamedTuple):
    """What a random playout did: `checksum` folds every action taken, so that equal runs can be told."""

    actions: int
    checksum: int


def playout(start: Position, seed: int, max_actions: int) -> Playout:
    """Play uniformly random legal actions from a copy of `start` until the match ends or `max_actions` are taken.

    The same seed gives the same game, compiled or not. Draws come from the quick generator, which `seed` starts.
    """
    p = start.clone()
    draw: i64 = next_fast((seed * 2_654_435_761 & _CHECK_MASK) | 1)
    p.fast = next_fast(draw)
    legal = ActionList()
    checksum: i64 = 2_166_136_261
    limit: i64 = max_actions
    taken: i64 = 0
    while taken < limit and not p.how:
        fill_legal(p, p.turn, legal)
        draw = next_fast(draw)
        action = legal.items[(draw * legal.count) >> 32]
        apply_action(p, p.turn, action, 0)
        checksum = ((checksum ^ action) * _CHECK_PRIME) & _CHECK_MASK
        taken += 1
    return Playout(taken, checksum)
