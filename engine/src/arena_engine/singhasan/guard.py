"""The one guard of everything that cards do to followers.

Nothing on a Rift, in a Sealed or in a protected province is touched; nothing enters a Sealed province or a Rift;
wildfolk are nobody's and never asked about; supply and free seats hold. `HOME` stands for the supply as a place.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_touch, free_ordinary, move, place, remove, replace
from arena_engine.singhasan.position import Position

#: The supply, where a follower comes from it or goes back to it.
HOME: Final = -1

# What stands in the way of a change.
NOTHING: Final = 0
NOT_IN_PLAY: Final = 1
SEALED: Final = 2
PROTECTED: Final = 3
NOBODY: Final = 4
"""No follower of this owner stands there off the Rifts."""
FULL: Final = 5
NO_SUPPLY: Final = 6
SAME_PLACE: Final = 7


def leaving(p: Position, owner: i64, province: i64) -> i64:
    """What keeps a follower from leaving a province, or from giving its place to another."""
    if p.board.in_play[province] == 0:
        return NOT_IN_PLAY
    if not can_touch(p, province):
        return SEALED if p.sealed[province] != 0 else PROTECTED
    return NOTHING if p.standing[owner * PROVINCE_COUNT + province] > 0 else NOBODY


def entering(p: Position, province: i64) -> i64:
    """What keeps a follower from entering a province."""
    if p.board.in_play[province] == 0:
        return NOT_IN_PLAY
    if p.sealed[province] != 0:
        return SEALED
    return NOTHING if free_ordinary(p, province) > 0 else FULL


def shifting(p: Position, owner: i64, start: i64, goal: i64) -> i64:
    """What keeps a follower from going from one place to another, each a province or `HOME`."""
    if start == goal:
        return SAME_PLACE
    if start == HOME and p.supply[owner] == 0:
        return NO_SUPPLY
    obstacle = NOTHING if start == HOME else leaving(p, owner, start)
    if obstacle == NOTHING and goal != HOME:
        return entering(p, goal)
    return obstacle


def replacing(p: Position, owner: i64, province: i64, by: i64) -> i64:
    """What keeps a follower from giving its place to one from the supply of `by`."""
    obstacle = leaving(p, owner, province)
    if obstacle == NOTHING and p.supply[by] == 0:
        return NO_SUPPLY
    return obstacle


def swapping(p: Position, seat: i64, start: i64, rival: i64, goal: i64) -> i64:
    """What keeps followers of two claimants in two provinces from changing places."""
    if start == goal:
        return SAME_PLACE
    obstacle = leaving(p, seat, start)
    return obstacle if obstacle != NOTHING else leaving(p, rival, goal)


def most(p: Position, owner: i64, start: i64, goal: i64) -> i64:
    """How many followers can go from one place to another at once."""
    if shifting(p, owner, start, goal) != NOTHING:
        return 0
    count = p.supply[owner] if start == HOME else p.standing[owner * PROVINCE_COUNT + start]
    if goal != HOME:
        free = free_ordinary(p, goal)
        if free < count:
            return free
    return count


def shift(p: Position, owner: i64, start: i64, goal: i64, count: i64) -> None:
    """Let followers go from one place to another, as many of them as can."""
    count = min(count, most(p, owner, start, goal))
    if count == 0:
        return
    if start == HOME:
        place(p, owner, goal, count, 0)
    elif goal == HOME:
        remove(p, owner, start, count)
    else:
        move(p, owner, start, goal, count)


def convert(p: Position, owner: i64, province: i64, by: i64) -> None:
    """Let a follower give its place to one of `by`'s, if it can."""
    if replacing(p, owner, province, by) == NOTHING:
        replace(p, province, owner, by)


def swap(p: Position, seat: i64, start: i64, rival: i64, goal: i64) -> None:
    """Let followers of two claimants change places, if they can: the seat's own one goes first.

    Neither supply is any different after it, so neither needs a follower.
    """
    if swapping(p, seat, start, rival, goal) == NOTHING:
        replace(p, start, seat, rival)
        replace(p, goal, rival, seat)
