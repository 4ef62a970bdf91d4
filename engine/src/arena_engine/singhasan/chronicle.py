"""The chronicle: events of Singhasan as sentences, each with what its event says and no more.

Events come here as their viewer may know them, so nothing has to be hidden any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_engine.singhasan import events as ev
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Cause, Ending, Ideology
from arena_engine.singhasan.words import (
    card_name,
    conspiracy_name,
    count_of,
    follower_card_name,
    headline_name,
    ideology_name,
    legend_name,
    listed,
    power_name,
    province_name,
    question_title,
    resources_text,
    seat_name,
)

_CAUSES: Final = {
    Cause.START: " to begin with",
    Cause.ANSWER: " for the answer",
    Cause.TRIBUTE: " as Tribute",
    Cause.REDRAW: " to send the Question away",
    Cause.HIRE: " for a hire",
    Cause.BANK: " at the bank",
    Cause.TRADE: " in a trade",
    Cause.CONSPIRACY: " for a Conspiracy",
    Cause.POWER: " for a legend's power",
    Cause.CARD: " through a Conspiracy",
    Cause.HEADLINE: " through a Headline",
    Cause.DISCARD: "",
}
_ENDINGS: Final = {
    Ending.SWORN: "Every province has sworn",
    Ending.SEATS: "Every seat is filled",
    Ending.CAP: "The last round is complete",
}


def tell(event: ev.EventBody, names: Sequence[str]) -> str:
    """One event as a sentence; empty for what is not worth one."""
    match event:
        case ev.HireRowChanged() | ev.FollowersReshuffled() | ev.QuestionsReshuffled():
            said = _tell_decks(event)
        case ev.LastingEnded() | ev.OfferWithdrawn() | ev.EndTriggered():
            said = _tell_course(event)
        case ev.QuizAsked() | ev.QuizResolved() | ev.StrikeBegan() | ev.StrikeResolved():
            said = _tell_duel(event, names)
        case ev.DuelBegan() | ev.MatchEnded():
            said = _tell_end(event, names)
        case ev.ConspiracyTaken() | ev.FollowerReplaced():
            said = _tell_change_of_hands(event, names)
        case ev.TurnEnded() | ev.Passed():
            said = ""
        case _:
            said = f"{seat_name(names, event.seat)} {_tell_of_seat(event, names)}."
    return said


def _tell_decks(
    event: ev.HireRowChanged | ev.FollowersReshuffled | ev.QuestionsReshuffled,
) -> str:
    match event:
        case ev.HireRowChanged():
            if not event.card:
                return f"Place {event.slot + 1} of the hire row stays empty."
            return f"{follower_card_name(event.card)} waits in place {event.slot + 1} of the row."
        case ev.FollowersReshuffled():
            return f"The used Follower cards become a new deck of {event.cards}."
        case ev.QuestionsReshuffled():
            return f"{count_of(event.questions, 'Question')} go back into the deck."


def _tell_course(event: ev.LastingEnded | ev.OfferWithdrawn | ev.EndTriggered) -> str:
    match event:
        case ev.LastingEnded():
            return f"Lasting effect {event.chip} is over."
        case ev.OfferWithdrawn():
            return f"Offer {event.offer + 1} is off the table."
        case ev.EndTriggered():
            last = "" if event.ending == Ending.CAP else ": everybody takes one last turn"
            return f"{_ENDINGS[event.ending]}{last}."


def _tell_change_of_hands(
    event: ev.ConspiracyTaken | ev.FollowerReplaced, names: Sequence[str]
) -> str:
    loser, winner = seat_name(names, event.from_seat), seat_name(names, event.to_seat)
    if isinstance(event, ev.ConspiracyTaken):
        return f"{winner} gets {_hidden_card(event.card, event.cost)} from {loser}."
    return f"A follower of {loser} in {province_name(event.province)} gives way to one of {winner}."


def _hidden_card(card: int, cost: int) -> str:
    return conspiracy_name(card) if card else f"a Conspiracy of {cost}"


def _tell_end(event: ev.DuelBegan | ev.MatchEnded, names: Sequence[str]) -> str:
    if isinstance(event, ev.DuelBegan):
        pairs = zip(event.seats, event.legends, strict=True)
        sides = [
            seat_name(names, seat) + (f" with {legend_name(legend)}" if legend else "")
            for seat, legend in pairs
        ]
        return f"A tie at the top: {listed(sides)} fight a duel for the throne."
    scores = ", ".join(
        f"{seat_name(names, seat)} {points}" for seat, points in enumerate(event.scores)
    )
    way = {"duel": " by the duel's questions", "mark": " by the mark"}.get(event.how, "")
    return f"{seat_name(names, event.winner)} takes the Lion Throne{way}. Points: {scores}."


def _tell_duel(
    event: ev.QuizAsked | ev.QuizResolved | ev.StrikeBegan | ev.StrikeResolved,
    names: Sequence[str],
) -> str:
    match event:
        case ev.QuizAsked():
            choices = ", ".join(f"{n}. {text}" for n, text in enumerate(event.choices, start=1))
            return f"Question {event.number} of the duel: {event.text} ({choices})."
        case ev.QuizResolved():
            scores = ", ".join(str(score) for score in event.scores)
            return f"Answer {event.right + 1} is right. Right answers so far: {scores}."
        case ev.StrikeBegan():
            mark, swing = event.mark_ms / 1000, event.swing_ms / 1000
            who = listed([seat_name(names, seat) for seat in event.seats])
            return f"{who} strike the mark: it is at {mark:.2f} s of a swing of {swing:.1f} s."
        case ev.StrikeResolved():
            pairs = zip(event.seats, event.distances, strict=True)
            off = [
                f"{seat_name(names, seat)} {f'{far} ms off' if far >= 0 else 'without a tap'}"
                for seat, far in pairs
            ]
            return f"The blade comes to rest: {listed(off)}."


_Court = (
    ev.TurnBegan
    | ev.QuestionDrawn
    | ev.QuestionSentAway
    | ev.Answered
    | ev.AnswerLost
    | ev.LegendChanged
    | ev.TurnMissed
    | ev.SeatHandedOver
    | ev.SeatClaimed
)
_Map = (
    ev.Hired
    | ev.FollowersPlaced
    | ev.FollowersRemoved
    | ev.FollowersMoved
    | ev.Marched
    | ev.ProvinceSworn
    | ev.ProvinceBroke
    | ev.ProvinceSealed
)
_Cards = (
    ev.HeadlineCalled
    | ev.HeadlineTurned
    | ev.LastingBegan
    | ev.ConspiracyBought
    | ev.ConspiracyPlayed
    | ev.ConspiracyLost
    | ev.CardsSeen
    | ev.ChoiceMade
)
_Dealings = (
    ev.ResourcesGained
    | ev.ResourcesLost
    | ev.PowerUsed
    | ev.ShieldAsked
    | ev.ShieldAnswered
    | ev.OfferMade
    | ev.OfferAnswered
    | ev.QuizAnswered
    | ev.Struck
)


def _tell_of_seat(event: _Court | _Map | _Cards | _Dealings, names: Sequence[str]) -> str:
    """What a claimant does or meets, without its name before and the full stop behind."""
    if isinstance(event, _Court):
        return _tell_court(event)
    if isinstance(event, _Map):
        return _tell_map(event, names)
    return _tell_card(event, names) if isinstance(event, _Cards) else _tell_dealing(event, names)


def _tell_court(event: _Court) -> str:
    match event:
        case ev.SeatClaimed():
            looks = f"{event.colour.name.title()} {event.sigil.name.title()}"
            said = f"is the {looks}{', by the clock' if event.by_clock else ''}"
        case ev.TurnBegan():
            said = f"begins {'a last turn' if event.is_last else 'a turn'} in round {event.round}"
        case ev.QuestionDrawn():
            said = f"comes before the court: {question_title(event.question)}"
        case ev.QuestionSentAway():
            said = f"sees “{question_title(event.question)}” sent away"
        case ev.Answered():
            lot = ", drawn by lot" if event.by_lot or event.by_clock else ""
            words = _answer_text(event.question, event.ideology)
            said = f"answers{lot}: “{words}” It stands for {ideology_name(event.ideology)}"
        case ev.AnswerLost():
            said = f"loses an answer of {ideology_name(event.ideology)}"
        case ev.LegendChanged():
            said = _tell_legend(event)
        case ev.TurnMissed():
            said = f"misses a turn: {event.in_a_row} in a row, {event.in_all} in all"
        case _:
            said = "is played by a bot now" if event.is_bot else "is back"
    return said


def _answer_text(question: int, ideology: Ideology) -> str:
    card = QUESTIONS[question - 1]
    return card.first.text if card.first.ideology == ideology else card.second.text


def _tell_legend(event: ev.LegendChanged) -> str:
    legend = legend_name(event.ideology)
    match event.level:
        case 5:
            return f"has {legend} at their side, both powers awake"
        case 3:
            return f"has {legend} awake with one power"
        case _:
            return f"has lost {legend}, who sleeps again"


def _tell_map(event: _Map, names: Sequence[str]) -> str:
    where = province_name(event.to_province if isinstance(event, _Moves) else event.province)
    match event:
        case ev.Hired():
            song = " by Song of the Road" if event.with_song else ""
            rifts = f", {event.on_rifts} on Rifts" if event.on_rifts else ""
            count = count_of(event.followers, "follower")
            return f"hires {follower_card_name(event.card)}: {count} into {where}{rifts}{song}"
        case ev.FollowersPlaced():
            return f"places {count_of(event.count, 'follower')} in {where}"
        case ev.FollowersRemoved():
            return f"loses {count_of(event.count, 'follower')} in {where}"
        case ev.FollowersMoved():
            count = count_of(event.count, "follower")
            return f"sees {count} go from {province_name(event.from_province)} to {where}"
        case ev.Marched():
            own = event.owner == event.seat
            whose = "a follower" if own else f"a follower of {seat_name(names, event.owner)}"
            return f"marches {whose} from {province_name(event.from_province)} to {where}"
        case ev.ProvinceSworn():
            return f"receives the oath of {where}"
        case ev.ProvinceBroke():
            return f"loses the oath of {where}"
        case ev.ProvinceSealed():
            return f"Seals {where}"


_Moves = ev.FollowersMoved | ev.Marched


def _tell_card(event: _Cards, names: Sequence[str]) -> str:
    match event:
        case ev.HeadlineCalled():
            said = "calls a Headline, face down"
        case ev.HeadlineTurned():
            said = f"turns up {headline_name(event.headline)}"
        case ev.LastingBegan():
            name = card_name(event.headline, event.conspiracy)
            said = f"has brought {name} into force (effect {event.chip})"
        case ev.ConspiracyBought():
            said = f"draws {_hidden_card(event.card, event.cost)}"
        case ev.ConspiracyPlayed():
            said = f"plays {conspiracy_name(event.card)}{_aimed(event, names)}"
        case ev.ConspiracyLost():
            said = f"puts {conspiracy_name(event.card)} away unplayed"
        case ev.CardsSeen():
            said = _tell_seen(event, names)
        case _:
            said = "has chosen, by the clock" if event.by_clock else "has chosen"
    return said


def _aimed(event: ev.ConspiracyPlayed, names: Sequence[str]) -> str:
    said = f" against {seat_name(names, event.rival)}" if event.rival is not None else ""
    said += f" in {province_name(event.province)}" if event.province is not None else ""
    goal = event.to_province
    return said + (f" to {province_name(goal)}" if goal is not None else "")


def _tell_seen(event: ev.CardsSeen, names: Sequence[str]) -> str:
    if event.rival is None:
        cards = listed([headline_name(card) for card in event.headlines])
        return f"looks at the next Headlines{f': {cards}' if event.headlines else ''}"
    cards = listed([conspiracy_name(card) for card in event.conspiracies])
    shown = f": {cards}" if event.conspiracies else ""
    return f"looks at the Conspiracies of {seat_name(names, event.rival)}{shown}"


def _tell_dealing(event: _Dealings, names: Sequence[str]) -> str:
    match event:
        case ev.ResourcesGained():
            said = f"gains {resources_text(event.resources)}{_CAUSES.get(event.cause, '')}"
        case ev.ResourcesLost():
            verb = _LOSSES.get(event.cause, "pays")
            said = f"{verb} {resources_text(event.resources)}{_CAUSES.get(event.cause, '')}"
        case ev.PowerUsed():
            said = f"uses {power_name(event.power)}"
        case ev.ShieldAsked():
            said = "may raise the Shield of Troy"
        case ev.ShieldAnswered():
            said = "raises the Shield of Troy" if event.is_raised else "lets it happen"
        case ev.OfferMade():
            said = _tell_offer(event, names)
        case ev.OfferAnswered():
            said = f"{'accepts' if event.accepted else 'declines'} offer {event.offer + 1}"
        case ev.QuizAnswered():
            said = "has answered"
        case _:
            said = "has struck"
    return said


_LOSSES: Final = {
    Cause.TRADE: "gives",
    Cause.CARD: "loses",
    Cause.HEADLINE: "loses",
    Cause.DISCARD: "discards",
}


def _tell_offer(event: ev.OfferMade, names: Sequence[str]) -> str:
    whom = "everybody" if event.rival is None else seat_name(names, event.rival)
    give = [f"a Conspiracy of {cost}" for cost in event.give_costs]
    ask = [f"the Conspiracy in place {place + 1}" for place in event.ask_cards]
    given, asked = resources_text(event.give, give), resources_text(event.ask, ask)
    return f"offers {whom} {given} for {asked} (offer {event.offer + 1})"
