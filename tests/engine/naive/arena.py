"""The arena as geometry: triangles are sets of corner points, neighbours share two of them."""

from __future__ import annotations

import math
from functools import cached_property

Point = tuple[int, int]

#: Sides whose Gates are in play, by number of players.
SIDES = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}


class Arena:
    """A regular hexagon of triangles with `side` triangles' edges along each of its sides."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.triangles: list[frozenset[Point]] = []
        for row in range(2 * side):
            half = side + min(row, 2 * side - 1 - row)
            for x in range(-half, half + 1):
                self.triangles.append(self._corners(row, x))

    def _corners(self, row: int, x: int) -> frozenset[Point]:
        points_up = (x + self.side + row) % 2 == 0
        if points_up:
            return frozenset({(row, x), (row + 1, x - 1), (row + 1, x + 1)})
        return frozenset({(row, x - 1), (row, x + 1), (row + 1, x)})

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The triangles that share an edge with each triangle."""
        return [
            [other for other, them in enumerate(self.triangles) if len(us & them) == 2]
            for us in self.triangles
        ]

    def centre(self, triangle: int) -> tuple[float, float]:
        """Where a triangle's middle lies, from the middle of the arena, in edge lengths: right, up."""
        corners = self.triangles[triangle]
        right = sum(x for _, x in corners) / 3 / 2
        up = (self.side - sum(row for row, _ in corners) / 3) * math.sqrt(3) / 2
        return right, up

    def turned(self, triangle: int, sixths: int) -> int:
        """The triangle that `triangle` comes to lie on when the arena is turned clockwise by sixths."""
        right, up = self.centre(triangle)
        angle = -sixths * math.pi / 3
        turned_right = right * math.cos(angle) - up * math.sin(angle)
        turned_up = right * math.sin(angle) + up * math.cos(angle)
        return min(
            range(len(self.triangles)),
            key=lambda other: math.dist((turned_right, turned_up), self.centre(other)),
        )

    @cached_property
    def side_gates(self) -> list[int]:
        """The middle triangle of the outer row of each side, clockwise from the top."""
        return [self.turned(self.side, sixths) for sixths in range(6)]

    def gates(self, players: int) -> list[int]:
        """Each seat's Gate."""
        return [self.side_gates[side] for side in SIDES[players]]

    def steps(self, start: int) -> dict[int, int]:
        """How many steps each triangle lies from `start`."""
        distance = {start: 0}
        edge = {start}
        while edge:
            edge = {n for t in edge for n in self.neighbours[t]} - set(distance)
            farther = max(distance.values()) + 1
            distance.update((triangle, farther) for triangle in edge)
        return distance
