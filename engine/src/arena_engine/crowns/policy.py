"""The yardstick player: looks one action ahead, never deeper, and judges what it sees by a handful of weights.

A judgement adds up what everybody holds, what stands to be lost to the next rival move, what the seat itself threatens,
and how far the pieces are from their errands. Errands give every quiet move a direction, so that no piece wanders: the
King goes for a Crown, or as Bearer to its Gate; the others go for the Bearer, for relics and for Kings they could take.
"""

from __future__ import annotations

from random import Random
from typing import Final

from mypy_extensions import i64

from arena_engine.crowns.moves import ActionList, reaches
from arena_engine.crowns.packing import (
    KING,
    golden_in,
    knights_in,
    owner_of,
    power_of,
)
from arena_engine.crowns.position import Position
from arena_engine.crowns.relics import CROWN
from arena_engine.crowns.turns import apply_action, fill_legal

_WIN: Final = 10_000_000
_RIVAL_KING: Final = 8_000
_CROWN: Final = 6_000
_KNIGHT: Final = 700
_GOLDEN: Final = 1_000
_CARD: Final = 400
_KING_AT_RISK: Final = 60_000
_KING_SHIELDED: Final = 1_500
_KING_IN_SIGHT: Final = 1_200
_BEARER_AT_LARGE: Final = 5_000
_GATE_TAKEN: Final = 1_200

# What a step away from an errand costs.
_STEP_TO_GATE: Final = 900
_STEP_TO_CROWN: Final = 150
_STEP_TO_BEARER: Final = 130
_STEP_TO_RELIC: Final = 60
_STEP_TO_KING: Final = 25
#: Further than any two triangles.
_NOWHERE: Final = 40

_NOISE: Final = 8


def choose(p: Position, seat: i64, rng: Random) -> i64:
    """A sensible action for the seat to move; equals are drawn by `rng`."""
    legal = ActionList()
    fill_legal(p, seat, legal)
    chosen = legal.items[0]
    if legal.count == 1:
        return chosen
    seed = rng.getrandbits(32) | 1
    best: i64 = -(1 << 60)
    for i in range(legal.count):
        action = legal.items[i]
        after = p.clone()
        after.fast = seed
        apply_action(after, seat, action, 0)
        score = judge(after, seat) * _NOISE + i64(int(rng.random() * _NOISE))
        if score > best:
            best = score
            chosen = action
    return chosen


def judge(p: Position, seat: i64) -> i64:
    """How good a position is for a seat that has just acted; larger is better."""
    if p.how:
        if p.winner < 0:
            return 0
        return _WIN if p.winner == seat else -_WIN
    if not p.is_alive(seat):
        return -_WIN
    score: i64 = 0
    for other in range(p.grid.players):
        if p.is_alive(other):
            share = _holdings(p, other)
            score += 3 * share if other == seat else -share - _RIVAL_KING
            if other != seat and p.is_bearer(other):
                score -= _BEARER_AT_LARGE
    return score + _exchanges(p, seat) - _king_errand(p, seat) - _errands(p, seat)


def _holdings(p: Position, seat: i64) -> i64:
    value = p.crowns[seat] * _CROWN + p.hand_size[seat] * _CARD
    for t in range(p.grid.size):
        if p.is_own(t, seat):
            cell = p.cells[t]
            value += knights_in(cell) * _KNIGHT + golden_in(cell) * _GOLDEN
    return value


def can_hit(p: Position, start: i64, goal: i64) -> bool:
    """Whether the formation on `start` has a legal attack on the rival formation on `goal`, were it its turn."""
    cell = p.cells[start]
    need = power_of(p.cells[goal])
    if golden_in(cell) >= need:
        speed: i64 = 3
    elif golden_in(cell) + knights_in(cell) >= need:
        speed = 2
    elif power_of(cell) >= need:
        speed = 1
    else:
        return False
    return p.grid.steps(start, goal) <= speed and reaches(p, start, goal, speed)


def _exchanges(p: Position, seat: i64) -> i64:
    """What the seat may win with its next move, less what rivals may take before."""
    own_cells: list[i64] = []
    rival_cells: list[i64] = []
    for t in range(p.grid.size):
        if p.cells[t] != 0:
            if p.is_own(t, seat):
                own_cells.append(t)
            else:
                rival_cells.append(t)
    loss: i64 = 0
    gain: i64 = 0
    moves_again = p.turn == seat
    for own in own_cells:
        is_hit = False
        for rival in rival_cells:
            near = p.grid.steps(own, rival) <= 3
            if near and not is_hit and can_hit(p, rival, own):
                is_hit = True
            if near and p.cells[rival] & KING and can_hit(p, own, rival):
                gain = _KING_IN_SIGHT
        if is_hit and not moves_again:
            loss += _stake(p.cells[own])
    return gain - loss


def _stake(cell: i64) -> i64:
    if golden_in(cell):
        return _KING_SHIELDED if cell & KING else _GOLDEN - _KNIGHT
    if cell & KING:
        return _KING_AT_RISK
    return 2 * _KNIGHT * power_of(cell)


def _king_errand(p: Position, seat: i64) -> i64:
    king = p.king_at[seat]
    grid = p.grid
    gate = grid.gates[seat]
    holder = owner_of(p.cells[gate])
    cost: i64 = _GATE_TAKEN if holder >= 0 and holder != seat else 0
    if p.is_bearer(seat):
        return cost + grid.steps(king, gate) * _STEP_TO_GATE
    nearest: i64 = _NOWHERE
    for t in range(grid.size):
        if p.relic_at(t) == CROWN or p.fallen_at(t) > 0:
            nearest = min(nearest, grid.steps(king, t))
    return cost + nearest * _STEP_TO_CROWN


def _errands(p: Position, seat: i64) -> i64:
    """Steps from the seat's pieces to what they are after, weighted."""
    grid = p.grid
    cost: i64 = 0
    for t in range(grid.size):
        relic = p.relic_at(t)
        if relic > CROWN:
            cost += _nearest_own(p, seat, t, with_king=True) * _STEP_TO_RELIC // 4
    hunted: i64 = -1
    for rival in range(grid.players):
        if rival != seat and p.is_alive(rival):
            steps = _nearest_own(p, seat, p.king_at[rival], with_king=False)
            if p.is_bearer(rival):
                hunted = rival
            cost += steps * _STEP_TO_KING
    if hunted >= 0:
        cost += _hunt(p, seat, p.king_at[hunted], grid.gates[hunted])
    elif p.is_bearer(seat) and owner_of(p.cells[grid.gates[seat]]) not in (-1, seat):
        cost += _hunt(p, seat, grid.gates[seat], grid.gates[seat])
    return cost


def _nearest_own(p: Position, seat: i64, goal: i64, *, with_king: bool) -> i64:
    nearest: i64 = _NOWHERE
    for t in range(p.grid.size):
        if p.is_own(t, seat) and (with_king or p.cells[t] & KING == 0):
            nearest = min(nearest, p.grid.steps(t, goal))
    return nearest


def _hunt(p: Position, seat: i64, king: i64, gate: i64) -> i64:
    cost: i64 = 0
    for t in range(p.grid.size):
        if p.is_own(t, seat) and p.cells[t] & KING == 0:
            cost += min(p.grid.steps(t, king), p.grid.steps(t, gate) + 1) * _STEP_TO_BEARER
    return cost
