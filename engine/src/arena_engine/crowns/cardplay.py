"""Loot cards: which uses of a hand there are, and what a use does."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.crowns.cards import AEGIS, FORTUNE, GALLOP, MUSTER, SNARE, SNATCH, SNEAK
from arena_engine.crowns.endings import discard_card, end_if_escaped, release
from arena_engine.crowns.events import CardPlayed, Moved, SnareChanged
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.packing import (
    ABILITY,
    KING,
    PIECES,
    card_action,
    card_of,
    first_of,
    golden_in,
    knights_in,
    owner_of,
    rival_of,
    second_of,
)
from arena_engine.crowns.position import HAND, SNARE_HOLDS, SNARE_WAITS, Position
from arena_engine.crowns.relics import (
    can_gild,
    change_crowns,
    gain_moves,
    gild,
    spawn,
    spawn_obstacle,
)


def fill_cards(p: Position, seat: i64, out: ActionList) -> None:
    """Append every use of a seat's cards, in the order drawn.

    For use before the first move and the first card of a turn only. Without a board move in `out`, cards are
    playable only if a Sneak is, which counts as a move.
    """
    if p.hand_size[seat] == 0 or (out.count == 0 and not _has_sneak(p, seat)):
        return
    for i in range(p.hand_size[seat]):
        card = p.hands[seat * HAND + i]
        ability = ABILITY[card]
        if ability == SNEAK:
            _fill_sneaks(p, seat, card, out)
        elif ability == SNATCH:
            _fill_snatches(p, seat, card, out)
        elif ability in (AEGIS, SNARE):
            for t in range(p.grid.size):
                if can_gild(p, seat, t) if ability == AEGIS else can_snare(p, seat, t):
                    out.add(card_action(card, 0, t, 0))
        elif can_play_plain(p, seat, ability):
            out.add(card_action(card, 0, 0, 0))


def can_play_plain(p: Position, seat: i64, ability: i64) -> bool:
    """Whether a card that names nothing has an effect now."""
    if ability == FORTUNE:
        return not p.is_bearer(seat)
    if ability == MUSTER:
        return not spawn_obstacle(p, seat)
    return ability == GALLOP


def can_snatch(p: Position, seat: i64, rival: i64) -> bool:
    """Whether Snatch works against a seat."""
    return rival != seat and p.crowns[rival] > 0 and not p.is_bearer(seat)


def can_snare(p: Position, seat: i64, triangle: i64) -> bool:
    """Whether Snare works on a triangle."""
    cell = p.cells[triangle]
    return cell != 0 and owner_of(cell) != seat and p.snare_at(triangle) == 0


def can_lift(p: Position, seat: i64, triangle: i64) -> bool:
    """Whether Sneak may take the formation on a triangle."""
    return p.is_own(triangle, seat) and p.snare_at(triangle) != SNARE_HOLDS


def _has_sneak(p: Position, seat: i64) -> bool:
    if not any(ABILITY[p.hands[seat * HAND + i]] == SNEAK for i in range(p.hand_size[seat])):
        return False
    can_leave = False
    can_land = False
    for t in range(p.grid.size):
        can_leave = can_leave or can_lift(p, seat, t)
        can_land = can_land or p.is_bare(t)
    return can_leave and can_land


def _fill_sneaks(p: Position, seat: i64, card: i64, out: ActionList) -> None:
    for start in range(p.grid.size):
        if can_lift(p, seat, start):
            for goal in range(p.grid.size):
                if p.is_bare(goal):
                    out.add(card_action(card, 0, start, goal))


def _fill_snatches(p: Position, seat: i64, card: i64, out: ActionList) -> None:
    for rival in range(p.grid.players):
        if can_snatch(p, seat, rival):
            out.add(card_action(card, rival, 0, 0))


def play_card(p: Position, seat: i64, action: i64) -> None:
    """Play a card as a legal action says. Sneak uses the move; the caller ends its turn."""
    card = card_of(action)
    ability = ABILITY[card]
    _spend(p, seat, card)
    p.has_played_card = True
    if p.log is not None:
        p.log.append(_card_played(seat, action))
    if ability == FORTUNE:
        change_crowns(p, seat, 1)
        end_if_escaped(p, seat)
    elif ability == SNATCH:
        change_crowns(p, rival_of(action), -1)
        change_crowns(p, seat, 1)
        end_if_escaped(p, seat)
    elif ability == SNEAK:
        _sneak(p, seat, first_of(action), second_of(action))
    elif ability == AEGIS:
        gild(p, seat, first_of(action))
    elif ability == MUSTER:
        spawn(p, seat)
    elif ability == GALLOP:
        gain_moves(p, seat, 1)
    else:
        _snare(p, first_of(action))


def _spend(p: Position, seat: i64, card: i64) -> None:
    last = p.hand_size[seat] - 1
    place = seat * HAND
    while p.hands[place] != card:
        place += 1
    while place < seat * HAND + last:
        p.hands[place] = p.hands[place + 1]
        place += 1
    p.hands[place] = 0
    p.hand_size[seat] = last
    discard_card(p, card)


def _card_played(seat: i64, action: i64) -> CardPlayed:
    card = card_of(action)
    ability = ABILITY[card]
    names_triangle = ability in (SNEAK, AEGIS, SNARE)
    return CardPlayed(
        seat,
        card,
        rival=rival_of(action) if ability == SNATCH else None,
        triangle=first_of(action) if names_triangle else None,
        to_triangle=second_of(action) if ability == SNEAK else None,
    )


def _sneak(p: Position, seat: i64, start: i64, goal: i64) -> None:
    cell = p.cells[start]
    p.cells[goal] = cell
    p.cells[start] = 0
    release(p, start, seat)
    p.has_moved = True
    p.moves_left = 0
    p.missed_run[seat] = 0
    if p.log is not None:
        pieces = cell & PIECES
        knights, golden = knights_in(pieces), golden_in(pieces)
        p.log.append(Moved(seat, start, goal, pieces & KING != 0, knights, golden))
    if cell & KING:
        p.king_at[seat] = goal
        end_if_escaped(p, seat)


def _snare(p: Position, triangle: i64) -> None:
    p.set_snare(triangle, SNARE_WAITS)
    if p.log is not None:
        p.log.append(SnareChanged(triangle, owner_of(p.cells[triangle]), is_snared=True))
