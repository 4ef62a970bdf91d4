"""One position as flat arrays and ints: the data that the rules work on, its copy and its draws.

Nothing here decides anything. `State` in `state` is the face that others see; text and views are made elsewhere.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from arena_engine.crowns.draws import keyed_draw, next_fast
from arena_engine.crowns.events import EventBody
from arena_engine.crowns.grid import Grid
from arena_engine.crowns.listing import filled
from arena_engine.crowns.packing import OWNER_SHIFT

#: Knights of a player, on the arena and in reserve together.
KNIGHTS: Final = 10
#: Most cards in a hand.
HAND: Final = 3
#: Crowns that make a Bearer.
BEARER: Final = 3
#: Actions after which a match that no person plays any more ends level.
ACTION_LIMIT: Final = 2000

# Bits of `flags`.
ALIVE: Final = 1
BOT: Final = 2
PERSON: Final = 4

# Bits of `ground`: the relic, the Fallen Crowns, and the Snare.
RELIC_MASK: Final = 7
FALLEN_SHIFT: Final = 3
FALLEN_ONE: Final = 8
FALLEN_MASK: Final = 7
SNARE_SHIFT: Final = 6
#: A Snare that waits for its owner's next turn, and one that holds now.
SNARE_WAITS: Final = 1
SNARE_HOLDS: Final = 2

# Purposes of draws.
DRAW_RELICS: Final = 0
DRAW_DECK: Final = 1
_PURPOSES: Final = (b"crowns relics ", b"crowns deck ")


class Position:
    """One position of one match. Arrays by triangle or seat; -1 stands for none.

    By triangle: `cells` as in `packing`, `ground` as in the bits above. By seat: `king_at`, `crowns`, `reserve`,
    `hand_size`, `flags`, `out` (order of elimination from 1, 0 for none), `missed_run` and `missed_all`; `hands` has
    three places for each seat. `deck` and `discard` have 40 places each; the top of the deck is the last of its
    `deck_size` cards, the oldest discard the first. `returning` holds relic | triangle << 3 in order of collection.

    `how` is empty until the match has ended. `log` collects events where it is not None. `fast` is the state of a
    quick generator that takes the place of keyed draws where it is not 0: for search and playouts only.
    """

    def __init__(self, grid: Grid, secret: bytes, turn_seconds: i64) -> None:
        self.grid = grid
        self.secret = secret
        self.turn_seconds = turn_seconds
        self.cells = vec[i64]()
        self.ground = vec[u8]()
        self.king_at = vec[i64]()
        self.crowns = vec[i64]()
        self.reserve = vec[i64]()
        self.hands = vec[i64]()
        self.hand_size = vec[i64]()
        self.flags = vec[i64]()
        self.out = vec[i64]()
        self.missed_run = vec[i64]()
        self.missed_all = vec[i64]()
        self.deck = vec[u8]()
        self.discard = vec[u8]()
        self.deck_size: i64 = 0
        self.discard_size: i64 = 0
        self.returning = vec[i64]()
        self.draws = vec[i64]()
        self.round: i64 = 1
        self.turn: i64 = 0
        self.decision: i64 = 1
        self.actions: i64 = 0
        self.moves_left: i64 = 1
        self.has_moved: bool = False
        self.has_played_card: bool = False
        self.shield_at: i64 = -1
        self.snares: i64 = 0
        self.deadline: i64 = -1
        self.how: str = ""
        self.winner: i64 = -1
        self.fast: i64 = 0
        self.log: list[EventBody] | None = None

    def clone(self) -> Position:
        """An independent copy that draws alike and logs nothing."""
        p = Position(self.grid, self.secret, self.turn_seconds)
        p.cells = self.cells[:]
        p.ground = self.ground[:]
        p.king_at = self.king_at[:]
        p.crowns = self.crowns[:]
        p.reserve = self.reserve[:]
        p.hands = self.hands[:]
        p.hand_size = self.hand_size[:]
        p.flags = self.flags[:]
        p.out = self.out[:]
        p.missed_run = self.missed_run[:]
        p.missed_all = self.missed_all[:]
        p.deck = self.deck[:]
        p.discard = self.discard[:]
        p.deck_size = self.deck_size
        p.discard_size = self.discard_size
        p.returning = self.returning[:]
        p.draws = self.draws[:]
        p.round = self.round
        p.turn = self.turn
        p.decision = self.decision
        p.actions = self.actions
        p.moves_left = self.moves_left
        p.has_moved = self.has_moved
        p.has_played_card = self.has_played_card
        p.shield_at = self.shield_at
        p.snares = self.snares
        p.deadline = self.deadline
        p.how = self.how
        p.winner = self.winner
        p.fast = self.fast
        return p

    def is_alive(self, seat: i64) -> bool:
        """Whether a seat still has its King."""
        return self.flags[seat] & ALIVE != 0

    def is_bearer(self, seat: i64) -> bool:
        """Whether a seat's King is the Crown Bearer."""
        return self.crowns[seat] >= BEARER

    def is_own(self, triangle: i64, seat: i64) -> bool:
        """Whether a seat has pieces on a triangle."""
        return self.cells[triangle] >> OWNER_SHIFT == seat + 1

    def relic_at(self, triangle: i64) -> i64:
        """Number of the relic on a triangle, Fallen Crowns aside; 0 for none."""
        return i64(self.ground[triangle]) & RELIC_MASK

    def fallen_at(self, triangle: i64) -> i64:
        """Fallen Crowns on a triangle."""
        return (i64(self.ground[triangle]) >> FALLEN_SHIFT) & FALLEN_MASK

    def snare_at(self, triangle: i64) -> i64:
        """`SNARE_WAITS`, `SNARE_HOLDS`, or 0."""
        return i64(self.ground[triangle]) >> SNARE_SHIFT

    def is_bare(self, triangle: i64) -> bool:
        """Whether a triangle has neither pieces nor relics."""
        return self.cells[triangle] == 0 and self.ground[triangle] == 0

    def set_relic(self, triangle: i64, relic: i64) -> None:
        """Put a relic there, or take it away with 0."""
        self.ground[triangle] = u8((i64(self.ground[triangle]) & ~RELIC_MASK) | relic)

    def add_fallen(self, triangle: i64, count: i64) -> None:
        """Put Fallen Crowns there; a negative count takes them away."""
        self.ground[triangle] = u8(i64(self.ground[triangle]) + count * FALLEN_ONE)

    def set_snare(self, triangle: i64, snare: i64) -> None:
        """Set, change or (0) lift the Snare on a triangle."""
        old = i64(self.ground[triangle])
        self.snares += int(snare != 0) - int(old >> SNARE_SHIFT != 0)
        self.ground[triangle] = u8((old & ((1 << SNARE_SHIFT) - 1)) | (snare << SNARE_SHIFT))

    def draw(self, purpose: i64, count: i64) -> i64:
        """A number below `count`, the next draw of this purpose."""
        if self.fast != 0:
            self.fast = next_fast(self.fast)
            return (self.fast * count) >> 32
        number = self.draws[purpose]
        self.draws[purpose] = number + 1
        return keyed_draw(self.secret, _PURPOSES[purpose], number, count)


def bare_position(grid: Grid, secret: bytes, turn_seconds: int) -> Position:
    """A position in which everybody lives and nothing stands or lies anywhere yet."""
    p = Position(grid, secret, turn_seconds)
    players = grid.players
    p.cells = filled(grid.size, 0)
    p.ground = vec[u8]([0] * grid.size)
    p.king_at = filled(players, -1)
    p.crowns = filled(players, 0)
    p.reserve = filled(players, KNIGHTS)
    p.hands = filled(players * HAND, 0)
    p.hand_size = filled(players, 0)
    p.flags = filled(players, ALIVE | PERSON)
    p.out = filled(players, 0)
    p.missed_run = filled(players, 0)
    p.missed_all = filled(players, 0)
    p.deck = vec[u8]([0] * 40)
    p.discard = vec[u8]([0] * 40)
    p.draws = filled(2, 0)
    return p


def add_returning(p: Position, relic: i64, triangle: i64) -> None:
    """Note a collected relic, so that it comes back at the end of the round."""
    p.returning = append(p.returning, relic | (triangle << 3))
