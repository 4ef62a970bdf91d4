"""The course of a match: legal actions, taking them, the clock, turns and rounds, seats that change hands.

What each action does is elsewhere; here is who may act when, and what comes next.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan import clocks, lasting
from arena_engine.singhasan.aim import do_shield, expire_shield, fill_shield, start
from arena_engine.singhasan.board import Board
from arena_engine.singhasan.cards import do_buy, fill_buys, fill_plays
from arena_engine.singhasan.choices import choose_by_clock, do_choose, fill_choices
from arena_engine.singhasan.claims import claim_late, do_claim, fill_claims, is_all_claimed
from arena_engine.singhasan.court import (
    CHOSEN,
    answer,
    answer_by_clock,
    begin_court,
    close_court,
    do_pass,
    do_redraw,
    fill_answers,
)
from arena_engine.singhasan.deal import deal, next_headline, refill_row
from arena_engine.singhasan.discards import discard_by_clock, do_discard, excess, fill_discards
from arena_engine.singhasan.duel import expire_duel, fill_duel, take
from arena_engine.singhasan.effects import is_waiting
from arena_engine.singhasan.ending import after_turn, finish_duel, is_last_turn, settle_scores
from arena_engine.singhasan.events import SeatHandedOver, TurnBegan, TurnEnded, TurnMissed
from arena_engine.singhasan.headlines import start_headline
from arena_engine.singhasan.hire import do_hire, fill_hires
from arena_engine.singhasan.interrupts import go_back, interrupt
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.march import fill_marches
from arena_engine.singhasan.offers import (
    do_answer_offer,
    do_offer,
    do_withdraw,
    fill_offer_answers,
    fill_offers,
    lapse,
    void_card_offers,
)
from arena_engine.singhasan.packing import ANSWER as TAKE_ANSWER
from arena_engine.singhasan.packing import (
    ANSWER_OFFER,
    BANK,
    BUY,
    CHOOSE,
    CLAIM_SEAT,
    END_TURN,
    FIRST,
    HIRE,
    OFFER,
    PASS,
    PLAY,
    QUIZ,
    REDRAW,
    SHIELD,
    TAP,
    WITHDRAW,
    field,
    kind_of,
)
from arena_engine.singhasan.packing import DISCARD as PUT_AWAY
from arena_engine.singhasan.phases import (
    ACT,
    ANSWER,
    CHOICE,
    CLAIM,
    COURT,
    DISCARD,
    enter,
    open_decisions,
)
from arena_engine.singhasan.phases import SHIELD as SHIELD_PHASE
from arena_engine.singhasan.position import BOT, PERSON, USED_SHIELD, Position, with_value
from arena_engine.singhasan.powers import fill_powers
from arena_engine.singhasan.stock import do_bank, fill_bank

#: Misses, in a row or in all, after which a bot takes a seat.
MISSES_IN_A_ROW: Final = 2
MISSES_IN_ALL: Final = 3


def first_position(
    board: Board, secret: bytes, speed: int, bots: list[bool], now_ms: int
) -> Position:
    """The first position of a match, which logs its events."""
    p = Position(board, secret, speed)
    p.log = []
    _set_up(p, bots, now_ms)
    return p


def _set_up(p: Position, bots: list[bool], now_ms: i64) -> None:
    for seat in range(p.board.players):
        if bots[seat]:
            p.flags[seat] = BOT
        p.bank_ms[seat] = clocks.length(p, clocks.BANK)
    deal(p)
    enter(p, CLAIM)
    clocks.start(p, clocks.CLAIM_CLOCK, now_ms)
    open_decisions(p)


def fill_legal(p: Position, seat: i64, out: ActionList) -> None:
    """Put the legal actions of a seat's open decision into an emptied list; none if it has no decision.

    Where the rules leave more than a list can hold (payments, claims, offers, discards) it has a choice of them, which
    the functions that fill it state; `explain` takes whatever the rules allow. There is always something to list.
    """
    out.clear()
    if p.decisions[seat] == 0:
        return
    phase = p.phase
    if phase == ACT:
        if seat == p.turn:
            _fill_acts(p, seat, out)
        else:
            fill_offer_answers(p, seat, out)
    elif phase == COURT:
        out.add(PASS)
        fill_plays(p, seat, out)
    elif phase == ANSWER:
        fill_answers(p, seat, out)
    elif phase == SHIELD_PHASE:
        fill_shield(out)
    elif phase == CHOICE:
        fill_choices(p, out)
    elif phase == DISCARD:
        fill_discards(p, seat, out)
    elif phase == CLAIM:
        fill_claims(p, seat, out)
    else:
        fill_duel(p, out)


def _fill_acts(p: Position, seat: i64, out: ActionList) -> None:
    fill_hires(p, seat, out)
    fill_marches(p, seat, out)
    fill_powers(p, seat, out)
    fill_buys(p, seat, out)
    fill_plays(p, seat, out)
    fill_bank(p, seat, out)
    fill_offers(p, seat, out)
    out.add(END_TURN)


def apply_action(p: Position, seat: i64, action: i64, now_ms: i64) -> None:
    """Take a legal action."""
    kind = kind_of(action)
    p.actions += 1
    p.decisions[seat] = 0
    if kind in (QUIZ, TAP):
        finish_duel(p, take(p, seat, action, now_ms))
        return
    if p.phase == ACT and seat == p.turn and kind != END_TURN:
        clocks.note_act(p)
    if kind <= TAKE_ANSWER:
        _take_court(p, seat, action, kind, now_ms)
    elif kind == HIRE:
        do_hire(p, seat, action)
    elif kind == BANK:
        do_bank(p, seat, action)
    elif kind == BUY:
        do_buy(p, seat, action)
    elif kind == OFFER:
        do_offer(p, seat, action)
    elif kind == WITHDRAW:
        do_withdraw(p, action)
    elif kind == ANSWER_OFFER:
        do_answer_offer(p, seat, action)
    elif kind == END_TURN:
        clocks.clear_misses(p, seat)
        _end_turn(p, now_ms)
    elif kind == SHIELD:
        do_shield(p, seat, action)
        _go_on(p, now_ms)
    elif kind == CHOOSE:
        do_choose(p, seat, action)
        _go_on(p, now_ms)
    elif kind == PUT_AWAY:
        do_discard(p, seat, action)
        _finish_turn(p, now_ms)
    else:
        if kind == PLAY:
            void_card_offers(p, field(action, FIRST))
        start(p, seat, action, now_ms)
        _go_on(p, now_ms)
    open_decisions(p)


def _take_court(p: Position, seat: i64, action: i64, kind: i64, now_ms: i64) -> None:
    if kind == PASS:
        do_pass(p, seat, now_ms)
    elif kind == TAKE_ANSWER:
        answer(p, field(action, FIRST), CHOSEN, now_ms)
    elif kind == REDRAW:
        do_redraw(p, seat, action, now_ms)
    elif kind == CLAIM_SEAT:
        do_claim(p, seat, action, by_clock=False)
        if is_all_claimed(p):
            _begin_turn(p, 0, now_ms)


def expire(p: Position, now_ms: i64) -> None:
    """Let the clock of the open decisions run out."""
    phase = p.phase
    if phase == ACT:
        _note_miss(p)
        _end_turn(p, now_ms)
    elif phase == COURT:
        close_court(p, now_ms)
    elif phase == ANSWER:
        answer_by_clock(p, now_ms)
    elif phase == SHIELD_PHASE:
        expire_shield(p)
        _go_on(p, now_ms)
    elif phase == CHOICE:
        choose_by_clock(p)
        _go_on(p, now_ms)
    elif phase == DISCARD:
        discard_by_clock(p, p.turn)
        _finish_turn(p, now_ms)
    elif phase == CLAIM:
        claim_late(p)
        _begin_turn(p, 0, now_ms)
    else:
        finish_duel(p, expire_duel(p, now_ms))
    open_decisions(p)


def _go_on(p: Position, now_ms: i64) -> None:
    """Go on after an act, an answer to an aim or a choice: to the next choice, or back to what was interrupted."""
    if is_waiting(p):
        interrupt(p, CHOICE, now_ms)
    elif p.resume_phase != 0 and p.asked == 0:
        go_back(p, now_ms)
        if p.phase == DISCARD:
            _go_on_ending(p, now_ms)


def _begin_turn(p: Position, seat: i64, now_ms: i64) -> None:
    p.turn = seat
    p.marched = 0
    p.has_acted = 0
    p.has_answered = 0
    p.used[seat] &= USED_SHIELD
    if seat == 0:
        for other in range(p.board.players):
            p.used[other] &= ~USED_SHIELD
    if p.log is not None:
        p.log.append(TurnBegan(seat, p.round, is_last_turn(p)))
    lasting.begin_turn(p, seat)
    begin_court(p, now_ms)


def _note_miss(p: Position) -> None:
    """Note that the clocks ran out on a claimant who has neither answered nor acted. Those of a bot do not count."""
    seat = p.turn
    if p.has_acted != 0 or p.has_answered != 0:
        return
    if p.flags[seat] & BOT == 0:
        p.missed_run = with_value(p.missed_run, seat, p.missed_run[seat] + 1)
        p.missed_all = with_value(p.missed_all, seat, p.missed_all[seat] + 1)
    if p.log is not None:
        p.log.append(TurnMissed(seat, p.missed_run[seat], p.missed_all[seat]))


def _end_turn(p: Position, now_ms: i64) -> None:
    clocks.stop_act(p, now_ms)
    lapse(p)
    enter(p, DISCARD)
    _go_on_ending(p, now_ms)


def _go_on_ending(p: Position, now_ms: i64) -> None:
    """Turn up the Headlines that are left, then let the claimant discard, then finish the turn."""
    while len(p.called) > 0:
        called = next_headline(p)
        start_headline(p, called >> 8, called & 255)
        if is_waiting(p):
            interrupt(p, CHOICE, now_ms)
            return
    if excess(p, p.turn) > 0:
        clocks.start(p, clocks.REACTION_CLOCK, now_ms)
    else:
        _finish_turn(p, now_ms)


def _finish_turn(p: Position, now_ms: i64) -> None:
    seat = p.turn
    is_round_over = seat + 1 == p.board.players
    refill_row(p)
    lasting.end_turn(p, seat)
    if is_round_over:
        lasting.end_round(p)
    if p.log is not None:
        p.log.append(TurnEnded(seat))
    if _has_missed_out(p, seat):
        hand_over(p, seat, is_bot=True)
    if after_turn(p):
        settle_scores(p, now_ms)
        return
    if is_round_over:
        p.round += 1
    _begin_turn(p, 0 if is_round_over else seat + 1, now_ms)


def _has_missed_out(p: Position, seat: i64) -> bool:
    """Whether this turn was missed, and was one miss too many. Acting in any way has cleared the run."""
    return (
        p.flags[seat] & (BOT | PERSON) == PERSON
        and p.missed_run[seat] > 0
        and (p.missed_run[seat] >= MISSES_IN_A_ROW or p.missed_all[seat] >= MISSES_IN_ALL)
    )


def hand_over(p: Position, seat: i64, *, is_bot: bool) -> None:
    """Give a seat to a bot or back to its person, where that changes anything. Decisions and clocks go on."""
    if (p.flags[seat] & BOT != 0) == is_bot:
        return
    p.flags = with_value(p.flags, seat, p.flags[seat] ^ BOT)
    if not is_bot:
        clocks.clear_misses(p, seat)
    if p.log is not None:
        p.log.append(SeatHandedOver(seat, is_bot))
