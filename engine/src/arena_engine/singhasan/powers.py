"""The powers of the act step: the Wooden Horse, the Stables, Charm the Stones and Walls of Troy.

Song of the Road is part of a hire, the Shield of Troy of being aimed at; Many Harbours and the Lion's Skin only change
what others ask for.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_enter, can_touch, move, remove, replace
from arena_engine.singhasan.events import PowerUsed, ProvinceSealed
from arena_engine.singhasan.kinds import Power
from arena_engine.singhasan.lasting import FORBID_POWER, is_forbidden
from arena_engine.singhasan.legends import HECTOR, HERACLES, ODYSSEUS, ORPHEUS, STANDS, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import (
    CHARM,
    FIRST,
    SECOND,
    STABLES,
    THIRD,
    WALLS,
    WOODEN_HORSE,
    field,
    kind_of,
)
from arena_engine.singhasan.position import (
    CHARMED_ONCE,
    CHARMED_TWICE,
    FACT_POWERS,
    KINDS,
    USED_HORSE,
    USED_STABLES,
    USED_WALLS,
    Position,
)
from arena_engine.singhasan.stock import BY_POWER, GOLD, OATH, SONG, STEEL, lose

#: What the powers cost, each in the resource of its legend.
HORSE_GOLD: Final = 2
STABLES_STEEL: Final = 1
CHARM_SONG: Final = 2
WALLS_OATH: Final = 2
#: The most followers that Clean the Stables removes.
STABLES_MOST: Final = 3


def fill_powers(p: Position, seat: i64, out: ActionList) -> None:
    """Append every use of the active seat's powers."""
    if is_forbidden(p, seat, FORBID_POWER):
        return
    if has_horse(p, seat) and p.supply[seat] > 0:
        _fill_horses(p, seat, out)
    if has_stables(p, seat):
        _fill_stables(p, seat, out)
    if has_charm(p, seat):
        _fill_charms(p, seat, out)
    if has_walls(p, seat):
        for province in range(i64(PROVINCE_COUNT)):
            if can_wall(p, seat, province):
                out.add(power_action(WALLS, province))


def has_horse(p: Position, seat: i64) -> bool:
    """Whether the Wooden Horse is awake, unused this turn and affordable."""
    return _has(p, seat, ODYSSEUS, USED_HORSE, HORSE_GOLD)


def has_stables(p: Position, seat: i64) -> bool:
    """Whether Clean the Stables is awake, unused this turn and affordable."""
    return _has(p, seat, HERACLES, USED_STABLES, STABLES_STEEL)


def has_charm(p: Position, seat: i64) -> bool:
    """Whether Charm the Stones is awake and has a follower left to move this turn; the second one is paid for."""
    if p.used[seat] & CHARMED_ONCE != 0:
        return _has(p, seat, ORPHEUS, CHARMED_TWICE, 0)
    return _has(p, seat, ORPHEUS, CHARMED_ONCE, CHARM_SONG)


def has_walls(p: Position, seat: i64) -> bool:
    """Whether Walls of Troy is awake, unused this turn and affordable."""
    return _has(p, seat, HECTOR, USED_WALLS, WALLS_OATH)


def _has(p: Position, seat: i64, legend: i64, use: i64, price: i64) -> bool:
    return (
        level(p, seat, legend) == STANDS
        and p.used[seat] & use == 0
        and p.stock[seat * KINDS + legend] >= price
    )


def can_hit(p: Position, rival: i64, province: i64) -> bool:
    """Whether a claimant has followers in a province that powers and cards may touch."""
    return p.standing[rival * PROVINCE_COUNT + province] > 0 and can_touch(p, province)


def can_lift(p: Position, seat: i64, province: i64) -> bool:
    """Whether Charm the Stones may take an own follower out of a province, needed there or not."""
    return p.standing[seat * PROVINCE_COUNT + province] > 0 and can_touch(p, province)


