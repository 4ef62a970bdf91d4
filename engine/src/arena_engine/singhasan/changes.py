"""Followers come, go and change place: the four changes of the board that everything else is made of.

Each one keeps the supply, logs its event (unless its caller logs a richer one, `is_told`) and has the provinces it
touched checked for oaths at once. Whether a change is allowed is for its caller to ask, with the questions below.
Rifts: only `place` reaches them; what stands on one never leaves it.
"""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.events import (
    FollowerReplaced,
    FollowersMoved,
    FollowersPlaced,
    FollowersRemoved,
)
from arena_engine.singhasan.lasting import is_protected
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.swearing import settle


def place(
    p: Position, seat: i64, province: i64, standing: i64, on_rifts: i64, *, is_told: bool = True
) -> None:
    """Put followers from a seat's supply into a province, as one change."""
    at = seat * PROVINCE_COUNT + province
    p.supply[seat] -= standing + on_rifts
    p.standing[at] += standing
    p.on_rifts[at] += on_rifts
    if is_told and p.log is not None:
        p.log.append(FollowersPlaced(seat, province, standing + on_rifts))
    settle(p, province)


def remove(p: Position, seat: i64, province: i64, count: i64, *, is_told: bool = True) -> None:
    """Send followers that stand off the Rifts back to their owner's supply, as one change."""
    p.standing[seat * PROVINCE_COUNT + province] -= count
    p.supply[seat] += count
    if is_told and p.log is not None:
        p.log.append(FollowersRemoved(seat, province, count))
    settle(p, province)


def move(
    p: Position, owner: i64, start: i64, goal: i64, count: i64 = 1, *, is_told: bool = True
) -> None:
    """Take followers from a seat off the Rifts to such a seat of another province, as one change."""
    at = owner * PROVINCE_COUNT
    p.standing[at + start] -= count
    p.standing[at + goal] += count
    if is_told and p.log is not None:
        p.log.append(FollowersMoved(owner, start, goal, count))
    settle(p, start)
    settle(p, goal)


def replace(p: Position, province: i64, owner: i64, by: i64, *, is_told: bool = True) -> None:
    """Put one follower from the supply of `by` in the place of one of `owner`'s, as one change."""
    p.standing[owner * PROVINCE_COUNT + province] -= 1
    p.standing[by * PROVINCE_COUNT + province] += 1
    p.supply[owner] += 1
    p.supply[by] -= 1
    if is_told and p.log is not None:
        p.log.append(FollowerReplaced(province, owner, by))
    settle(p, province)


def free_seats(p: Position, province: i64) -> i64:
    """Free seats of a province, Rifts included; none where it is not in play."""
    return free_ordinary(p, province) + free_rifts(p, province)


def free_rifts(p: Position, province: i64) -> i64:
    """Free Rifts of a province; none where it is not in play."""
    if p.board.in_play[province] == 0:
        return 0
    on_rifts = p.on_rifts
    free = p.board.rifts[province]
    for seat in range(p.board.players):
        free -= on_rifts[seat * PROVINCE_COUNT + province]
    return free


def free_ordinary(p: Position, province: i64) -> i64:
    """Free seats of a province that are not Rifts; none where it is not in play."""
    board = p.board
    standing = p.standing
    free = board.ordinary[province]
    for seat in range(board.players):
        free -= standing[seat * PROVINCE_COUNT + province]
    return free


def loose(p: Position, owner: i64, province: i64) -> i64:
    """Followers of a seat that are neither on Rifts nor needed to keep the province sworn to it."""
    standing = p.standing[owner * PROVINCE_COUNT + province]
    if p.sworn[province] != owner:
        return standing
    surplus = p.followers(owner, province) - p.board.swears[province]
    return min(surplus, standing)


def has_sway(p: Position, seat: i64, province: i64) -> bool:
    """Whether a seat has strictly the most followers in a province; wildfolk count as one more side."""
    own = p.followers(seat, province)
    most = p.board.wildfolk
    if own <= most:
        return False
    for other in range(p.board.players):
        if other != seat:
            most = max(most, p.followers(other, province))
    return own > most


def can_touch(p: Position, province: i64) -> bool:
    """Whether followers in a province may be removed, moved away or converted: in play, not Sealed, not protected."""
    return (
        p.board.in_play[province] != 0 and p.sealed[province] == 0 and not is_protected(p, province)
    )


def can_enter(p: Position, province: i64) -> bool:
    """Whether followers may come in other than by hire: in play, not Sealed, a free seat that is no Rift."""
    return p.sealed[province] == 0 and free_ordinary(p, province) > 0
