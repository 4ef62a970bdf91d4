"""The course of a match: set-up, legal actions, taking them, the clock, turns and rounds, seats that change hands."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from arena_engine.crowns.cardplay import fill_cards, play_card
from arena_engine.crowns.cards import DECK_SIZE
from arena_engine.crowns.endings import (
    capture,
    eliminate,
    end_if_endless,
    end_if_escaped,
    release,
)
from arena_engine.crowns.events import (
    Blocked,
    Moved,
    SeatHandedOver,
    SnareChanged,
    TurnBegan,
    TurnEnded,
    TurnMissed,
)
from arena_engine.crowns.grid import Grid
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.moves import fill_moves, has_board_move
from arena_engine.crowns.packing import (
    CHOOSE_SHIELD,
    END_TURN,
    FIRST_SHIFT,
    GOLDEN,
    KING,
    KNIGHT,
    MOVE,
    OWNER_SHIFT,
    PIECES,
    PLAY_CARD,
    RESIGN,
    first_of,
    golden_in,
    group_of,
    kind_of,
    knights_in,
    owner_of,
    pieces_of,
    second_of,
)
from arena_engine.crowns.position import (
    ALIVE,
    BOT,
    PERSON,
    SNARE_HOLDS,
    SNARE_WAITS,
    Position,
    bare_position,
)
from arena_engine.crowns.relics import (
    BOAT,
    CROWN,
    HORSE,
    LOOT,
    SHIELD,
    can_gild,
    collect,
    gild,
    place_relic,
    return_relics,
    shuffle_deck,
)

#: Relics of each board (1 Standard, 2 Large), in the order in which they are placed.
RELIC_MIX: Final = (
    (),
    ((CROWN, 1), (HORSE, 2), (SHIELD, 3), (BOAT, 4), (LOOT, 4)),
    ((CROWN, 1), (HORSE, 3), (SHIELD, 4), (BOAT, 5), (LOOT, 6)),
)

#: Misses, in a row or in all, after which a bot takes a seat.
MISSES_IN_A_ROW: Final = 2
MISSES_IN_ALL: Final = 3

_FIRST_KNIGHTS: Final = 2


def first_position(
    grid: Grid, secret: bytes, turn_seconds: int, bots: list[bool], now_ms: int
) -> Position:
    """The first position of a match, which logs its events."""
    p = bare_position(grid, secret, turn_seconds)
    p.log = []
    _set_up(p, bots, now_ms)
    return p


def _set_up(p: Position, bots: list[bool], now_ms: i64) -> None:
    """Turn a bare position into the first of a match."""
    for seat in range(p.grid.players):
        gate = p.grid.gates[seat]
        p.cells[gate] = pieces_of(True, _FIRST_KNIGHTS, 0) | ((seat + 1) << OWNER_SHIFT)
        p.king_at[seat] = gate
        p.reserve[seat] -= _FIRST_KNIGHTS
        if bots[seat]:
            p.flags[seat] = ALIVE | BOT
    for relic, count in RELIC_MIX[p.grid.board]:
        for _ in range(count):
            place_relic(p, relic, -1)
    for card in range(DECK_SIZE):
        p.deck[card] = u8(card + 1)
    p.deck_size = DECK_SIZE
    shuffle_deck(p)
    _begin_turn(p, 0, now_ms)


def fill_legal(p: Position, seat: i64, out: ActionList) -> None:
    """Put the legal actions of a seat's open decision into an emptied list; none if it has no decision."""
    out.clear()
    if p.how or seat != p.turn:
        return
    if p.shield_at >= 0:
        for t in range(p.grid.size):
            if can_gild(p, seat, t):
                out.add(CHOOSE_SHIELD | (t << FIRST_SHIFT))
        return
    fill_moves(p, seat, out)
    if p.has_moved:
        out.add(END_TURN)
        return
    if not p.has_played_card:
        fill_cards(p, seat, out)
    if out.count == 0:
        out.add(RESIGN)


def apply_action(p: Position, seat: i64, action: i64, now_ms: i64) -> None:
    """Take a legal action."""
    kind = kind_of(action)
    p.actions += 1
    if seat == p.turn:
        p.decision += 1
    if kind == MOVE:
        _move(p, seat, action)
    elif kind == END_TURN:
        p.moves_left = 0
        p.missed_run[seat] = 0
    elif kind == PLAY_CARD:
        play_card(p, seat, action)
    elif kind == CHOOSE_SHIELD:
        p.shield_at = -1
        gild(p, seat, first_of(action))
    elif kind == RESIGN:
        _resign(p, seat)
    if p.moves_left == 0 and p.shield_at < 0 and not p.how:
        _end_turn(p, now_ms)
    end_if_endless(p)


