"""Why a hire, a March, a bank trade or a power is not legal, in one line; None where it is.

For the seat that acts, in its act step: that it may act at all is asked before.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_touch, free_ordinary, free_rifts, has_sway, loose
from arena_engine.singhasan.hire import (
    CARD_ANY,
    CARD_COST,
    CARD_FOLLOWERS,
    ROAD_SONG,
    canonical_hire,
    hired_count,
)
from arena_engine.singhasan.lasting import (
    FORBID_BANK,
    FORBID_HIRE,
    FORBID_MARCH,
    FORBID_POWER,
    hire_change,
    is_forbidden,
)
from arena_engine.singhasan.legends import (
    HECTOR,
    HERACLES,
    JOINS,
    ODYSSEUS,
    ORPHEUS,
    STANDS,
    level,
)
from arena_engine.singhasan.packing import (
    CHARM,
    FIRST,
    FOURTH,
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
    ROW,
    USED_HORSE,
    USED_SONG,
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
from arena_engine.singhasan.stock import (
    SONG,
    affords,
    bank_price,
    covers,
    nibble,
    payment_of,
    sum_of,
)
from arena_engine.singhasan.words import IDEOLOGIES, RESOURCES, capital, listed, province_name

_POWERS_FORBIDDEN: Final = "A card in force forbids you the powers of your legends."


def amounts_text(amounts: int, any_kind: int = 0) -> str:
    """Packed amounts in words, with so many more of any kind."""
    parts = [
        f"{nibble(amounts, kind)} {name}"
        for kind, name in enumerate(RESOURCES)
        if nibble(amounts, kind)
    ]
    return listed([*parts, f"{any_kind} of any kind"] if any_kind else parts)


def explain_province(p: Position, province: int) -> str | None:
    """Why a province cannot be named at all; None where it is in play."""
    if not 0 <= province < PROVINCE_COUNT:
        return f"There is no province {province}; they go from 0 to {PROVINCE_COUNT - 1}."
    if not p.board.in_play[province]:
        name = province_name(province)
        return f"{capital(name)} lies under the sea: it is not in play with {p.board.players} claimants."
    return None


def explain_rival(p: Position, seat: int, rival: int) -> str | None:
    """Why a seat cannot be named as a rival; None where it is one."""
    is_rival = 0 <= rival < p.board.players and rival != seat
    return None if is_rival else f"Seat {rival} is no rival of yours."


def explain_touch(p: Position, province: int) -> str | None:
    """Why nothing in a province in play can be removed, moved or converted; None where it can."""
    if can_touch(p, province):
        return None
    name = province_name(province)
    if p.sealed[province]:
        return f"{capital(name)} is Sealed: nothing in it can be removed, moved or converted."
    return f"A card in force protects {name}: nothing in it can be removed, moved or converted."


def explain_entry(p: Position, province: int) -> str | None:
    """Why no follower can come into a province other than by hire; None where one can."""
    name = province_name(province)
    if p.sealed[province]:
        return f"{capital(name)} is Sealed: only a hire adds to it."
    if free_ordinary(p, province) == 0:
        return f"{capital(name)} has no free seat off its Rifts."
    return None


def explain_hire(p: Position, seat: int, action: int) -> str | None:
    """Why a hire is not legal; None where it is."""
    slot, province = field(action, FIRST), field(action, SECOND)
    if reason := explain_slot(p, seat, slot) or explain_province(p, province):
        return reason
    with_song = field(action, FOURTH)
    if with_song and (reason := _explain_song(p, seat, p.row[slot])):
        return reason
    count = hired_count(p, seat, p.row[slot], with_song)
    return _explain_fit(p, province, count, field(action, THIRD)) or _explain_price(p, seat, action)


def explain_slot(p: Position, seat: int, slot: int) -> str | None:
    """Why nothing can be hired from a place of the row, whatever at and wherever to."""
    if not 0 <= slot < ROW:
        return f"The hire row has no place {slot}; they go from 0 to {ROW - 1}."
    if not p.row[slot]:
        return f"Place {slot} of the hire row is empty."
    if is_forbidden(p, seat, FORBID_HIRE):
        return "A card in force forbids you to hire."
    return None if p.supply[seat] else "Your supply is empty: there is nobody to hire."


def _explain_song(p: Position, seat: int, card: int) -> str | None:
    name = "Song of the Road"
    if is_forbidden(p, seat, FORBID_POWER):
        return _POWERS_FORBIDDEN
    if reason := _explain_power(p, seat, name, ORPHEUS, JOINS, USED_SONG, ROAD_SONG):
        return reason
    if p.supply[seat] <= CARD_FOLLOWERS[card]:
        return "Your supply has nobody left for the Song of the Road to add."
    return None


def _explain_fit(p: Position, province: int, count: int, on_rifts: int) -> str | None:
    name = province_name(province)
    rifts, ordinary = free_rifts(p, province), free_ordinary(p, province)
    if count > rifts + ordinary:
        return f"{capital(name)} has too few free seats: {count} are needed, {rifts + ordinary} are free."
    if on_rifts > count:
        return f"You hire {count} here, so {on_rifts} cannot stand on Rifts."
    if on_rifts > rifts:
        return f"{capital(name)} has too few free Rifts: {on_rifts} are needed, {rifts} are free."
    if count - on_rifts > ordinary:
        return f"Off its Rifts {name} has room for {ordinary}: put {count - ordinary} on Rifts."
    return None


def _explain_price(p: Position, seat: int, action: int) -> str | None:
    card, payment = p.row[field(action, FIRST)], payment_of(action)
    change = hire_change(p, seat)
    due, more = CARD_COST[card], CARD_ANY[card] + max(change, 0)
    if not covers(payment, due, more, discount=max(-change, 0)):
        return f"{_price_text(p, seat, card)}; {amounts_text(payment)} does not pay that."
    song = ROAD_SONG << (4 * SONG) if field(action, FOURTH) else 0
    if not affords(p, seat, payment) or not affords(p, seat, payment + song):
        return f"You do not have {amounts_text(payment + song)}."
    return None


def explain_poverty(p: Position, seat: int, card: int, *, with_song: bool) -> str | None:
    """Why a seat cannot pay for a Follower card in any way; None where it can."""
    if canonical_hire(p, seat, card, int(with_song)) >= 0:
        return None
    song = ", and the Song 1 Song more" if with_song else ""
    return f"{_price_text(p, seat, card)}{song}; you cannot pay that."


def _price_text(p: Position, seat: int, card: int) -> str:
    change = hire_change(p, seat)
    price = amounts_text(CARD_COST[card], CARD_ANY[card] + max(change, 0))
    less = f", less {-change} of your choice" if change < 0 else ""
    return f"This hire costs {price}{less}"


def explain_march(p: Position, seat: int, action: int) -> str | None:
    """Why a March is not legal; None where it is."""
    start, goal, owner = field(action, FIRST), field(action, SECOND), field(action, THIRD)
    if reason := explain_departure(p, seat, start, owner) or explain_province(p, goal):
        return reason
    if not p.board.borders[start] >> goal & 1:
        return f"{capital(province_name(start))} and {province_name(goal)} share no border."
    return explain_entry(p, goal)


def explain_departure(p: Position, seat: int, start: int, owner: int) -> str | None:
    """Why a seat cannot March a follower of `owner` out of a province, wherever to."""
    if is_forbidden(p, seat, FORBID_MARCH):
        return "A card in force forbids you to March."
    if reason := explain_province(p, start):
        return reason
    name = province_name(start)
    if not has_sway(p, seat, start):
        return f"A March needs Sway, strictly the most followers; you have none in {name}."
    if p.marched >> start & 1:
        return f"You have marched from {name} this turn."
    return explain_touch(p, start) or _explain_marcher(p, seat, start, owner)


def _explain_marcher(p: Position, seat: int, start: int, owner: int) -> str | None:
    if owner != seat and (reason := explain_rival(p, seat, owner)):
        return reason
    name = province_name(start)
    who = "You have" if owner == seat else f"Seat {owner} has"
    if loose(p, owner, start) <= 0:
        return f"{who} no loose follower in {name}: off the Rifts and not needed for its oath."
    if owner != seat and level(p, owner, HERACLES):
        return f"Seat {owner} wears the Lion's Skin: rivals cannot March its followers."
    return None


def explain_bank(p: Position, seat: int, action: int) -> str | None:
    """Why a trade with the bank is not legal; None where it is."""
    if is_forbidden(p, seat, FORBID_BANK):
        return "A card in force closes the bank to you."
    if not 1 <= field(action, FIRST) <= KINDS:
        return "The bank gives Gold, Steel, Song or Oath."
    given, price = payment_of(action), bank_price(p, seat)
    if sum_of(given) != price:
        return f"The bank takes {price} from you for 1, not {sum_of(given)}."
    return None if affords(p, seat, given) else f"You do not have {amounts_text(given)}."


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
        return _POWERS_FORBIDDEN
    if kind == WOODEN_HORSE:
        if not p.supply[seat]:
            return "Your supply is empty: there is nobody to leave the Wooden Horse."
        return _explain_power(p, seat, "The Wooden Horse", ODYSSEUS, STANDS, USED_HORSE, HORSE_GOLD)
    if kind == STABLES:
        name = "Clean the Stables"
        return _explain_power(p, seat, name, HERACLES, STANDS, USED_STABLES, STABLES_STEEL)
    if kind == CHARM:
        is_second = p.used[seat] & CHARMED_ONCE
        use, price = (CHARMED_TWICE, 0) if is_second else (CHARMED_ONCE, CHARM_SONG)
        return _explain_power(p, seat, "Charm the Stones", ORPHEUS, STANDS, use, price)
    return _explain_power(p, seat, "Walls of Troy", HECTOR, STANDS, USED_WALLS, WALLS_OATH)


def _explain_power(
    p: Position, seat: int, name: str, legend: int, needed: int, use: int, price: int
) -> str | None:
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
