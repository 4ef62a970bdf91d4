"""Positions of any registered game, as the messages that rooms send."""

from __future__ import annotations

from google.protobuf.any_pb2 import Any as AnyMessage

from arena_engine.game import State
from arena_services.common import games
from arena_services.common.games import HostedGame


def first_position(hosted: HostedGame) -> State:
    """A new match with as few players as may be, all bots."""
    game = hosted.game
    options = game.check_options(game.default_options(), game.min_players)
    state, _ = game.new(options, [True] * game.min_players, bytes(32), 1_000)
    return state


def seen_by(hosted: HostedGame, state: State, seat: int) -> tuple[AnyMessage, AnyMessage]:
    """The common and the own part of an update."""
    return (
        games.wrap(hosted.common.encode(state.common(()))),
        games.wrap(hosted.own.encode(state.own(seat, ()))),
    )


def assert_legal(hosted: HostedGame, state: State, seat: int, action: AnyMessage) -> None:
    """Check that a seat may take an action."""
    decoded = games.unwrap(action, hosted.action, "action")
    assert state.explain(seat, state.pack(decoded)) is None
