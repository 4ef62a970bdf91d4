"""What the fleet needs of whatever runs the rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Protocol


class Turn(IntEnum):
    """Of too many rooms that are equally well, the one with the lowest turn goes first."""

    NEXT = -2147483648
    """Empty: this one and no other."""
    LEAVES = -1000
    """It hands its matches over. Before any that stays, if somebody else takes rooms away meanwhile."""
    STAYS = 0


@dataclass(frozen=True, order=True)
class Standing:
    """How soon a room goes when there is one too many: the lowest first."""

    health: tuple[int, ...]
    """Of rooms that start or are unwell it is lower, and comes before the turn."""
    turn: int


@dataclass(frozen=True)
class Sight:
    """What runs, as it was seen at one moment."""

    replicas: int
    """How many rooms were asked for."""
    standings: Mapping[str, Standing]
    """Rooms that run or start, by name, those aside that are being ended."""
    version: str = ""
    """Of the number: a change is refused once somebody else has made one."""
    is_settled: bool = True
    """Whether as many run as were asked for, all of one build."""

    def would_go(self, name: str) -> bool:
        """Whether, of one too many, this room whose turn is next would go before every other."""
        own = replace(self.standings[name], turn=Turn.NEXT)
        others = (standing for room, standing in self.standings.items() if room != name)
        return self.is_settled and all(own < other for other in others)


class Rooms(Protocol):
    """Whatever runs the rooms. Every method raises `FleetError` where it cannot do its work."""

    async def look(self) -> Sight:
        """See what runs."""

    async def scale(self, sight: Sight, to: int) -> None:
        """Have so many rooms, unless that changed since `sight`; of too many the lowest standing goes first."""

    async def mark(self, name: str, turn: Turn) -> None:
        """Say when it is a room's turn to go."""
