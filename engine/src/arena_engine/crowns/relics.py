"""Relics: where they appear, what collecting them does, and how they come back. Also what cards share with them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from arena_engine.crowns.endings import clear_cell, eliminate, end_if_escaped
from arena_engine.crowns.events import (
    BlockadeStruck,
    CardDrawn,
    CrownsChanged,
    DeckReshuffled,
    Gilded,
    MovesGained,
    RelicAppeared,
    RelicCollected,
    RelicWasted,
    Spawned,
)
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.packing import (
    GOLDEN,
    KNIGHT,
    OWNER_SHIFT,
    PIECES,
    STACK,
    golden_in,
    knights_in,
    owner_of,
    power_of,
)
from arena_engine.crowns.position import (
    BEARER,
    DRAW_DECK,
    DRAW_RELICS,
    HAND,
    Position,
    add_returning,
)

CROWN: Final = 1
HORSE: Final = 2
SHIELD: Final = 3
BOAT: Final = 4
LOOT: Final = 5
FALLEN_CROWN: Final = 6

#: Moves that a Horse adds.
HORSE_MOVES: Final = 2

_NO_KNIGHT: Final = "no Normal Knight to gild"
_FULL_HAND: Final = "three cards in hand already"
_FULL_GATE: Final = "the Gate is full"
_NO_RESERVE: Final = "no Knight in reserve"


def place_relic(p: Position, relic: i64, avoid: i64) -> bool:
    """Put a relic where nothing stands or lies, by lot; a Crown never on `avoid`.

    Returns False where there is no such triangle.
    """
    grid = p.grid
    barred = grid.is_gate
    is_crown = relic == CROWN
    places: i64 = 0
    for t in range(grid.size):
        if barred[t] == 0 and p.is_bare(t):
            if is_crown and (grid.is_crown_place[t] == 0 or t == avoid):
                continue
            places += 1
    if places == 0:
        return False
    skip = p.draw(DRAW_RELICS, places)
    for t in range(grid.size):
        if barred[t] == 0 and p.is_bare(t):
            if is_crown and (grid.is_crown_place[t] == 0 or t == avoid):
                continue
            if skip == 0:
                p.set_relic(t, relic)
                if p.log is not None:
                    p.log.append(RelicAppeared(Relic(relic), t))
                return True
            skip -= 1
    return False


def return_relics(p: Position) -> None:
    """Bring back what was collected, in order of collection; what finds no place waits for the next round."""
    waiting = p.returning
    p.returning = vec[i64]()
    for i in range(len(waiting)):
        relic = waiting[i] & 7
        triangle = waiting[i] >> 3
        if not place_relic(p, relic, triangle):
            add_returning(p, relic, triangle)


def collect(p: Position, seat: i64, triangle: i64, with_king: bool) -> None:
    """Let a group that ended its move on a triangle collect what lies there."""
    relic = p.relic_at(triangle)
    if relic == CROWN:
        if with_king and p.crowns[seat] < BEARER:
            take_relic(p, seat, relic, triangle)
            change_crowns(p, seat, 1)
    elif relic != 0:
        take_relic(p, seat, relic, triangle)
        use_relic(p, seat, relic, triangle)
    while with_king and p.fallen_at(triangle) > 0 and p.crowns[seat] < BEARER:
        p.add_fallen(triangle, -1)
        if p.log is not None:
            p.log.append(RelicCollected(seat, Relic.FALLEN_CROWN, triangle))
        change_crowns(p, seat, 1)
    if with_king:
        end_if_escaped(p, seat)


def take_relic(p: Position, seat: i64, relic: i64, triangle: i64) -> None:
    """Take a relic off its triangle; it comes back at the end of the round."""
    p.set_relic(triangle, 0)
    add_returning(p, relic, triangle)
    if p.log is not None:
        p.log.append(RelicCollected(seat, Relic(relic), triangle))


def use_relic(p: Position, seat: i64, relic: i64, triangle: i64) -> None:
    """Let a relic other than a Crown work for its collector."""
    if relic == HORSE:
        gain_moves(p, seat, HORSE_MOVES)
    elif relic == SHIELD:
        use_shield(p, seat, triangle)
    elif relic == BOAT:
        reason = spawn_obstacle(p, seat)
        if reason:
            _waste(p, seat, relic, reason)
        else:
            spawn(p, seat)
    elif p.hand_size[seat] >= HAND:
        _waste(p, seat, relic, _FULL_HAND)
    else:
        draw_card(p, seat)


def _waste(p: Position, seat: i64, relic: i64, reason: str) -> None:
    if p.log is not None:
        p.log.append(RelicWasted(seat, Relic(relic), reason))


def change_crowns(p: Position, seat: i64, count: i64) -> None:
    """Add to a seat's Crowns; a negative count takes away."""
    p.crowns[seat] += count
    if p.log is not None:
        p.log.append(CrownsChanged(seat, p.crowns[seat], is_bearer=p.is_bearer(seat)))


