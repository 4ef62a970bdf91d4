"""Golden games fold to the same positions as ever, compiled or not."""

from __future__ import annotations

import pytest

from arena_engine.crowns import GAME
from tests.engine.golden_games import FOLDER, SETTINGS, Setting, do, hash_of


def test_folder_holds_the_golden_games_and_nothing_else() -> None:
    assert sorted(FOLDER.glob("*-*.txt")) == sorted(setting.path for setting in SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path.stem)
def test_golden_game_folds_as_ever(setting: Setting) -> None:
    state = setting.begin()
    for number, line in enumerate(setting.path.read_text().splitlines()):
        if line.startswith("#"):
            outcome = state.outcome()
            assert outcome is not None
            assert line == f"# {outcome.how}, places {outcome.places}"
            continue
        what, expected = line.split(" | ")
        do(state, what)
        assert hash_of(state) == expected, f"line {number + 1}: {what}"


def test_golden_game_stored_half_way_goes_on_from_its_text() -> None:
    lines = [line for line in SETTINGS[3].path.read_text().splitlines() if " | " in line]
    state = SETTINGS[3].begin()
    for line in lines[: len(lines) // 2]:
        do(state, line.split(" | ")[0])
    state = GAME.from_text(state.to_text())
    for line in lines[len(lines) // 2 :]:
        do(state, line.split(" | ")[0])
    assert hash_of(state) == lines[-1].split(" | ")[1]
