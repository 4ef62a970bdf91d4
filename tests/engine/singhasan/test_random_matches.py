"""Random matches to their end: what is listed is legal, and what must hold always holds."""

from __future__ import annotations

from random import Random

import pytest

from arena_engine.singhasan import changes
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.kinds import Speed
from arena_engine.singhasan.messages import EndTurn
from arena_engine.singhasan.position import CONSPIRACIES, FOLLOWERS, HELD, Position
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import new_match

SPEEDS = (Speed.STANDARD, Speed.SWIFT, Speed.UNHURRIED)


def check(p: Position) -> None:
    """Assert what holds in every position."""
    board = p.board
    for seat in range(board.players):
        standing = sum(p.followers(seat, province) for province in range(PROVINCE_COUNT))
        assert p.supply[seat] == board.supply - standing >= 0
        held = [i for i in range(CONSPIRACIES) if p.conspiracy_at[i] == seat + HELD]
        assert sorted(p.conspiracy_order[i] for i in held) == list(range(1, len(held) + 1))
        assert p.hand_sizes[seat] == len(held)
        assert p.bank_ms[seat] >= 0
    assert min(p.stock) >= 0
    for province in range(PROVINCE_COUNT):
        assert changes.free_ordinary(p, province) >= 0
        assert changes.free_rifts(p, province) >= 0
        most = max(range(board.players), key=lambda seat: p.followers(seat, province))
        is_sworn = p.followers(most, province) >= board.swears[province]
        assert p.sworn[province] == (most if is_sworn else -1)
        assert p.sworn[province] >= 0 or not p.sealed[province]
    cards = [card for card in p.row if card]
    assert len(cards) + p.follower_size + p.follower_used_size == FOLLOWERS
    assert bool(p.how) == (not any(p.decisions))


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


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_random_match_ends_and_keeps_its_invariants(players: int, seed: int) -> None:
    rng = Random(seed)
    state = new_match(players, speed=SPEEDS[seed % 3], secret=seed, bots=[0])
    p, now, taken = state.position, 0, 0
    while state.outcome() is None:
        taken += 1
        seat, decision = rng.choice(state.awaited())
        assert decision <= p.decision
        deadline = state.deadline_ms()
        if deadline is not None and rng.random() < 0.04:
            now = deadline
            state.expire(now)
        else:
            actions = list(state.legal_actions(seat))
            if taken % 5 == 0:
                check_list(state, seat, actions)
            can_end = isinstance(state.unpack(actions[-1]), EndTurn)
            action = actions[-1] if can_end and rng.random() < 0.12 else rng.choice(actions)
            now += rng.randrange(3000)
            now = now if deadline is None else min(now, deadline)
            state.apply(seat, action, now)
            assert (seat, decision) not in state.awaited()
        check(p)
    assert p.round <= p.board.round_cap
