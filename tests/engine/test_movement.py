"""Which pieces go how far, past whom, and what ends a turn."""

from __future__ import annotations

import pytest

from arena_engine.crowns.messages import EndTurn, Move
from arena_engine.errors import MalformedActionError
from tests.engine.positions import (
    collected,
    ends,
    move,
    near,
    position,
    relics_at,
    standing,
    view,
    why_not,
    within,
)


def test_king_moves_one_triangle() -> None:
    state = position("0:K@40")
    assert ends(state, 40, "K") == near(40)


def test_knight_moves_up_to_two_triangles() -> None:
    state = position("0:k@40")
    assert ends(state, 40, "k") == within(40, 2)


def test_golden_knight_moves_up_to_three_triangles() -> None:
    state = position("0:g@40")
    assert ends(state, 40, "g") == within(40, 3)


def test_golden_group_moves_up_to_three_triangles() -> None:
    state = position("0:ggg@40")
    assert ends(state, 40, "ggg") == within(40, 3)


def test_group_is_as_slow_as_its_slowest_piece() -> None:
    state = position("0:kg@40")
    assert ends(state, 40, "kg") == within(40, 2)


@pytest.mark.parametrize("group", ["Kk", "Kg", "Kkg", "Kgg"])
def test_group_with_king_moves_one_triangle(group: str) -> None:
    state = position(f"0:{group}@40")
    assert ends(state, 40, group) == near(40)


def test_part_of_a_group_moves_and_leaves_the_rest_behind() -> None:
    state = position("0:Kkg@40")
    move(state, 40, 42, "k")
    assert standing(state, 40) == "0:Kg"
    assert standing(state, 42) == "0:k"


def test_every_part_of_a_formation_may_be_chosen() -> None:
    state = position("0:Kkg@40")
    for group in ("K", "k", "g", "Kk", "Kg", "kg", "Kkg"):
        assert 41 in ends(state, 40, group)


def test_group_joins_friends_up_to_three_pieces() -> None:
    state = position("0:k@40 0:kg@41")
    move(state, 40, 41, "k")
    assert standing(state, 41) == "0:kkg"


def test_group_cannot_end_where_more_than_three_would_stand() -> None:
    state = position("0:kk@40 0:kk@41")
    assert "3" in (why_not(state, Move(40, 41, king=False, knights=2, golden=0)) or "")
    assert 41 not in ends(state, 40, "kk")
    assert 41 in ends(state, 40, "k")


def test_friends_may_be_passed_through_even_three() -> None:
    state = position("0:k@40 0:kkk@41")
    assert 42 in ends(state, 40, "k")
    assert 41 not in ends(state, 40, "k")


def test_enemies_block_the_way() -> None:
    state = position("0:k@40 1:k@41")
    assert 41 in ends(state, 40, "k")
    assert not {42, 56} & ends(state, 40, "k")
    assert why_not(state, Move(40, 42, king=False, knights=1, golden=0))


def test_golden_knight_walks_around_enemies() -> None:
    state = position("0:g@40 1:k@39")
    assert 24 in within(40, 3)
    assert ends(state, 40, "g") >= {41, 42, 43, 26, 25}
    assert 54 not in ends(state, 40, "g")


def test_move_cannot_end_where_it_began() -> None:
    state = position("0:k@40")
    assert why_not(state, Move(40, 40, king=False, knights=1, golden=0))


def test_repeated_moves_are_legal_without_end() -> None:
    state = position("0:k@40 1:k@55")
    for _ in range(12):
        move(state, 40, 41, "k")
        move(state, 55, 56, "k")
        move(state, 41, 40, "k")
        move(state, 56, 55, "k")
    assert state.outcome() is None


def test_relic_on_the_way_is_not_collected() -> None:
    state = position("0:k@40", relics="horse@41")
    events = move(state, 40, 42, "k")
    assert not collected(events)
    assert relics_at(state, 41) == ["horse"]


def test_turn_ends_by_itself_after_its_only_move() -> None:
    state = position("0:k@40")
    move(state, 40, 41, "k")
    assert view(state).turn == 1
    assert [a.seat for a in state.awaited()] == [1]


def test_turn_cannot_be_passed_without_acting() -> None:
    state = position("0:k@40")
    assert why_not(state, EndTurn())


def test_move_out_of_turn_is_explained() -> None:
    state = position("0:k@40 1:k@55")
    assert why_not(state, Move(55, 56, king=False, knights=1, golden=0), seat=1)


def test_pieces_of_others_cannot_be_moved() -> None:
    state = position("0:k@40 1:k@55")
    assert why_not(state, Move(55, 56, king=False, knights=1, golden=0), seat=0)


@pytest.mark.parametrize(
    "group",
    [
        {"king": True, "knights": 0, "golden": 0},
        {"king": False, "knights": 2, "golden": 0},
        {"king": False, "knights": 0, "golden": 1},
    ],
)
def test_pieces_that_are_not_there_cannot_be_moved(group: dict[str, int]) -> None:
    state = position("0:k@40")
    assert why_not(state, Move(40, 41, **group))  # type: ignore[arg-type]


@pytest.mark.parametrize(("knights", "golden"), [(0, 0), (4, 0), (2, 2)])
def test_group_of_none_or_more_than_three_is_malformed(knights: int, golden: int) -> None:
    state = position("0:k@40")
    with pytest.raises(MalformedActionError):
        state.pack(Move(40, 41, king=False, knights=knights, golden=golden))


@pytest.mark.parametrize(("start", "end"), [(96, 40), (40, 96), (40, 100_000)])
def test_triangle_outside_the_arena_is_refused(start: int, end: int) -> None:
    state = position("0:k@40")
    action = Move(start, end, king=False, knights=1, golden=0)
    try:
        packed = state.pack(action)
    except MalformedActionError:
        return
    assert state.explain(0, packed)
