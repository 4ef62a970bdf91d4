"""Random playouts at full speed do the same in every build."""

from __future__ import annotations

from arena_engine.singhasan import GAME
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.playouts import TABLE, all_lines


def test_playouts_have_their_checksums_compiled_or_not() -> None:
    assert all_lines() == TABLE.read_text().splitlines()


def test_playout_ends_the_match_and_leaves_its_start_alone() -> None:
    state = new_match(3)
    before = state.to_text()
    actions, _ = GAME.playout(state, 5, 10_000)
    assert actions < 10_000
    assert state.to_text() == before


def test_playout_stops_at_its_limit() -> None:
    assert GAME.playout(new_match(2), 5, 7)[0] == 7
