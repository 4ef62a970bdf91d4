"""Why an action is not legal, in one line that names value and rule; None where it is legal.

Works from the rules alone, without listing actions: the tests hold it and the list of legal actions against each other.
It takes more than the list has: every payment, claim, offer and discard that the rules allow.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.explain_act import (
    explain_bank,
    explain_hire,
    explain_march,
)
from arena_engine.singhasan.explain_cards import explain_buy, explain_choice, explain_play
from arena_engine.singhasan.explain_duel import explain_duel
from arena_engine.singhasan.explain_flow import (
    explain_answer,
    explain_claim,
    explain_discard,
    explain_offer,
    explain_offer_answer,
    explain_redraw,
    explain_withdraw,
)
from arena_engine.singhasan.explain_powers import explain_power
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.position import Position

#: By phase, what the match waits for.
_WAITS_FOR: Final = {
    Phase.CLAIM: "for seats to be claimed",
    Phase.COURT: "for rivals to play court cards or pass",
    Phase.ANSWER: "for an answer to the court",
    Phase.ACT: "for the active claimant to act",
    Phase.SHIELD: "for claimants who may raise the Shield of Troy",
    Phase.CHOICE: "for a choice that a card asks for",
    Phase.DISCARD: "for the active claimant to discard down to the limit",
    Phase.QUIZ: "for the duellists to answer",
    Phase.STRIKE: "for the duellists to strike",
}
#: By kind of action, the phase it is for. A Conspiracy is for two.
_PHASE_OF: Final = {
    pk.CLAIM_SEAT: Phase.CLAIM,
    pk.PASS: Phase.COURT,
    pk.REDRAW: Phase.ANSWER,
    pk.ANSWER: Phase.ANSWER,
    pk.HIRE: Phase.ACT,
    pk.MARCH: Phase.ACT,
    pk.BANK: Phase.ACT,
    pk.OFFER: Phase.ACT,
    pk.WITHDRAW: Phase.ACT,
    pk.ANSWER_OFFER: Phase.ACT,
    pk.BUY: Phase.ACT,
    pk.PLAY: Phase.ACT,
    pk.WOODEN_HORSE: Phase.ACT,
    pk.STABLES: Phase.ACT,
    pk.CHARM: Phase.ACT,
    pk.WALLS: Phase.ACT,
    pk.END_TURN: Phase.ACT,
    pk.SHIELD: Phase.SHIELD,
    pk.CHOOSE: Phase.CHOICE,
    pk.DISCARD: Phase.DISCARD,
    pk.QUIZ: Phase.QUIZ,
    pk.TAP: Phase.STRIKE,
}


def explain(p: Position, seat: int, action: int) -> str | None:
    """None when `seat` may take `action` now, else the reason why not."""
    kind = pk.kind_of(action)
    if kind not in _PHASE_OF:
        return "There is no such action."
    if reason := explain_seat(p, seat):
        return reason
    if kind in {pk.QUIZ, pk.TAP}:
        return explain_duel(p, seat, action)
    return explain_decision(p, seat, kind) or _explain_values(p, seat, action, kind)


def explain_seat(p: Position, seat: int) -> str | None:
    """Why a seat can do nothing at all; None where it is in the match."""
    if p.how:
        return "The match has ended."
    if not 0 <= seat < p.board.players:
        return f"Seat {seat} is not in this match of {p.board.players}."
    return None


def explain_decision(p: Position, seat: int, kind: int) -> str | None:
    """Why this is not what the match waits for from a seat; None where it is."""
    is_court_card = kind == pk.PLAY and p.phase == Phase.COURT
    if p.phase != _PHASE_OF[kind] and not is_court_card:
        return f"The match waits {_WAITS_FOR[Phase(p.phase)]}."
    if p.phase == Phase.ACT and (kind == pk.ANSWER_OFFER) == (seat == p.turn):
        if seat == p.turn:
            return "Offers are answered by those they are made to."
        return f"It is the turn of seat {p.turn}."
    if p.decisions[seat]:
        return None
    if p.phase == Phase.CLAIM:
        return f"Seat {seat} has been claimed."
    if p.phase == Phase.COURT and seat != p.turn:
        return f"Seat {seat} has passed in this window."
    return f"The match waits {_WAITS_FOR[Phase(p.phase)]}, and not for seat {seat}."


def _explain_values(p: Position, seat: int, action: int, kind: int) -> str | None:
    if kind == pk.HIRE:
        return explain_hire(p, seat, action)
    if kind == pk.MARCH:
        return explain_march(p, seat, action)
    if kind == pk.BANK:
        return explain_bank(p, seat, action)
    if kind == pk.BUY:
        return explain_buy(p, seat, action)
    if kind == pk.PLAY:
        return explain_play(p, seat, action)
    if kind in {pk.WOODEN_HORSE, pk.STABLES, pk.CHARM, pk.WALLS}:
        return explain_power(p, seat, action)
    if kind == pk.CHOOSE:
        return explain_choice(p, action)
    return _explain_flow(p, seat, action, kind)


def _explain_flow(p: Position, seat: int, action: int, kind: int) -> str | None:
    reason = None
    if kind == pk.CLAIM_SEAT:
        reason = explain_claim(p, seat, action)
    elif kind == pk.REDRAW:
        reason = explain_redraw(p, seat, action)
    elif kind == pk.ANSWER:
        reason = explain_answer(action)
    elif kind == pk.OFFER:
        reason = explain_offer(p, seat, action)
    elif kind == pk.WITHDRAW:
        reason = explain_withdraw(p, action)
    elif kind == pk.ANSWER_OFFER:
        reason = explain_offer_answer(p, seat, action)
    elif kind == pk.DISCARD:
        reason = explain_discard(p, seat, action)
    return reason
