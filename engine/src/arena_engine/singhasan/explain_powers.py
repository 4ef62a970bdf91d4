"""Why a use of a power of the act step is not legal, in one line; None where it is.

For the seat that acts, in its act step: that it may act at all is asked before.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.explain_places import (
    explain_entry,
    explain_province,
    explain_rival,
    explain_touch,
)
from arena_engine.singhasan.lasting import FORBID_POWER, is_forbidden
from arena_engine.singhasan.legends import HECTOR, HERACLES, ODYSSEUS, ORPHEUS, STANDS
from arena_engine.singhasan.packing import (
    CHARM,
    FIRST,
    SECOND,
    STABLES,
    THIRD,
    WOODEN_HORSE,
    field,
    kind_of,
)
from arena_engine.singhasan.position import (
    CHARMED_ONCE,
    CHARMED_TWICE,
    KINDS,
    USED_HORSE,
    USED_STABLES,
    USED_WALLS,
    Position,
)
from arena_engine.singhasan.powers import (
    CHARM_SONG,
    HORSE_GOLD,
    STABLES_MOST,
    STABLES_STEEL,
    WALLS_OATH,
)
from arena_engine.singhasan.words import IDEOLOGIES, RESOURCES, capital, province_name

#: Why no power can be used while a card forbids them.
POWERS_FORBIDDEN: Final = "A card in force forbids you the powers of your legends."


def explain_power(p: Position, seat: int, action: int) -> str | None:
    """Why a use of a power of the act step is not legal; None where it is."""
    kind = kind_of(action)
    if reason := explain_use(p, seat, kind):
        return reason
    province, second = field(action, FIRST), field(action, SECOND)
    if reason := explain_province(p, province):
        return reason
    if kind == WOODEN_HORSE:
        return explain_hit(p, seat, second, province)
    if kind == STABLES:
        return _explain_stables(p, seat, action)
    if kind == CHARM:
        return explain_lift(p, seat, province) or _explain_landing(p, province, second)
    return _explain_walls(p, seat, province)


def explain_use(p: Position, seat: int, kind: int) -> str | None:
    """Why a seat cannot use a power at all now, whatever at; `kind` is that of its actions."""
    if is_forbidden(p, seat, FORBID_POWER):
        return POWERS_FORBIDDEN
    if kind == WOODEN_HORSE:
        if not p.supply[seat]:
            return "Your supply is empty: there is nobody to leave the Wooden Horse."
        return explain_wake(p, seat, "The Wooden Horse", ODYSSEUS, STANDS, USED_HORSE, HORSE_GOLD)
    if kind == STABLES:
        name = "Clean the Stables"
        return explain_wake(p, seat, name, HERACLES, STANDS, USED_STABLES, STABLES_STEEL)
    if kind == CHARM:
        is_second = p.used[seat] & CHARMED_ONCE
        use, price = (CHARMED_TWICE, 0) if is_second else (CHARMED_ONCE, CHARM_SONG)
        return explain_wake(p, seat, "Charm the Stones", ORPHEUS, STANDS, use, price)
    return explain_wake(p, seat, "Walls of Troy", HECTOR, STANDS, USED_WALLS, WALLS_OATH)


def explain_wake(
    p: Position, seat: int, name: str, legend: int, needed: int, use: int, price: int
) -> str | None:
    """Why a power sleeps, is used up or cannot be paid; `needed` answers wake it, `use` is its bit of `used`."""
    answers = p.answers[seat * KINDS + legend]
    if answers < needed:
        return f"{capital(name)} wakes at {needed} answers of {IDEOLOGIES[legend]}; you hold {answers}."
    if p.used[seat] & use:
        return f"{capital(name)} is used up for this turn."
    if p.stock[seat * KINDS + legend] < price:
        return f"{capital(name)} costs {price} {RESOURCES[legend]}."
    return None


def explain_hit(p: Position, seat: int, rival: int, province: int) -> str | None:
    """Why no follower of a rival in a province can be hit by a power; None where one can."""
    if reason := explain_rival(p, seat, rival) or explain_touch(p, province):
        return reason
    if not p.standing[rival * PROVINCE_COUNT + province]:
        return f"Seat {rival} has no follower off the Rifts in {province_name(province)}."
    return None


def _explain_stables(p: Position, seat: int, action: int) -> str | None:
    province, rival, count = field(action, FIRST), field(action, SECOND), field(action, THIRD)
    name = province_name(province)
    if not p.followers(seat, province):
        return f"You have no followers in {name}, and the Stables are cleaned where you have some."
    if reason := explain_hit(p, seat, rival, province):
        return reason
    if not 1 <= count <= STABLES_MOST:
        return f"Clean the Stables removes 1 to {STABLES_MOST}, not {count}."
    there = p.standing[rival * PROVINCE_COUNT + province]
    return f"Seat {rival} has {there} off the Rifts in {name}." if count > there else None


def explain_lift(p: Position, seat: int, start: int) -> str | None:
    """Why Charm the Stones cannot take a follower out of a province; None where it can."""
    if reason := explain_touch(p, start):
        return reason
    if not p.standing[seat * PROVINCE_COUNT + start]:
        return f"You have no follower off the Rifts in {province_name(start)}."
    return None


def _explain_landing(p: Position, start: int, goal: int) -> str | None:
    if start == goal:
        return "A follower has to end in another province than it began."
    return explain_province(p, goal) or explain_entry(p, goal)


def _explain_walls(p: Position, seat: int, province: int) -> str | None:
    name = province_name(province)
    if p.sworn[province] != seat:
        return f"{capital(name)} is not sworn to you."
    return f"{capital(name)} is Sealed already." if p.sealed[province] else None
