"""All that can be done with what a player picked up: where it can go, and why not elsewhere.

Every province in play is a target, legal or not. Conspiracies are in `schemes`.
"""

from __future__ import annotations

from typing import Final

from arena_engine.errors import IllegalSelectionError
from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.explain import explain_decision, explain_seat
from arena_engine.singhasan.explain_act import explain_poverty, explain_slot
from arena_engine.singhasan.explain_places import explain_province
from arena_engine.singhasan.explain_powers import explain_lift, explain_use
from arena_engine.singhasan.hire import (
    MOST_HIRED,
    canonical_hire,
    fewest_on_rifts,
    hire_action,
    hired_count,
)
from arena_engine.singhasan.kinds import Power
from arena_engine.singhasan.march import march_action
from arena_engine.singhasan.messages import (
    HireCard,
    Legend,
    Selection,
    Target,
    Targets,
    Warrior,
)
from arena_engine.singhasan.position import ROW, Position
from arena_engine.singhasan.powers import STABLES_MOST, power_action
from arena_engine.singhasan.schemes import scheme_targets
from arena_engine.singhasan.spots import judged, spot
from arena_engine.singhasan.words import province_name

#: The actions of the powers that can be picked up.
_ACTIONS: Final = {
    Power.WOODEN_HORSE: pk.WOODEN_HORSE,
    Power.CLEAN_THE_STABLES: pk.STABLES,
    Power.CHARM_THE_STONES: pk.CHARM,
    Power.WALLS_OF_TROY: pk.WALLS,
}


def targets(p: Position, seat: int, selection: Selection) -> Targets:
    """All targets of a selection. Raises `IllegalSelectionError` for what the seat cannot pick up."""
    if reason := explain_seat(p, seat):
        raise IllegalSelectionError(reason)
    if isinstance(selection, HireCard):
        found = _hire_targets(p, seat, selection)
    elif isinstance(selection, Warrior):
        found = _warrior_targets(p, seat, selection)
    elif isinstance(selection, Legend):
        found = _legend_targets(p, seat, selection)
    else:
        found = scheme_targets(p, seat, selection)
    return Targets(tuple(found))


def _in_play(p: Position) -> list[int]:
    return [province for province in range(PROVINCE_COUNT) if p.board.in_play[province]]


def _dim(p: Position, reason: str) -> list[Target]:
    """All provinces in play, for the one reason that forbids them all."""
    return [spot(province, reason=reason) for province in _in_play(p)]


def _hire_targets(p: Position, seat: int, card: HireCard) -> list[Target]:
    """Provinces for a card of the row, for its canonical payment; where other seats are short, more go on Rifts."""
    if not 0 <= card.slot < ROW or not p.row[card.slot]:
        raise IllegalSelectionError(explain_slot(p, seat, card.slot) or "")
    if not 0 <= card.on_rifts <= MOST_HIRED:
        raise IllegalSelectionError(f"A hire brings {MOST_HIRED} followers at most.")
    general = explain_decision(p, seat, pk.HIRE) or explain_slot(p, seat, card.slot)
    general = general or explain_poverty(p, seat, p.row[card.slot], with_song=card.with_song)
    if general:
        return _dim(p, general)
    payment = canonical_hire(p, seat, p.row[card.slot], card.with_song)
    count = hired_count(p, seat, p.row[card.slot], card.with_song)
    found = []
    for province in _in_play(p):
        on_rifts = max(card.on_rifts, fewest_on_rifts(p, province, count))
        action = hire_action(card.slot, province, on_rifts, card.with_song, payment)
        found.append(judged(p, seat, spot(province), action))
    return found


def _warrior_targets(p: Position, seat: int, warrior: Warrior) -> list[Target]:
    start, owner = warrior.province, warrior.owner
    if reason := explain_province(p, start):
        raise IllegalSelectionError(reason)
    if not 0 <= owner < p.board.players or not p.followers(owner, start):
        raise IllegalSelectionError(f"Seat {owner} has no follower in {province_name(start)}.")
    return [
        judged(p, seat, spot(goal), march_action(start, goal, owner))
        for goal in _in_play(p)
        if goal != start
    ]


def _legend_targets(p: Position, seat: int, legend: Legend) -> list[Target]:
    kind = _ACTIONS.get(legend.power)
    if kind is None:
        raise IllegalSelectionError(
            "Only the Wooden Horse, Clean the Stables, Charm the Stones and Walls of Troy"
            " are aimed at the map."
        )
    if legend.province is not None and kind != pk.CHARM:
        raise IllegalSelectionError("Only Charm the Stones takes a follower from a province.")
    if general := explain_decision(p, seat, kind) or explain_use(p, seat, kind):
        return _dim(p, general)
    if kind == pk.WALLS:
        return [judged(p, seat, spot(q), power_action(kind, q)) for q in _in_play(p)]
    if kind == pk.CHARM:
        return _charm_targets(p, seat, legend.province)
    found = []
    for province in _in_play(p):
        found += _rivals_in(p, seat, kind, province)
    return found


def _charm_targets(p: Position, seat: int, start: int | None) -> list[Target]:
    """Where a follower can be taken from; once that is chosen, where to."""
    if start is None:
        return [spot(q, reason=explain_lift(p, seat, q) or "") for q in _in_play(p)]
    if reason := explain_province(p, start):
        raise IllegalSelectionError(reason)
    return [
        judged(p, seat, spot(goal), power_action(pk.CHARM, start, goal))
        for goal in _in_play(p)
        if goal != start
    ]


def _rivals_in(p: Position, seat: int, kind: int, province: int) -> list[Target]:
    """The rivals in a province that the Horse or the Stables can be aimed at; for the Stables, how many of theirs."""
    found = []
    for rival in range(p.board.players):
        standing = p.standing[rival * PROVINCE_COUNT + province]
        if rival == seat or not p.followers(rival, province):
            continue
        most = max(1, min(standing, STABLES_MOST)) if kind == pk.STABLES else 0
        for count in range(min(most, 1), most + 1):
            action = power_action(kind, province, rival, count)
            found.append(judged(p, seat, spot(province, rival=rival, count=count), action))
    nobody = f"No rival has followers in {province_name(province)}."
    return found or [spot(province, reason=nobody)]
