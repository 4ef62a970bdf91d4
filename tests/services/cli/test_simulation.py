from __future__ import annotations

from collections import Counter

import pytest

from arena_services.cli.simulation import Figures, Policy, Setting, Tally, play_match, wilson
from arena_services.common import games

_NAMES = [hosted.game.name for hosted in games.hosted()]


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("name", _NAMES)
def test_a_numbered_match_is_always_the_same(name: str, policy: Policy) -> None:
    game = games.find(name).game
    setting = Setting(name, 2, game.default_options(), policy, seed=7)
    first = play_match(setting, 0)
    assert first == play_match(setting, 0)
    assert first != play_match(setting, 1)
    assert first.how in game.endings
    assert first.game["rounds"] > 0


def test_wilson_interval_holds_the_share_and_stays_within_bounds() -> None:
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)
    low, high = wilson(30, 100)
    assert low == pytest.approx(0.2189, abs=1e-4)
    assert high == pytest.approx(0.3958, abs=1e-4)


def test_tally_adds_matches_up() -> None:
    tally = Tally(2, Counter({"escape": 0, "limit": 0}))
    tally.add(Figures(10, "escape", 1, {"rounds": 3}))
    tally.add(Figures(20, "escape", None, {"rounds": 5}))
    assert tally.endings == {"escape": 2, "limit": 0}
    assert tally.actions.summary() == {"mean": 15, "min": 10, "median": 20, "max": 20}
    assert [seat["wins"] for seat in tally.seats()] == [0, 1]
    assert tally.game["rounds"].summary()["mean"] == 4
