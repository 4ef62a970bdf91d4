"""Geometry: the hexagon of triangles, its Gates, steps and distances. Holds no position.

All rows share their columns, so that two triangles above each other have one column. With side `n`, a triangle points
up where column, row and `n - 1` have an even sum; it then borders the one below, otherwise the one above, and always
those left and right of it.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

#: Steps from every Gate in play that a Crown keeps.
CROWN_DISTANCE: Final = 3

#: Places for what lies within three steps: 3 one step away, 6 two, 9 three.
REACH: Final = 18
#: First place of each distance 1-3, and the end.
REACH_FROM: Final = (0, 0, 3, 9, REACH)

_SEAT_SIDES: Final[dict[int, tuple[int, ...]]] = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
_BOARD_SIDE: Final[dict[int, int]] = {1: 4, 2: 5}
_SIDE_GATES: Final[dict[int, tuple[int, ...]]] = {
    4: (4, 31, 74, 91, 64, 21),
    5: (5, 38, 125, 144, 111, 24),
}


class Grid:
    """One size of arena with the Gates of one number of players. Never changes; shared by all positions.

    `neighbours` holds three ids for each triangle, ascending, -1 where there is none. `distance` holds the steps
    between each two triangles at `a * size + b`, whatever stands between. `gates` are by seat. `is_gate` and
    `is_crown_place` are 0 or 1 for each triangle.
    """

    def __init__(self, board: i64, players: i64) -> None:
        n = _BOARD_SIDE[board]
        places = _places(n)
        self.board = board
        self.players = players
        self.side: i64 = n
        self.size: i64 = len(places)
        self.rows = vec[i64]([row for row, _ in places])
        self.columns = vec[i64]([column for _, column in places])
        borders = _borders(n, places)
        self.neighbours = vec[i64]([b for three in borders for b in (three + [-1] * 3)[:3]])
        reach = [_reach_from(t, borders) for t in range(len(places))]
        self.reach = vec[i64]([goal for goals in reach for goal, _ in goals])
        self.ways = vec[i64]([way for goals in reach for _, way in goals])
        self.distance = vec[i64]([d for t in range(len(places)) for d in _steps_from(t, borders)])
        gates = [_SIDE_GATES[n][side] for side in _SEAT_SIDES[players]]
        self.gates = vec[i64](gates)
        self.is_gate = vec[i64]([int(t in gates) for t in range(len(places))])
        steps = [_steps_from(gate, borders) for gate in gates]
        self.is_crown_place = vec[i64](
            [int(all(d[t] >= CROWN_DISTANCE for d in steps)) for t in range(len(places))]
        )

    def points_up(self, triangle: i64) -> bool:
        """Whether a triangle stands on its base."""
        return (self.rows[triangle] + self.columns[triangle] + self.side - 1) % 2 == 0

    def steps(self, start: i64, goal: i64) -> i64:
        """Steps between two triangles, whatever stands between."""
        return self.distance[start * self.size + goal]


_grids: Final[dict[tuple[int, int], Grid]] = {}


def grid_for(board: i64, players: i64) -> Grid:
    """The grid of a board (1 Standard, 2 Large) and 2-6 players; made once, when first asked for."""
    key = (int(board), int(players))
    grid = _grids.get(key)
    if grid is None:
        grid = _grids[key] = Grid(board, players)
    return grid


def triangles_on(board: int) -> int:
    """How many triangles a board has."""
    return 6 * _BOARD_SIDE[board] ** 2


def _places(n: int) -> list[tuple[int, int]]:
    places = []
    for row in range(2 * n):
        first = max(n - 1 - row, row - n)
        places += [(row, column) for column in range(first, 4 * n - 1 - first)]
    return places


def _borders(n: int, places: list[tuple[int, int]]) -> list[list[int]]:
    ids = {place: t for t, place in enumerate(places)}
    borders = []
    for row, column in places:
        points_up = (row + column + n - 1) % 2 == 0
        beside = [(row, column - 1), (row, column + 1), (row + 1 if points_up else row - 1, column)]
        borders.append(sorted(ids[place] for place in beside if place in ids))
    return borders


def _reach_from(start: int, borders: list[list[int]]) -> list[tuple[int, int]]:
    ways: list[tuple[int, int]] = []
    steps = _steps_from(start, borders)
    for distance in (1, 2, 3):
        goals = [t for t, d in enumerate(steps) if d == distance]
        for goal in goals:
            way = 0
            for place, (t, _) in enumerate(ways):
                if t >= 0 and steps[t] == distance - 1 and t in borders[goal]:
                    way |= 1 << place
            ways.append((goal, way))
        ways += [(-1, 0)] * (REACH_FROM[distance + 1] - len(ways))
    return ways


def _steps_from(start: int, borders: list[list[int]]) -> list[int]:
    steps = [-1] * len(borders)
    steps[start] = 0
    edge = [start]
    while edge:
        reached = []
        for t in edge:
            for b in borders[t]:
                if steps[b] < 0:
                    steps[b] = steps[t] + 1
                    reached.append(b)
        edge = reached
    return steps
