"""Random play beside the naive model: it agrees, and no card breaks the guard."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_engine.singhasan.messages import EndTurn
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.random_positions import random_position
from tests.engine.singhasan.tandem import Tandem

SEEDS = st.integers(0, 2**32 - 1)
#: The same examples every time: a failure in a suite must be one's own.
SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=60)
#: How often a turn that could end does so: rarely, so that the map fills up.
END_SHARE = 0.3


def choice(both: Tandem, actions: list[int], rng: Random) -> int:
    """A random action of a random kind, but seldom the end of the turn while there is anything else."""
    by_kind: dict[object, list[int]] = {}
    for packed in actions:
        by_kind.setdefault(type(both.state.unpack(packed)), []).append(packed)
    if len(by_kind) > 1 and rng.random() > END_SHARE:
        by_kind.pop(EndTurn, None)
    return rng.choice(by_kind[rng.choice(list(by_kind))])


def step(both: Tandem, rng: Random, now_ms: int) -> int:
    """Let somebody act, or now and then the clock run out; returns what time it is then."""
    deadline = both.state.deadline_ms()
    if deadline is not None and rng.random() < 0.05:
        both.expire(deadline)
        return deadline
    seat = rng.choice(both.awaited())
    now_ms += rng.randrange(4_000)
    now_ms = now_ms if deadline is None else min(now_ms, deadline)
    both.take(seat, choice(both, both.actions(seat), rng), now_ms)
    return now_ms


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_naive_model_agrees_in_a_whole_match(players: int, seed: int) -> None:
    rng = Random(seed)
    both = Tandem(new_match(players, secret=seed, bots=[0] if seed % 2 else []))
    now_ms = 0
    while both.model.phase not in {"quiz", "ended"}:
        now_ms = step(both, rng, now_ms)
    assert both.model.winner is not None or len(both.model.duellists) > 1


@SETTINGS
@given(seed=SEEDS)
def test_naive_model_agrees_in_crowded_provinces(seed: int) -> None:
    both, rng, now_ms = Tandem(random_position(seed)), Random(seed), 0
    for _ in range(15):
        if both.model.phase in {"quiz", "ended"}:
            return
        now_ms = step(both, rng, now_ms)
