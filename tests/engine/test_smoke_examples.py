"""The examples in the engine's docstrings do what they say."""

from __future__ import annotations

import doctest

from arena_engine.crowns import game


def test_examples_of_the_game_hold() -> None:
    result = doctest.testmod(game)
    assert result.attempted > 0
    assert result.failed == 0
