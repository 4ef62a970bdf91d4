"""Actions in short notation and as phrases."""

from __future__ import annotations

from typing import Any

import pytest

from arena_engine.errors import MalformedActionError
from arena_engine.singhasan import messages as m
from arena_engine.singhasan.kinds import Colour, Ideology, Resource, Sigil
from arena_engine.singhasan.table import SinghasanTable
from tests.engine.singhasan.random_play import NAMES, steps

TABLE = SinghasanTable()
EXAMPLES: list[tuple[Any, str]] = [
    (
        m.ClaimSeat(Colour.CRIMSON, Sigil.LION, m.Resources(gold=2, oath=1)),
        "claim crimson lion 2gold+1oath",
    ),
    (m.ClaimSeat(Colour.AZURE, Sigil.BULL, m.Resources()), "claim azure bull nothing"),
    (m.Pass(), "pass"),
    (m.Redraw(m.Resources(steel=3)), "redraw 3steel"),
    (m.AnswerQuestion(0), "answer a"),
    (m.Hire(0, 1, m.Resources(2, 2)), "hire 1 thornwold for 2gold+2steel"),
    (
        m.Hire(2, 8, m.Resources(song=8), 1, with_song=True),
        "hire 3 saltcoast rifts 1 song for 8song",
    ),
    (m.March(1, 0, 3), "march thornwold capital s3"),
    (m.TradeWithBank(m.Resources(gold=3), Resource.SONG), "bank 3gold for song"),
    (
        m.MakeOffer(m.Resources(gold=2), m.Resources(oath=1), 2, (7,), (0, 2)),
        "offer s2 2gold+card7 for 1oath+place1+place3",
    ),
    (m.MakeOffer(m.Resources(), m.Resources(song=1)), "offer all nothing for 1song"),
    (m.WithdrawOffer(0), "withdraw 1"),
    (m.AnswerOffer(1, accept=True), "accept 2"),
    (m.AnswerOffer(0, accept=False), "decline 1"),
    (m.BuyConspiracy(m.Resources(4, oath=1)), "buy 4gold+1oath"),
    (m.PlayConspiracy(7), "play 7"),
    (
        m.PlayConspiracy(30, 1, 0, 4, Ideology.IRON_HAND, 2),
        "play 30 s1 capital to emberfen steel x2",
    ),
    (m.UseWoodenHorse(0, 1), "horse capital s1"),
    (m.CleanTheStables(4, 2, 3), "stables emberfen s2 3"),
    (m.CharmTheStones(0, 8), "charm capital saltcoast"),
    (m.RaiseWalls(5), "walls hollowmere"),
    (m.EndTurn(), "end"),
    (m.AnswerAim(shield=True), "shield"),
    (m.AnswerAim(shield=False), "allow"),
    (m.Choose(0), "choose 1"),
    (m.Discard(m.Resources(1, 0, 2)), "discard 1gold+2song"),
    (m.AnswerQuiz(2), "quiz 3"),
    (m.Tap(1400), "tap 1400"),
]


@pytest.mark.parametrize(("action", "text"), EXAMPLES)
def test_notation_reads_back(action: Any, text: str) -> None:
    assert TABLE.notation(action) == text
    assert TABLE.parse(text) == action


def test_examples_are_of_every_action() -> None:
    assert {type(action) for action, _ in EXAMPLES} == set(m.Action.__args__)


def test_notation_may_be_shortened_where_it_stays_unmistakable() -> None:
    assert TABLE.parse(" HIRE  1 thorn for 2g+2st ") == EXAMPLES[5][0]
    with pytest.raises(MalformedActionError, match="no amount"):
        TABLE.parse("buy 4s")


def test_tap_without_a_time_counts_when_it_arrives() -> None:
    assert TABLE.parse("tap") == m.Tap(3000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fly",
        "hire",
        "hire 0 capital for 1gold",
        "hire 1 atlantis for 1gold",
        "hire 1 capital 1gold",
        "march capital",
        "march capital thornwold 2",
        "claim red lion",
        "answer c",
        "offer s1 2gold",
        "offer s1 card7 for place0",
        "play x",
        "end now",
        "stables capital s1",
        "discard gold",
        "quiz 0",
        "tap soon",
        "buy 9999999gold",
    ],
)
def test_notation_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(MalformedActionError):
        TABLE.parse(text)


@pytest.mark.parametrize("players", [2, 5])
def test_every_legal_action_has_a_notation_and_a_phrase_of_its_own(players: int) -> None:
    for number, (state, _) in enumerate(steps(players, 7)):
        if number % 10:
            continue
        common = state.common(())
        for awaited in state.awaited():
            actions = [state.unpack(a) for a in state.legal_actions(awaited.seat)]
            notations = [TABLE.notation(action) for action in actions]
            assert [TABLE.parse(text) for text in notations] == actions
            assert len(set(notations)) == len(actions)
            phrases = {TABLE.phrase(action, NAMES, common) for action in actions}
            assert len(phrases) == len(actions)


@pytest.mark.parametrize(("action", "_text"), EXAMPLES)
def test_phrases_need_no_position(action: Any, _text: str) -> None:
    assert TABLE.phrase(action, NAMES)


def test_help_explains_every_word_of_the_notation() -> None:
    for _, text in EXAMPLES:
        assert f"{text.split()[0]}" in TABLE.help()