def _move(p: Position, seat: i64, action: i64) -> None:
    start = first_of(action)
    goal = second_of(action)
    group = group_of(action)
    p.has_moved = True
    p.moves_left -= 1
    p.missed_run[seat] = 0
    there = p.cells[goal]
    rival = owner_of(there)
    if there != 0 and rival != seat:
        if golden_in(there) > 0:
            p.cells[goal] = there + KNIGHT - GOLDEN
            if p.log is not None:
                p.log.append(Blocked(seat, rival, start, goal))
            return
        capture(p, seat, goal)
    _relocate(p, seat, start, goal, group)
    if there & KING and rival != seat:
        eliminate(p, rival, seat)
    if group & KING:
        end_if_escaped(p, seat)
    if not p.how and p.ground[goal] != 0:
        collect(p, seat, goal, group & KING != 0)


def _relocate(p: Position, seat: i64, start: i64, goal: i64, group: i64) -> None:
    left = p.cells[start] - group
    if left & PIECES == 0:
        p.cells[start] = 0
        release(p, start, seat)
    else:
        p.cells[start] = left
    p.cells[goal] = (p.cells[goal] & PIECES) + group + ((seat + 1) << OWNER_SHIFT)
    if group & KING:
        p.king_at[seat] = goal
    if p.log is not None:
        knights, golden = knights_in(group), golden_in(group)
        p.log.append(Moved(seat, start, goal, group & KING != 0, knights, golden))


def _resign(p: Position, seat: i64) -> None:
    eliminate(p, seat, -1)
    if seat == p.turn:
        p.moves_left = 0
        p.shield_at = -1


def expire(p: Position, now_ms: i64) -> None:
    """Let the turn's clock run out."""
    seat = p.turn
    p.decision += 1
    if p.shield_at >= 0:
        gild(p, seat, shield_default(p))
        p.shield_at = -1
    if not p.has_moved:
        if p.flags[seat] & BOT == 0:
            p.missed_run[seat] += 1
            p.missed_all[seat] += 1
        if p.log is not None:
            p.log.append(TurnMissed(seat, p.missed_run[seat], p.missed_all[seat]))
    _end_turn(p, now_ms)
    end_if_endless(p)


def shield_default(p: Position) -> i64:
    """Which triangle the clock gilds: that of the Shield if it can be, else the lowest id."""
    if can_gild(p, p.turn, p.shield_at):
        return p.shield_at
    for t in range(p.grid.size):
        if can_gild(p, p.turn, t):
            return t
    return -1


def _end_turn(p: Position, now_ms: i64) -> None:
    seat = p.turn
    if p.snares != 0:
        _end_snares(p, seat)
    if p.log is not None:
        p.log.append(TurnEnded(seat))
    if not p.has_moved and _has_missed_out(p, seat):
        hand_over(p, seat, is_bot=True)
    following = seat
    while True:
        following = following + 1 if following + 1 < p.grid.players else 0
        if p.is_alive(following):
            break
    if following <= seat:
        return_relics(p)
        p.round += 1
    _begin_turn(p, following, now_ms)


def _has_missed_out(p: Position, seat: i64) -> bool:
    is_person = p.flags[seat] & (ALIVE | BOT | PERSON) == ALIVE | PERSON
    return is_person and (
        p.missed_run[seat] >= MISSES_IN_A_ROW or p.missed_all[seat] >= MISSES_IN_ALL
    )


def _begin_turn(p: Position, seat: i64, now_ms: i64) -> None:
    p.turn = seat
    p.moves_left = 1
    p.has_moved = False
    p.has_played_card = False
    if p.turn_seconds:
        p.deadline = now_ms + p.turn_seconds * 1000
    if p.log is not None:
        p.log.append(TurnBegan(seat, p.round))
    if p.snares != 0:
        _begin_snares(p, seat)


def _begin_snares(p: Position, seat: i64) -> None:
    holds = False
    for t in range(p.grid.size):
        if p.is_own(t, seat) and p.snare_at(t) == SNARE_WAITS:
            p.set_snare(t, SNARE_HOLDS)
            holds = True
    if holds and not has_board_move(p, seat):
        _end_snares(p, seat)


def _end_snares(p: Position, seat: i64) -> None:
    for t in range(p.grid.size):
        if p.is_own(t, seat) and p.snare_at(t) == SNARE_HOLDS:
            p.set_snare(t, 0)
            if p.log is not None:
                p.log.append(SnareChanged(t, seat, is_snared=False))


def hand_over(p: Position, seat: i64, *, is_bot: bool) -> None:
    """Give a seat to a bot or back to its person, where that changes anything."""
    if (p.flags[seat] & BOT != 0) == is_bot:
        return
    p.flags[seat] ^= BOT
    if not is_bot:
        p.missed_run[seat] = 0
    if p.log is not None:
        p.log.append(SeatHandedOver(seat, is_bot))
