"""What happens in a match of Crowns, one frozen dataclass for each event.

Names, fields, and what they mean are those of the messages in `arena/games/crowns/v1/crowns.proto`. Triangles go by id,
seats by number from 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.crowns.kinds import Relic


@dataclass(frozen=True)
class TurnBegan:
    """A turn began."""

    seat: int
    round: int


@dataclass(frozen=True)
class Moved:
    """Pieces moved."""

    seat: int
    from_triangle: int
    to_triangle: int
    king: bool
    knights: int
    golden: int


@dataclass(frozen=True)
class Captured:
    """An attack succeeded: the defenders left the board."""

    seat: int
    rival: int
    triangle: int
    king: bool
    knights: int
    golden: int


@dataclass(frozen=True)
class Blocked:
    """A Golden Knight became Normal and stopped an attack."""

    seat: int
    rival: int
    from_triangle: int
    to_triangle: int


@dataclass(frozen=True)
class RelicCollected:
    """A relic was collected."""

    seat: int
    relic: Relic
    triangle: int


@dataclass(frozen=True)
class RelicAppeared:
    """A relic appeared."""

    relic: Relic
    triangle: int


@dataclass(frozen=True)
class RelicWasted:
    """A relic was used up without effect."""

    seat: int
    relic: Relic
    reason: str


@dataclass(frozen=True)
class CrownsChanged:
    """A seat's Crowns changed."""

    seat: int
    crowns: int
    is_bearer: bool


@dataclass(frozen=True)
class MovesGained:
    """Extra moves were gained."""

    seat: int
    moves_left: int


@dataclass(frozen=True)
class Gilded:
    """A Normal Knight became Golden."""

    seat: int
    triangle: int


@dataclass(frozen=True)
class Spawned:
    """A Knight was placed at its Gate."""

    seat: int
    triangle: int


@dataclass(frozen=True)
class BlockadeStruck:
    """A spawn attempt struck a blockade."""

    seat: int
    rival: int
    triangle: int
    shield_broken: bool
    knight_removed: bool
    king_defeated: bool


@dataclass(frozen=True)
class CardDrawn:
    """A card was drawn. Its seat alone learns which."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardPlayed:
    """A card was played."""

    seat: int
    card: int
    rival: int | None = None
    triangle: int | None = None
    to_triangle: int | None = None


@dataclass(frozen=True)
class DeckReshuffled:
    """The discard pile was shuffled into the deck."""

    cards: int


@dataclass(frozen=True)
class SnareChanged:
    """A triangle was snared, or its Snare ended."""

    triangle: int
    seat: int
    is_snared: bool


@dataclass(frozen=True)
class Eliminated:
    """A seat was eliminated."""

    seat: int
    by_seat: int | None
    triangle: int


@dataclass(frozen=True)
class TurnEnded:
    """A turn ended."""

    seat: int


@dataclass(frozen=True)
class TurnMissed:
    """A clock ran out before the first move."""

    seat: int
    in_a_row: int
    in_all: int


@dataclass(frozen=True)
class SeatHandedOver:
    """A seat changed hands."""

    seat: int
    is_bot: bool


@dataclass(frozen=True)
class MatchEnded:
    """The match ended."""

    how: str
    winner: int | None = None


#: What an `Event` can hold.
EventBody = (
    TurnBegan
    | Moved
    | Captured
    | Blocked
    | RelicCollected
    | RelicAppeared
    | RelicWasted
    | CrownsChanged
    | MovesGained
    | Gilded
    | Spawned
    | BlockadeStruck
    | CardDrawn
    | CardPlayed
    | DeckReshuffled
    | SnareChanged
    | Eliminated
    | TurnEnded
    | TurnMissed
    | SeatHandedOver
    | MatchEnded
)


@dataclass(frozen=True)
class Event:
    """Something that happened, in the order of `index` within the log entry."""

    index: int
    event: EventBody
