"""Why a province or a rival cannot be named, or followers there not be touched, in one line; None where they can."""

from __future__ import annotations

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import can_touch, free_ordinary
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.words import capital, province_name


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
