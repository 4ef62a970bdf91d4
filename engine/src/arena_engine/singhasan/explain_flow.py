"""Why a claim, an answer to the court, an offer, a discard or a Shield is not legal, in one line; None where it is.

That the seat is awaited, and the action one of those the phase is for, has been asked before.
"""

from __future__ import annotations

from arena_engine.singhasan.claims import CHOICES, is_colour_free, is_sigil_free, starting_total
from arena_engine.singhasan.court import REDRAW_PRICE
from arena_engine.singhasan.discards import discarded, excess
from arena_engine.singhasan.explain_act import amounts_text
from arena_engine.singhasan.explain_places import explain_rival
from arena_engine.singhasan.hands import hand_size, holds
from arena_engine.singhasan.kinds import Colour, Sigil
from arena_engine.singhasan.lasting import FORBID_OFFER, is_forbidden
from arena_engine.singhasan.offers import (
    ASKED_CARDS,
    GIVEN_CARDS,
    MOST_MADE,
    MOST_OPEN,
    asked_of,
    asks_cards,
    is_sound,
    open_offers,
)
from arena_engine.singhasan.packing import FIELD, FIRST, SECOND, field, offered_to
from arena_engine.singhasan.phases import is_offered
from arena_engine.singhasan.position import (
    COURT_NO_REDRAW,
    COURT_REDRAWN,
    KINDS,
    Position,
)
from arena_engine.singhasan.stock import affords, payment_of, sum_of
from arena_engine.singhasan.words import RESOURCES


def explain_claim(p: Position, seat: int, action: int) -> str | None:
    """Why a seat cannot be claimed like this."""
    colour, sigil = field(action, FIRST), field(action, SECOND)
    if not 1 <= colour <= CHOICES or not is_colour_free(p, colour):
        return f"{Colour(colour).name.capitalize()} is no colour that is free."
    if not 1 <= sigil <= CHOICES or not is_sigil_free(p, sigil):
        return f"The {Sigil(sigil).name.lower()} is no sigil that is free."
    total, asked = starting_total(p, seat), sum_of(payment_of(action))
    if asked != total:
        return f"Seat {seat} starts with {total} resources, not with {asked}."
    return None


def explain_redraw(p: Position, seat: int, action: int) -> str | None:
    """Why the Question cannot be sent away for this payment."""
    if p.court & COURT_REDRAWN:
        return "A Question is sent away once a turn, and this turn's is."
    if p.court & COURT_NO_REDRAW:
        return "A court card forbids you to send this Question away."
    payment = payment_of(action)
    if sum_of(payment) != REDRAW_PRICE:
        return f"Sending a Question away costs {REDRAW_PRICE} resources, not {sum_of(payment)}."
    return None if affords(p, seat, payment) else f"You do not have {amounts_text(payment)}."


def explain_answer(action: int) -> str | None:
    """Why this is no answer to a Question."""
    answer = field(action, FIRST)
    return None if answer <= 1 else f"Answer {answer} does not exist; there are 0 (A) and 1 (B)."


def explain_discard(p: Position, seat: int, action: int) -> str | None:
    """Why these resources are not what has to be put away."""
    wanted = excess(p, seat)
    amounts = [discarded(action, kind) for kind in range(KINDS)]
    if sum(amounts) != wanted:
        return f"You have to put {wanted} away to be down at your limit, not {sum(amounts)}."
    for kind, amount in enumerate(amounts):
        there = p.stock[seat * KINDS + kind]
        if amount > there:
            return f"You have {there} {RESOURCES[kind]}, not {amount}."
    return None


def explain_offer(p: Position, seat: int, action: int) -> str | None:
    """Why an offer cannot be made."""
    if is_forbidden(p, seat, FORBID_OFFER):
        return "A card in force forbids you to make offers."
    if len(p.offers) >= MOST_MADE:
        return f"{MOST_MADE} offers a turn, and you have made them."
    if open_offers(p) >= MOST_OPEN:
        return f"{MOST_OPEN} offers are open at most: withdraw one first."
    rival = offered_to(action)
    if rival < 0 and asks_cards(action):
        return "An offer to all asks for resources only."
    if rival >= 0 and (reason := explain_rival(p, seat, rival)):
        return reason
    return _explain_gift(p, seat, action) or _explain_asked(p, rival, action)


def _explain_gift(p: Position, seat: int, action: int) -> str | None:
    gift = payment_of(action)
    if not affords(p, seat, gift):
        return f"You do not have {amounts_text(gift)}."
    cards = [card for shift in GIVEN_CARDS if (card := action >> shift & FIELD)]
    for card in cards:
        if not holds(p, seat, card):
            return f"You do not hold Conspiracy {card}."
    if len(set(cards)) < len(cards):
        return f"You hold Conspiracy {cards[0]} once only."
    if not gift and not cards and not asked_of(action) and not asks_cards(action):
        return "An offer of nothing for nothing is none."
    return None


def _explain_asked(p: Position, rival: int, action: int) -> str | None:
    places = [place - 1 for shift in ASKED_CARDS if (place := action >> shift & FIELD)]
    if not places:
        return None
    held = hand_size(p, rival)
    if max(places) >= held:
        return f"Seat {rival} holds {held} Conspiracies; there is none in place {max(places)}."
    return None if len(set(places)) == len(places) else "The same Conspiracy is asked for twice."


def explain_withdraw(p: Position, action: int) -> str | None:
    """Why an offer cannot be withdrawn."""
    return _explain_place(p, field(action, FIRST))


def _explain_place(p: Position, place: int) -> str | None:
    if place >= len(p.offers) or not p.offers[place]:
        return f"There is no open offer {place}."
    return None


def explain_offer_answer(p: Position, seat: int, action: int) -> str | None:
    """Why an offer cannot be accepted, or declined."""
    place = field(action, FIRST)
    if reason := _explain_place(p, place):
        return reason
    if not is_offered(p, seat, place):
        return f"Offer {place} does not wait for seat {seat}."
    if field(action, SECOND) and not is_sound(p, seat, p.offers[place]):
        return f"Offer {place} cannot be kept: one side does not have what it names."
    return None
