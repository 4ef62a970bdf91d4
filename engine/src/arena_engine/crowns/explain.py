"""Why an action is not legal, in one line that names value and rule; None where it is legal.

Works from the rules alone, without listing actions: the tests hold it and the list of legal actions against each other.
"""

from __future__ import annotations

from arena_engine.crowns import cards
from arena_engine.crowns.cardplay import can_lift, can_snare, can_snatch
from arena_engine.crowns.listing import ActionList
from arena_engine.crowns.moves import reaches
from arena_engine.crowns.packing import (
    ABILITY,
    CHOOSE_SHIELD,
    END_TURN,
    KING,
    MOVE,
    PLAY_CARD,
    RESIGN,
    STACK,
    card_of,
    first_of,
    golden_in,
    group_of,
    kind_of,
    knights_in,
    owner_of,
    power_of,
    rival_of,
    second_of,
    speed_of,
)
from arena_engine.crowns.position import HAND, SNARE_HOLDS, Position
from arena_engine.crowns.relics import can_gild, spawn_obstacle
from arena_engine.crowns.text import pieces_text
from arena_engine.crowns.turns import fill_legal


def explain(p: Position, seat: int, action: int) -> str | None:
    """None when `seat` may take `action` now, else the reason why not."""
    kind = kind_of(action)
    if (reason := explain_seat(p, seat)) or kind == RESIGN:
        return reason
    if reason := _explain_decision(p, seat, kind):
        return reason
    if kind == PLAY_CARD:
        return _explain_card(p, seat, action)
    if kind == MOVE:
        return _explain_move(p, seat, action)
    if kind == CHOOSE_SHIELD:
        return _explain_shield(p, seat, first_of(action))
    if kind == END_TURN:
        return None if p.has_moved else "A turn cannot end before its first move."
    return "There is no such action."


def explain_seat(p: Position, seat: int) -> str | None:
    """Why a seat can do nothing at all; None where it is in the match."""
    if p.how:
        return "The match has ended."
    if not 0 <= seat < p.grid.players:
        return f"Seat {seat} is not in this match of {p.grid.players}."
    return None if p.is_alive(seat) else f"Seat {seat} is eliminated."


def _explain_decision(p: Position, seat: int, kind: int) -> str | None:
    if seat != p.turn:
        return f"It is the turn of seat {p.turn}."
    if p.shield_at >= 0 and kind != CHOOSE_SHIELD:
        return "A Shield waits: first choose the triangle whose Normal Knight becomes Golden."
    return None


def _explain_shield(p: Position, seat: int, triangle: int) -> str | None:
    if p.shield_at < 0:
        return "No Shield waits for a choice."
    if triangle >= p.grid.size or not can_gild(p, seat, triangle):
        return f"No Normal Knight of yours is on {triangle}."
    return None


def explain_group(p: Position, seat: int, triangle: int, pieces: int) -> str | None:
    """Why a seat cannot pick up these pieces; None where it can."""
    if not 0 <= triangle < p.grid.size:
        return f"Triangle {triangle} is not on this arena of {p.grid.size}."
    cell = p.cells[triangle]
    if not p.is_own(triangle, seat):
        return f"No pieces of yours are on {triangle}."
    if not 1 <= power_of(pieces) <= STACK:
        return "A group has 1-3 pieces."
    lacks = (
        pieces & KING > cell & KING
        or knights_in(pieces) > knights_in(cell)
        or golden_in(pieces) > golden_in(cell)
    )
    if lacks:
        return f"On {triangle} there is {pieces_text(cell)}, not {pieces_text(pieces)}."
    return None


