"""The yardstick player: looks one action ahead, never deeper, and judges what it sees by a handful of weights.

A judgement adds up what everybody holds, what may be taken in the next one to three turns by either side, and how close
the pieces are to their errands: the King to a Crown, or as Bearer to its Gate; the others to relics, to Kings they
could defeat, to a Bearer and its Gate. Errands give every quiet move a direction. Where two sides only parry each other
no errand gets anywhere, so a seat changes what it is keen on every few rounds: that ends every dance sooner or later.
"""

from __future__ import annotations

from random import Random
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.moves import reaches
from arena_engine.crowns.packing import (
    KING,
    OWNER_SHIFT,
    golden_in,
    knights_in,
    owner_of,
    power_of,
)
from arena_engine.crowns.position import RELIC_MASK, SNARE_SHIFT, Position
from arena_engine.crowns.relics import CROWN
from arena_engine.crowns.turns import apply_action, fill_legal

_WIN: Final = 10_000_000

# What things are worth. What rivals hold counts against the seat, at `_RIVAL_SHARE` hundredths.
_CROWN: Final = 6_000
_KNIGHT: Final = 700
_GOLDEN: Final = 1_000
_CARD: Final = 250
_MOVE_LEFT: Final = 300
_RIVAL_SHARE: Final = 70
_RIVAL_KING: Final = 8_000
_RIVAL_BEARER: Final = 4_000
_BEARER_SNARED: Final = 2_500

# What the next attacks put at stake: for the seat, and for its rivals.
_KING_LOST: Final = 60_000
_KING_UNSHIELDED: Final = 1_500
_KNIGHT_LOST: Final = 500
_KING_IN_REACH: Final = 1_500
_SHIELDED_KING_IN_REACH: Final = 600
_KNIGHT_IN_REACH: Final = 120
_KING_TWO_TURNS: Final = 800
_KING_THREE_TURNS: Final = 150

# What errands are worth by the steps that are left, or cost by the step.
_RELIC_IN: Final = vec[i64]([0, 120, 100, 85, 70, 58, 48, 38, 30, 22, 16, 10, 5])
_STEP_TO_GATE: Final = 1_000
_STEP_TO_CROWN: Final = 300
_STEP_TO_BEARER: Final = 130
_STEP_TO_KING: Final = 20
_GATE_TAKEN: Final = 800

# What a seat is keen on. Moods change every `_MOOD_ROUNDS` rounds, after an opening without any.
_CALM: Final = 0
_HUNTING: Final = 1
_COLLECTING: Final = 2
_CROWNING: Final = 3
_MOODS: Final = 4
_MOOD_ROUNDS: Final = 5
_OPENING: Final = 15
_KEEN: Final = 3
_HUNTING_STEP: Final = 120

#: Further than any two triangles.
_NOWHERE: Final = 40

#: Equals, and what differs by less than this, are chosen from at random; the longer a match, the less is made of it.
_NOISE: Final = 8
_MOST_NOISE: Final = 300


def choose(p: Position, seat: i64, rng: Random) -> i64:
    """A sensible action for the seat to move; near equals are drawn by `rng`."""
    legal = ActionList()
    fill_legal(p, seat, legal)
    items = legal.items
    chosen = items[0]
    if legal.count == 1:
        return chosen
    # One seed for all actions, from `rng`: what is still to be drawn is no reason to prefer one, nor is it looked at.
    seed: i64 = rng.getrandbits(32) | 1
    mood = _mood(p, seat)
    noise = _NOISE + min(p.round, _MOST_NOISE)
    best: i64 = -_WIN * 10
    for i in range(legal.count):
        after = p.clone()
        after.fast = seed
        apply_action(after, seat, items[i], 0)
        score = judge(after, seat, mood) + rng.randrange(int(noise))
        if score > best:
            best = score
            chosen = items[i]
    return chosen


