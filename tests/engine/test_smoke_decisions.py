"""Decisions that book and rulings leave to us, as engine/RULES.md lists them, where no other test shows them."""

from __future__ import annotations

from arena_engine.crowns import GAME
from arena_engine.crowns.events import RelicAppeared, TurnMissed
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import EndTurn, Move, PlayCard, Resign
from tests.engine.positions import act, card, legal

GALLOP = card("white")
SNEAK = card("violet")


def test_missed_turn_of_a_bot_is_not_counted() -> None:
    state = GAME.from_text(
        "crowns 1\nplayers: 2\nclock: 30\ndeadline: 30000\nseat 0: bot person\nat 4: s0 K\nat 91: s1 K"
    )
    missed = next(e.event for e in state.expire(30_000) if isinstance(e.event, TurnMissed))
    assert (missed.in_a_row, missed.in_all) == (0, 0)


def test_attack_that_escapes_and_defeats_the_last_rival_counts_as_last_king() -> None:
    state = GAME.from_text("crowns 1\nplayers: 2\nseat 0: crowns=3\nat 5: s0 K\nat 4: s1 K")
    act(state, Move(5, 4, king=True))
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.how, outcome.winner) == ("last_king", 0)


def test_free_card_before_a_sneak_that_is_the_only_move_leaves_resigning() -> None:
    state = GAME.from_text(
        f"crowns 1\nplayers: 2\nseat 0: hand={SNEAK},{GALLOP}\nat 0: s0 K\n"
        "at 1: s1 2k\nat 10: s1 2k\nat 91: s1 K\n"
    )
    assert PlayCard(GALLOP) in legal(state)
    act(state, PlayCard(GALLOP))
    assert legal(state) == [Resign()]


def test_clock_that_runs_out_is_no_action_toward_the_limit() -> None:
    state = GAME.from_text(
        "crowns 1\nplayers: 2\nclock: 30\ndeadline: 30000\nactions: 1999\n"
        "seat 0: bot\nseat 1: bot\nat 4: s0 K\nat 91: s1 K\n"
    )
    state.expire(30_000)
    assert state.outcome() is None


def test_seat_that_resigns_on_turn_with_moves_left_ends_its_turn() -> None:
    state = GAME.from_text(
        "crowns 1\nplayers: 3\nmoves: 2\ndone: move\nat 4: s0 K\nat 50: s1 K\nat 64: s2 K\n"
    )
    assert EndTurn() in legal(state)
    told = act(state, Resign())
    assert RelicAppeared(Relic.FALLEN_CROWN, 4) in told
    assert [awaited.seat for awaited in state.awaited()] == [1]


def test_bearer_that_stands_on_its_gate_has_not_escaped_by_moving_others() -> None:
    state = GAME.from_text(
        "crowns 1\nplayers: 2\nseat 0: crowns=3\nat 4: s0 K\nat 40: s0 1k\nat 91: s1 K\n"
    )
    act(state, Move(40, 41, knights=1))
    assert state.outcome() is None
