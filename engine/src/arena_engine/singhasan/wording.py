"""Actions of Singhasan as short lines for a list of choices. Seats go by the names given, in order of seat.

With the position that they are for, lines say what stands at the places that actions name by number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from arena_engine.singhasan.catalogue import catalogue
from arena_engine.singhasan.messages import (
    Action,
    AnswerAim,
    AnswerOffer,
    AnswerQuestion,
    AnswerQuiz,
    BuyConspiracy,
    CharmTheStones,
    Choose,
    ClaimSeat,
    CleanTheStables,
    Discard,
    EndTurn,
    Hire,
    MakeOffer,
    March,
    Pass,
    PlayConspiracy,
    RaiseWalls,
    Redraw,
    Tap,
    TradeWithBank,
    UseWoodenHorse,
    WithdrawOffer,
)
from arena_engine.singhasan.seen import OfferView, View
from arena_engine.singhasan.words import (
    conspiracy_name,
    count_of,
    follower_card_name,
    province_name,
    resource_name,
    resources_text,
    seat_name,
)

_SEAT: Final = re.compile(r"Seat ([0-4])")


def phrase(action: Action, names: Sequence[str], view: View | None = None) -> str:
    """An action as a short line."""
    match action:
        case Hire():
            said = _hire_phrase(action, view)
        case March():
            start, goal = province_name(action.from_province), province_name(action.to_province)
            said = f"March a follower of {seat_name(names, action.owner)} from {start} to {goal}"
        case TradeWithBank():
            said = f"Give the bank {resources_text(action.give)} for 1 {resource_name(action.take)}"
        case BuyConspiracy():
            said = f"Buy the top Conspiracy for {resources_text(action.payment)}"
        case PlayConspiracy():
            said = f"Play {_play_phrase(action, names)}"
        case MakeOffer() | WithdrawOffer() | AnswerOffer():
            said = _offer_phrase(action, names, view)
        case UseWoodenHorse() | CleanTheStables() | CharmTheStones() | RaiseWalls():
            said = _power_phrase(action, names)
        case EndTurn():
            said = "End the turn"
        case Discard():
            said = f"Discard {resources_text(action.resources)}"
        case _:
            said = _reply_phrase(action, names, view)
    return said


def _hire_phrase(action: Hire, view: View | None) -> str:
    card = view.row[action.slot] if view is not None and action.slot < len(view.row) else 0
    name = follower_card_name(card) if card else f"card {action.slot + 1} of the row"
    places = f", {action.on_rifts} on Rifts" if action.on_rifts else ""
    song = ", with Song of the Road" if action.with_song else ""
    paid = resources_text(action.payment)
    return f"Hire {name} into {province_name(action.province)}{places}{song} for {paid}"


def _play_phrase(action: PlayConspiracy, names: Sequence[str]) -> str:
    said = [conspiracy_name(action.card)]
    said += [f"against {seat_name(names, action.rival)}"] if action.rival is not None else []
    said += [f"in {province_name(action.province)}"] if action.province is not None else []
    said += [f"to {province_name(action.to_province)}"] if action.to_province is not None else []
    said += [f"({resource_name(action.kind)})"] if action.kind else []
    said += [f"with {action.count}"] if action.count else []
    return " ".join(said)


def _power_phrase(
    action: UseWoodenHorse | CleanTheStables | CharmTheStones | RaiseWalls, names: Sequence[str]
) -> str:
    match action:
        case UseWoodenHorse():
            rival, where = seat_name(names, action.rival), province_name(action.province)
            return f"The Wooden Horse: take the place of a follower of {rival} in {where}"
        case CleanTheStables():
            rival, where = seat_name(names, action.rival), province_name(action.province)
            count = count_of(action.count, "follower")
            return f"Clean the Stables: send {count} of {rival} home from {where}"
        case CharmTheStones():
            start, goal = province_name(action.from_province), province_name(action.to_province)
            return f"Charm the Stones: move a follower from {start} to {goal}"
        case RaiseWalls():
            return f"Walls of Troy: Seal {province_name(action.province)}"


def _offer_phrase(
    action: MakeOffer | WithdrawOffer | AnswerOffer, names: Sequence[str], view: View | None
) -> str:
    if isinstance(action, MakeOffer):
        whom = "everybody" if action.rival is None else seat_name(names, action.rival)
        give = resources_text(action.give, [conspiracy_name(card) for card in action.give_cards])
        places = [f"the Conspiracy in place {place + 1}" for place in action.ask_cards]
        return f"Offer {whom} {give} for {resources_text(action.ask, places)}"
    offer = _find_offer(view, action.offer)
    said = f"offer {action.offer + 1}" if offer is None else offer_text(offer)
    if isinstance(action, WithdrawOffer):
        return f"Withdraw {said}"
    return f"{'Accept' if action.accept else 'Decline'} {said}"


def _find_offer(view: View | None, number: int) -> OfferView | None:
    offers = view.offers if view is not None else ()
    return next((offer for offer in offers if offer.offer == number), None)


def offer_text(offer: OfferView) -> str:
    """An open offer as everybody sees it: offered Conspiracies show their costs alone."""
    give = resources_text(offer.give, [f"a Conspiracy of {cost}" for cost in offer.give_costs])
    ask = resources_text(
        offer.ask, [f"the Conspiracy in place {place + 1}" for place in offer.ask_cards]
    )
    return f"{give} for {ask}"


def _reply_phrase(
    action: ClaimSeat | Pass | Redraw | AnswerQuestion | AnswerAim | Choose | AnswerQuiz | Tap,
    names: Sequence[str],
    view: View | None,
) -> str:
    match action:
        case ClaimSeat():
            looks = f"{action.colour.name.title()} {action.sigil.name.title()}"
            return f"Be the {looks} and start with {resources_text(action.resources)}"
        case Pass():
            return "Play no court card"
        case Redraw():
            return f"Send the Question away for {resources_text(action.payment)}"
        case AnswerQuestion():
            letter = "AB"[action.answer]
            return f"Answer {letter}: {answer_texts(view)[action.answer]}" if view else letter
        case AnswerAim():
            return "Raise the Shield of Troy for 1 Oath" if action.shield else "Let it happen"
        case Choose():
            options = view.choice.options if view is not None and view.choice is not None else ()
            known = action.option < len(options)
            number = action.option + 1
            return option_text(options[action.option], names) if known else f"Take option {number}"
        case AnswerQuiz():
            choices = view.duel.choices if view is not None and view.duel is not None else ()
            known = action.choice < len(choices)
            return choices[action.choice] if known else f"Choose answer {action.choice + 1}"
        case Tap():
            return f"Strike {action.offset_ms} ms into the swing"


def option_text(option: str, names: Sequence[str]) -> str:
    """An option of a choice, with the claimant's name where it is a seat."""
    match = _SEAT.fullmatch(option)
    return seat_name(names, int(match[1])) if match else option


def answer_texts(view: View) -> tuple[str, str]:
    """The two answers of the Question under way, A first."""
    if not view.question:
        return "", ""
    card = catalogue().questions[view.question - 1]
    return (card.second, card.first) if view.is_swapped else (card.first, card.second)
