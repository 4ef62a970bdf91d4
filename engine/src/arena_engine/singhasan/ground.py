"""What keeps followers from leaving and entering provinces, looked at once for a whole list of plays."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_touch, free_ordinary
from arena_engine.singhasan.position import Position


class Ground:
    """What a list of plays asks of the board again and again.

    `touchable`: bits of the provinces whose followers can be touched. `free`: four bits for each province, the free
    seats that can be entered.
    """

    def __init__(self, p: Position) -> None:
        self.touchable: i64 = 0
        self.free: i64 = 0
        for province in range(i64(PROVINCE_COUNT)):
            if can_touch(p, province):
                self.touchable |= i64(1) << province
            if p.sealed[province] == 0:
                self.free |= free_ordinary(p, province) << (4 * province)

    def has(self, p: Position, owner: i64, province: i64) -> bool:
        """Whether an owner has a follower in a province that can be touched."""
        is_there = p.standing[owner * PROVINCE_COUNT + province] > 0
        return is_there and (self.touchable >> province) & 1 != 0

    def room(self, province: i64) -> i64:
        """Seats of a province that can be entered."""
        return (self.free >> (4 * province)) & 15
