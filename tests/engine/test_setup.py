"""How a match begins."""

from __future__ import annotations

from collections import Counter

import pytest

from arena_engine.crowns import GAME
from arena_engine.crowns.cards import CARDS
from arena_engine.crowns.kinds import Board
from arena_engine.crowns.messages import Options
from arena_engine.errors import OptionsError
from arena_engine.registry import GAMES
from tests.engine.new_matches import a_secret, new_match
from tests.engine.positions import RELIC_WORDS, arena, hand, on_turn, standing, view

EACH_TABLE = [(players, board) for players in range(2, 7) for board in ("standard", "large")]


@pytest.mark.parametrize(("players", "board"), EACH_TABLE)
def test_each_seat_starts_with_king_and_two_knights_on_its_gate(players: int, board: str) -> None:
    state = new_match(players, board=board)
    for seat, shown in enumerate(view(state).seats):
        assert standing(state, shown.gate) == f"{seat}:Kkk"
        assert (shown.reserve, shown.crowns, shown.hand_size) == (8, 0, 0)
        assert hand(state, seat) == []
    assert len(view(state).formations) == players


@pytest.mark.parametrize("players", [2, 6])
def test_standard_board_starts_with_its_relics(players: int) -> None:
    kinds = Counter(RELIC_WORDS[r.relic] for r in view(new_match(players)).relics)
    assert kinds == {"crown": 1, "horse": 2, "shield": 3, "boat": 4, "loot": 4}


@pytest.mark.parametrize("players", [2, 6])
def test_large_board_starts_with_its_relics(players: int) -> None:
    kinds = Counter(RELIC_WORDS[r.relic] for r in view(new_match(players, board="large")).relics)
    assert kinds == {"crown": 1, "horse": 3, "shield": 4, "boat": 5, "loot": 6}


@pytest.mark.parametrize(("players", "board"), EACH_TABLE)
def test_relics_lie_on_distinct_triangles_that_are_no_gates(players: int, board: str) -> None:
    for secret in range(5):
        shown = view(new_match(players, board=board, secret=secret))
        spots = [r.triangle for r in shown.relics]
        assert len(spots) == len(set(spots))
        assert not set(spots) & {seat.gate for seat in shown.seats}


@pytest.mark.parametrize(("players", "board"), EACH_TABLE)
def test_crown_starts_three_steps_or_more_from_every_gate(players: int, board: str) -> None:
    for secret in range(5):
        shown = view(new_match(players, board=board, secret=secret))
        (crown,) = [r.triangle for r in shown.relics if RELIC_WORDS[r.relic] == "crown"]
        assert all(arena(board).steps(seat.gate)[crown] >= 3 for seat in shown.seats)


def test_seat_0_starts_round_1_with_one_move() -> None:
    state = new_match(4)
    shown = view(state)
    assert on_turn(state) == 0
    assert (shown.turn, shown.round, shown.moves_left) == (0, 1, 1)
    assert not shown.has_moved
    assert not shown.has_played_card


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_players_are_shuffled_onto_seats_by_the_secret(players: int) -> None:
    orders = {GAME.seat_order(players, a_secret(n)) for n in range(40)}
    assert all(sorted(order) == list(range(players)) for order in orders)
    assert len(orders) >= 2
    assert GAME.seat_order(players, a_secret(1)) == GAME.seat_order(players, a_secret(1))


def test_same_secret_gives_the_same_match() -> None:
    assert new_match(3, secret=5).to_text() == new_match(3, secret=5).to_text()


def test_another_secret_gives_another_match() -> None:
    assert view(new_match(3, secret=5)).relics != view(new_match(3, secret=6)).relics


def test_deck_holds_forty_characters_of_seven_colours() -> None:
    assert view(new_match()).deck_size == 40
    assert sorted(card.number for card in CARDS) == list(range(1, 41))
    assert len({card.name for card in CARDS}) == 40
    assert Counter(card.ability.colour for card in CARDS) == {
        "gold": 3,
        "red": 5,
        "violet": 5,
        "blue": 7,
        "green": 8,
        "white": 7,
        "black": 5,
    }


def test_options_left_out_mean_the_standard_board_without_clock() -> None:
    checked = GAME.check_options(GAME.default_options(), 2)
    assert checked == Options(Board.STANDARD, 0)


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_number_of_players_outside_two_to_six_is_refused(players: int) -> None:
    with pytest.raises(OptionsError, match=str(players)):
        GAME.check_options(GAME.default_options(), players)


@pytest.mark.parametrize("seconds", [0, 30, 60, 90])
def test_offered_clocks_are_accepted(seconds: int) -> None:
    assert GAME.check_options(Options(Board.LARGE, seconds), 6).turn_seconds == seconds


@pytest.mark.parametrize("seconds", [1, 45, 120])
def test_other_clocks_are_refused(seconds: int) -> None:
    with pytest.raises(OptionsError, match=str(seconds)):
        GAME.check_options(Options(Board.STANDARD, seconds), 2)


def test_unknown_board_is_refused() -> None:
    with pytest.raises(OptionsError, match="7"):
        GAME.check_options(Options(7), 2)  # type: ignore[arg-type]


def test_new_match_checks_its_options() -> None:
    with pytest.raises(OptionsError):
        GAME.new(Options(), [False] * 7, bytes(32), 0)


def test_secret_of_another_length_is_refused() -> None:
    with pytest.raises(OptionsError, match="31"):
        GAME.new(Options(), [False] * 2, bytes(31), 0)


def test_crowns_is_registered() -> None:
    assert GAME in GAMES
    assert (GAME.name, GAME.min_players, GAME.max_players) == ("crowns", 2, 6)


def test_options_errors_are_listed_together() -> None:
    with pytest.raises(OptionsError) as caught:
        GAME.check_options(Options(Board.STANDARD, 45), 9)
    assert "45" in str(caught.value)
    assert "9" in str(caught.value)
