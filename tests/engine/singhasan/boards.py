"""Short ways to set up a position of Singhasan in the act step, and to look at what came of it.

`acting("0 capital 5+1", "1 capital 2")`: seat, province, followers off the Rifts and, after a plus, on Rifts. What is
sworn follows from them. Seat 0 acts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from mypy_extensions import u8

from arena_engine.singhasan import changes, lasting
from arena_engine.singhasan.board import PROVINCE_COUNT, PROVINCES, board_for
from arena_engine.singhasan.events import EventBody
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import kind_of
from arena_engine.singhasan.phases import ACT, open_decisions
from arena_engine.singhasan.position import CLAIMED, FOLLOWERS, KINDS, PERSON, Position

E = TypeVar("E")

#: Provinces by id.
NUMBER = {province.id: number for number, province in enumerate(PROVINCES)}
CAPITAL, THORNWOLD, KINGSMARCH, VEILHAVEN, EMBERFEN, HOLLOWMERE, SKYREACH, ASHFALL, SALTCOAST = (
    range(PROVINCE_COUNT)
)


def acting(
    *followers: str,
    players: int = 3,
    stock: Mapping[int, Sequence[int]] | None = None,
    answers: Mapping[int, Sequence[int]] | None = None,
) -> Position:
    """A position in whose act step seat 0 is; `stock` and `answers` go by seat: Gold, Steel, Song, Oath."""
    p = Position(board_for(players), bytes(32), 1)
    p.phase = ACT
    p.has_answered = 1
    for seat in range(players):
        p.flags[seat] = PERSON | CLAIMED
        p.colour[seat] = p.sigil[seat] = seat + 1
    for text in followers:
        who, where, count = text.split()
        standing, _, on_rifts = count.partition("+")
        changes.place(p, int(who), NUMBER[where], int(standing), int(on_rifts or 0))
    for flat, given in ((p.stock, stock), (p.answers, answers)):
        for seat, four in (given or {}).items():
            for kind, amount in enumerate(four):
                flat[seat * KINDS + kind] = amount
    for number in range(32):
        p.headline_deck[number] = u8(number + 1)
    p.headline_size = 32
    for number in range(FOLLOWERS):
        p.follower_deck[number] = u8(number + 1)
    p.follower_size = FOLLOWERS
    open_decisions(p)
    p.log = []
    return p


def happened(p: Position, kind: type[E]) -> list[E]:
    """The logged events of one kind."""
    return [event for event in p.log or [] if isinstance(event, kind)]


def log_of(p: Position) -> list[EventBody]:
    """All logged events."""
    assert p.log is not None
    return p.log


def listed(
    p: Position,
    fill: Callable[[Position, int, ActionList], None],
    kind: int | None = None,
    seat: int = 0,
) -> list[int]:
    """What a function lists for a seat, or those of one kind among it."""
    out = ActionList()
    fill(p, seat, out)
    actions = [out.items[i] for i in range(out.count)]
    assert len(actions) == len(set(actions))
    return [action for action in actions if kind is None or kind_of(action) == kind]


def four(p: Position, seat: int) -> tuple[int, ...]:
    """A seat's Gold, Steel, Song, Oath."""
    return tuple(p.stock[seat * KINDS + kind] for kind in range(KINDS))


def packed(gold: int = 0, steel: int = 0, song: int = 0, oath: int = 0) -> int:
    """Amounts as payments have them."""
    return gold | steel << 4 | song << 8 | oath << 12


def forbid(p: Position, seat: int, what: int) -> None:
    """Forbid something to a seat until the turn ends."""
    effect = lasting.pack(lasting.FORBIDDEN, 1 << seat, what, -1, lasting.UNTIL_TURN_END)
    lasting.begin(p, effect, 1, 1, 0)


def protect(p: Position, province: int) -> None:
    """Protect a province until the turn ends."""
    effect = lasting.pack(lasting.PROTECTED, 0, 0, province, lasting.UNTIL_TURN_END)
    lasting.begin(p, effect, 1, 2, 0)


def change(p: Position, seat: int, what: int, amount: int) -> None:
    """Change what something costs or holds for a seat until the turn ends."""
    effect = lasting.pack(what, 1 << seat, amount, -1, lasting.UNTIL_TURN_END)
    lasting.begin(p, effect, 1, 3, 0)
