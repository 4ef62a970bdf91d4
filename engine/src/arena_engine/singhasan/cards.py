"""Conspiracies in hands: buying them, which plays of them there are, whom a play is aimed at, and playing one."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan import guard, hands
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.effects import begin, can_play_step, draw_conspiracy, run
from arena_engine.singhasan.events import ConspiracyPlayed
from arena_engine.singhasan.ground import Ground
from arena_engine.singhasan.lasting import (
    FORBID_BUY,
    FORBID_DEED,
    conspiracy_change,
    is_forbidden,
)
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import (
    BUY,
    FIFTH,
    FIRST,
    FOURTH,
    PAYMENT,
    PLAY,
    SECOND,
    SIXTH,
    THIRD,
    field,
)
from arena_engine.singhasan.phases import ACT, COURT
from arena_engine.singhasan.position import CONSPIRACIES, FACT_PLAYED, HELD, KINDS, Position
from arena_engine.singhasan.programs import (
    COSTS,
    is_court_card,
    names_of,
    step_at,
    step_count,
)
from arena_engine.singhasan.steps import (
    R_COUNT,
    R_FROM,
    R_KIND,
    R_RIVAL,
    R_TO,
    can_arrive,
    can_do,
    can_kind,
    can_leave,
    can_start,
    is_subject,
    is_within,
    needed,
)
from arena_engine.singhasan.stock import BY_CONSPIRACY, canonical, pay, payment_of

#: What a play does not name.
NONE: Final = -1


def price(p: Position, seat: i64) -> i64:
    """What the top Conspiracy costs a seat now, in any resources; -1 where the pile is empty."""
    if p.conspiracy_size == 0:
        return -1
    top = i64(p.conspiracy_pile[p.conspiracy_size - 1])
    return max(COSTS[top] + conspiracy_change(p, seat), 0)


def fill_buys(p: Position, seat: i64, out: ActionList) -> None:
    """Append buying the top Conspiracy, for the canonical payment."""
    cost = price(p, seat)
    if cost < 0 or cost > p.total(seat) or is_forbidden(p, seat, FORBID_BUY):
        return
    out.add(BUY | (canonical(p, seat, 0, cost) << PAYMENT))


def do_buy(p: Position, seat: i64, action: i64) -> None:
    """Pay for the top Conspiracy and take it."""
    pay(p, seat, payment_of(action), BY_CONSPIRACY)
    draw_conspiracy(p, seat)


def is_time(p: Position, seat: i64, card: i64) -> bool:
    """Whether a seat may play this sort of Conspiracy now: deeds in its own act step, court cards in the window."""
    if is_court_card(card):
        return p.phase == COURT and seat != p.turn
    return p.phase == ACT and seat == p.turn and not is_forbidden(p, seat, FORBID_DEED)


def fill_plays(p: Position, seat: i64, out: ActionList) -> None:
    """Append every legal play of a seat's Conspiracies, by their numbers.

    By the rules of `can_play`, in loops that are fit for search.
    """
    in_court = p.phase == COURT and seat != p.turn
    in_act = p.phase == ACT and seat == p.turn and not is_forbidden(p, seat, FORBID_DEED)
    left = p.hand_sizes[seat]
    if left == 0 or (not in_court and not in_act):
        return
    ground: Ground | None = None
    for card in range(1, i64(CONSPIRACIES) + 1):
        if i64(p.conspiracy_at[card - 1]) != seat + HELD:
            continue
        if is_court_card(card) == in_court:
            if ground is None:
                ground = Ground(p)
            _fill_card(p, ground, seat, card, out)
        left -= 1
        if left == 0:
            return


def _fill_card(p: Position, ground: Ground, seat: i64, card: i64, out: ActionList) -> None:
    if names_of(card) & prim.NAMES_RIVAL == 0:
        _fill_at(p, ground, seat, card, p.turn if is_court_card(card) else NONE, out)
        return
    for rival in range(p.board.players):
        if rival != seat:
            _fill_at(p, ground, seat, card, rival, out)


def _fill_at(
    p: Position, ground: Ground, seat: i64, card: i64, rival: i64, out: ActionList
) -> None:
    """Append the plays of a card against one rival, or against none in particular."""
    step = step_at(card, 0)
    names = names_of(card)
    base = play_action(card, rival, NONE, NONE, NONE)
    if prim.op_of(step) in (prim.SHOVE, prim.RELOCATE, prim.SWAP):
        _fill_ways(p, ground, seat, step, rival, names, base, out)
    elif names & prim.NAMES_TO:
        _fill_rallies(p, ground, seat, step, base, out)
    elif names & prim.NAMES_PROVINCE:
        _fill_places(p, ground, seat, card, rival, base, out)
    elif names & prim.NAMES_KIND:
        for kind in range(i64(KINDS)):
            if can_play(p, seat, card, rival, NONE, NONE, kind):
                out.add(base | ((kind + 1) << FIFTH))
    elif can_play(p, seat, card, rival, NONE, NONE, NONE):
        out.add(base)


def _fill_ways(
    p: Position,
    ground: Ground,
    seat: i64,
    step: i64,
    rival: i64,
    names: i64,
    base: i64,
    out: ActionList,
) -> None:
    """Append the plays that take followers from one province to another."""
    op = prim.op_of(step)
    owner = rival if op == prim.SHOVE else seat
    for start in range(i64(PROVINCE_COUNT)):
        if not ground.has(p, owner, start):
            continue
        there = base | ((start + 1) << THIRD)
        most = min(p.standing[owner * PROVINCE_COUNT + start], prim.amount_of(step))
        for goal in range(i64(PROVINCE_COUNT)):
            if goal == start:
                continue
            if op == prim.SWAP:
                count = i64(1) if ground.has(p, rival, goal) else 0
            elif op == prim.SHOVE and (p.board.borders[start] >> goal) & 1 == 0:
                count = 0
            else:
                count = min(most, ground.room(goal))
            if count > 0 and names & prim.NAMES_TO == 0:
                out.add(there)
                break
            _add_counts(there | ((goal + 1) << FOURTH), count, names, out)


def _add_counts(action: i64, count: i64, names: i64, out: ActionList) -> None:
    """Append a play for each count up to one, or just the play where it names none."""
    if names & prim.NAMES_COUNT == 0:
        if count > 0:
            out.add(action)
        return
    for number in range(1, count + 1):
        out.add(action | (number << SIXTH))


def _fill_rallies(
    p: Position, ground: Ground, seat: i64, step: i64, base: i64, out: ActionList
) -> None:
    """Append the plays that bring followers from the supply."""
    most = min(p.supply[seat], prim.amount_of(step))
    for goal in range(i64(PROVINCE_COUNT)):
        count = min(most, ground.room(goal))
        if count > 0 and is_within(p, step, seat, seat, goal):
            _add_counts(base | ((goal + 1) << FOURTH), count, prim.NAMES_COUNT, out)


def _fill_places(
    p: Position, ground: Ground, seat: i64, card: i64, rival: i64, base: i64, out: ActionList
) -> None:
    """Append the plays that are for followers of one province, or for the province itself."""
    step = step_at(card, 0)
    names = names_of(card)
    for start in range(i64(PROVINCE_COUNT)):
        if (ground.touchable >> start) & 1 == 0:
            continue
        if rival >= 0 and not ground.has(p, rival, start):
            continue
        if not can_play(p, seat, card, rival, start, NONE, NONE):
            continue
        there = base | ((start + 1) << THIRD)
        if names & prim.NAMES_KIND:
            for kind in range(i64(KINDS)):
                out.add(there | ((kind + 1) << FIFTH))
        else:
            standing = p.standing[rival * PROVINCE_COUNT + start] if rival >= 0 else 0
            _add_counts(
                there,
                min(standing, prim.amount_of(step)) if names & prim.NAMES_COUNT else 1,
                names,
                out,
            )


def most_count(p: Position, seat: i64, card: i64, rival: i64, start: i64, goal: i64) -> i64:
    """The most followers that a play can be for."""
    step = step_at(card, 0)
    owner = rival if prim.who_of(step) == prim.RIVAL else seat
    return min(prim.amount_of(step), guard.most(p, owner, start, goal))


def play_action(card: i64, rival: i64, start: i64, goal: i64, kind: i64) -> i64:
    """A packed play, without its count. A court card names no rival: it is aimed at who answers."""
    named = NONE if is_court_card(card) else rival
    return (
        PLAY
        | (card << FIRST)
        | ((named + 1) << SECOND)
        | ((start + 1) << THIRD)
        | ((goal + 1) << FOURTH)
        | ((kind + 1) << FIFTH)
    )


def can_play(
    p: Position, seat: i64, card: i64, rival: i64, start: i64, goal: i64, kind: i64
) -> bool:
    """Whether the first step of a card can be done as named; what is -1 may be anything."""
    step = step_at(card, 0)
    if prim.who_of(step) == prim.RIVAL:
        return _can_hit(p, card, seat, rival, start, goal, kind)
    return any(
        is_subject(p, step, seat, subject) and _can_hit(p, card, seat, subject, start, goal, kind)
        for subject in range(p.board.players)
    )


def _can_hit(
    p: Position, card: i64, seat: i64, subject: i64, start: i64, goal: i64, kind: i64
) -> bool:
    """Whether the first step of a card can be done to a subject as named."""
    step = step_at(card, 0)
    register = needed(step, 0)
    if register == R_KIND and kind >= 0:
        return can_kind(p, step, seat, subject, kind)
    if register == R_FROM and start >= 0:
        if goal < 0:
            return can_start(p, step, seat, subject, start)
        is_able = can_leave(p, step, seat, subject, start)
        return is_able and can_arrive(p, step, seat, subject, start, goal)
    if register == R_TO and goal >= 0:
        is_able = p.supply[subject] > 0
        return is_able and can_arrive(p, step, seat, subject, guard.HOME, goal)
    return can_play_step(p, card, seat, subject)


def rival_of(p: Position, action: i64) -> i64:
    """Whom a packed play is aimed at, -1 for nobody in particular."""
    return p.turn if is_court_card(field(action, FIRST)) else field(action, SECOND) - 1


def aims_at(p: Position, seat: i64, action: i64) -> i64:
    """Bits of the rivals that a packed play is aimed at. One that it can do nothing to is not among them."""
    card = field(action, FIRST)
    aims: i64 = 0
    for i in range(step_count(card)):
        step = step_at(card, i)
        who = prim.who_of(step)
        if who == prim.RIVAL:
            rival = rival_of(p, action)
            aims |= i64(1) << rival
        elif who != prim.CALLER:
            aims |= _crowd_aimed_at(p, seat, step, field(action, THIRD) - 1)
    return aims


def _crowd_aimed_at(p: Position, seat: i64, step: i64, start: i64) -> i64:
    """Bits of the rivals that a step for several can be done to, in the province named where one is."""
    aims: i64 = 0
    for rival in range(p.board.players):
        if rival != seat and is_subject(p, step, seat, rival):
            if start >= 0 and not can_start(p, step, seat, rival, start):
                continue
            if can_do(p, step, seat, rival):
                aims |= i64(1) << rival
    return aims


def pay_play(p: Position, seat: i64, action: i64) -> None:
    """Spend the card of a play: it leaves the hand face up, before anybody can shield themselves."""
    card = field(action, FIRST)
    hands.drop(p, card)
    p.last_played_by = seat
    p.facts[FACT_PLAYED * p.board.players + seat] += 1
    if p.log is not None:
        rival = rival_of(p, action)
        start = field(action, THIRD) - 1
        goal = field(action, FOURTH) - 1
        p.log.append(
            ConspiracyPlayed(
                seat,
                card,
                rival if rival >= 0 else None,
                start if start >= 0 else None,
                goal if goal >= 0 else None,
            )
        )


def finish_play(p: Position, seat: i64, action: i64, shielded: i64) -> None:
    """Carry out a play but for who is shielded, as far as it goes without somebody's choice."""
    begin(p, field(action, FIRST), seat, shielded)
    p.registers[R_RIVAL] = rival_of(p, action)
    p.registers[R_FROM] = field(action, THIRD) - 1
    p.registers[R_TO] = field(action, FOURTH) - 1
    p.registers[R_KIND] = field(action, FIFTH) - 1
    if field(action, SIXTH) != 0:
        p.registers[R_COUNT] = field(action, SIXTH)
    run(p)