def _explain_move(p: Position, seat: int, action: int) -> str | None:
    start, goal, group = first_of(action), second_of(action), group_of(action)
    if reason := explain_group(p, seat, start, group):
        return reason
    if goal >= p.grid.size:
        return f"Triangle {goal} is not on this arena of {p.grid.size}."
    if goal == start:
        return "A move has to end somewhere else than it starts."
    if p.snare_at(start) == SNARE_HOLDS:
        return f"A Snare holds everything on {start} this turn."
    speed = speed_of(group)
    steps = p.grid.steps(start, goal)
    if steps > speed:
        slowest = {1: "its King", 2: "its Normal Knights", 3: "a Golden Knight"}[speed]
        return f"{goal} is {steps} steps away; {slowest} can take {speed}."
    if not reaches(p, start, goal, speed):
        return f"Rivals block every way of {speed} steps to {goal}."
    return _explain_arrival(p, seat, goal, power_of(group))


def _explain_arrival(p: Position, seat: int, goal: int, power: int) -> str | None:
    there = p.cells[goal]
    if there == 0:
        return None
    if owner_of(there) == seat:
        if power_of(there) + power > STACK:
            return f"{goal} would hold {power_of(there) + power} pieces; {STACK} is the most."
        return None
    if power < power_of(there):
        return f"Power {power} cannot attack Power {power_of(there)} on {goal}."
    return None


def explain_play(p: Position, seat: int, card: int) -> str | None:
    """Why a seat cannot play a card at all now, whatever at; None where nothing general forbids it."""
    if reason := explain_seat(p, seat) or _explain_decision(p, seat, PLAY_CARD):
        return reason
    if not any(p.hands[seat * HAND + i] == card for i in range(p.hand_size[seat])):
        return f"Card {card} is not in your hand."
    if p.has_moved:
        return "Cards come before the first move of a turn."
    if p.has_played_card:
        return "One card a turn, and this turn's is played."
    legal = ActionList()
    fill_legal(p, seat, legal)
    if kind_of(legal.items[0]) == RESIGN:
        return "Without a legal move no card can be played, only resigning is left."
    return None


def _explain_card(p: Position, seat: int, action: int) -> str | None:
    card = card_of(action)
    if reason := explain_play(p, seat, card):
        return reason
    ability = ABILITY[card]
    first = first_of(action)
    if first >= p.grid.size or second_of(action) >= p.grid.size:
        return f"That triangle is not on this arena of {p.grid.size}."
    if ability == cards.SNATCH:
        return _explain_snatch(p, seat, rival_of(action))
    if ability == cards.SNEAK:
        return explain_lift(p, seat, first) or _explain_landing(p, second_of(action))
    if ability == cards.AEGIS:
        is_fine = can_gild(p, seat, first)
        return None if is_fine else f"No Normal Knight of yours is on {first}."
    if ability == cards.SNARE:
        return _explain_snare(p, seat, first)
    return _explain_plain(p, seat, ability)


def _explain_plain(p: Position, seat: int, ability: int) -> str | None:
    """Why a card that names nothing has no effect; None where it has one."""
    if ability == cards.FORTUNE and p.is_bearer(seat):
        return "The Crown Bearer cannot gain another Crown."
    if ability == cards.MUSTER and (obstacle := spawn_obstacle(p, seat)):
        return f"Nothing can be placed: {obstacle}."
    return None


def _explain_snatch(p: Position, seat: int, rival: int) -> str | None:
    if p.is_bearer(seat):
        return "The Crown Bearer cannot gain another Crown."
    if rival >= p.grid.players or rival == seat:
        return f"Seat {rival} is no rival of yours."
    return None if can_snatch(p, seat, rival) else f"Seat {rival} has no Crown."


def explain_lift(p: Position, seat: int, start: int) -> str | None:
    """Why Sneak cannot lift the formation on a triangle; None where it can."""
    if not p.is_own(start, seat):
        return f"No pieces of yours are on {start}."
    return None if can_lift(p, seat, start) else f"A Snare holds everything on {start} this turn."


def _explain_landing(p: Position, goal: int) -> str | None:
    return (
        None
        if p.is_bare(goal)
        else f"Sneak needs an empty triangle without relics; {goal} is none."
    )


def _explain_snare(p: Position, seat: int, triangle: int) -> str | None:
    if can_snare(p, seat, triangle):
        return None
    if p.snare_at(triangle):
        return f"A Snare lies on {triangle} already."
    return f"No rival's pieces are on {triangle}."