def can_wall(p: Position, seat: i64, province: i64) -> bool:
    """Whether a seat may Seal a province."""
    return p.sworn[province] == seat and p.sealed[province] == 0


def _fill_horses(p: Position, seat: i64, out: ActionList) -> None:
    for province in range(i64(PROVINCE_COUNT)):
        for rival in range(p.board.players):
            if rival != seat and can_hit(p, rival, province):
                out.add(power_action(WOODEN_HORSE, province, rival))


def _fill_stables(p: Position, seat: i64, out: ActionList) -> None:
    for province in range(i64(PROVINCE_COUNT)):
        if p.followers(seat, province) == 0:
            continue
        for rival in range(p.board.players):
            if rival == seat or not can_hit(p, rival, province):
                continue
            most = min(p.standing[rival * PROVINCE_COUNT + province], STABLES_MOST)
            for count in range(1, most + 1):
                out.add(power_action(STABLES, province, rival, count))


def _fill_charms(p: Position, seat: i64, out: ActionList) -> None:
    for start in range(i64(PROVINCE_COUNT)):
        if not can_lift(p, seat, start):
            continue
        for goal in range(i64(PROVINCE_COUNT)):
            if goal != start and can_enter(p, goal):
                out.add(power_action(CHARM, start, goal))


def power_action(kind: i64, first: i64, second: i64 = 0, third: i64 = 0) -> i64:
    """A packed use of a power; what the three are depends on its kind."""
    return kind | (first << FIRST) | (second << SECOND) | (third << THIRD)


def power_aims(action: i64) -> i64:
    """Bits of the seats that a power is aimed at: the rival of the Horse or the Stables."""
    rival = field(action, SECOND)
    return i64(1) << rival if kind_of(action) in (WOODEN_HORSE, STABLES) else 0


def pay_power(p: Position, seat: i64, action: i64) -> None:
    """Pay for a power and use it up, whatever becomes of it."""
    kind = kind_of(action)
    province = field(action, FIRST)
    rival = field(action, SECOND)
    if kind == WOODEN_HORSE:
        _spend(p, seat, USED_HORSE, GOLD, HORSE_GOLD)
        if p.log is not None:
            p.log.append(PowerUsed(seat, Power.WOODEN_HORSE, province, rival))
    elif kind == STABLES:
        _spend(p, seat, USED_STABLES, STEEL, STABLES_STEEL)
        if p.log is not None:
            p.log.append(PowerUsed(seat, Power.CLEAN_THE_STABLES, province, rival))
    elif kind == WALLS:
        _spend(p, seat, USED_WALLS, OATH, WALLS_OATH)
        if p.log is not None:
            p.log.append(PowerUsed(seat, Power.WALLS_OF_TROY, province))
    elif p.used[seat] & CHARMED_ONCE != 0:
        p.used[seat] |= CHARMED_TWICE
    else:
        _spend(p, seat, CHARMED_ONCE, SONG, CHARM_SONG)
        if p.log is not None:
            p.log.append(PowerUsed(seat, Power.CHARM_THE_STONES))


def _spend(p: Position, seat: i64, use: i64, kind: i64, price: i64) -> None:
    p.used[seat] |= use
    p.facts[FACT_POWERS * p.board.players + seat] += 1
    lose(p, seat, kind, price, BY_POWER)


def finish_power(p: Position, seat: i64, action: i64, shielded: i64) -> None:
    """Let a power that is paid for work, unless the rival it is aimed at raised the Shield."""
    kind = kind_of(action)
    first = field(action, FIRST)
    second = field(action, SECOND)
    if power_aims(action) & shielded != 0:
        return
    if kind == WOODEN_HORSE:
        replace(p, first, second, seat)
    elif kind == STABLES:
        remove(p, second, first, field(action, THIRD))
    elif kind == CHARM:
        move(p, seat, first, second)
    else:
        p.sealed[first] = 1
        if p.log is not None:
            p.log.append(ProvinceSealed(seat, first))
