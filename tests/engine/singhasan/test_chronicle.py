"""The chronicle: one line for each event, with what its viewer may know."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from arena_engine.singhasan import events as ev
from arena_engine.singhasan.chronicle import tell
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.kinds import Cause, Colour, Ending, Ideology, Power, Sigil
from arena_engine.singhasan.messages import Resources
from tests.engine.singhasan.random_play import NAMES, steps

_R = Resources(gold=2, song=1)
_ROAD = Ideology.GOLDEN_ROAD

EXAMPLES: list[tuple[Any, str]] = [
    (ev.SeatClaimed(0, Colour.CRIMSON, Sigil.LION, by_clock=True), "Ada is the Crimson Lion"),
    (ev.TurnBegan(1, 3, is_last=True), "Ben begins a last turn in round 3"),
    (ev.QuestionDrawn(0, 1, is_swapped=False), "Ada comes before the court"),
    (ev.QuestionSentAway(0, 1), "sent away"),
    (ev.QuestionsReshuffled(12), "12 Questions"),
    (ev.Answered(0, 1, 0, Ideology.IRON_HAND, by_lot=True, by_clock=False), "drawn by lot"),
    (ev.AnswerLost(2, _ROAD, 4), "Cleo loses an answer of the Golden Road"),
    (ev.ResourcesGained(0, _R, Cause.TRIBUTE), "gains 2 Gold and 1 Song as Tribute"),
    (ev.ResourcesLost(0, _R, Cause.DISCARD), "Ada discards 2 Gold and 1 Song."),
    (ev.LegendChanged(0, _ROAD, 3), "Odysseus awake"),
    (ev.LegendChanged(0, _ROAD, 0), "lost Odysseus"),
    (ev.Hired(0, 1, 0, 2, 1, with_song=True), "2 followers into the Fallen Capital, 1 on Rifts"),
    (ev.HireRowChanged(1, 0), "stays empty"),
    (ev.HireRowChanged(1, 5), "place 2 of the row"),
    (ev.FollowersReshuffled(30), "new deck of 30"),
    (ev.FollowersPlaced(0, 4, 1), "places 1 follower in Emberfen"),
    (ev.FollowersRemoved(0, 4, 2), "loses 2 followers in Emberfen"),
    (ev.FollowersMoved(0, 4, 8, 2), "2 followers go from Emberfen to the Salt Coast"),
    (ev.FollowerReplaced(4, 0, 1), "of Ada in Emberfen gives way to one of Ben"),
    (ev.Marched(0, 1, 4, 0), "Ada marches a follower of Ben from Emberfen"),
    (ev.ProvinceSworn(0, 7), "Ada receives the oath of the Ashfall Steppe"),
    (ev.ProvinceBroke(0, 7), "Ada loses the oath"),
    (ev.ProvinceSealed(0, 7), "Ada Seals the Ashfall Steppe"),
    (ev.PowerUsed(0, Power.WOODEN_HORSE, 0, 1), "Ada uses the Wooden Horse"),
    (ev.ShieldAsked(1), "Ben may raise"),
    (ev.ShieldAnswered(1, is_raised=True), "Ben raises the Shield of Troy"),
    (ev.HeadlineCalled(0), "face down"),
    (ev.HeadlineTurned(0, 1), HEADLINES[0].name),
    (ev.LastingBegan(1, 0, 4, 0), HEADLINES[3].name),
    (ev.LastingEnded(1), "effect 1 is over"),
    (ev.ConspiracyBought(0, 0, 5), "draws a Conspiracy of 5"),
    (ev.ConspiracyBought(0, 1, 5), CONSPIRACIES[0].name),
    (ev.ConspiracyTaken(0, 1, 0, 4), "Ben gets a Conspiracy of 4 from Ada"),
    (ev.ConspiracyPlayed(0, 1, 1, 0, 4), "against Ben in the Fallen Capital to Emberfen"),
    (ev.ConspiracyLost(0, 1), "away unplayed"),
    (ev.CardsSeen(0, 1, (), ()), "Ada looks at the Conspiracies of Ben."),
    (ev.CardsSeen(0, None, (), (1,)), f"Headlines: {HEADLINES[0].name}"),
    (ev.ChoiceMade(0, 1, by_clock=True), "Ada has chosen, by the clock"),
    (
        ev.OfferMade(0, 0, None, _R, Resources(), (), ()),
        "offers everybody 2 Gold and 1 Song for nothing",
    ),
    (
        ev.OfferMade(0, 0, 1, Resources(), _R, (5,), (0,)),
        "offers Ben a Conspiracy of 5 for 2 Gold, 1 Song and the Conspiracy in place 1",
    ),
    (ev.OfferAnswered(1, 0, accepted=False), "Ben declines offer 1"),
    (ev.OfferWithdrawn(0), "Offer 1 is off"),
    (ev.TurnMissed(0, 1, 2), "1 in a row, 2 in all"),
    (ev.SeatHandedOver(0, is_bot=True), "Ada is played by a bot"),
    (ev.EndTriggered(Ending.SWORN), "one last turn"),
    (ev.DuelBegan((0, 2), (_ROAD, Ideology.UNSPECIFIED)), "Ada with Odysseus and Cleo fight"),
    (ev.QuizAsked(1, "Who?", ("a", "b", "c")), "Who? (1. a, 2. b, 3. c)."),
    (ev.QuizAnswered(0), "Ada has answered"),
    (ev.QuizResolved(1, 2, (2, -1), (1, 0)), "Answer 3 is right"),
    (ev.StrikeBegan(1, (0, 1), 3000, 1400), "1.40 s"),
    (ev.Struck(0), "Ada has struck"),
    (ev.StrikeResolved(1, (0, 1), (12, -1)), "Ada 12 ms off and Ben without a tap"),
    (ev.MatchEnded("mark", 0, (8, 8)), "Ada takes the Lion Throne by the mark. Points: Ada 8"),
]
#: Events that say nothing beyond others.
_SILENT = {ev.Passed, ev.TurnEnded}


@pytest.mark.parametrize(("event", "part"), EXAMPLES)
def test_event_is_told_in_one_line(event: Any, part: str) -> None:
    line = tell(event, NAMES)
    assert part in line
    assert "\n" not in line
    assert line.endswith(".")


def test_examples_are_of_every_event() -> None:
    wanted = set(typing.get_args(ev.EventBody)) - _SILENT
    assert {type(event) for event, _ in EXAMPLES} == wanted


def test_answer_is_told_by_its_words_and_by_what_it_stands_for() -> None:
    """Which words these are follows from the ideology: the event itself does not say how the answers were swapped."""
    for ideology in Ideology:
        if not ideology:
            continue
        for number in range(1, 121):
            event = ev.Answered(0, number, 0, ideology, by_lot=False, by_clock=False)
            assert tell(event, NAMES).count("\N{LEFT DOUBLE QUOTATION MARK}") == 1


@pytest.mark.parametrize("players", [2, 4])
def test_no_hidden_card_is_told_in_whole_matches(players: int) -> None:
    names = [card.name for card in CONSPIRACIES]
    for state, events in steps(players, 5, rounds=4):
        for event in state.common(events).events:
            line = tell(event.event, NAMES)
            is_silent = type(event.event) in _SILENT
            assert line.endswith(".") != is_silent, line
            if isinstance(event.event, ev.ConspiracyBought | ev.ConspiracyTaken):
                assert not any(name in line for name in names)
