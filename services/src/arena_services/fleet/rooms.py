"""What the fleet needs of whatever runs the rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Sight:
    """What runs, as it was seen at one moment."""

    replicas: int
    """How many rooms were asked for."""
    names: frozenset[str]
    """Rooms that run or start, those aside that are being ended."""
    version: str = ""
    """Of the number: a change is refused once somebody else has made one."""


class Rooms(Protocol):
    """Whatever runs the rooms. Every method raises `FleetError` where it cannot do its work."""

    async def look(self) -> Sight:
        """See what runs."""

    async def scale(self, sight: Sight, to: int) -> None:
        """Have so many rooms, unless that changed since `sight`; of too many those marked go first."""

    async def mark(self, name: str) -> None:
        """Have a room be the first to go."""
