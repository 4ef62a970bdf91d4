"""The interpreter of the cards: carries out the steps of a Headline or a Conspiracy, one subject after the other.

What a step needs and nobody has named is chosen on the way: the program then stops, `choice_seat` says for whom, and
`run` goes on once `choices` has filled the register. Where there is only one way, nobody is asked; where there is none,
the step does nothing. A card under way is all in `program`, `step` and `registers`.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from arena_engine.singhasan import guard, hands, lasting, legends, stock
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import loose
from arena_engine.singhasan.deal import refill_row, replace_question
from arena_engine.singhasan.events import (
    CardsSeen,
    ConspiracyBought,
    ConspiracyLost,
    ConspiracyTaken,
)
from arena_engine.singhasan.hire import use_follower
from arena_engine.singhasan.offers import void_lost_offers
from arena_engine.singhasan.position import (
    COURT_BY_LOT,
    COURT_HUSHED,
    COURT_NO_REDRAW,
    KINDS,
    ROW,
    USED_SHIELD,
    Position,
)
from arena_engine.singhasan.programs import (
    COSTS,
    HEADLINE,
    names_of,
    step_at,
    step_count,
)
from arena_engine.singhasan.steps import (
    R_BRANCH,
    R_COUNT,
    R_FROM,
    R_KIND,
    R_LEFT,
    R_LOOP,
    R_RIVAL,
    R_TO,
    can_arrive,
    can_do,
    can_kind,
    can_leave,
    can_start,
    chooser_of,
    converter,
    is_subject,
    needed,
    payer,
    scaled,
)

# Layout of `Position.program`: the program's number, the seat whose card it is, and the seats it cannot touch.
_NUMBER: Final = 127
_SEAT: Final = 7
_SHIELDED: Final = 10
#: A `PICK` has chosen the province for the steps that follow.
_PICKED: Final = 1 << 15

#: An option that takes nothing more.
STOP: Final = 31


def begin(p: Position, program: i64, seat: i64, shielded: i64) -> None:
    """Put a program in place, with nothing named."""
    p.program = program | (seat << _SEAT) | (shielded << _SHIELDED)
    p.step = 0
    for register in range(R_BRANCH + 1):
        p.registers[register] = -1
    p.registers[R_LOOP] = 0
    p.registers[R_BRANCH] = 0


def number_of(p: Position) -> i64:
    """The program under way, 0 for none."""
    return p.program & _NUMBER


def caller_of(p: Position) -> i64:
    """The seat whose card is under way."""
    return (p.program >> _SEAT) & 7


def is_waiting(p: Position) -> bool:
    """Whether a card waits for somebody's choice."""
    return p.choice_seat >= 0


def run(p: Position) -> None:
    """Go on with the card under way until it is done, or waits for a choice."""
    while p.program != 0 and p.choice_seat < 0:
        _advance(p)


def _advance(p: Position) -> None:
    program = number_of(p)
    if p.step == step_count(program):
        p.program = 0
        p.step = 0
        return
    step = step_at(program, p.step)
    caller = caller_of(p)
    branch = prim.branch_of(step)
    if branch != 0 and branch != p.registers[R_BRANCH]:
        _next_step(p)
    elif prim.op_of(step) in (prim.CHANGE, prim.FORBID):
        _bring_lasting(p, step, caller)
        _next_step(p)
    elif p.registers[R_LOOP] == p.board.players:
        _next_step(p)
    elif asked_register(p, step) == R_RIVAL:
        _ask(p, step, caller, -1, R_RIVAL)
    else:
        seat = (caller + p.registers[R_LOOP]) % p.board.players
        if _is_due(p, step, caller, seat):
            _do(p, step, caller, seat)
        else:
            _next_subject(p)


def _is_due(p: Position, step: i64, caller: i64, seat: i64) -> bool:
    """Whether a step is for a seat that nothing shields from it."""
    if (p.program >> (_SHIELDED + seat)) & 1:
        return False
    if prim.who_of(step) == prim.RIVAL and seat != p.registers[R_RIVAL]:
        return False
    # A condition holds for a subject until the step is done with it.
    return p.registers[R_LEFT] >= 0 or is_subject(p, step, caller, seat)


def _next_step(p: Position) -> None:
    p.step += 1
    p.registers[R_LOOP] = 0
    p.registers[R_LEFT] = -1


