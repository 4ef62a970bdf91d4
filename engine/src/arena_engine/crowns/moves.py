"""Which board moves there are: reach of a formation, and the moves of a seat. Cards are in `cardplay`."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.crowns.grid import REACH, REACH_FROM
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.packing import (
    FIRST_SHIFT,
    MOVE,
    OWNER_SHIFT,
    PIECES,
    PIECES_SHIFT,
    SECOND_SHIFT,
    STACK,
    golden_in,
    knights_in,
    power_of,
    speed_of,
)
from arena_engine.crowns.position import SNARE_HOLDS, Position

# What a goal asks of a group's size, as a row of `_GROUPS`: nothing; at most 2 or 1 where own pieces stand; at least 2
# or 3 where a rival's do. A lone rival asks nothing.
_ANY: Final = 0
_AT_MOST_2: Final = 1
_AT_MOST_1: Final = 2
_AT_LEAST_2: Final = 3
_AT_LEAST_3: Final = 4
_CLOSED: Final = -1
_SIZES: Final = ((1, 3), (1, 2), (1, 1), (2, 3), (3, 3))
_MOST_GROUPS: Final = 8
#: Places of `_GROUPS` for one distance.
_DISTANCE_ROWS: Final = 5 * _MOST_GROUPS


def _group_table() -> vec[i64]:
    """Groups that a formation can send: for pieces, distance 1-3 and size row, up to 8 groups shifted as in actions.

    A row is at ((pieces * 3 + distance - 1) * 5 + size row) * 8 and ends with 0: no triangle's pieces make more than
    seven groups.
    """
    table = []
    for pieces in range(PIECES + 1):
        groups = [
            (king | knights << 1 | golden << 3)
            for king in range((pieces & 1) + 1)
            for knights in range(int(knights_in(pieces)) + 1)
            for golden in range(int(golden_in(pieces)) + 1)
        ]
        for distance in (1, 2, 3):
            for low, high in _SIZES:
                row = [
                    g << PIECES_SHIFT
                    for g in groups
                    if low <= power_of(g) <= high and speed_of(g) >= distance
                ]
                table += (row[: _MOST_GROUPS - 1] + [0] * _MOST_GROUPS)[:_MOST_GROUPS]
    return vec[i64](table)


_GROUPS: Final = _group_table()
_OWN_ROW: Final = vec[i64](
    [(_ANY, _AT_MOST_2, _AT_MOST_1, _CLOSED)[min(power_of(c), STACK)] for c in range(PIECES + 1)]
)
_RIVAL_ROW: Final = vec[i64](
    [(_ANY, _ANY, _AT_LEAST_2, _AT_LEAST_3)[min(power_of(c), STACK)] for c in range(PIECES + 1)]
)


def fill_moves(p: Position, seat: i64, out: ActionList) -> None:
    """Append every board move of a seat, by triangle of origin."""
    cells = p.cells
    mark = seat + 1
    for t in range(p.grid.size):
        if cells[t] >> OWNER_SHIFT == mark and (p.snares == 0 or p.snare_at(t) != SNARE_HOLDS):
            fill_moves_from(p, t, out)


def fill_moves_from(p: Position, start: i64, out: ActionList) -> None:
    """Append every board move of the formation on `start`, near goals first."""
    cells = p.cells
    reach = p.grid.reach
    ways = p.grid.ways
    groups = _GROUPS
    cell = cells[start]
    pieces = cell & PIECES
    mark = cell >> OWNER_SHIFT
    far: i64 = 3
    if golden_in(pieces):
        far = REACH
    elif knights_in(pieces):
        far = 9
    first_row = pieces * 3 * _DISTANCE_ROWS
    items = out.items
    count = out.count
    is_open: i64 = 0
    offset = start * REACH
    for place in range(far):
        goal = reach[offset + place]
        if goal < 0:
            continue
        way = ways[offset + place]
        if place >= 3 and is_open & way == 0:
            continue
        there = cells[goal]
        if there == 0:
            row: i64 = _ANY
            is_open |= i64(1) << place
        elif there >> OWNER_SHIFT == mark:
            row = _OWN_ROW[there & PIECES]
            is_open |= i64(1) << place
            if row == _CLOSED:
                continue
        else:
            row = _RIVAL_ROW[there & PIECES]
        k = first_row + row * _MOST_GROUPS
        if place >= 9:
            k += 2 * _DISTANCE_ROWS
        elif place >= 3:
            k += _DISTANCE_ROWS
        group = groups[k]
        base = MOVE | (start << FIRST_SHIFT) | (goal << SECOND_SHIFT)
        while group != 0:
            items[count] = base | group
            count += 1
            k += 1
            group = groups[k]
    out.count = count


def reaches(p: Position, start: i64, goal: i64, far: i64) -> bool:
    """Whether pieces of the formation on `start` get to `goal` in `far` steps, over free and own triangles."""
    mark = p.cells[start] >> OWNER_SHIFT
    is_open: i64 = 0
    for place in range(REACH_FROM[far + 1]):
        t = p.grid.reach[start * REACH + place]
        if t < 0 or (place >= REACH_FROM[2] and is_open & p.grid.ways[start * REACH + place] == 0):
            continue
        if t == goal:
            return True
        there = p.cells[t]
        if there == 0 or there >> OWNER_SHIFT == mark:
            is_open |= i64(1) << place
    return False


def has_board_move(p: Position, seat: i64) -> bool:
    """Whether a seat has any board move now."""
    out = ActionList()
    fill_moves(p, seat, out)
    return out.count > 0
