"""Random games at full speed: the loop that benchmarks time and simulations run."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import i64

from arena_engine.singhasan.draws import next_fast
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import END_TURN
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.turns import apply_action, fill_legal

_CHECK_PRIME: Final = 16_777_619
_CHECK_MASK: Final = 0xFFFFFFFF
#: A turn that could end does so once in so many actions.
_END_ONCE_IN: Final = 8


class Playout(NamedTuple):
    """What a random playout did: `checksum` folds every action taken, so that equal runs can be told."""

    actions: int
    checksum: int


def playout(start: Position, seed: int, max_actions: int) -> Playout:
    """Play random legal actions from a copy of `start` until the match ends or `max_actions` are taken.

    The awaited seat with the lowest number goes first. Actions are drawn evenly, but that a turn is ended more often:
    it would be one action among a hundred. The same seed gives the same game, compiled or not. Draws come from the
    quick generator, which `seed` starts.
    """
    p = start.clone()
    draw: i64 = next_fast((seed * 2_654_435_761 & _CHECK_MASK) | 1)
    p.fast = next_fast(draw)
    legal = ActionList()
    checksum: i64 = 2_166_136_261
    limit: i64 = max_actions
    taken: i64 = 0
    while taken < limit and not p.how:
        seat = _first_awaited(p)
        fill_legal(p, seat, legal)
        draw = next_fast(draw)
        action = legal.items[(draw * legal.count) >> 32]
        if legal.items[legal.count - 1] == END_TURN:
            draw = next_fast(draw)
            if draw % _END_ONCE_IN == 0:
                action = END_TURN
        apply_action(p, seat, action, 0)
        folded = (action ^ (action >> 32)) & _CHECK_MASK
        checksum = ((checksum ^ folded) * _CHECK_PRIME) & _CHECK_MASK
        taken += 1
    return Playout(taken, checksum)


def _first_awaited(p: Position) -> i64:
    seat: i64 = 0
    while p.decisions[seat] == 0:
        seat += 1
    return seat
