"""Short ways to set up a position of Crowns, act in it, and look at what came of it.

`position("0:Kkg@40 1:kk@41", relics="crown@42")`: seat, pieces (K King, k Normal, g Golden Knight) and triangle. A King
that is not mentioned stands on its own Gate; a mention without a triangle means the Gate, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

from arena_engine.crowns import GAME
from arena_engine.crowns.cards import CARDS
from arena_engine.crowns.events import RelicCollected
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import Move, PlayCard
from arena_engine.game import Outcome, State
from tests.engine.naive import Arena

E = TypeVar("E")

SIDE = {"standard": 4, "large": 5}
RELIC_WORDS = {
    Relic.CROWN: "crown",
    Relic.HORSE: "horse",
    Relic.SHIELD: "shield",
    Relic.BOAT: "boat",
    Relic.LOOT: "loot",
    Relic.FALLEN_CROWN: "fallen",
}


@cache
def arena(board: str = "standard") -> Arena:
    """The geometry of a board."""
    return Arena(SIDE[board])


def near(triangle: int, board: str = "standard") -> set[int]:
    """The triangles next to one."""
    return set(arena(board).neighbours[triangle])


def within(triangle: int, steps: int, board: str = "standard") -> set[int]:
    """All other triangles at most so many steps away."""
    distances = arena(board).steps(triangle).items()
    return {other for other, distance in distances if 0 < distance <= steps}


def card(colour: str, nth: int = 0) -> int:
    """The number of the nth card of a colour."""
    return [c.number for c in CARDS if c.ability.colour == colour][nth]


def position(
    pieces: str = "",
    *,
    players: int = 2,
    board: str = "standard",
    relics: str = "",
    crowns: Sequence[int] = (),
    hands: Sequence[Sequence[int]] = (),
    snares: str = "",
    out: Sequence[int] = (),
    deck: Sequence[int] = (),
    more: str = "",
) -> State:
    """A position with seat 0 to move unless `more`, further lines of the text format, says otherwise.

    Relics that share a triangle are written one by one. `snares`: triangles, each with a `!` after it where it holds in
    the turn under way. `out`: eliminated seats, first to last. `deck`: its top cards; the others follow, ascending.
    """
    gates = arena(board).gates(players)
    at: dict[int, list[str]] = {}
    kings = set(out)
    for seat, group, triangle in _mentioned(pieces):
        kings |= {seat} if "K" in group else set()
        at.setdefault(int(triangle or gates[seat]), []).insert(0, f"s{seat} {_long(group)}")
    for seat in set(range(players)) - kings:
        at.setdefault(gates[seat], []).insert(0, f"s{seat} K")
    for what, number in Counter(relics.split()).items():
        relic, triangle = what.split("@")
        counted = f"{relic} {number}" if number > 1 else relic
        at.setdefault(int(triangle), []).append(counted)
    for snare in snares.split():
        at[int(snare.strip("!"))].append("snare now" if "!" in snare else "snare")
    lines = ["crowns 1", f"board: {board}", f"players: {players}"]
    lines += [f"at {triangle}: {', '.join(items)}" for triangle, items in at.items()]
    lines += _seat_lines(players, crowns, hands, out)
    if deck:
        known = {*deck, *(number for held in hands for number in held)}
        rest = [number for number in range(1, 41) if number not in known]
        lines.append("deck: " + " ".join(map(str, [*deck, *rest])))
    return GAME.from_text("\n".join([*lines, more]))


def _mentioned(pieces: str) -> Iterable[tuple[int, str, str | None]]:
    for what in pieces.split():
        match = re.fullmatch(r"(\d):([Kkg]+)(?:@(\d+))?", what)
        assert match, what
        yield int(match[1]), match[2], match[3]


def _long(group: str) -> str:
    counted = [f"{group.count(piece)}{piece}" for piece in "kg" if piece in group]
    return "+".join(["K", *counted] if "K" in group else counted)


def _seat_lines(
    players: int, crowns: Sequence[int], hands: Sequence[Sequence[int]], out: Sequence[int]
) -> list[str]:
    lines = []
    for seat in range(players):
        words = [f"crowns={crowns[seat]}"] if seat < len(crowns) and crowns[seat] else []
        if seat < len(hands) and hands[seat]:
            words.append("hand=" + ",".join(map(str, hands[seat])))
        if seat in out:
            words.append(f"out={out.index(seat) + 1}")
        if words:
            lines.append(f"seat {seat}: {' '.join(words)}")
    return lines


def on_turn(state: State) -> int:
    """The seat that is awaited."""
    (awaited,) = state.awaited()
    return awaited.seat


def act(state: State, action: Any, *, seat: int | None = None, now_ms: int = 0) -> list[Any]:
    """Take an action that must be legal; returns the events without their wrappers."""
    seat = on_turn(state) if seat is None else seat
    packed = state.pack(action)
    assert state.explain(seat, packed) is None
    return bodies(state.apply(seat, packed, now_ms))


def bodies(events: Iterable[Any]) -> list[Any]:
    """What the wrappers of events hold."""
    return [event.event for event in events]


def move(state: State, start: int, end: int, group: str, *, now_ms: int = 0) -> list[Any]:
    """Move a group that is written as in `position`."""
    return act(state, a_move(start, end, group), now_ms=now_ms)


def a_move(start: int, end: int, group: str) -> Move:
    """The action of moving a group that is written as in `position`."""
    return Move(
        from_triangle=start,
        to_triangle=end,
        king="K" in group,
        knights=group.count("k"),
        golden=group.count("g"),
    )


def a_card(
    number: int,
    *,
    rival: int | None = None,
    triangle: int | None = None,
    to_triangle: int | None = None,
) -> PlayCard:
    """The action of playing a card."""
    return PlayCard(card=number, rival=rival, triangle=triangle, to_triangle=to_triangle)


def why_not(state: State, action: Any, *, seat: int | None = None) -> str | None:
    """Why an action is not legal."""
    seat = on_turn(state) if seat is None else seat
    return state.explain(seat, state.pack(action))


def legal(state: State, seat: int | None = None) -> list[Any]:
    """All legal actions."""
    seat = on_turn(state) if seat is None else seat
    return [state.unpack(packed) for packed in state.legal_actions(seat)]


def ends(state: State, start: int, group: str) -> set[int]:
    """Where a group of the seat on turn may go."""
    return {
        action.to_triangle
        for action in legal(state)
        if isinstance(action, Move) and action == a_move(start, action.to_triangle, group)
    }


def plays(state: State, number: int) -> list[PlayCard]:
    """All legal plays of a card."""
    return [a for a in legal(state) if isinstance(a, PlayCard) and a.card == number]


def view(state: State) -> Any:
    """The public view."""
    return state.common(()).view


def seat_view(state: State, seat: int) -> Any:
    """A seat in the public view."""
    return view(state).seats[seat]


def hand(state: State, seat: int) -> list[int]:
    """The cards in a hand."""
    return list(state.own(seat, ()).hand)


def standing(state: State, triangle: int) -> str:
    """What stands on a triangle, as in `position`, or nothing."""
    for f in view(state).formations:
        if f.triangle == triangle:
            return f"{f.seat}:{'K' * f.king}{'k' * f.knights}{'g' * f.golden}"
    return ""


def relics_at(state: State, triangle: int) -> list[str]:
    """What lies on a triangle."""
    return [RELIC_WORDS[r.relic] for r in view(state).relics if r.triangle == triangle]


def returning(state: State) -> list[str]:
    """The relics on their way back, in order."""
    return [RELIC_WORDS[r.relic] for r in view(state).returning]


def all_of(events: Iterable[Any], kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


def find(events: Iterable[Any], kind: type[E]) -> E:
    """The only event of a kind."""
    (event,) = all_of(events, kind)
    return event


def collected(events: Iterable[Any]) -> list[str]:
    """The relics that were collected, in order."""
    return [RELIC_WORDS[e.relic] for e in all_of(events, RelicCollected)]


def outcome(state: State) -> Outcome:
    """The result of a match that must have ended."""
    result = state.outcome()
    assert result is not None
    return result
