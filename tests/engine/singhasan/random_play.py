"""Whole random matches, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from arena_engine.singhasan.board import board_for
from arena_engine.singhasan.kinds import Speed
from arena_engine.singhasan.messages import EndTurn
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.turns import first_position

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eve"]


def new_state(players: int, seed: int = 0) -> tuple[SinghasanState, list[Any]]:
    """A match before its seats are claimed, and its events."""
    secret = Random(seed).randbytes(32)
    position = first_position(
        board_for(players), secret, Speed.STANDARD, [False] * players, now_ms=0
    )
    state = SinghasanState(position)
    return state, state.take_events()


def steps(players: int, seed: int, rounds: int = 2) -> Iterator[tuple[SinghasanState, list[Any]]]:
    """The positions of a match of its last rounds, each with the events that led to it; the last one has ended."""
    rng = Random(seed)
    state, events = new_state(players, seed)
    state.position.round = state.position.board.round_cap - rounds + 1
    yield state, events
    while state.outcome() is None:
        seat = rng.choice(state.awaited()).seat
        legal = list(state.legal_actions(seat))
        can_end = isinstance(state.unpack(legal[-1]), EndTurn)
        action = legal[-1] if can_end and rng.random() < 0.1 else rng.choice(legal)
        yield state, state.apply(seat, action, state.position.actions * 100)