def _next_subject(p: Position) -> None:
    p.registers[R_LOOP] += 1
    p.registers[R_LEFT] = -1


def _known(p: Position) -> i64:
    """Bits of the registers that are filled."""
    known: i64 = 0
    for register in range(R_COUNT):
        if p.registers[register] >= 0:
            known |= i64(1) << register
    if p.registers[R_BRANCH] > 0:
        known |= 1 << R_BRANCH
    return known


def _named(p: Position) -> i64:
    """Bits of the registers that stay as they are: what was named when the card was played, or picked since."""
    named = names_of(number_of(p))
    if p.program & _PICKED:
        named |= 1 << R_FROM
    return named


def asked_register(p: Position, step: i64) -> i64:
    """The register that a step under way needs next, -1 for none."""
    if prim.who_of(step) == prim.RIVAL and p.registers[R_RIVAL] < 0:
        return R_RIVAL
    return needed(step, _known(p))


def _do(p: Position, step: i64, caller: i64, subject: i64) -> None:
    """Do a step once to a subject, or ask for what it needs first."""
    if p.registers[R_LEFT] < 0:
        p.registers[R_LEFT] = _times(p, step, subject)
    if p.registers[R_LEFT] <= 0:
        _next_subject(p)
        return
    register = needed(step, _known(p))
    if register >= 0:
        _ask(p, step, caller, subject, register)
        return
    p.registers[R_LEFT] -= _apply(p, step, caller, subject)
    named = _named(p)
    for chosen in range(R_FROM, R_COUNT):
        if (named >> chosen) & 1 == 0:
            p.registers[chosen] = -1


def _times(p: Position, step: i64, subject: i64) -> i64:
    """How often a step is done to a subject."""
    op = prim.op_of(step)
    if p.step == 0 and p.registers[R_COUNT] >= 0:
        return p.registers[R_COUNT]
    is_counted = prim.REMOVE <= op <= prim.LOSE_ANSWER or prim.DRAW <= op <= prim.LOSE_CARD
    return scaled(p, step, subject) if is_counted or _is_piecemeal(step) else 1


def _is_piecemeal(step: i64) -> bool:
    """Whether a step takes resources one by one, the kind of each chosen."""
    op = prim.op_of(step)
    if prim.kind_of(step) >= 0:
        return False
    if op == prim.STEAL:
        return prim.chooser_of(step) == prim.BY_SUBJECT
    return op in (prim.LOSE, prim.GIVE)


def _ask(p: Position, step: i64, caller: i64, subject: i64, register: i64) -> None:
    """Fill a register where there is one way; ask where there are several; give the step up where there is none."""
    options = options_for(p, step, caller, subject, register)
    if len(options) == 0:
        if register == R_RIVAL:
            _next_step(p)
        else:
            _next_subject(p)
    elif len(options) == 1:
        p.registers[register] = options[0]
    else:
        p.choice_seat = caller if register == R_RIVAL else chooser_of(p, step, caller, subject)


def options_for(p: Position, step: i64, caller: i64, subject: i64, register: i64) -> vec[i64]:
    """What a register can be filled with, the clock's choice first; `STOP` last where the chooser may stop."""
    if register == R_RIVAL:
        rivals = vec[i64]()
        for seat in range(p.board.players):
            if seat != caller and can_do(p, step, caller, seat):
                rivals = append(rivals, seat)
        return rivals
    if register == R_BRANCH:
        branches = vec[i64]()
        for branch in range(1, 3):
            if is_branch_open(p, number_of(p), p.step, branch, caller, subject):
                branches = append(branches, branch)
        return branches
    if register == R_KIND:
        return _kinds(p, step, caller, subject)
    places = (
        _goals(p, step, caller, subject) if register == R_TO else _starts(p, step, caller, subject)
    )
    is_first = register == needed(step, _named(p))
    if prim.is_optional(step) and is_first and len(places) > 0:
        places = append(places, STOP)
    return places


def _starts(p: Position, step: i64, caller: i64, subject: i64) -> vec[i64]:
    """Provinces that a step can be done in or from; those first where the subject has a follower to spare."""
    places = vec[i64]()
    for province in range(i64(PROVINCE_COUNT)):
        if loose(p, subject, province) > 0 and can_start(p, step, caller, subject, province):
            places = append(places, province)
    for province in range(i64(PROVINCE_COUNT)):
        if loose(p, subject, province) <= 0 and can_start(p, step, caller, subject, province):
            places = append(places, province)
    return places


