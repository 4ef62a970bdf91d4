"""Choices that cards ask for: what there is to choose from, and going on once it is chosen.

The options follow from the position, so none are kept. An option goes by its place in the list; the first is the
clock's.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan import hands
from arena_engine.singhasan import primitives as prim
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.effects import (
    STOP,
    asked_register,
    caller_of,
    number_of,
    options_for,
    run,
)
from arena_engine.singhasan.events import ChoiceMade
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import CHOOSE, FIRST, field
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.programs import COSTS, HEADLINE, step_at
from arena_engine.singhasan.steps import (
    R_BRANCH,
    R_FROM,
    R_KIND,
    R_LEFT,
    R_LOOP,
    R_RIVAL,
    R_TO,
)
from arena_engine.singhasan.words import IDEOLOGIES, RESOURCES, capital, province_name


def _options(p: Position) -> vec[i64]:
    """What the register that is asked for can be filled with."""
    step = step_at(number_of(p), p.step)
    subject = _subject(p)
    return options_for(p, step, caller_of(p), subject, asked_register(p, step))


def _subject(p: Position) -> i64:
    return (caller_of(p) + p.registers[R_LOOP]) % p.board.players


def fill_choices(p: Position, out: ActionList) -> None:
    """Append the options of the open choice."""
    for place in range(len(_options(p))):
        out.add(CHOOSE | (place << FIRST))


def do_choose(p: Position, seat: i64, action: i64) -> None:
    """Take an option, and go on with the card."""
    _take(p, seat, field(action, FIRST), by_clock=False)


def choose_by_clock(p: Position) -> None:
    """Take the first option for who has not chosen in time."""
    _take(p, p.choice_seat, 0, by_clock=True)


def _take(p: Position, seat: i64, place: i64, *, by_clock: bool) -> None:
    option = _options(p)[place]
    register = asked_register(p, step_at(number_of(p), p.step))
    p.choice_seat = -1
    if p.log is not None:
        p.log.append(ChoiceMade(seat, place, by_clock))
    if option == STOP and register != R_KIND:
        p.registers[R_LEFT] = 0
    else:
        p.registers[register] = option
    run(p)


def source(p: Position) -> tuple[int, int]:
    """The Headline, or the Conspiracy, that waits for a choice; the other one is 0."""
    number = number_of(p)
    return (number - HEADLINE, 0) if number > HEADLINE else (0, number)


def option_texts(p: Position) -> tuple[str, ...]:
    """The options of the open choice in words, such as everybody may see; none where no choice is open."""
    if p.choice_seat < 0:
        return ()
    register = asked_register(p, step_at(number_of(p), p.step))
    return tuple([_text(p, register, option) for option in _options(p)])


def _text(p: Position, register: i64, option: i64) -> str:
    """One option in a few words."""
    op = prim.op_of(step_at(number_of(p), p.step))
    if register == R_RIVAL:
        return f"Seat {option}"
    if register == R_BRANCH:
        headline, conspiracy = source(p)
        card = HEADLINES[headline - 1] if headline else CONSPIRACIES[conspiracy - 1]
        return card.branches[option - 1]
    if register == R_KIND:
        if op not in (prim.TAKE, prim.LOSE_CARD):
            names = IDEOLOGIES if op == prim.LOSE_ANSWER else RESOURCES
            return capital(names[option])
        cost = COSTS[hands.card_at(p, _subject(p), option)]
        return f"Conspiracy {option + 1} of the hand, which costs {cost}"
    if option == STOP:
        return "No more"
    leaves = register == R_FROM and op in (prim.SHOVE, prim.RELOCATE)
    way = "From" if leaves else "To" if register == R_TO else "In"
    return f"{way} {province_name(option)}"
