"""The enums of the Crowns messages, and what options may hold."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

#: Seconds that a match may give each turn; 0 is no clock.
TURN_SECONDS: Final = (0, 30, 60, 90)


class Board(IntEnum):
    """Size of the arena."""

    UNSPECIFIED = 0
    """The default: Standard."""
    STANDARD = 1
    """Side 4: 96 triangles."""
    LARGE = 2
    """Side 5: 150 triangles."""


class Relic(IntEnum):
    """What lies on a triangle to be collected."""

    UNSPECIFIED = 0
    """None."""
    CROWN = 1
    """One Crown, for Kings."""
    HORSE = 2
    """Two more moves this turn."""
    SHIELD = 3
    """One Normal Knight becomes Golden."""
    BOAT = 4
    """One spawn attempt at the own Gate."""
    LOOT = 5
    """One Loot card."""
    FALLEN_CROWN = 6
    """The Crown of a fallen King; does not come back."""
