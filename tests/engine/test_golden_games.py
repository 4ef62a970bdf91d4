"""Golden games fold to the same positions as ever, compiled or not."""

from __future__ import annotations

import pytest

from arena_engine.crowns import GAME
from tests.engine.golden_games import FOLDER, SETTINGS, Setting
from tests.engine.golden_lines import fold, fold_from_half_way


def test_folder_holds_the_golden_games_and_nothing_else() -> None:
    assert sorted(FOLDER.glob("*-*.txt")) == sorted(setting.path for setting in SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path.stem)
def test_golden_game_folds_as_ever(setting: Setting) -> None:
    fold(GAME, setting.begin(), setting.path)


def test_golden_game_stored_half_way_goes_on_from_its_text() -> None:
    fold_from_half_way(GAME, SETTINGS[3].begin(), SETTINGS[3].path)
