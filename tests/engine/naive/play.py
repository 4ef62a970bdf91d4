"""What an action does, by the naive model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.engine.naive.legal import board_moves
from tests.engine.naive.model import (
    MOST_CARDS,
    MOST_ON_A_TRIANGLE,
    Action,
    Formation,
    Model,
    Snare,
)


@dataclass
class Draws:
    """What chance gave during an action: cards drawn, and where relics came back, in order."""

    cards: list[int] = field(default_factory=list)
    placements: list[tuple[str, int]] = field(default_factory=list)


def play(model: Model, action: Action, draws: Draws) -> None:
    """Take a legal action of the seat on turn."""
    match action:
        case ("move", int(start), int(end), bool(king), int(knights), int(golden)):
            model.has_moved = True
            model.moves_left -= 1
            _move(model, start, end, Formation(model.turn, king, knights, golden), draws)
        case ("end",):
            model.moves_left = 0
        case ("resign",):
            resign(model, model.turn, draws)
            return
        case ("shield", int(triangle)):
            _gild(model, triangle)
            model.is_shield_open = False
        case ("card", int(number), rival, triangle, to_triangle):
            _play_card(model, number, rival, triangle, to_triangle)
    _lift_empty_snares(model)
    if not model.how and not model.moves_left and not model.is_shield_open:
        _end_turn(model, draws)


def resign(model: Model, seat: int, draws: Draws) -> None:
    """Take a living seat out of the match, on turn or not."""
    _eliminate(model, seat, model.king_of(seat))
    if seat == model.turn and not model.how:
        model.is_shield_open = False
        _end_turn(model, draws)


def _move(model: Model, start: int, end: int, group: Formation, draws: Draws) -> None:
    standing = model.pieces.get(end)
    if standing is not None and standing.seat != group.seat:
        if standing.golden:
            standing.golden -= 1
            standing.knights += 1
            return
        _defeat(model, end)
    _take_off(model, start, group)
    _put_on(model, end, group)
    if model.how:
        return
    if _has_escaped(model, end, group):
        _win(model, group.seat, "escape")
        return
    _collect(model, end, group, draws)


def _take_off(model: Model, triangle: int, group: Formation) -> None:
    standing = model.pieces[triangle]
    standing.king = standing.king and not group.king
    standing.knights -= group.knights
    standing.golden -= group.golden
    if not standing.power:
        del model.pieces[triangle]


def _put_on(model: Model, triangle: int, group: Formation) -> None:
    standing = model.pieces.setdefault(triangle, Formation(group.seat))
    standing.king = standing.king or group.king
    standing.knights += group.knights
    standing.golden += group.golden
    assert standing.seat == group.seat
    assert standing.power <= MOST_ON_A_TRIANGLE


def _defeat(model: Model, triangle: int) -> None:
    fallen = model.pieces[triangle]
    if fallen.king:
        _eliminate(model, fallen.seat, triangle)
    else:
        del model.pieces[triangle]
        model.seats[fallen.seat].reserve += fallen.knights + fallen.golden


def _eliminate(model: Model, seat: int, king_at: int) -> None:
    loser = model.seats[seat]
    for triangle, formation in model.own(seat).items():
        loser.reserve += formation.knights + formation.golden
        del model.pieces[triangle]
    model.discard += loser.hand
    loser.hand = []
    loser.crowns = 0
    loser.is_alive = False
    model.fallen_order.append(seat)
    _lift_empty_snares(model)
    model.relics.setdefault(king_at, []).append("fallen")
    if len(model.living()) == 1:
        _win(model, model.living()[0], "last_king")


def _win(model: Model, seat: int, how: str) -> None:
    model.winner = seat
    model.how = how


def _has_escaped(model: Model, end: int, group: Formation) -> bool:
    """Whether the group that has just come to `end` takes a Bearer out of the arena."""
    seat = model.seats[group.seat]
    return seat.is_bearer and end == seat.gate and group.king


def _collect(model: Model, triangle: int, group: Formation, draws: Draws) -> None:
    here = model.relics.get(triangle, [])
    for relic in sorted(here, key=lambda r: r == "fallen"):
        if relic in ("crown", "fallen"):
            if not group.king or model.seats[group.seat].is_bearer:
                continue
            _gain_crown(model, group.seat)
        here.remove(relic)
        if relic != "fallen":
            model.returning.append((relic, triangle))
        if relic in _USES:
            _USES[relic](model, draws)
    if not here:
        model.relics.pop(triangle, None)


def _gain_crown(model: Model, seat: int) -> None:
    model.seats[seat].crowns += 1
    if model.seats[seat].is_bearer and model.king_of(seat) == model.seats[seat].gate:
        _win(model, seat, "escape")


def _use_horse(model: Model, _draws: Draws) -> None:
    model.moves_left += 2


def _use_shield(model: Model, _draws: Draws) -> None:
    candidates = model.normal_knights(model.turn)
    if len(candidates) == 1:
        _gild(model, candidates[0])
    elif candidates:
        model.is_shield_open = True


def _use_boat(model: Model, _draws: Draws) -> None:
    _spawn(model)


def _use_loot(model: Model, draws: Draws) -> None:
    hand = model.seats[model.turn].hand
    if len(hand) == MOST_CARDS or not model.deck_size + len(model.discard):
        return
    if not model.deck_size:
        model.deck_size = len(model.discard)
        model.discard = []
    model.deck_size -= 1
    hand.append(draws.cards.pop(0))


_USES: dict[str, Callable[[Model, Draws], None]] = {
    "horse": _use_horse,
    "shield": _use_shield,
    "boat": _use_boat,
    "loot": _use_loot,
}


def _gild(model: Model, triangle: int) -> None:
    model.pieces[triangle].knights -= 1
    model.pieces[triangle].golden += 1


def _spawn(model: Model) -> None:
    """One spawn attempt of the seat on turn."""
    seat = model.seats[model.turn]
    standing = model.pieces.get(seat.gate)
    if standing is not None and standing.seat != model.turn:
        _strike(model, seat.gate, standing)
    elif seat.reserve and (standing is None or standing.power < MOST_ON_A_TRIANGLE):
        seat.reserve -= 1
        _put_on(model, seat.gate, Formation(model.turn, knights=1))


def _strike(model: Model, gate: int, blockers: Formation) -> None:
    if blockers.golden:
        blockers.golden -= 1
        blockers.knights += 1
    elif blockers.knights:
        model.seats[blockers.seat].reserve += 1
        _take_off(model, gate, Formation(blockers.seat, knights=1))
    else:
        _defeat(model, gate)


def _play_card(
    model: Model,
    number: int,
    rival: object,
    triangle: object,
    to_triangle: object,
) -> None:
    seat = model.seats[model.turn]
    seat.hand.remove(number)
    model.discard.append(number)
    model.has_played_card = True
    match model.colours[number], rival, triangle, to_triangle:
        case "gold", None, None, None:
            _gain_crown(model, model.turn)
        case "red", int(victim), None, None:
            model.seats[victim].crowns -= 1
            _gain_crown(model, model.turn)
        case "violet", None, int(start), int(end):
            group = model.pieces.pop(start)
            model.pieces[end] = group
            model.moves_left = 0
            if _has_escaped(model, end, group):
                _win(model, model.turn, "escape")
        case "blue", None, int(where), None:
            _gild(model, where)
        case "green", None, None, None:
            _spawn(model)
        case "white", None, None, None:
            model.moves_left += 1
        case "black", None, int(where), None:
            model.snares[where] = Snare(model.pieces[where].seat)


def _end_turn(model: Model, draws: Draws) -> None:
    model.snares = {
        t: s for t, s in model.snares.items() if not (s.is_active and s.seat == model.turn)
    }
    before = model.turn
    model.turn = next(
        seat
        for step in range(1, len(model.seats) + 1)
        if model.seats[seat := (before + step) % len(model.seats)].is_alive
    )
    if model.turn <= before:
        model.round += 1
        _bring_back(model, draws)
    model.moves_left = 1
    model.has_moved = False
    model.has_played_card = False
    _wake_snares(model)


def _bring_back(model: Model, draws: Draws) -> None:
    """Put relics back where chance wants them; those without a place wait another round."""
    waiting = []
    for relic, taken_at in model.returning:
        if draws.placements and draws.placements[0][0] == relic:
            _, triangle = draws.placements.pop(0)
            assert triangle in places_for(model, relic, taken_at)
            model.relics[triangle] = [relic]
        else:
            assert not places_for(model, relic, taken_at)
            waiting.append((relic, taken_at))
    model.returning = waiting
    assert not draws.placements


def places_for(model: Model, relic: str, taken_at: int) -> set[int]:
    """Where a relic may come back."""
    gates = {seat.gate for seat in model.seats}
    free = set(range(len(model.arena.triangles))) - gates - set(model.pieces) - set(model.relics)
    if relic == "crown":
        free -= {taken_at}
        free -= {t for gate in gates for t, steps in model.arena.steps(gate).items() if steps < 3}
    return free


def _lift_empty_snares(model: Model) -> None:
    """A Snare holds those who stood there; with the last of them it is gone."""
    model.snares = {t: s for t, s in model.snares.items() if t in model.own(s.seat)}


def _wake_snares(model: Model) -> None:
    """Turn the snares of the seat on turn active, unless they would leave it without a move."""
    for snare in model.snares.values():
        if snare.seat == model.turn:
            snare.is_active = True
    if not any(board_moves(model)):
        model.snares = {t: s for t, s in model.snares.items() if s.seat != model.turn}
