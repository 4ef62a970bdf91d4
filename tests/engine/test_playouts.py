"""Random playouts at full speed do the same in every build."""

from __future__ import annotations

from arena_engine.crowns import GAME
from tests.engine.new_matches import new_match
from tests.engine.playouts import TABLE, all_lines


def test_playouts_have_their_checksums_compiled_or_not() -> None:
    assert all_lines() == TABLE.read_text().splitlines()


def test_playout_leaves_its_start_alone() -> None:
    state = new_match(2)
    before = state.to_text()
    GAME.playout(state, 5, 50)
    assert state.to_text() == before


def test_playout_stops_at_its_limit() -> None:
    state = new_match(2)
    assert GAME.playout(state, 5, 7)[0] == 7
