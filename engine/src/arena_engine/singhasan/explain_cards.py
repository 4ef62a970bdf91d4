"""Why a Conspiracy cannot be bought or played, or an option not chosen, in one line; None where it can.

For the seat that acts, in a phase for it: that it may act at all is asked before. What a play names is looked at in the
order rival, province, province of arrival, kind, count, so that each can be asked about while the next is still open.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan import guard, hands
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.cards import (
    NONE,
    can_play,
    is_time,
    most_count,
    price,
)
from arena_engine.singhasan.changes import loose
from arena_engine.singhasan.choices import fill_choices
from arena_engine.singhasan.lasting import (
    FORBID_BUY,
    FORBID_DEED,
    is_forbidden,
    is_protected,
)
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import (
    FIFTH,
    FIRST,
    FOURTH,
    SECOND,
    SIXTH,
    THIRD,
    field,
)
from arena_engine.singhasan.position import CONSPIRACIES, KINDS, Position
from arena_engine.singhasan.programs import is_court_card, names_of, step_at
from arena_engine.singhasan.steps import converter, payer
from arena_engine.singhasan.stock import affords, payment_of, sum_of
from arena_engine.singhasan.words import (
    IDEOLOGIES,
    RESOURCES,
    capital,
    conspiracy_name,
    count_of,
    province_name,
)

#: By what `NAMES_*` asks for: where a play has it, and what it is called.
_FIELDS: Final = (
    (prim.NAMES_RIVAL, SECOND, "rival"),
    (prim.NAMES_PROVINCE, THIRD, "province"),
    (prim.NAMES_TO, FOURTH, "province of arrival"),
    (prim.NAMES_KIND, FIFTH, "resource or ideology"),
    (prim.NAMES_COUNT, SIXTH, "count"),
)
#: Why a card that names nothing, or nothing that matters at first, has no effect.
_NO_EFFECT: Final = {
    prim.DRAW: "The pile of Conspiracies is empty.",
    prim.REFRESH: "You have neither Marched nor used a power this turn.",
    prim.HUSH: "Tribute is hushed already.",
    prim.BY_LOT: "This answer is drawn by lot already.",
    prim.NO_REDRAW: "This Question cannot be sent away as it is.",
    prim.TAX: "All that this answer pays goes to others already.",
    prim.GAIN: "No province is sworn to you.",
    prim.STEAL: "There are no resources to take.",
    prim.LOSE_ANSWER: "No rival holds an answer.",
    prim.TAKE: "No rival holds a Conspiracy.",
}


def explain_buy(p: Position, seat: int, action: int) -> str | None:
    """Why a seat cannot buy the top Conspiracy with this payment."""
    if is_forbidden(p, seat, FORBID_BUY):
        return "A card in force forbids you to buy Conspiracies."
    cost = price(p, seat)
    if cost < 0:
        return "The pile of Conspiracies is empty."
    payment = payment_of(action)
    if sum_of(payment) != cost:
        return f"The top Conspiracy costs {cost}, not {sum_of(payment)}."
    return None if affords(p, seat, payment) else "You do not hold what you would pay with."


def explain_choice(p: Position, action: int) -> str | None:
    """Why an option of the open choice cannot be chosen."""
    options = ActionList()
    fill_choices(p, options)
    option = field(action, FIRST)
    if option >= options.count:
        return f"There is no option {option}: there are {options.count}, from 0."
    return None


def explain_card(p: Position, seat: int, card: int) -> str | None:
    """Why a seat cannot play a card now, whatever at."""
    if not 1 <= card <= CONSPIRACIES or not hands.holds(p, seat, card):
        return f"You do not hold Conspiracy {card}."
    if not is_time(p, seat, card):
        if not is_court_card(card) and is_forbidden(p, seat, FORBID_DEED):
            return "A card in force forbids you to play deeds."
        if is_court_card(card):
            return "A court card is played before a rival answers."
        return "A deed is played in your own turn, once the court is answered."
    rivals = [rival for rival in range(p.board.players) if rival != seat]
    if is_court_card(card):
        rivals = [p.turn]
    if any(can_play(p, seat, card, rival, NONE, NONE, NONE) for rival in rivals):
        return None
    return _NO_EFFECT.get(prim.op_of(step_at(card, 0)), "There is nothing it could be played at.")


def explain_rival(p: Position, seat: int, card: int, rival: int) -> str | None:
    """Why a card cannot be played at this rival."""
    if reason := _explain_seat(p, seat, rival):
        return reason
    if can_play(p, seat, card, rival, NONE, NONE, NONE):
        return None
    step = step_at(card, 0)
    op = prim.op_of(step)
    if op == prim.STEAL:
        return f"Seat {rival} holds no resources."
    if op == prim.LOSE_ANSWER:
        return f"Seat {rival} holds no answers."
    if op == prim.TAKE:
        return f"Seat {rival} holds no Conspiracies."
    return f"{conspiracy_name(card)} can do nothing to seat {rival} now."


def _explain_seat(p: Position, seat: int, rival: int) -> str | None:
    if not 0 <= rival < p.board.players or rival == seat:
        return f"Seat {rival} is no rival of yours."
    return None


def explain_start(p: Position, seat: int, card: int, rival: int, start: int) -> str | None:
    """Why a card cannot be played at this province."""
    if not 0 <= start < PROVINCE_COUNT:
        return f"There is no province {start}."
    if can_play(p, seat, card, rival, start, NONE, NONE):
        return None
    step = step_at(card, 0)
    op = prim.op_of(step)
    if op == prim.PROTECT:
        return _protect_obstacle(p, start)
    owner = seat if op in (prim.SWAP, prim.RELOCATE) else rival
    if prim.who_of(step) == prim.RIVALS:
        return _crowd_obstacle(p, seat, step, start)
    if op == prim.CONVERT:
        obstacle = guard.replacing(p, owner, start, converter(p, seat, rival))
    else:
        obstacle = guard.leaving(p, owner, start)
    if obstacle:
        return _obstacle_text(obstacle, owner if obstacle != guard.NO_SUPPLY else seat, seat, start)
    return _where_obstacle(p, step, seat, owner, start) or (
        f"From {province_name(start)} there is nowhere to go."
    )


def explain_goal(
    p: Position, seat: int, card: int, rival: int, start: int, goal: int
) -> str | None:
    """Why a card cannot have a follower arrive in this province; for a swap, why not with one there."""
    if not 0 <= goal < PROVINCE_COUNT:
        return f"There is no province {goal}."
    if can_play(p, seat, card, rival, start, goal, NONE):
        return None
    step = step_at(card, 0)
    op = prim.op_of(step)
    if start == goal:
        return "It stands there already."
    if op == prim.SWAP:
        return _obstacle_text(guard.leaving(p, rival, goal), rival, seat, goal)
    if op == prim.SHOVE and not p.board.borders[start] >> goal & 1:
        return f"{capital(province_name(goal))} does not border {province_name(start)}."
    obstacle = guard.entering(p, goal)
    if op == prim.RALLY and p.supply[seat] == 0:
        obstacle = guard.NO_SUPPLY
    if obstacle:
        return _obstacle_text(obstacle, seat, seat, goal)
    return f"You have no follower in {province_name(goal)}."


def explain_kind(
    p: Position, seat: int, card: int, rival: int, start: int, kind: int
) -> str | None:
    """Why a card cannot be played with this resource or ideology, from 0."""
    if not 0 <= kind < KINDS:
        return f"There is no resource or ideology {kind + 1}."
    if can_play(p, seat, card, rival, start, NONE, kind):
        return None
    step = step_at(card, 0)
    if prim.op_of(step) == prim.LOSE_ANSWER:
        return f"Seat {rival} holds no answer of {IDEOLOGIES[kind]}."
    if prim.op_of(step) == prim.STEAL:
        return f"Seat {payer(step, seat, rival)} holds no {RESOURCES[kind]}."
    return "No province is sworn to you."


def explain_play(p: Position, seat: int, action: int) -> str | None:
    """Why a seat cannot play a Conspiracy as named."""
    card = field(action, FIRST)
    if reason := explain_card(p, seat, card) or _explain_names(card, action):
        return reason
    names = names_of(card)
    rival = p.turn if is_court_card(card) else field(action, SECOND) - 1
    start, goal = field(action, THIRD) - 1, field(action, FOURTH) - 1
    kind, count = field(action, FIFTH) - 1, field(action, SIXTH)
    reason = None
    if names & prim.NAMES_RIVAL:
        # What is wrong with a province says more than that nothing can be done to its holder.
        at_province = names & prim.NAMES_PROVINCE
        reason = _explain_seat(p, seat, rival)
        if not reason and not at_province:
            reason = explain_rival(p, seat, card, rival)
    if not reason and names & prim.NAMES_PROVINCE:
        reason = explain_start(p, seat, card, rival, start)
    if not reason and names & prim.NAMES_TO:
        reason = explain_goal(p, seat, card, rival, start, goal)
    if not reason and names & prim.NAMES_KIND:
        reason = explain_kind(p, seat, card, rival, start, kind)
    if not reason and names & prim.NAMES_COUNT:
        most = most_count(p, seat, card, rival, start, goal)
        if count > most:
            reason = f"It can be {count_of(most, 'follower')} at most, not {count}."
    return reason


def _explain_names(card: int, action: int) -> str | None:
    """Why a play does not name what its card asks for."""
    names = names_of(card)
    for bit, shift, what in _FIELDS:
        if names & bit and not field(action, shift):
            return f"{conspiracy_name(card)} needs a {what}."
        if not names & bit and field(action, shift):
            return f"{conspiracy_name(card)} takes no {what}."
    return None


def _protect_obstacle(p: Position, province: int) -> str:
    if not p.board.in_play[province]:
        return _obstacle_text(guard.NOT_IN_PLAY, 0, 0, province)
    if p.sealed[province]:
        return _obstacle_text(guard.SEALED, 0, 0, province)
    return f"{capital(province_name(province))} is protected already."


def _crowd_obstacle(p: Position, seat: int, step: int, province: int) -> str:
    """Why a step for all rivals can do nothing in a province."""
    if not p.board.in_play[province]:
        return _obstacle_text(guard.NOT_IN_PLAY, 0, 0, province)
    if p.sealed[province]:
        return _obstacle_text(guard.SEALED, 0, 0, province)
    if is_protected(p, province):
        return _obstacle_text(guard.PROTECTED, 0, 0, province)
    if prim.where_of(step) & prim.PRESENT and p.followers(seat, province) == 0:
        return f"You have no follower in {province_name(province)}."
    return f"No rival has a follower off the Rifts of {province_name(province)}."


def _where_obstacle(p: Position, step: int, seat: int, owner: int, province: int) -> str | None:
    """Why a step takes no follower of an owner from a province, by what it says of where."""
    where = prim.where_of(step)
    if where & prim.PRESENT and p.followers(seat, province) == 0:
        return f"You have no follower in {province_name(province)}."
    if where & prim.MATCHED and p.followers(seat, province) < p.followers(owner, province):
        return f"Seat {owner} has more followers in {province_name(province)} than you."
    if where & prim.LOOSE and loose(p, owner, province) <= 0:
        return f"{capital(province_name(province))} needs all of them for its oath."
    return None


def _obstacle_text(obstacle: int, owner: int, seat: int, province: int) -> str:
    """What the guard found in the way, in words."""
    name = province_name(province)
    if obstacle == guard.NOT_IN_PLAY:
        return f"{capital(name)} is not in play."
    if obstacle == guard.SEALED:
        return f"{capital(name)} is Sealed."
    if obstacle == guard.PROTECTED:
        return f"{capital(name)} is protected for now."
    if obstacle == guard.FULL:
        return f"{capital(name)} has no free seat off its Rifts."
    if obstacle == guard.NO_SUPPLY:
        return "Your supply is empty." if owner == seat else f"Seat {owner} has an empty supply."
    whose = "You have" if owner == seat else f"Seat {owner} has"
    return f"{whose} no follower off the Rifts of {name}."
