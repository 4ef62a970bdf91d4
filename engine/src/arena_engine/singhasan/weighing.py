"""What the yardstick player's frequent acts bring, found from the few provinces and resources that they change.

Trying every hire on a copy of its own would be slow. One copy serves for all: a change is made on it, what it brings is
looked at, and it is taken back.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.aim import aims_of, can_raise
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import free_ordinary, free_rifts
from arena_engine.singhasan.draws import next_fast
from arena_engine.singhasan.hire import ROAD_SONG, hired_count
from arena_engine.singhasan.judgement import Standpoint, end_worth, ground, purse
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import (
    CHARM,
    FIRST,
    FOURTH,
    HIRE,
    MARCH,
    SECOND,
    STABLES,
    THIRD,
    WOODEN_HORSE,
    field,
    kind_of,
)
from arena_engine.singhasan.position import CHARMED_ONCE, KINDS, Position
from arena_engine.singhasan.powers import CHARM_SONG, HORSE_GOLD, STABLES_STEEL, WALLS_OATH
from arena_engine.singhasan.stock import GOLD, OATH, SONG, STEEL, nibble, payment_of

#: What an act has to bring: below it, what changes hardly matters.
WORTHWHILE: Final = 8
#: What is left, in hundredths, of an act's worth where who it is aimed at may raise the Shield of Troy.
SHIELDED: Final = 60
#: A follower on a Rift cannot be harmed; and the Headline it calls is as often good as bad.
_RIFT: Final = 8
#: Equals, and what differs by less than this, are chosen from at random.
_NOISE: Final = 6
#: Below everything that an act may bring.
_NOTHING: Final = -1_000_000_000


class Scales:
    """What one decision is weighed with: the position, the seat's standpoint, a copy to try things on, and draws.

    What is weighed comes in hundredths of a point, as `judgement` has them.
    """

    def __init__(self, p: Position, seat: i64, seed: i64) -> None:
        """`seed` starts quick generators; it is not 0."""
        self.p = p
        self.seat = seat
        self.view = Standpoint(p, seat)
        self.copy = p.clone()
        self.seed = seed
        self.draw = seed

    def noise(self) -> i64:
        """Something small that settles which of near equals is chosen."""
        return self.lot(_NOISE)

    def lot(self, count: i64) -> i64:
        """A number below `count`."""
        self.draw = next_fast(self.draw)
        return (self.draw * count) >> 32

    def best(self, legal: ActionList) -> i64:
        """The listed hire, March or power that brings most; 0 where none is worthwhile."""
        chosen: i64 = 0
        best: i64 = WORTHWHILE
        for i in range(legal.count):
            worth = self._weigh(legal.items[i]) + self.noise()
            if worth > best:
                best = worth
                chosen = legal.items[i]
        return chosen

    def _weigh(self, action: i64) -> i64:
        kind = kind_of(action)
        if kind == HIRE:
            return self._weigh_hire(action)
        if kind == MARCH:
            owner = field(action, THIRD)
            worth = self._shift(owner, field(action, FIRST), field(action, SECOND), 1)
        else:
            worth = self.weigh_power(action) - self._price(action, kind)
        if worth > 0 and self._may_be_shielded(aims_of(self.p, self.seat, action)):
            worth = worth * SHIELDED // 100
        return worth

    def _weigh_hire(self, action: i64) -> i64:
        with_song = field(action, FOURTH)
        count = hired_count(self.p, self.seat, self.p.row[field(action, FIRST)], with_song)
        paid = payment_of(action) + ((with_song * ROAD_SONG) << (4 * SONG))
        return self._settle(field(action, SECOND), count, field(action, THIRD)) - self.cost(paid)

    def weigh_power(self, action: i64) -> i64:
        """What a power brings, its price aside."""
        kind = kind_of(action)
        first = field(action, FIRST)
        second = field(action, SECOND)
        if kind == WOODEN_HORSE:
            return self._replace(first, second)
        if kind == STABLES:
            return self._place(second, first, -field(action, THIRD), 0)
        if kind == CHARM:
            return self._charm(first, second)
        return self._seal(first)

    def _price(self, action: i64, kind: i64) -> i64:
        if kind == WOODEN_HORSE:
            return self.cost(HORSE_GOLD << (4 * GOLD))
        if kind == STABLES:
            return self.cost(STABLES_STEEL << (4 * STEEL))
        if kind != CHARM:
            return self.cost(WALLS_OATH << (4 * OATH))
        is_paid = self.p.used[self.seat] & CHARMED_ONCE != 0
        return 0 if is_paid else self.cost(CHARM_SONG << (4 * SONG))

    def _may_be_shielded(self, aims: i64) -> bool:
        p = self.p
        return any(aims >> rival & 1 and can_raise(p, rival) for rival in range(p.board.players))

    def best_settling(self, count: i64) -> i64:
        """What so many new followers bring in the province where they bring most."""
        best: i64 = _NOTHING
        for province in range(PROVINCE_COUNT):
            rifts = free_rifts(self.p, province)
            fewest = max(count - free_ordinary(self.p, province), 0)
            for on_rifts in range(fewest, min(count, rifts) + 1):
                worth = self._settle(province, count, on_rifts)
                best = max(best, worth)
        return best

    def _settle(self, province: i64, count: i64, on_rifts: i64) -> i64:
        """What new followers in a province bring."""
        return self._place(self.seat, province, count - on_rifts, on_rifts) + on_rifts * _RIFT

    def _place(self, owner: i64, province: i64, standing: i64, on_rifts: i64) -> i64:
        """What it brings when followers come to a province, or go."""
        p = self.copy
        at = owner * PROVINCE_COUNT + province
        before = ground(p, self.view, province)
        p.standing[at] += standing
        p.on_rifts[at] += on_rifts
        change = ground(p, self.view, province) - before + self._end(i64(1) << province)
        p.standing[at] -= standing
        p.on_rifts[at] -= on_rifts
        return change

    def _charm(self, start: i64, goal: i64) -> i64:
        """What Charm the Stones brings: with one follower, or with both on the same way where that brings more."""
        worth = self._shift(self.seat, start, goal, 1)
        p = self.p
        is_pair = (
            p.used[self.seat] & CHARMED_ONCE == 0
            and p.standing[self.seat * PROVINCE_COUNT + start] > 1
            and free_ordinary(p, goal) > 1
        )
        return max(worth, self._shift(self.seat, start, goal, 2)) if is_pair else worth

    def _shift(self, owner: i64, start: i64, goal: i64, count: i64) -> i64:
        """What it brings when followers go from one province to another."""
        p = self.copy
        at = owner * PROVINCE_COUNT
        before = ground(p, self.view, start) + ground(p, self.view, goal)
        p.standing[at + start] -= count
        p.standing[at + goal] += count
        change = ground(p, self.view, start) + ground(p, self.view, goal) - before
        change += self._end((i64(1) << start) | (i64(1) << goal))
        p.standing[at + start] += count
        p.standing[at + goal] -= count
        return change

    def _replace(self, province: i64, rival: i64) -> i64:
        """What it brings when an own follower takes the place of a rival's."""
        p = self.copy
        own = self.seat * PROVINCE_COUNT + province
        other = rival * PROVINCE_COUNT + province
        before = ground(p, self.view, province)
        p.standing[own] += 1
        p.standing[other] -= 1
        change = ground(p, self.view, province) - before + self._end(i64(1) << province)
        p.standing[own] -= 1
        p.standing[other] += 1
        return change

    def _seal(self, province: i64) -> i64:
        """What Walls of Troy around a province bring."""
        p = self.copy
        before = ground(p, self.view, province)
        p.sealed[province] = 1
        change = ground(p, self.view, province) - before
        p.sealed[province] = 0
        return change

    def _end(self, changed: i64) -> i64:
        """What it is worth that a change in these provinces, made on the copy, brings about the end; mostly nothing."""
        p = self.copy
        if p.ending != 0:
            return 0
        for province in range(PROVINCE_COUNT):
            if p.board.in_play[province] == 0:
                continue
            if changed >> province & 1 == 0:
                if p.sworn[province] < 0:
                    return 0
            elif not _has_majority(p, province):
                return 0
        return end_worth(p, self.seat)

    def cost(self, amounts: i64) -> i64:
        """What it costs to part with packed amounts."""
        return -self.exchange(self.seat, amounts, 0) * self.view.worth_later[self.seat] // 100

    def exchange(self, seat: i64, given: i64, got: i64) -> i64:
        """What it brings a seat to give packed amounts for others."""
        p = self.copy
        at = seat * KINDS
        before = purse(p, seat)
        for kind in range(KINDS):
            p.stock[at + kind] += nibble(got, kind) - nibble(given, kind)
        change = purse(p, seat) - before
        for kind in range(KINDS):
            p.stock[at + kind] -= nibble(got, kind) - nibble(given, kind)
        return change


def _has_majority(p: Position, province: i64) -> bool:
    swears = p.board.swears[province]
    return any(p.followers(seat, province) >= swears for seat in range(p.board.players))
