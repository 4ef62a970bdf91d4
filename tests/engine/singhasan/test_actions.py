"""Actions between their dataclasses and ints."""

from __future__ import annotations

from typing import Any

import pytest

from arena_engine.errors import MalformedActionError
from arena_engine.singhasan.actions import pack, unpack
from arena_engine.singhasan.kinds import Colour, Ideology, Resource, Sigil
from arena_engine.singhasan.messages import (
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
    Resources,
    Tap,
    TradeWithBank,
    UseWoodenHorse,
    WithdrawOffer,
)
from tests.engine.singhasan.matches import match, resources

ACTIONS: list[Any] = [
    ClaimSeat(Colour.VIOLET, Sigil.BULL, resources(1, 2, 3, 4)),
    Pass(),
    Redraw(resources(1, 0, 2)),
    AnswerQuestion(1),
    Hire(2, 8, resources(15, 15, 15, 15), on_rifts=2, with_song=True),
    March(8, 3, 4),
    TradeWithBank(resources(3), Resource.OATH),
    MakeOffer(resources(15, 15, 15, 15), resources(15, 15, 15, 15), 4, (30, 29), (29, 28)),
    MakeOffer(resources(1), resources(0, 0, 1)),
    MakeOffer(resources(), resources(0, 0, 1), 0, (1,), ()),
    WithdrawOffer(5),
    AnswerOffer(5, accept=True),
    AnswerOffer(0, accept=False),
    BuyConspiracy(resources(0, 4, 0, 1)),
    PlayConspiracy(30, 4, 8, 0, Ideology.UNBROKEN_OATH, 3),
    PlayConspiracy(1),
    UseWoodenHorse(8, 0),
    CleanTheStables(8, 4, 3),
    CharmTheStones(0, 8),
    RaiseWalls(8),
    EndTurn(),
    AnswerAim(shield=True),
    Choose(31),
    Discard(resources(63, 0, 1, 20)),
    AnswerQuiz(2),
    Tap(3000),
]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_action_packs_into_an_int_and_back(action: Any) -> None:
    packed = pack(action)
    assert 0 <= packed < 1 << 62
    assert unpack(packed) == action


def test_packed_actions_differ() -> None:
    assert len({pack(action) for action in ACTIONS}) == len(ACTIONS)


@pytest.mark.parametrize(
    "action",
    [
        ClaimSeat(Colour.UNSPECIFIED, Sigil.BULL, resources()),
        ClaimSeat(Colour.AZURE, Sigil.UNSPECIFIED, resources()),
        Redraw(resources(16)),
        Redraw(resources(-1)),
        AnswerQuestion(2),
        Hire(3, 0, resources()),
        Hire(0, 9, resources()),
        Hire(0, 0, resources(), on_rifts=5),
        March(0, 1, 5),
        March(-1, 1, 0),
        TradeWithBank(resources(3), Resource.UNSPECIFIED),
        MakeOffer(resources(), resources(), 5),
        MakeOffer(resources(), resources(), 1, (0,)),
        MakeOffer(resources(), resources(), 1, (), (30,)),
        WithdrawOffer(32),
        PlayConspiracy(31),
        PlayConspiracy(1, count=32),
        CleanTheStables(0, 1, 4),
        Choose(-1),
        Discard(resources(64)),
        AnswerQuiz(3),
        Tap(-1),
        Resources(),
    ],
    ids=str,
)
def test_value_that_no_position_could_mean_is_refused_with_a_sentence(action: Any) -> None:
    with pytest.raises(MalformedActionError) as caught:
        pack(action)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("packed", [-1, 0, 23, 31, 1 | 7 << 5])
def test_int_that_is_no_action_is_refused(packed: int) -> None:
    with pytest.raises(MalformedActionError):
        unpack(packed)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_seat_that_is_not_in_the_match_is_told_so(seat: int) -> None:
    state = match()
    assert state.explain(seat, pack(EndTurn())) == f"Seat {seat} is not in this match of 3."
    assert list(state.legal_actions(seat)) == []
