"""What a position of the naive model is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.engine.naive.arena import Arena

MOST_KNIGHTS = 10
MOST_ON_A_TRIANGLE = 3
CROWNS_OF_A_BEARER = 3
MOST_CARDS = 3
MOST_ACTIONS_WITHOUT_PEOPLE = 2000

#: ("move", from, to, king, knights, golden) · ("end",) · ("resign",) · ("shield", triangle)
#: ("card", number, rival, triangle, to_triangle), with None where the card does not ask.
Action = tuple[str | int | bool | None, ...]


@dataclass
class Formation:
    """Pieces of one seat on one triangle."""

    seat: int
    king: bool = False
    knights: int = 0
    golden: int = 0

    @property
    def power(self) -> int:
        """The number of its pieces."""
        return self.king + self.knights + self.golden


@dataclass
class Seat:
    """What belongs to one seat beside its pieces on the arena."""

    gate: int
    reserve: int = 8
    crowns: int = 0
    hand: list[int] = field(default_factory=list)
    is_alive: bool = True

    @property
    def is_bearer(self) -> bool:
        """Whether its King is the Crown Bearer."""
        return self.crowns >= CROWNS_OF_A_BEARER


@dataclass
class Snare:
    """Nothing of `seat` leaves its triangle in that seat's next turn, or in this one once it is active."""

    seat: int
    is_active: bool = False


@dataclass
class Model:
    """One position. Relics are words: crown, horse, shield, boat, loot, fallen."""

    arena: Arena
    seats: list[Seat]
    colours: dict[int, str]
    pieces: dict[int, Formation] = field(default_factory=dict)
    relics: dict[int, list[str]] = field(default_factory=dict)
    snares: dict[int, Snare] = field(default_factory=dict)
    returning: list[tuple[str, int]] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    deck_size: int = 40
    turn: int = 0
    round: int = 1
    moves_left: int = 1
    has_moved: bool = False
    has_played_card: bool = False
    is_shield_open: bool = False
    fallen_order: list[int] = field(default_factory=list)
    how: str = ""
    winner: int | None = None

    def copy(self) -> Model:
        """An independent copy."""
        return replace(
            self,
            seats=[replace(seat, hand=list(seat.hand)) for seat in self.seats],
            pieces={t: replace(f) for t, f in self.pieces.items()},
            relics={t: list(r) for t, r in self.relics.items()},
            snares={t: replace(s) for t, s in self.snares.items()},
            returning=list(self.returning),
            discard=list(self.discard),
            fallen_order=list(self.fallen_order),
        )

    def own(self, seat: int) -> dict[int, Formation]:
        """A seat's formations by triangle."""
        return {t: f for t, f in sorted(self.pieces.items()) if f.seat == seat}

    def king_of(self, seat: int) -> int:
        """Where a living seat's King stands."""
        return next(t for t, f in self.own(seat).items() if f.king)

    def normal_knights(self, seat: int) -> list[int]:
        """Triangles with a Normal Knight of a seat."""
        return [t for t, f in self.own(seat).items() if f.knights]

    def is_snared(self, triangle: int) -> bool:
        """Whether nothing of the seat on turn may leave a triangle now."""
        snare = self.snares.get(triangle)
        return snare is not None and snare.is_active and snare.seat == self.turn

    def living(self) -> list[int]:
        """Seats still in the match."""
        return [number for number, seat in enumerate(self.seats) if seat.is_alive]

    def places(self) -> tuple[int, ...]:
        """Each seat's place once the match has ended: winner, survivors level, then the later eliminated first."""
        groups = [[self.winner]] if self.winner is not None else []
        survivors = [s for s in self.living() if s != self.winner]
        groups += [survivors] if survivors else []
        groups += [[s] for s in reversed(self.fallen_order)]
        place: dict[int, int] = {}
        for group in groups:
            before = len(place)
            for seat in group:
                place[seat] = before + 1
        return tuple(place[s] for s in range(len(self.seats)))
