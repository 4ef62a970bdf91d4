"""What everybody may know of a position, what one seat may, and whole positions that fit what a seat knows.

Most of a view is as it was a move before. What it is made of is kept, so that equal parts are the same object, in views
of all matches: that spares making them, and whoever encodes them may tell by it what they have encoded already.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from librt.vecs import vec
from mypy_extensions import u8

from arena_engine.crowns.cards import DECK_SIZE
from arena_engine.crowns.events import CardDrawn, Event, EventBody, MatchEnded
from arena_engine.crowns.grid import grid_for
from arena_engine.crowns.kinds import Board, Relic
from arena_engine.crowns.messages import (
    Common,
    Formation,
    Own,
    RelicView,
    ReturningRelic,
    SeatView,
    Snare,
    View,
)
from arena_engine.crowns.packing import (
    KING,
    OWNER_SHIFT,
    golden_in,
    knights_in,
    owner_of,
    pieces_of,
)
from arena_engine.crowns.position import (
    ALIVE,
    BEARER,
    BOT,
    HAND,
    PERSON,
    SNARE_HOLDS,
    SNARE_WAITS,
    Position,
    add_returning,
    bare_position,
)
from arena_engine.crowns.relics import can_gild
from arena_engine.crowns.turns import shield_default

#: Parts of views that are kept, of each sort; more than there are of all but seats.
_PARTS_KEPT: Final = 16_384


def common(p: Position, events: Sequence[Event]) -> Common:
    """The message for everybody."""
    return Common(events=tuple([_redacted(event) for event in events]), view=view(p))


def own(p: Position, seat: int, events: Sequence[Event]) -> Own:
    """The message for one seat."""
    private = tuple([event for event in events if _is_of(seat, event.event)])
    return Own(events=private, hand=_hand(p, seat))


def _is_of(seat: int, event: EventBody) -> bool:
    """Whether only this seat sees the event whole."""
    return isinstance(event, CardDrawn) and event.seat == seat


def _redacted(event: Event) -> Event:
    drawn = event.event
    if isinstance(drawn, CardDrawn):
        return Event(event.index, CardDrawn(drawn.seat, card=0))
    return event


def _hand(p: Position, seat: int) -> tuple[int, ...]:
    return tuple([p.hands[seat * HAND + i] for i in range(p.hand_size[seat])])


def view(p: Position) -> View:
    """The public position."""
    return View(
        board=Board(p.grid.board),
        players=p.grid.players,
        round=p.round,
        turn=p.turn,
        moves_left=p.moves_left,
        has_moved=p.has_moved,
        has_played_card=p.has_played_card,
        shield_choices=_shield_choices(p),
        seats=tuple([_seat_view(p, seat) for seat in range(p.grid.players)]),
        formations=_formations(p),
        relics=_relics(p),
        snares=_snares(p),
        deck_size=p.deck_size,
        discard=tuple([int(p.discard[i]) for i in range(p.discard_size)]),
        returning=tuple([_returning(entry) for entry in p.returning]),
        actions=p.actions,
        decision=p.decision,
        deadline_ms=p.deadline if p.deadline >= 0 else None,
        turn_seconds=p.turn_seconds,
        ended=MatchEnded(p.how, p.winner if p.winner >= 0 else None) if p.how else None,
    )


def _shield_choices(p: Position) -> tuple[int, ...]:
    if p.shield_at < 0:
        return ()
    first = shield_default(p)
    others = [t for t in range(p.grid.size) if can_gild(p, p.turn, t) and t != first]
    return (first, *others)


def _formations(p: Position) -> tuple[Formation, ...]:
    cells = p.cells
    return tuple([_formation(t, cells[t]) for t in range(p.grid.size) if cells[t] != 0])


def _relics(p: Position) -> tuple[RelicView, ...]:
    """Relics by triangle, Fallen Crowns behind what they share theirs with."""
    found = []
    for t in range(p.grid.size):
        if p.relic_at(t) != 0:
            found.append(_relic(t, p.relic_at(t)))
        if p.fallen_at(t) != 0:
            found += [_relic(t, Relic.FALLEN_CROWN)] * p.fallen_at(t)
    return tuple(found)


def _snares(p: Position) -> tuple[Snare, ...]:
    if p.snares == 0:
        return ()
    return tuple(
        [
            _snare(t, owner_of(p.cells[t]), p.snare_at(t) == SNARE_HOLDS)
            for t in range(p.grid.size)
            if p.snare_at(t) != 0
        ]
    )


def _seat_view(p: Position, seat: int) -> SeatView:
    return _seat(
        p.grid.gates[seat],
        p.flags[seat],
        p.crowns[seat],
        p.reserve[seat],
        p.hand_size[seat],
        p.missed_run[seat],
        p.missed_all[seat],
        p.out[seat],
    )


@lru_cache(_PARTS_KEPT)
def _seat(
    gate: int, flags: int, crowns: int, reserve: int, hand: int, run: int, missed: int, out: int
) -> SeatView:
    return SeatView(
        gate=gate,
        is_alive=bool(flags & ALIVE),
        crowns=crowns,
        is_bearer=crowns >= BEARER,
        reserve=reserve,
        hand_size=hand,
        missed_in_a_row=run,
        missed_in_all=missed,
        is_bot=bool(flags & BOT),
        eliminated=out,
        has_person=bool(flags & PERSON),
    )


@lru_cache(_PARTS_KEPT)
def _formation(t: int, cell: int) -> Formation:
    return Formation(t, owner_of(cell), bool(cell & KING), knights_in(cell), golden_in(cell))


@lru_cache(_PARTS_KEPT)
def _relic(t: int, relic: int) -> RelicView:
    return RelicView(t, Relic(relic))


@lru_cache(_PARTS_KEPT)
def _snare(t: int, seat: int, is_active: bool) -> Snare:
    return Snare(t, seat, is_active)


@lru_cache(_PARTS_KEPT)
def _returning(entry: int) -> ReturningRelic:
    return ReturningRelic(Relic(entry & 7), entry >> 3)


def resample(common: Common, own: Own | None, seat: int, rng: Random) -> Position:
    """A whole position that fits a view and the hand of `seat`; a spectator (-1) has none."""
    seen = common.view
    grid = grid_for(seen.board, seen.players)
    p = bare_position(grid, rng.randbytes(32), seen.turn_seconds)
    p.round = seen.round
    p.turn = seen.turn
    p.moves_left = seen.moves_left
    p.has_moved = seen.has_moved
    p.has_played_card = seen.has_played_card
    p.shield_at = seen.shield_choices[0] if seen.shield_choices else -1
    p.actions = seen.actions
    p.decision = seen.decision
    p.deadline = -1 if seen.deadline_ms is None else seen.deadline_ms
    if seen.ended is not None:
        p.how = seen.ended.how
        p.winner = -1 if seen.ended.winner is None else seen.ended.winner
    for number, one in enumerate(seen.seats):
        _read_seat(p, number, one)
    _read_arena(p, seen)
    _deal_hidden(p, seen, own.hand if own is not None else (), seat, rng)
    return p


def _read_seat(p: Position, seat: int, seen: SeatView) -> None:
    p.crowns[seat] = seen.crowns
    p.reserve[seat] = seen.reserve
    p.hand_size[seat] = seen.hand_size
    p.missed_run[seat] = seen.missed_in_a_row
    p.missed_all[seat] = seen.missed_in_all
    p.out[seat] = seen.eliminated
    p.flags[seat] = ALIVE * seen.is_alive | BOT * seen.is_bot | PERSON * seen.has_person


def _read_arena(p: Position, seen: View) -> None:
    for f in seen.formations:
        pieces = pieces_of(f.king, f.knights, f.golden)
        p.cells[f.triangle] = pieces | (f.seat + 1) << OWNER_SHIFT
        if f.king:
            p.king_at[f.seat] = f.triangle
    for lying in seen.relics:
        if lying.relic == Relic.FALLEN_CROWN:
            p.add_fallen(lying.triangle, 1)
        else:
            p.set_relic(lying.triangle, lying.relic)
    for snare in seen.snares:
        p.set_snare(snare.triangle, SNARE_HOLDS if snare.is_active else SNARE_WAITS)
    for back in seen.returning:
        add_returning(p, back.relic, back.triangle)


def _deal_hidden(p: Position, seen: View, hand: Sequence[int], seat: int, rng: Random) -> None:
    known = {*hand, *seen.discard}
    unknown = [card for card in range(1, DECK_SIZE + 1) if card not in known]
    rng.shuffle(unknown)
    for number, one in enumerate(seen.seats):
        cards = hand if number == seat else [unknown.pop() for _ in range(one.hand_size)]
        for i, card in enumerate(cards):
            p.hands[number * HAND + i] = card
    p.deck = vec[u8]((unknown + [0] * DECK_SIZE)[:DECK_SIZE])
    p.deck_size = len(unknown)
    discard = list(seen.discard)
    p.discard = vec[u8]((discard + [0] * DECK_SIZE)[:DECK_SIZE])
    p.discard_size = len(discard)