def _goals(p: Position, step: i64, caller: i64, subject: i64) -> vec[i64]:
    """Provinces where a follower can go."""
    start = guard.HOME if prim.op_of(step) == prim.RALLY else p.registers[R_FROM]
    places = vec[i64]()
    if not can_leave(p, step, caller, subject, start):
        return places
    for goal in range(i64(PROVINCE_COUNT)):
        if can_arrive(p, step, caller, subject, start, goal):
            places = append(places, goal)
    return places


def _kinds(p: Position, step: i64, caller: i64, subject: i64) -> vec[i64]:
    """Resources, those first of which who pays has most; or ideologies; or places of a hand."""
    op = prim.op_of(step)
    kinds = vec[i64]()
    if op in (prim.LOSE, prim.GIVE, prim.STEAL):
        at = payer(step, caller, subject) * KINDS
        for amount in range(p.total(payer(step, caller, subject)), 0, -1):
            for kind in range(i64(KINDS)):
                if p.stock[at + kind] == amount:
                    kinds = append(kinds, kind)
        return kinds
    count = hands.hand_size(p, subject) if op in (prim.TAKE, prim.LOSE_CARD) else KINDS
    for kind in range(count):
        if can_kind(p, step, caller, subject, kind):
            kinds = append(kinds, kind)
    return kinds


def is_branch_open(
    p: Position, program: i64, at: i64, branch: i64, caller: i64, subject: i64
) -> bool:
    """Whether a branch of the `EITHER` at a step can be chosen: what it takes has to be there in full."""
    first = at + 1
    while prim.branch_of(step_at(program, first)) != branch:
        first += 1
    step = step_at(program, first)
    if prim.op_of(step) in (prim.LOSE, prim.STEAL):
        return p.total(subject) >= prim.amount_of(step)
    return can_do(p, step, caller, subject)


def can_play_step(p: Position, program: i64, caller: i64, subject: i64) -> bool:
    """Whether the first step of a program can be done to a subject."""
    step = step_at(program, 0)
    if prim.op_of(step) != prim.EITHER:
        return can_do(p, step, caller, subject)
    return is_subject(p, step, caller, subject) and (
        is_branch_open(p, program, 0, 1, caller, subject)
        or is_branch_open(p, program, 0, 2, caller, subject)
    )


def _cause(p: Position) -> i64:
    return stock.BY_HEADLINE if number_of(p) > HEADLINE else stock.BY_CARD


def _apply(p: Position, step: i64, caller: i64, subject: i64) -> i64:
    """Do a step to a subject; returns how often it was done by that."""
    op = prim.op_of(step)
    if op <= prim.GIVE:
        return _move_resources(p, step, caller, subject)
    if op <= prim.SWAP:
        return _move_followers(p, op, caller, subject)
    if op == prim.PROTECT:
        until = prim.until_of(step)
        effect = lasting.pack(lasting.PROTECTED, 0, 0, p.registers[R_FROM], until)
        _begin_lasting(p, effect, caller)
    elif op == prim.LOSE_ANSWER:
        legends.lose_answer(p, subject, p.registers[R_KIND])
    elif op == prim.PICK:
        p.program |= _PICKED
    elif prim.TAX <= op <= prim.NO_REDRAW:
        _rule_court(p, op, caller, prim.amount_of(step))
    elif op == prim.REFRESH:
        p.marched = 0
        p.used[subject] &= USED_SHIELD
    elif op == prim.SWEEP:
        for slot in range(i64(ROW)):
            if p.row[slot] != 0:
                use_follower(p, slot)
        refill_row(p)
    elif op != prim.EITHER:
        _move_cards(p, op, caller, subject, prim.amount_of(step))
    return 1


def _move_resources(p: Position, step: i64, caller: i64, subject: i64) -> i64:
    op = prim.op_of(step)
    kind = prim.kind_of(step)
    if kind < 0:
        kind = p.registers[R_KIND]
    amount = 1 if _is_piecemeal(step) else scaled(p, step, subject)
    cause = _cause(p)
    if op == prim.GAIN:
        stock.gain(p, subject, kind, amount, cause)
    elif op == prim.LOSE:
        stock.lose(p, subject, kind, amount, cause)
    elif op == prim.STEAL:
        stock.gain(p, caller, kind, stock.lose(p, subject, kind, amount, cause), cause)
    else:
        stock.gain(p, subject, kind, stock.lose(p, caller, kind, amount, cause), cause)
    return 1


