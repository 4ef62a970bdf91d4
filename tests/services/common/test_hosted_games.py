"""Every game of this build and its messages: what the engine gives goes through the codecs and comes back the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from arena_engine.game import State
from arena_services.common import games
from arena_services.common.codec import Codec
from arena_services.common.games import HostedGame

_MOST_ACTIONS = 300
#: Every so many positions of a match are looked at, from every seat.
_EVERY = 7

each_game = pytest.mark.parametrize("hosted", games.hosted(), ids=lambda hosted: hosted.game.name)


def survives(codec: Codec, value: Any) -> bool:
    message = codec.message.FromString(codec.write(value))
    return bool(codec.decode(message) == value) and codec.encode(value) == message


def matches(hosted: HostedGame) -> Iterator[tuple[State, list[Any], Random]]:
    """Positions of random matches of the fewest and of the most players."""
    game = hosted.game
    for players in (game.min_players, game.max_players):
        rng = Random(players)
        state, events = game.new(
            game.default_options(), [False] * players, rng.randbytes(32), now_ms=0
        )
        for number in range(_MOST_ACTIONS):
            if number % _EVERY == 0:
                yield state, events, rng
            if state.outcome() is not None:
                break
            seat = rng.choice(state.awaited()).seat
            events = state.apply(seat, rng.choice(list(state.legal_actions(seat))), number)


@each_game
def test_views_and_events_survive_their_codec(hosted: HostedGame) -> None:
    for state, events, _ in matches(hosted):
        assert survives(hosted.common, state.common(events))
        for awaited in state.awaited():
            assert survives(hosted.own, state.own(awaited.seat, events))


@each_game
def test_actions_survive_their_codec(hosted: HostedGame) -> None:
    for state, _, rng in matches(hosted):
        for awaited in state.awaited():
            legal = list(state.legal_actions(awaited.seat))
            action = state.unpack(rng.choice(legal))
            assert survives(hosted.action, action)
            assert state.explain(awaited.seat, state.pack(action)) is None


@each_game
def test_what_never_changes_survives_its_codec(hosted: HostedGame) -> None:
    assert survives(hosted.catalogue, hosted.game.catalogue())
    assert survives(hosted.options, hosted.game.default_options())
    assert hosted.selection.message.DESCRIPTOR.full_name.endswith(".Selection")
    assert hosted.targets.message.DESCRIPTOR.full_name.endswith(".Targets")