def _mood(p: Position, seat: i64) -> i64:
    return _CALM if p.round <= _OPENING else (p.round // _MOOD_ROUNDS + seat) % _MOODS


def judge(p: Position, seat: i64, mood: i64) -> i64:
    """How good a position is for a seat of some mood that has just acted; larger is better."""
    if p.how:
        if p.winner < 0:
            return 0
        return _WIN if p.winner == seat else -_WIN
    if not p.is_alive(seat):
        return -_WIN
    own = vec[i64]()
    rivals = vec[i64]()
    crowns = vec[i64]()
    relics = vec[i64]()
    cells = p.cells
    ground = p.ground
    mark = seat + 1
    for t in range(p.grid.size):
        cell = cells[t]
        if cell != 0:
            if cell >> OWNER_SHIFT == mark:
                own = append(own, t)
            else:
                rivals = append(rivals, t)
        there = i64(ground[t])
        if there != 0:
            relic = there & RELIC_MASK
            if relic > CROWN:
                relics = append(relics, t)
            elif there & ((1 << SNARE_SHIFT) - 1):
                crowns = append(crowns, t)
    score = _holdings(p, seat, own) - _rival_holdings(p, seat, rivals)
    score += _prospects(p, own, rivals) - _dangers(p, seat, own, rivals)
    score += _relic_errands(p, own, relics) * (_KEEN if mood == _COLLECTING else 1)
    score -= _king_errand(p, seat, crowns) * (_KEEN if mood == _CROWNING else 1)
    score -= _hunts(p, seat, own)
    return score - _chase(p, seat, own) if mood == _HUNTING else score


def _material(cell: i64) -> i64:
    return knights_in(cell) * _KNIGHT + golden_in(cell) * _GOLDEN


def _holdings(p: Position, seat: i64, own: vec[i64]) -> i64:
    value = p.crowns[seat] * _CROWN + p.hand_size[seat] * _CARD
    if p.turn == seat:
        value += p.moves_left * _MOVE_LEFT
    for i in range(len(own)):
        value += _material(p.cells[own[i]])
    return value


def _rival_holdings(p: Position, seat: i64, rivals: vec[i64]) -> i64:
    value: i64 = 0
    for rival in range(p.grid.players):
        if rival != seat and p.is_alive(rival):
            value += p.crowns[rival] * _CROWN + p.hand_size[rival] * _CARD
    for i in range(len(rivals)):
        value += _material(p.cells[rivals[i]])
    value = value * _RIVAL_SHARE // 100
    for rival in range(p.grid.players):
        if rival != seat and p.is_alive(rival):
            value += _RIVAL_KING
            if p.is_bearer(rival):
                value += _RIVAL_BEARER
                if p.snare_at(p.king_at[rival]) != 0:
                    value -= _BEARER_SNARED
    return value


def attack_speed(cell: i64, power: i64) -> i64:
    """Steps of the fastest group in a formation that has this power; 0 where none has."""
    if golden_in(cell) >= power:
        return 3
    if golden_in(cell) + knights_in(cell) >= power:
        return 2
    return 1 if power_of(cell) >= power else 0


def attack_turns(p: Position, start: i64, goal: i64) -> i64:
    """Turns until the formation on `start` can have attacked that on `goal`, if nothing moved; 9 for never.

    One turn is exact, longer ones take the way to be free.
    """
    speed = attack_speed(p.cells[start], power_of(p.cells[goal]))
    if speed == 0:
        return 9
    steps = p.grid.distance[start * p.grid.size + goal]
    if steps <= speed:
        return 1 if reaches(p, start, goal, speed) else 2
    return (steps + speed - 1) // speed


def _prospects(p: Position, own: vec[i64], rivals: vec[i64]) -> i64:
    """What the seat's best next attack is worth, and Kings within two or three turns."""
    best: i64 = 0
    later: i64 = 0
    for j in range(len(rivals)):
        goal = rivals[j]
        cell = p.cells[goal]
        has_king = cell & KING != 0
        soonest: i64 = 9
        for i in range(len(own)):
            if has_king or p.grid.distance[own[i] * p.grid.size + goal] <= 3:
                soonest = min(soonest, attack_turns(p, own[i], goal))
        if soonest == 1:
            if has_king:
                value: i64 = _SHIELDED_KING_IN_REACH if golden_in(cell) else _KING_IN_REACH
            else:
                value = _KNIGHT_IN_REACH * power_of(cell)
            best = max(best, value)
        elif has_king and soonest == 2:
            later += _KING_TWO_TURNS // 8
        elif has_king and soonest == 3:
            later += _KING_THREE_TURNS // 8
    return best + later


def _dangers(p: Position, seat: i64, own: vec[i64], rivals: vec[i64]) -> i64:
    """What rivals may take before the seat moves again, and what closes in on its King."""
    size = p.grid.size
    cost: i64 = 0
    for i in range(len(own)):
        goal = own[i]
        cell = p.cells[goal]
        has_king = cell & KING != 0
        is_hit = False
        pressure: i64 = 0
        for j in range(len(rivals)):
            start = rivals[j]
            if p.grid.distance[start * size + goal] > (9 if has_king else 3):
                continue
            if p.snares != 0 and p.snare_at(start) != 0:
                continue
            turns = attack_turns(p, start, goal)
            if turns == 1:
                is_hit = True
            elif has_king and turns == 2:
                pressure += _KING_TWO_TURNS
            elif has_king and turns == 3:
                pressure += _KING_THREE_TURNS
        if is_hit:
            cost += _stake(cell)
        cost += pressure // 3 if golden_in(cell) else pressure
    # With moves left there is time to mend most of it.
    return cost // 4 if p.turn == seat else cost


def _stake(cell: i64) -> i64:
    if golden_in(cell):
        return _KING_UNSHIELDED if cell & KING else _GOLDEN - _KNIGHT
    if cell & KING:
        return _KING_LOST
    return _KNIGHT_LOST * power_of(cell)


def _relic_errands(p: Position, own: vec[i64], relics: vec[i64]) -> i64:
    """How close the seat's pieces are to each relic; a King's formation counts as a step further away."""
    value: i64 = 0
    size = p.grid.size
    for j in range(len(relics)):
        nearest: i64 = len(_RELIC_IN) - 1
        for i in range(len(own)):
            steps = p.grid.distance[own[i] * size + relics[j]] + (p.cells[own[i]] & KING)
            nearest = min(nearest, steps)
        value += _RELIC_IN[nearest]
    return value


def _king_errand(p: Position, seat: i64, crowns: vec[i64]) -> i64:
    king = p.king_at[seat]
    grid = p.grid
    gate = grid.gates[seat]
    holder = owner_of(p.cells[gate])
    cost: i64 = _GATE_TAKEN if holder >= 0 and holder != seat else 0
    if p.is_bearer(seat):
        return cost + grid.steps(king, gate) * _STEP_TO_GATE
    nearest: i64 = _NOWHERE if len(crowns) else 0
    for i in range(len(crowns)):
        nearest = min(nearest, grid.steps(king, crowns[i]))
    return cost + nearest * _STEP_TO_CROWN


def _hunts(p: Position, seat: i64, own: vec[i64]) -> i64:
    """Steps from the seat's Knights to rival Kings, to a Bearer or its Gate, or to the own Gate that a Bearer needs."""
    grid = p.grid
    cost: i64 = 0
    for rival in range(grid.players):
        if rival == seat or not p.is_alive(rival):
            continue
        king = p.king_at[rival]
        nearest: i64 = _NOWHERE
        for i in range(len(own)):
            if p.cells[own[i]] & KING == 0:
                nearest = min(nearest, grid.steps(own[i], king))
        cost += nearest * _STEP_TO_KING
        if p.is_bearer(rival):
            cost += _gather(p, own, king, grid.gates[rival])
    gate = grid.gates[seat]
    holder = owner_of(p.cells[gate])
    if p.is_bearer(seat) and holder >= 0 and holder != seat:
        cost += _gather(p, own, gate, gate)
    return cost


def _chase(p: Position, seat: i64, own: vec[i64]) -> i64:
    """Steps from each of the seat's Knights to the rival King that is nearest to them all."""
    best: i64 = -1
    for rival in range(p.grid.players):
        if rival == seat or not p.is_alive(rival):
            continue
        total: i64 = 0
        for i in range(len(own)):
            if p.cells[own[i]] & KING == 0:
                total += p.grid.steps(own[i], p.king_at[rival])
        if best < 0 or total < best:
            best = total
    return best * _HUNTING_STEP


def _gather(p: Position, own: vec[i64], king: i64, gate: i64) -> i64:
    cost: i64 = 0
    for i in range(len(own)):
        if p.cells[own[i]] & KING == 0:
            near = min(p.grid.steps(own[i], king), p.grid.steps(own[i], gate) + 1)
            cost += near * _STEP_TO_BEARER
    return cost