def _move_followers(p: Position, op: i64, caller: i64, subject: i64) -> i64:
    """Change the board by one follower, or by all that are left to change where every place was named."""
    start = p.registers[R_FROM]
    goal = p.registers[R_TO]
    if op == prim.CONVERT:
        guard.convert(p, subject, start, converter(p, caller, subject))
        return 1
    if op == prim.SWAP:
        guard.swap(p, caller, start, subject, goal)
        return 1
    if op in (prim.REMOVE, prim.DESERT):
        goal = guard.HOME
    elif op == prim.RALLY:
        start = guard.HOME
    named = _named(p)
    is_named = (start < 0 or (named >> R_FROM) & 1) and (goal < 0 or (named >> R_TO) & 1)
    count = p.registers[R_LEFT] if is_named else 1
    guard.shift(p, subject, start, goal, count)
    return count


def _move_cards(p: Position, op: i64, caller: i64, subject: i64, amount: i64) -> None:
    if op == prim.DRAW:
        if p.conspiracy_size > 0:
            draw_conspiracy(p, subject)
    elif op == prim.TAKE:
        card = hands.card_at(p, subject, p.registers[R_KIND])
        hands.pass_on(p, card, caller)
        if p.log is not None:
            p.log.append(ConspiracyTaken(subject, caller, card, COSTS[card]))
        void_lost_offers(p)
    elif op == prim.LOSE_CARD:
        card = hands.card_at(p, subject, p.registers[R_KIND])
        hands.drop(p, card)
        if p.log is not None:
            p.log.append(ConspiracyLost(subject, card))
        void_lost_offers(p)
    elif p.log is not None:
        p.log.append(_seen(p, op, caller, subject, amount))


def _seen(p: Position, op: i64, caller: i64, subject: i64, amount: i64) -> CardsSeen:
    if op == prim.PEEK_HAND:
        held = tuple(
            [int(hands.card_at(p, subject, i)) for i in range(hands.hand_size(p, subject))]
        )
        return CardsSeen(caller, subject, held, ())
    first = p.headline_size - 1
    count = min(amount, p.headline_size)
    coming = tuple([int(p.headline_deck[first - i]) for i in range(count)])
    return CardsSeen(caller, None, (), coming)


def draw_conspiracy(p: Position, seat: i64) -> None:
    """Put the top card of a pile that is not empty into a hand."""
    p.conspiracy_size -= 1
    card = i64(p.conspiracy_pile[p.conspiracy_size])
    hands.take(p, seat, card)
    if p.log is not None:
        p.log.append(ConspiracyBought(seat, card, COSTS[card]))


def _rule_court(p: Position, op: i64, caller: i64, amount: i64) -> None:
    if op == prim.TAX:
        p.court_tax += amount << (4 * caller)
    elif op == prim.HUSH:
        p.court |= COURT_HUSHED
    elif op == prim.BY_LOT:
        p.court |= COURT_BY_LOT
    elif op == prim.NO_REDRAW:
        p.court |= COURT_NO_REDRAW
    else:
        replace_question(p, caller)


def _bring_lasting(p: Position, step: i64, caller: i64) -> None:
    """Bring a change or a ban into force for all subjects that nothing shields."""
    subjects: i64 = 0
    for seat in range(p.board.players):
        if _is_due(p, step, caller, seat):
            subjects |= i64(1) << seat
    if subjects == 0:
        return
    until = prim.until_of(step)
    if prim.op_of(step) == prim.FORBID:
        effect = lasting.pack(lasting.FORBIDDEN, subjects, prim.what_of(step), -1, until)
    else:
        effect = lasting.pack(prim.what_of(step), subjects, prim.amount_of(step), -1, until)
    _begin_lasting(p, effect, caller)


def _begin_lasting(p: Position, effect: i64, caller: i64) -> None:
    number = number_of(p)
    if number > HEADLINE:
        lasting.begin(p, effect, caller, number - HEADLINE, 0)
    else:
        lasting.begin(p, effect, caller, 0, number)
