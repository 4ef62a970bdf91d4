"""What actions would do, and all that can be done with what a player picked up."""

from __future__ import annotations

from typing import Final

from arena_engine.crowns import cards
from arena_engine.crowns.events import (
    BlockadeStruck,
    Blocked,
    Captured,
    CrownsChanged,
    Eliminated,
    EventBody,
    Gilded,
    RelicCollected,
    RelicWasted,
    Spawned,
)
from arena_engine.crowns.explain import (
    explain,
    explain_group,
    explain_lift,
    explain_play,
    explain_seat,
)
from arena_engine.crowns.messages import CardInHand, Group, Preview, Selection, Target, Targets
from arena_engine.crowns.packing import (
    ABILITY,
    STACK,
    card_action,
    move_action,
    pieces_of,
    unpack,
)
from arena_engine.crowns.position import HAND, Position
from arena_engine.crowns.turns import apply_action
from arena_engine.crowns.wording import relic_name
from arena_engine.errors import IllegalSelectionError

#: Steps of the fastest group: targets further away are not worth a reason.
_FARTHEST: Final = 3
#: Any state but 0 puts draws on the quick generator, so that a preview shows nothing of the match's own draws.
_PREVIEW_DRAWS: Final = 1


def preview(p: Position, seat: int, action: int) -> Preview:
    """What a legal action would do, found by doing it to a copy."""
    after = p.clone()
    after.fast = _PREVIEW_DRAWS
    after.log = []
    apply_action(after, seat, action, 0)
    crowns = after.crowns[seat] - p.crowns[seat]
    wins = after.how != "" and after.winner == seat
    return _summary(after.log, max(crowns, 0), wins)


def _summary(events: list[EventBody], crowns: int, wins: bool) -> Preview:
    is_blocked = any(isinstance(e, Blocked) for e in events)
    knights = sum(e.knights + e.golden for e in events if isinstance(e, Captured))
    knights += sum(e.knight_removed for e in events if isinstance(e, BlockadeStruck))
    kings = tuple(e.seat for e in events if isinstance(e, Eliminated) and e.by_seat is not None)
    relics = tuple(e.relic for e in events if isinstance(e, RelicCollected))
    said = [words for event in events if (words := _blow(event) or _gain(event))]
    if wins:
        said.append("wins")
    text = ", ".join(said)
    return Preview(
        is_blocked=is_blocked,
        knights_defeated=knights,
        kings_defeated=kings,
        relics=relics,
        crowns=crowns,
        wins=wins,
        text=f"{text[0].upper()}{text[1:]}." if text else "",
    )


def _blow(event: EventBody) -> str:
    """What is done to rivals, in a few words; empty for other events."""
    match event:
        case Blocked():
            return "a Golden Knight stops the attack"
        case Captured() if event.knights:
            return "defeats a Knight" if event.knights == 1 else f"defeats {event.knights} Knights"
        case BlockadeStruck() if event.shield_broken or event.knight_removed:
            return "breaks a Golden shield" if event.shield_broken else "strikes down a Knight"
        case Eliminated() if event.by_seat is not None:
            return f"defeats the King of seat {event.seat}"
        case _:
            return ""


def _gain(event: EventBody) -> str:
    """What the seat gets, in a few words; empty for other events."""
    match event:
        case RelicCollected():
            return f"collects {relic_name(event.relic)}"
        case RelicWasted():
            return f"to no effect: {event.reason}"
        case CrownsChanged() if event.is_bearer:
            return "makes the King the Crown Bearer"
        case Spawned():
            return "places a Knight at the Gate"
        case Gilded():
            return f"gilds a Knight on {event.triangle}"
        case _:
            return ""


def targets(p: Position, seat: int, selection: Selection) -> Targets:
    """All targets of a selection. Raises `IllegalSelectionError` for what the seat cannot pick up."""
    if reason := explain_seat(p, seat):
        raise IllegalSelectionError(reason)
    if isinstance(selection, Group):
        return Targets(tuple(_group_targets(p, seat, selection)))
    return Targets(tuple(_card_targets(p, seat, selection)))


def _group_targets(p: Position, seat: int, group: Group) -> list[Target]:
    if not (0 <= group.knights <= STACK and 0 <= group.golden <= STACK):
        raise IllegalSelectionError("A group has 1-3 pieces.")
    pieces = pieces_of(group.king, group.knights, group.golden)
    if reason := explain_group(p, seat, group.triangle, pieces):
        raise IllegalSelectionError(reason)
    start = group.triangle
    return [
        _target(p, seat, move_action(start, goal, pieces), triangle=goal)
        for goal in range(p.grid.size)
        if 0 < p.grid.steps(start, goal) <= _FARTHEST
    ]


def _target(
    p: Position, seat: int, action: int, triangle: int | None = None, rival: int | None = None
) -> Target:
    if reason := explain(p, seat, action):
        return Target(triangle, rival, None, reason, None)
    return Target(triangle, rival, unpack(action), "", preview(p, seat, action))


def _card_targets(p: Position, seat: int, selection: CardInHand) -> list[Target]:
    card = selection.card
    if not 1 <= card <= cards.DECK_SIZE or card not in _hand(p, seat):
        raise IllegalSelectionError(f"Card {card} is not in your hand.")
    ability = ABILITY[card]
    triangles = range(p.grid.size)
    if ability == cards.SNATCH:
        rivals = [r for r in range(p.grid.players) if r != seat and p.is_alive(r)]
        return [_target(p, seat, card_action(card, r, 0, 0), rival=r) for r in rivals]
    if ability == cards.SNEAK:
        return _sneak_targets(p, seat, card, selection.triangle)
    if ability == cards.AEGIS:
        places = [t for t in triangles if p.is_own(t, seat)]
    elif ability == cards.SNARE:
        places = [t for t in triangles if p.cells[t] and not p.is_own(t, seat)]
    else:
        return [_target(p, seat, card_action(card, 0, 0, 0))]
    return [_target(p, seat, card_action(card, 0, t, 0), triangle=t) for t in places]


def _sneak_targets(p: Position, seat: int, card: int, start: int | None) -> list[Target]:
    if start is None:
        general = explain_play(p, seat, card)
        return [
            Target(t, None, None, general or explain_lift(p, seat, t) or "", None)
            for t in range(p.grid.size)
            if p.is_own(t, seat)
        ]
    if not 0 <= start < p.grid.size or not p.is_own(start, seat):
        raise IllegalSelectionError(f"No pieces of yours are on {start}.")
    return [
        _target(p, seat, card_action(card, 0, start, goal), triangle=goal)
        for goal in range(p.grid.size)
        if goal != start
    ]


def _hand(p: Position, seat: int) -> list[int]:
    return [p.hands[seat * HAND + i] for i in range(p.hand_size[seat])]
