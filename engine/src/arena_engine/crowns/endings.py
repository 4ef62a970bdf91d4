"""How seats leave a match and how it ends: elimination, the Bearer's escape, the last King, the limit."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from arena_engine.crowns.events import (
    Captured,
    Eliminated,
    MatchEnded,
    RelicAppeared,
    SnareChanged,
)
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.packing import KING, golden_in, knights_in, owner_of
from arena_engine.crowns.position import (
    ACTION_LIMIT,
    ALIVE,
    BEARER,
    BOT,
    HAND,
    KNIGHTS,
    PERSON,
    Position,
)

ESCAPE: Final = "escape"
LAST_KING: Final = "last_king"
LIMIT: Final = "limit"


def end_match(p: Position, how: str, winner: i64) -> None:
    """End the match; `winner` is -1 where the survivors are level."""
    p.how = how
    p.winner = winner
    p.deadline = -1
    p.shield_at = -1
    if p.log is not None:
        p.log.append(MatchEnded(how, None if winner < 0 else winner))


def end_if_escaped(p: Position, seat: i64) -> None:
    """End the match if a seat's King is the Bearer and stands on its own Gate."""
    if p.crowns[seat] >= BEARER and p.king_at[seat] == p.grid.gates[seat] and not p.how:
        end_match(p, ESCAPE, seat)


def end_if_endless(p: Position) -> None:
    """End the match level once it is past its limit and no person plays in it."""
    if p.actions < ACTION_LIMIT or p.how:
        return
    for seat in range(p.grid.players):
        if p.flags[seat] & (ALIVE | BOT | PERSON) == ALIVE | PERSON:
            return
    end_match(p, LIMIT, -1)


def release(p: Position, triangle: i64, seat: i64) -> None:
    """Lift the Snare on a triangle, if there is one; `seat` is whose pieces it held."""
    if p.snares != 0 and p.snare_at(triangle) != 0:
        p.set_snare(triangle, 0)
        if p.log is not None:
            p.log.append(SnareChanged(triangle, seat, is_snared=False))


def clear_cell(p: Position, triangle: i64) -> None:
    """Take all pieces off a triangle; its Knights go back to their owner's reserve. The King's place stays noted."""
    cell = p.cells[triangle]
    seat = owner_of(cell)
    p.reserve[seat] += knights_in(cell) + golden_in(cell)
    p.cells[triangle] = 0
    release(p, triangle, seat)


def capture(p: Position, seat: i64, triangle: i64) -> None:
    """Take the defenders off a triangle that `seat` attacked. A defeated King is not yet eliminated."""
    cell = p.cells[triangle]
    if p.log is not None:
        king = cell & KING != 0
        knights, golden = knights_in(cell), golden_in(cell)
        p.log.append(Captured(seat, owner_of(cell), triangle, king, knights, golden))
    clear_cell(p, triangle)


def eliminate(p: Position, seat: i64, by: i64) -> None:
    """Take a seat out of the match and leave its Fallen Crown; `by` is -1 for a resignation.

    Ends the match if one King is left.
    """
    players = p.grid.players
    triangle = p.king_at[seat]
    for t in range(p.grid.size):
        if p.is_own(t, seat):
            p.cells[t] = 0
            release(p, t, seat)
    order: i64 = 1
    survivor: i64 = -1
    alive: i64 = 0
    p.flags[seat] &= ~ALIVE
    for other in range(players):
        if p.is_alive(other):
            survivor = other
            alive += 1
        elif p.out[other] != 0:
            order += 1
    p.out[seat] = order
    p.reserve[seat] = KNIGHTS
    p.crowns[seat] = 0
    p.king_at[seat] = -1
    discard_hand(p, seat)
    p.add_fallen(triangle, 1)
    if p.log is not None:
        p.log.append(Eliminated(seat, None if by < 0 else by, triangle))
        p.log.append(RelicAppeared(Relic.FALLEN_CROWN, triangle))
    if alive == 1:
        end_match(p, LAST_KING, survivor)


def discard_hand(p: Position, seat: i64) -> None:
    """Put a seat's cards on the discard pile, in the order drawn."""
    for i in range(p.hand_size[seat]):
        discard_card(p, p.hands[seat * HAND + i])
        p.hands[seat * HAND + i] = 0
    p.hand_size[seat] = 0


def discard_card(p: Position, card: i64) -> None:
    """Put one card on the discard pile."""
    p.discard[p.discard_size] = u8(card)
    p.discard_size += 1
