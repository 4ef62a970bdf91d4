"""The targets of a Conspiracy in hand: what it names is chosen one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena_engine.errors import IllegalSelectionError
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.cards import NONE, most_count, play_action
from arena_engine.singhasan.explain import explain_decision
from arena_engine.singhasan.explain_cards import (
    explain_card,
    explain_goal,
    explain_kind,
    explain_rival,
    explain_start,
)
from arena_engine.singhasan.hands import holds
from arena_engine.singhasan.kinds import Ideology
from arena_engine.singhasan.messages import Scheme, Target
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.programs import is_court_card, names_of
from arena_engine.singhasan.spots import judged, spot
from arena_engine.singhasan.words import conspiracy_name

_RIVAL, _PROVINCE, _TO, _KIND = 0, 1, 2, 3
_BITS: Final = (prim.NAMES_RIVAL, prim.NAMES_PROVINCE, prim.NAMES_TO, prim.NAMES_KIND)
_WORDS: Final = ("rival", "province", "second province", "kind")

#: What is named so far: rival, province, second province, kind from 0; `cards.NONE` where it is open.
_Named = tuple[int, int, int, int]


def scheme_targets(p: Position, seat: int, scheme: Scheme) -> list[Target]:
    """What can be chosen next for a Conspiracy. Raises `IllegalSelectionError` for one that the seat does not hold."""
    card = scheme.card
    if not holds(p, seat, card):
        raise IllegalSelectionError(f"Conspiracy {card} is not in your hand.")
    named = _named(scheme)
    for n in range(4):
        if named[n] != NONE and named[n] not in _values(p, seat, n):
            raise IllegalSelectionError(f"There is no such {_WORDS[n]} to choose.")
    open_fields = [n for n in range(4) if names_of(card) & _BITS[n] and named[n] == NONE]
    if not open_fields:
        return _last_targets(p, seat, card, named)
    chosen, more = open_fields[0], open_fields[1:]
    general = explain_decision(p, seat, pk.PLAY) or explain_card(p, seat, card)
    found = []
    for value in _values(p, seat, chosen):
        here = _with(named, chosen, value)
        target = _spot(chosen, value)
        if general or more or names_of(card) & prim.NAMES_COUNT:
            reason = general or _explain_so_far(p, seat, card, here, chosen)
            found.append(replace(target, reason=reason))
        else:
            found.append(judged(p, seat, target, play_action(card, *here)))
    return found


def _named(scheme: Scheme) -> _Named:
    """What a selection names. For a card that names one province, `province` is it, wherever the play has it."""
    province, to_province = scheme.province, scheme.to_province
    if not names_of(scheme.card) & prim.NAMES_PROVINCE and to_province is None:
        province, to_province = None, province
    values = (scheme.rival, province, to_province)
    for n, value in enumerate((*values, scheme.kind or None)):
        if value is not None and not names_of(scheme.card) & _BITS[n]:
            raise IllegalSelectionError(f"{conspiracy_name(scheme.card)} names no {_WORDS[n]}.")
    rival, start, goal = (NONE if value is None else value for value in values)
    return rival, start, goal, scheme.kind - 1


def _with(named: _Named, chosen: int, value: int) -> _Named:
    rival, province, to_province, kind = (
        value if n == chosen else old for n, old in enumerate(named)
    )
    return rival, province, to_province, kind


def _values(p: Position, seat: int, chosen: int) -> list[int]:
    """All that a field can be filled with, possible or not."""
    if chosen == _RIVAL:
        return [rival for rival in range(p.board.players) if rival != seat]
    if chosen == _KIND:
        return list(range(len(Ideology) - 1))
    return [province for province in range(PROVINCE_COUNT) if p.board.in_play[province]]


def _spot(chosen: int, value: int) -> Target:
    if chosen == _RIVAL:
        return spot(rival=value)
    return spot(kind=Ideology(value + 1)) if chosen == _KIND else spot(value)


def _last_targets(p: Position, seat: int, card: int, named: _Named) -> list[Target]:
    """The one target of a card whose fields are all named, or one for each count it can be for."""
    action = play_action(card, *named)
    if not names_of(card) & prim.NAMES_COUNT:
        return [judged(p, seat, spot(), action)]
    rival = p.turn if is_court_card(card) else named[_RIVAL]
    most = max(1, most_count(p, seat, card, rival, named[_PROVINCE], named[_TO]))
    return [
        judged(p, seat, spot(count=count), action | count << pk.SIXTH)
        for count in range(1, most + 1)
    ]


def _explain_so_far(p: Position, seat: int, card: int, named: _Named, chosen: int) -> str:
    """Why a card cannot go on from what is named so far; empty where it can."""
    rival, start, goal, kind = named
    if is_court_card(card):
        rival = p.turn
    if chosen == _RIVAL:
        reason = explain_rival(p, seat, card, rival)
    elif chosen == _PROVINCE:
        reason = explain_start(p, seat, card, rival, start)
    elif chosen == _TO:
        reason = explain_goal(p, seat, card, rival, start, goal)
    else:
        reason = explain_kind(p, seat, card, rival, start, kind)
    return reason or ""
