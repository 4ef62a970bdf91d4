"""Whole matches of bots that end in a duel for the throne, driven as bots on the platform are."""

from __future__ import annotations

from random import Random

import pytest

from arena_engine.singhasan import GAME
from arena_engine.singhasan import events as e
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.kinds import Speed
from arena_engine.singhasan.messages import Options
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.duels import SECRETS, generator, next_action


@pytest.mark.parametrize(("players", "strikes"), [(2, True), (5, False)])
def test_match_that_ties_is_decided_by_a_duel(players: int, strikes: bool) -> None:
    state, _ = GAME.new(Options(Speed.SWIFT), [True] * players, SECRETS[players], 0)
    assert isinstance(state, SinghasanState)
    happened: list[e.EventBody] = []
    while (outcome := state.outcome()) is None:
        seat, action = next_action(GAME, state)
        happened += [event.event for event in state.apply(seat, action, 0)]
    (duel,) = (event for event in happened if isinstance(event, e.DuelBegan))
    scores = [score(state.position, seat) for seat in range(players)]
    assert {scores[seat] for seat in duel.seats} == {max(scores)}
    assert outcome.winner in duel.seats
    assert sum(isinstance(event, e.QuizResolved) for event in happened) == 7
    assert any(isinstance(event, e.StrikeResolved) for event in happened) == strikes


def test_bots_that_know_only_their_seats_play_the_same_match() -> None:
    state, _ = GAME.new(Options(Speed.SWIFT), [True] * 2, SECRETS[2], 0)
    while state.outcome() is None:
        seat, action = next_action(GAME, state)
        decision = state.awaited()[0].decision
        known = GAME.resample(state.common(()), state.own(seat, ()), seat, Random(0))
        assert GAME.choose(known, seat, generator(decision)) == action
        state.apply(seat, action, 0)
