"""The list of legal acts and the reasons for those that are not, held against each other in random matches."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from arena_engine.singhasan import packing as pk
from arena_engine.singhasan.board import PROVINCE_COUNT, board_for
from arena_engine.singhasan.explain_act import explain_hire, explain_march
from arena_engine.singhasan.explain_powers import explain_power
from arena_engine.singhasan.hire import canonical_hire, fill_hires, hire_action
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.march import fill_marches, march_action
from arena_engine.singhasan.phases import ACT
from arena_engine.singhasan.position import KINDS, ROW, Position
from arena_engine.singhasan.powers import fill_powers, power_action
from arena_engine.singhasan.turns import apply_action, fill_legal, first_position
from tests.engine.singhasan.boards import listed

UNHURRIED = 3
PLACES = range(PROVINCE_COUNT + 1)
RIVALS = range(6)
SEEDS = range(4)


def act_steps(seed: int, count: int) -> list[Position]:
    """Positions in the act steps of a random match whose claimants are rich and have strong legends."""
    rng = Random(seed)
    players = 2 + seed % 4
    p = first_position(board_for(players), rng.randbytes(32), UNHURRIED, [False] * players, 0)
    out = ActionList()
    seen: list[Position] = []
    while not p.how and len(seen) < count:
        seat = rng.choice([s for s in range(players) if p.decisions[s]])
        if p.phase == ACT and seat == p.turn:
            for kind in range(KINDS):
                p.answers[seat * KINDS + kind] = rng.choice((0, 3, 5))
                p.stock[seat * KINDS + kind] = rng.randrange(6)
            if rng.random() < 0.1:
                sworn = [q for q in range(PROVINCE_COUNT) if p.sworn[q] >= 0]
                for province in sworn[:1]:
                    p.sealed[province] = 1
            seen.append(p.clone())
        fill_legal(p, seat, out)
        apply_action(p, seat, out.items[rng.randrange(out.count)], 0)
    return seen


@pytest.mark.parametrize("seed", SEEDS)
def test_march_is_listed_exactly_where_nothing_forbids_it(seed: int) -> None:
    every = [march_action(*values) for values in product(PLACES, PLACES, RIVALS)]
    for p in act_steps(seed, 30):
        legal = {action for action in every if explain_march(p, p.turn, action) is None}
        assert legal == set(listed(p, fill_marches, seat=p.turn))


@pytest.mark.parametrize("seed", SEEDS)
def test_power_is_listed_exactly_where_nothing_forbids_it(seed: int) -> None:
    every = [
        *(power_action(pk.WOODEN_HORSE, *values) for values in product(PLACES, RIVALS)),
        *(power_action(pk.STABLES, *values) for values in product(PLACES, RIVALS, range(5))),
        *(power_action(pk.CHARM, *values) for values in product(PLACES, PLACES)),
        *(power_action(pk.WALLS, province) for province in PLACES),
    ]
    for p in act_steps(seed, 30):
        legal = {action for action in every if explain_power(p, p.turn, action) is None}
        assert legal == set(listed(p, fill_powers, seat=p.turn))


@pytest.mark.parametrize("seed", SEEDS)
def test_hire_is_listed_exactly_where_nothing_forbids_its_canonical_payment(seed: int) -> None:
    every = list(product(range(ROW), PLACES, range(6), range(2)))
    for p in act_steps(seed, 30):
        seat = p.turn
        legal = set()
        for slot, province, on_rifts, with_song in every:
            payment = max(canonical_hire(p, seat, p.row[slot], with_song), 0)
            action = hire_action(slot, province, on_rifts, with_song, payment)
            if explain_hire(p, seat, action) is None:
                legal.add(action)
        assert legal == set(listed(p, fill_hires, seat=seat))
