"""What goes in and out of the engine at its edge: options, actions, selections, views, as frozen dataclasses.

Names, fields, and what they mean are those of the messages in `arena/games/crowns/v1/crowns.proto`. Triangles go by id,
seats by number from 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.crowns.events import Event, MatchEnded
from arena_engine.crowns.kinds import Board, Relic


@dataclass(frozen=True)
class Options:
    """What is chosen before a match."""

    board: Board = Board.UNSPECIFIED
    turn_seconds: int = 0


@dataclass(frozen=True)
class Move:
    """Moves 1-3 pieces from one triangle to another; onto a rival's, that is an attack."""

    from_triangle: int
    to_triangle: int
    king: bool = False
    knights: int = 0
    golden: int = 0


@dataclass(frozen=True)
class EndTurn:
    """Ends the turn by hand."""


@dataclass(frozen=True)
class Resign:
    """Gives up."""


@dataclass(frozen=True)
class PlayCard:
    """Plays a card of the own hand."""

    card: int
    rival: int | None = None
    triangle: int | None = None
    to_triangle: int | None = None


@dataclass(frozen=True)
class ChooseShield:
    """Says which triangle's Normal Knight becomes Golden."""

    triangle: int


#: One thing a seat may do.
Action = Move | EndTurn | Resign | PlayCard | ChooseShield


@dataclass(frozen=True)
class Group:
    """Pieces of one own triangle."""

    triangle: int
    king: bool = False
    knights: int = 0
    golden: int = 0


@dataclass(frozen=True)
class CardInHand:
    """A card of the own hand; for Sneak with the formation already chosen, or not yet."""

    card: int
    triangle: int | None = None


#: What is picked up, to be asked for targets.
Selection = Group | CardInHand


@dataclass(frozen=True)
class Targets:
    """All that can be done with a selection."""

    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Target:
    """One target of a selection."""

    triangle: int | None
    rival: int | None
    action: Action | None
    reason: str
    preview: Preview | None


@dataclass(frozen=True)
class Preview:
    """What an action would do, as far as its seat may know."""

    is_blocked: bool
    knights_defeated: int
    kings_defeated: tuple[int, ...]
    relics: tuple[Relic, ...]
    crowns: int
    wins: bool
    text: str


@dataclass(frozen=True)
class Common:
    """What everybody sees of one entry."""

    events: tuple[Event, ...]
    view: View


@dataclass(frozen=True)
class Own:
    """What one seat sees beyond that."""

    events: tuple[Event, ...]
    hand: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """The public position."""

    board: Board
    players: int
    round: int
    turn: int
    moves_left: int
    has_moved: bool
    has_played_card: bool
    shield_choices: tuple[int, ...]
    seats: tuple[SeatView, ...]
    formations: tuple[Formation, ...]
    relics: tuple[RelicView, ...]
    snares: tuple[Snare, ...]
    deck_size: int
    discard: tuple[int, ...]
    returning: tuple[ReturningRelic, ...]
    actions: int
    decision: int
    deadline_ms: int | None
    turn_seconds: int
    ended: MatchEnded | None


@dataclass(frozen=True)
class ReturningRelic:
    """A relic on its way back."""

    relic: Relic
    triangle: int


@dataclass(frozen=True)
class SeatView:
    """One seat as everybody sees it."""

    gate: int
    is_alive: bool
    crowns: int
    is_bearer: bool
    reserve: int
    hand_size: int
    missed_in_a_row: int
    missed_in_all: int
    is_bot: bool
    eliminated: int
    has_person: bool


@dataclass(frozen=True)
class Formation:
    """Pieces of one seat on one triangle."""

    triangle: int
    seat: int
    king: bool
    knights: int
    golden: int


@dataclass(frozen=True)
class RelicView:
    """A relic on a triangle."""

    triangle: int
    relic: Relic


@dataclass(frozen=True)
class Snare:
    """A Snare on a triangle."""

    triangle: int
    seat: int
    is_active: bool
