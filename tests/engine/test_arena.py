"""The shape of the two boards."""

from __future__ import annotations

import pytest

from arena_engine.crowns.messages import Move
from tests.engine.new_matches import new_match
from tests.engine.positions import RELIC_WORDS, arena, legal, position, view

GATES = {
    "standard": [4, 31, 74, 91, 64, 21],
    "large": [5, 38, 125, 144, 111, 24],
}
SIDES = {2: "03", 3: "024", 4: "0134", 5: "01234", 6: "012345"}


@pytest.mark.parametrize(("board", "triangles"), [("standard", 96), ("large", 150)])
def test_arena_by_board_has_as_many_triangles(board: str, triangles: int) -> None:
    assert len(arena(board).triangles) == triangles


@pytest.mark.parametrize("board", ["standard", "large"])
def test_neighbours_share_an_edge(board: str) -> None:
    geometry = arena(board)
    other_king = geometry.side_gates[3]
    for triangle, neighbours in enumerate(geometry.neighbours):
        if triangle not in (other_king, *geometry.neighbours[other_king]):
            state = position(f"0:K@{triangle}", board=board)
            moves = [a.to_triangle for a in legal(state) if isinstance(a, Move)]
            assert sorted(moves) == neighbours


@pytest.mark.parametrize("board", ["standard", "large"])
def test_gates_lie_in_the_middle_of_each_side(board: str) -> None:
    assert arena(board).side_gates == GATES[board]


@pytest.mark.parametrize("board", ["standard", "large"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_by_number_of_players_have_their_sides(board: str, players: int) -> None:
    seats = view(new_match(players, board=board)).seats
    assert [seat.gate for seat in seats] == [GATES[board][int(side)] for side in SIDES[players]]


def test_gate_without_a_player_is_an_ordinary_triangle() -> None:
    """Relics may lie there; they never do on a Gate in play."""
    spots: set[int] = set()
    for secret in range(60):
        spots |= {relic.triangle for relic in view(new_match(2, secret=secret)).relics}
    assert spots & {31, 74, 64, 21}
    assert not spots & {4, 91}


def test_every_triangle_but_the_gates_in_play_can_hold_a_relic() -> None:
    spots: set[int] = set()
    for secret in range(80):
        spots |= {relic.triangle for relic in view(new_match(6, secret=secret)).relics}
    assert spots == set(range(96)) - set(GATES["standard"])


def test_crown_appears_anywhere_far_enough_from_the_gates() -> None:
    geometry = arena()
    far = {t for t in range(96) if all(geometry.steps(g)[t] >= 3 for g in GATES["standard"])}
    spots = set()
    for secret in range(250):
        relics = view(new_match(6, secret=secret)).relics
        spots |= {r.triangle for r in relics if RELIC_WORDS[r.relic] == "crown"}
    assert spots == far
