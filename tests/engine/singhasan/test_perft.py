"""The engine's move counts against the table that the naive model helped to write."""

from __future__ import annotations

import pytest

from tests.engine.counting import count, read_table
from tests.engine.singhasan.perft import POSITIONS, TABLE, count_checked

#: Deeper counts than this are left to `python -m tests.engine.singhasan.perft`: they take long uncompiled.
MOST_LEAVES = 80_000


def test_table_holds_every_position() -> None:
    assert list(read_table(TABLE)) == list(POSITIONS)


@pytest.mark.parametrize("name", POSITIONS)
def test_move_counts_equal_the_table(name: str) -> None:
    for depth, expected in enumerate(read_table(TABLE)[name], start=1):
        if expected <= MOST_LEAVES:
            assert count(POSITIONS[name](), depth) == expected


@pytest.mark.parametrize("name", POSITIONS)
def test_naive_model_agrees_to_depth_2(name: str) -> None:
    one, two, *_ = read_table(TABLE)[name]
    assert count_checked(POSITIONS[name](), 1) == one
    if two <= 1_500:
        assert count_checked(POSITIONS[name](), 2) == two
