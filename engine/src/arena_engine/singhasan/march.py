"""March: one loose follower across a border, once a turn from each province where a claimant holds Sway."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_enter, can_touch, has_sway, loose, move
from arena_engine.singhasan.events import Marched
from arena_engine.singhasan.lasting import FORBID_MARCH, is_forbidden
from arena_engine.singhasan.legends import HERACLES, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import FIRST, MARCH, SECOND, THIRD, field
from arena_engine.singhasan.position import FACT_MARCHED, Position


def fill_marches(p: Position, seat: i64, out: ActionList) -> None:
    """Append every March of the active seat, by province of origin, goal and owner."""
    if is_forbidden(p, seat, FORBID_MARCH):
        return
    goals: i64 = -1
    for start in range(i64(PROVINCE_COUNT)):
        if not can_march_from(p, seat, start):
            continue
        if goals < 0:
            goals = _open_goals(p)
        near = p.board.borders[start] & goals
        owners = _owners_in(p, seat, start)
        if owners == 0:
            continue
        for goal in range(i64(PROVINCE_COUNT)):
            if near >> goal & 1 == 0:
                continue
            for owner in range(p.board.players):
                if owners >> owner & 1 != 0:
                    out.add(march_action(start, goal, owner))


def march_action(start: i64, goal: i64, owner: i64) -> i64:
    """A packed March."""
    return MARCH | (start << FIRST) | (goal << SECOND) | (owner << THIRD)


def _open_goals(p: Position) -> i64:
    """Bits of the provinces that a follower can march into."""
    goals: i64 = 0
    for province in range(i64(PROVINCE_COUNT)):
        if can_enter(p, province):
            goals |= i64(1) << province
    return goals


def _owners_in(p: Position, seat: i64, province: i64) -> i64:
    """Bits of the seats of whom a follower can be marched from a province."""
    owners: i64 = 0
    for owner in range(p.board.players):
        if can_be_marched(p, seat, owner, province):
            owners |= i64(1) << owner
    return owners


def can_march_from(p: Position, seat: i64, province: i64) -> bool:
    """Whether a seat has a March left in a province, and holds Sway there now."""
    return p.marched >> province & 1 == 0 and can_touch(p, province) and has_sway(p, seat, province)


def can_be_marched(p: Position, seat: i64, owner: i64, province: i64) -> bool:
    """Whether `owner` has a loose follower in a province that `seat` can march."""
    if loose(p, owner, province) <= 0:
        return False
    return owner == seat or level(p, owner, HERACLES) == 0


def march_aims(seat: i64, action: i64) -> i64:
    """Bits of the seats that a March is aimed at: the owner, where it is a rival."""
    owner = field(action, THIRD)
    return 0 if owner == seat else i64(1) << owner


def pay_march(p: Position, action: i64) -> None:
    """Use up the March of a province, whatever becomes of it."""
    start = field(action, FIRST)
    p.marched |= i64(1) << start


def finish_march(p: Position, seat: i64, action: i64, shielded: i64) -> None:
    """Let a March that is paid for happen, unless its owner is among those who raised the Shield."""
    start = field(action, FIRST)
    goal = field(action, SECOND)
    owner = field(action, THIRD)
    if shielded >> owner & 1 != 0:
        return
    p.facts[FACT_MARCHED * p.board.players + seat] += 1
    if p.log is not None:
        p.log.append(Marched(seat, owner, start, goal))
    move(p, owner, start, goal, is_told=False)
