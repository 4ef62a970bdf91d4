"""Singhasan as a game: options, secrets, seats, decisions."""

from __future__ import annotations

import doctest
from collections import Counter

import pytest

from arena_engine.errors import OptionsError
from arena_engine.game import Game
from arena_engine.singhasan import GAME, game
from arena_engine.singhasan.kinds import Speed
from arena_engine.singhasan.messages import Options
from tests.engine.singhasan.matches import new_match
from tests.engine.singhasan.random_play import steps


def secret(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_game_is_what_services_ask_for() -> None:
    as_game: Game = GAME
    assert (as_game.name, as_game.min_players, as_game.max_players) == ("singhasan", 2, 5)
    assert as_game.endings == ("sworn", "seats", "cap")


def test_example_of_the_docstring_holds() -> None:
    assert doctest.testmod(game).failed == 0


def test_speed_is_standard_unless_chosen() -> None:
    assert GAME.check_options(Options(), 4) == GAME.default_options() == Options(Speed.STANDARD)
    assert GAME.check_options(Options(Speed.SWIFT), 4) == Options(Speed.SWIFT)


def test_everything_wrong_with_options_is_listed() -> None:
    with pytest.raises(OptionsError, match=r"6 players.*speed 9"):
        GAME.check_options(Options(9), 6)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [1, 6])
def test_match_is_for_two_to_five(players: int) -> None:
    with pytest.raises(OptionsError, match="2-5"):
        GAME.new(Options(), [False] * players, secret(1), 0)


def test_secret_has_32_bytes() -> None:
    with pytest.raises(OptionsError, match="31 bytes"):
        GAME.new(Options(), [False] * 3, bytes(31), 0)


def test_same_secret_gives_the_same_match_and_another_one_another() -> None:
    first, events = GAME.new(Options(), [False] * 3, secret(1), 0)
    again, same = GAME.new(Options(), [False] * 3, secret(1), 0)
    other, _ = GAME.new(Options(), [False] * 3, secret(2), 0)
    assert (first.state_hash(), events) == (again.state_hash(), same)
    assert first.state_hash() != other.state_hash()


def test_bots_have_their_seats_from_the_start() -> None:
    state, _ = GAME.new(Options(), [False, True, False], secret(1), 0)
    assert [state.is_bot(seat) for seat in range(3)] == [False, True, False]


def test_players_are_shuffled_onto_seats_evenly() -> None:
    orders = Counter(GAME.seat_order(3, secret(number)) for number in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 60


@pytest.mark.parametrize(("players", "seed"), [(2, 6), (5, 7)])
def test_decisions_grow_and_are_never_used_twice(players: int, seed: int) -> None:
    owner: dict[int, int] = {}
    newest, before = 0, set[int]()
    for state, _ in steps(players, seed, rounds=18 if players == 2 else 4):
        awaited = state.awaited()
        assert [seat for seat, _ in awaited] == sorted(seat for seat, _ in awaited)
        for seat, decision in awaited:
            assert owner.setdefault(decision, seat) == seat
            assert decision in before or decision > newest
        before = {decision for _, decision in awaited}
        newest = max(newest, *before) if before else newest


def test_no_action_is_for_any_time() -> None:
    state = new_match(2)
    packed = next(state.legal_actions(0))
    assert not state.is_any_time(state.unpack(packed))
