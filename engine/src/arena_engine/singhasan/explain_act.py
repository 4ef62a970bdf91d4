"""Why a hire, a March or a bank trade is not legal, in one line; None where it is.

For the seat that acts, in its act step: that it may act at all is asked before.
"""

from __future__ import annotations

from arena_engine.singhasan.changes import free_ordinary, free_rifts, has_sway, loose
from arena_engine.singhasan.explain_places import (
    explain_entry,
    explain_province,
    explain_rival,
    explain_touch,
)
from arena_engine.singhasan.explain_powers import POWERS_FORBIDDEN, explain_wake
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
    HERACLES,
    JOINS,
    ORPHEUS,
    level,
)
from arena_engine.singhasan.packing import (
    FIRST,
    FOURTH,
    SECOND,
    THIRD,
    field,
)
from arena_engine.singhasan.position import (
    KINDS,
    ROW,
    USED_SONG,
    Position,
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
from arena_engine.singhasan.words import RESOURCES, capital, listed, province_name


def amounts_text(amounts: int, any_kind: int = 0) -> str:
    """Packed amounts in words, with so many more of any kind."""
    parts = [
        f"{nibble(amounts, kind)} {name}"
        for kind, name in enumerate(RESOURCES)
        if nibble(amounts, kind)
    ]
    return listed([*parts, f"{any_kind} of any kind"] if any_kind else parts)


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
        return POWERS_FORBIDDEN
    if reason := explain_wake(p, seat, name, ORPHEUS, JOINS, USED_SONG, ROAD_SONG):
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
