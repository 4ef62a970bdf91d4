"""Random matches to their end, by any clock and with seats that change hands: what must hold always holds."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_engine.singhasan.kinds import Phase, Speed
from arena_engine.singhasan.packing import END_TURN, HIRE, kind_of
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.invariants import check
from tests.engine.singhasan.ledger import tells
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.random_positions import random_position

SEEDS = st.integers(0, 2**32 - 1)
#: The same examples every time: a failure in a suite must be one's own.
SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=60)
#: How often a turn that could end does so.
END_SHARE = 0.12
#: How often a hire is taken where there is one: so often that the map fills up.
HIRE_SHARE = 0.3


class Walk:
    """Random play that asserts, after every step, what holds in all positions."""

    def __init__(self, state: SinghasanState, rng: Random) -> None:
        self.state, self.rng = state, rng
        self.now_ms = 0
        self.newest = state.position.decision
        self.copies: list[tuple[SinghasanState, str]] = []
        """Copies made on the way, which share what they can, each with what it was."""

    def step(self) -> None:
        """Let somebody act, the clock run out, or a seat change hands."""
        rng, deadline = self.rng, self.state.deadline_ms()
        before = self.state.common(()).view
        on_rifts = list(self.state.position.on_rifts)
        if rng.random() < 0.05:
            self.copies.append((self.state.clone(), self.state.to_text()))
        if rng.random() < 0.02:
            events = self._hand_over()
        elif deadline is not None and rng.random() < 0.05:
            self.now_ms = deadline
            events = self.state.expire(deadline)
        else:
            self.now_ms += rng.randrange(3_000)
            if deadline is not None:
                self.now_ms = min(self.now_ms, deadline)
            events = self._act()
        common = self.state.common(events)
        assert tells(before, common.events, common.view), self.state.to_text()
        self._check_decisions(dict(enumerate(seat.decision for seat in before.seats)))
        check(self.state.position)
        now = self.state.position.on_rifts
        assert all(a <= b for a, b in zip(on_rifts, now, strict=True)), "who stands on a Rift stays"

    def check_copies(self) -> None:
        """Assert that what came after left the copies alone."""
        for copy, text in self.copies:
            assert copy.to_text() == text

    def _hand_over(self) -> list[Any]:
        p = self.state.position
        seat = self.rng.randrange(p.board.players)
        return self.state.hand_over(seat, not self.state.is_bot(seat), self.now_ms)

    def _act(self) -> list[Any]:
        seat, _ = self.rng.choice(self.state.awaited())
        actions = list(self.state.legal_actions(seat))
        if self.rng.random() < 0.2:
            check_list(self.state, seat, actions)
        is_last = self.rng.random() < END_SHARE
        can_end = actions[-1] == END_TURN
        hires = [action for action in actions if kind_of(action) == HIRE]
        wanted = hires if hires and self.rng.random() < HIRE_SHARE else actions
        action = actions[-1] if can_end and is_last else self.rng.choice(wanted)
        return self.state.apply(seat, action, self.now_ms)

    def _check_decisions(self, before: dict[int, int]) -> None:
        """A decision stays open, under one id, or another one is newer than all before."""
        for seat, decision in self.state.awaited():
            assert decision == before[seat] or decision > self.newest
        self.newest = max(self.newest, self.state.position.decision)


def check_list(state: SinghasanState, seat: int, actions: list[int]) -> None:
    """Assert that a list is what the rules say, and that nobody else may do the like."""
    assert actions
    assert len(set(actions)) == len(actions)
    for action in actions:
        assert state.explain(seat, action) is None, (state.unpack(action), state.to_text())
        assert state.pack(state.unpack(action)) == action
    awaited = [other for other, _ in state.awaited()]
    for other in range(state.position.board.players):
        if other not in awaited:
            assert list(state.legal_actions(other)) == []
            assert state.explain(other, actions[0])


@pytest.mark.parametrize(
    ("players", "speed", "seed"),
    [
        (2, Speed.STANDARD, 1),
        (3, Speed.SWIFT, 2),
        (4, Speed.UNHURRIED, 3),
        (5, Speed.SWIFT, 4),
    ],
)
def test_random_match_ends_and_keeps_its_invariants(players: int, speed: Speed, seed: int) -> None:
    walk = Walk(new_match(players, speed=speed, secret=seed), Random(seed))
    while walk.state.outcome() is None:
        walk.step()
    assert not any(walk.state.position.decisions)
    walk.check_copies()


@SETTINGS
@given(seed=SEEDS)
def test_random_play_in_crowded_provinces_keeps_its_invariants(seed: int) -> None:
    walk = Walk(random_position(seed), Random(seed))
    for _ in range(25):
        if walk.state.outcome() is None:
            walk.step()
    walk.check_copies()


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase], ids=lambda p: p.name)
def test_clock_that_runs_out_and_seats_that_change_hands_break_no_phase(phase: Phase) -> None:
    state = in_phase(phase)
    seat = state.awaited()[0].seat
    decision = state.awaited()
    deadline = state.deadline_ms()
    assert deadline is not None
    state.hand_over(seat, True, 0)
    check(state.position)
    state.hand_over(seat, False, 0)
    assert (state.awaited(), state.deadline_ms()) == (decision, deadline)
    before = state.common(()).view
    common = state.common(state.expire(deadline))
    assert tells(before, common.events, common.view)
    check(state.position)
    assert not set(state.awaited()) & set(decision)


def in_phase(phase: Phase) -> SinghasanState:
    """A match that random play has led into a phase."""
    for seed in range(50):
        rng, state, now_ms = Random(seed), new_match(2 + seed % 4, secret=seed), 0
        state.position.round = state.position.board.round_cap if phase >= Phase.QUIZ else 1
        while state.outcome() is None:
            if state.position.phase == phase:
                return state
            seat = rng.choice(state.awaited()).seat
            now_ms += 10
            state.apply(seat, rng.choice(list(state.legal_actions(seat))), now_ms)
    raise AssertionError(f"no match came to {phase.name}")
