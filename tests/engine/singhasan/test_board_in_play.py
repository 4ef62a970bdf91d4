"""What holds of the board after every action of random matches, whatever cards and powers do to it."""

from __future__ import annotations

from random import Random

import pytest

from arena_engine.singhasan import changes
from arena_engine.singhasan.board import PROVINCE_COUNT, board_for
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import END_TURN, HIRE, kind_of
from arena_engine.singhasan.position import KINDS, Position
from arena_engine.singhasan.turns import apply_action, fill_legal, first_position

UNHURRIED = 3
#: How often a turn that could end does so: rarely, so that the map fills up.
END_SHARE = 0.08


def check(p: Position) -> None:
    seats = range(p.board.players)
    for province in range(PROVINCE_COUNT):
        counts = [p.followers(seat, province) for seat in seats]
        assert changes.free_ordinary(p, province) >= 0
        assert changes.free_rifts(p, province) >= 0
        assert p.board.in_play[province] or sum(counts) == 0
        holders = [seat for seat in seats if counts[seat] >= p.board.swears[province]]
        assert p.sworn[province] == (holders[0] if holders else -1)
        assert not p.sealed[province] or holders
    for seat in seats:
        placed = sum(p.followers(seat, province) for province in range(PROVINCE_COUNT))
        assert placed + p.supply[seat] == p.board.supply
        assert min(p.stock[seat * KINDS + kind] for kind in range(KINDS)) >= 0
    assert min(p.standing) >= 0
    assert min(p.supply) >= 0


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(2))
def test_supply_seats_oaths_and_stocks_hold_after_every_action(players: int, seed: int) -> None:
    rng = Random(seed)
    p = first_position(board_for(players), rng.randbytes(32), UNHURRIED, [False] * players, 0)
    out = ActionList()
    on_rifts_before = {
        (seat, province): 0 for seat in range(players) for province in range(PROVINCE_COUNT)
    }
    while not p.how:
        seat = rng.choice([s for s in range(players) if p.decisions[s]])
        fill_legal(p, seat, out)
        actions = [out.items[i] for i in range(out.count)]
        hires = [a for a in actions if kind_of(a) == HIRE]
        action = rng.choice(hires if hires and rng.random() < 0.5 else actions)
        if END_TURN in actions and rng.random() < END_SHARE:
            action = END_TURN
        apply_action(p, seat, action, 0)
        check(p)
        for (owner, province), before in on_rifts_before.items():
            on_rifts = p.on_rifts[owner * PROVINCE_COUNT + province]
            assert on_rifts >= before, "what stands on a Rift never leaves it"
            on_rifts_before[owner, province] = on_rifts