def gain_moves(p: Position, seat: i64, count: i64) -> None:
    """Add moves to the turn under way."""
    p.moves_left += count
    if p.log is not None:
        p.log.append(MovesGained(seat, p.moves_left))


def use_shield(p: Position, seat: i64, triangle: i64) -> None:
    """Gild the only triangle that can be, or leave the choice open."""
    candidates: i64 = 0
    only: i64 = -1
    for t in range(p.grid.size):
        if can_gild(p, seat, t):
            candidates += 1
            only = t
    if candidates == 0:
        _waste(p, seat, SHIELD, _NO_KNIGHT)
    elif candidates == 1:
        gild(p, seat, only)
    else:
        p.shield_at = triangle


def can_gild(p: Position, seat: i64, triangle: i64) -> bool:
    """Whether a seat has a Normal Knight on a triangle."""
    return p.is_own(triangle, seat) and knights_in(p.cells[triangle]) > 0


def gild(p: Position, seat: i64, triangle: i64) -> None:
    """Turn a Normal Knight into a Golden one."""
    p.cells[triangle] += GOLDEN - KNIGHT
    if p.log is not None:
        p.log.append(Gilded(seat, triangle))


def spawn_obstacle(p: Position, seat: i64) -> str:
    """Why a spawn attempt would have no effect; empty where it has one."""
    cell = p.cells[p.grid.gates[seat]]
    if cell != 0 and owner_of(cell) != seat:
        return ""
    if power_of(cell) >= STACK:
        return _FULL_GATE
    return "" if p.reserve[seat] > 0 else _NO_RESERVE


def spawn(p: Position, seat: i64) -> None:
    """Make a spawn attempt that has an effect: place a Knight at the Gate, or strike the blockade there."""
    gate = p.grid.gates[seat]
    cell = p.cells[gate]
    if cell != 0 and owner_of(cell) != seat:
        _strike(p, seat, gate)
        return
    p.cells[gate] = (cell & PIECES) + KNIGHT + ((seat + 1) << OWNER_SHIFT)
    p.reserve[seat] -= 1
    if p.log is not None:
        p.log.append(Spawned(seat, gate))


def _strike(p: Position, seat: i64, gate: i64) -> None:
    cell = p.cells[gate]
    rival = owner_of(cell)
    breaks = golden_in(cell) > 0
    removes = not breaks and knights_in(cell) > 0
    if p.log is not None:
        p.log.append(BlockadeStruck(seat, rival, gate, breaks, removes, not breaks and not removes))
    if breaks:
        p.cells[gate] = cell + KNIGHT - GOLDEN
    elif not removes:
        eliminate(p, rival, seat)
    elif power_of(cell) == 1:
        clear_cell(p, gate)
    else:
        p.cells[gate] = cell - KNIGHT
        p.reserve[rival] += 1


def draw_card(p: Position, seat: i64) -> None:
    """Draw a card into a hand with room; shuffles the discard pile into an empty deck first."""
    if p.deck_size == 0:
        p.deck_size = p.discard_size
        for i in range(p.discard_size):
            p.deck[i] = p.discard[i]
        p.discard_size = 0
        shuffle_deck(p)
        if p.log is not None:
            p.log.append(DeckReshuffled(p.deck_size))
    p.deck_size -= 1
    card = i64(p.deck[p.deck_size])
    p.deck[p.deck_size] = 0
    p.hands[seat * HAND + p.hand_size[seat]] = card
    p.hand_size[seat] += 1
    if p.log is not None:
        p.log.append(CardDrawn(seat, card))


def shuffle_deck(p: Position) -> None:
    """Put the cards of the deck in random order."""
    for i in range(p.deck_size - 1, 0, -1):
        j = p.draw(DRAW_DECK, i + 1)
        card = i64(p.deck[i])
        p.deck[i] = p.deck[j]
        p.deck[j] = u8(card)
