"""Turn clocks, missed turns, and the bot that takes a seat over."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import Gilded, SeatHandedOver, TurnEnded, TurnMissed
from arena_engine.crowns.messages import EndTurn, Resign
from arena_engine.game import State
from tests.engine.new_matches import new_match
from tests.engine.positions import (
    a_card,
    act,
    all_of,
    bodies,
    card,
    collected,
    find,
    move,
    on_turn,
    position,
    seat_view,
    standing,
    view,
)

CLOCK = "clock: 30\ndeadline: 30000"


def run_out(state: State) -> list[object]:
    """Let the open clock run out."""
    deadline = state.deadline_ms()
    assert deadline is not None
    return bodies(state.expire(deadline))


def misses(state: State, seat: int) -> tuple[int, int]:
    """Misses in a row and in all."""
    shown = seat_view(state, seat)
    return shown.missed_in_a_row, shown.missed_in_all


def test_match_without_timer_has_no_deadline() -> None:
    assert new_match(2, turn_seconds=0).deadline_ms() is None


@pytest.mark.parametrize("seconds", [30, 60, 90])
def test_first_turn_runs_from_the_start(seconds: int) -> None:
    state = new_match(2, turn_seconds=seconds, now_ms=5_000)
    assert state.deadline_ms() == 5_000 + 1_000 * seconds
    assert view(state).deadline_ms == 5_000 + 1_000 * seconds


def test_next_turn_runs_from_the_move_that_ended_the_last() -> None:
    state = position("0:K@40", more=CLOCK)
    move(state, 40, 41, "K", now_ms=12_345)
    assert state.deadline_ms() == 42_345


def test_clock_is_not_set_anew_within_a_turn() -> None:
    state = position("0:K@40", relics="horse@41", hands=[[card("gold")]], more=CLOCK)
    act(state, a_card(card("gold")), now_ms=5_000)
    move(state, 40, 41, "K", now_ms=9_000)
    assert state.deadline_ms() == 30_000


def test_clock_that_runs_out_before_the_first_move_is_a_miss() -> None:
    state = position("0:K@40", more=CLOCK)
    missed = find(run_out(state), TurnMissed)
    assert (missed.seat, missed.in_a_row, missed.in_all) == (0, 1, 1)
    assert misses(state, 0) == (1, 1)
    assert on_turn(state) == 1
    assert state.deadline_ms() == 60_000


def test_clock_that_runs_out_after_a_card_is_a_miss() -> None:
    state = position("0:K@40", hands=[[card("gold")]], more=CLOCK)
    act(state, a_card(card("gold")))
    assert find(run_out(state), TurnMissed).seat == 0


def test_clock_that_runs_out_without_a_legal_move_is_a_miss() -> None:
    state = position("0:K 1:kk@3 1:kk@5 1:kk@14", more=CLOCK)
    assert find(run_out(state), TurnMissed).seat == 0
    assert seat_view(state, 0).is_alive
    assert on_turn(state) == 1


def test_clock_that_runs_out_after_a_move_ends_the_turn_and_is_no_miss() -> None:
    state = position("0:K@40", relics="horse@41", more=CLOCK)
    move(state, 40, 41, "K")
    events = run_out(state)
    assert not all_of(events, TurnMissed)
    assert find(events, TurnEnded).seat == 0
    assert misses(state, 0) == (0, 0)
    assert on_turn(state) == 1


def test_clock_that_runs_out_over_a_shield_takes_the_collecting_triangle() -> None:
    state = position("0:k@40 0:k@20", relics="shield@41", more=CLOCK)
    move(state, 40, 41, "k")
    events = run_out(state)
    assert find(events, Gilded).triangle == 41
    assert not all_of(events, TurnMissed)
    assert on_turn(state) == 1


def test_clock_that_runs_out_over_a_shield_else_takes_the_lowest_triangle() -> None:
    state = position("0:K@40 0:k@60 0:k@20", relics="shield@41", more=CLOCK)
    move(state, 40, 41, "K")
    run_out(state)
    assert standing(state, 20) == "0:g"
    assert standing(state, 60) == "0:k"


def test_move_resets_the_run_of_misses_and_not_their_total() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=1/2")
    move(state, 40, 41, "K")
    assert misses(state, 0) == (0, 2)


def test_ending_the_turn_by_hand_resets_the_run_of_misses() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=1/1\ndone: move\nmoves: 2", crowns=())
    act(state, EndTurn())
    assert misses(state, 0) == (0, 1)


def test_card_alone_does_not_reset_the_run_of_misses() -> None:
    number = card("gold")
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=1/1 hand={number}")
    act(state, a_card(number))
    assert misses(state, 0) == (1, 1)
    run_out(state)
    assert misses(state, 0) == (2, 2)


def test_sneak_resets_the_run_of_misses() -> None:
    number = card("violet")
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=1/1 hand={number}")
    act(state, a_card(number, triangle=40, to_triangle=50))
    assert misses(state, 0) == (0, 1)


def test_two_misses_in_a_row_hand_the_seat_to_a_bot() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=1/1")
    handed = find(run_out(state), SeatHandedOver)
    assert (handed.seat, handed.is_bot) == (0, True)
    assert state.is_bot(0)
    assert seat_view(state, 0).is_bot
    assert seat_view(state, 0).has_person


def test_three_misses_in_all_hand_the_seat_to_a_bot() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=0/2")
    assert find(run_out(state), SeatHandedOver).seat == 0
    assert state.is_bot(0)


@pytest.mark.parametrize("missed", ["0/0", "0/1"])
def test_fewer_misses_leave_the_seat_to_its_person(missed: str) -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed={missed}")
    assert not all_of(run_out(state), SeatHandedOver)
    assert not state.is_bot(0)


def test_miss_of_one_seat_does_not_count_for_another() -> None:
    state = position("0:K@40 1:K@60", more=CLOCK)
    run_out(state)
    run_out(state)
    assert misses(state, 0) == misses(state, 1) == (1, 1)
    assert not state.is_bot(0)


def test_collected_relics_are_kept_when_the_clock_ends_the_turn() -> None:
    state = position("0:K@40", relics="horse@41 boat@42", more=CLOCK)
    move(state, 40, 41, "K")
    assert collected(move(state, 41, 42, "K")) == ["boat"]
    run_out(state)
    assert standing(state, 4) == "0:k"


def test_clock_judged_late_gives_the_next_seat_its_whole_turn() -> None:
    state = position("0:K@40", more=CLOCK)
    state.expire(31_500)
    assert state.deadline_ms() == 61_500


def test_given_time_moves_the_deadline() -> None:
    state = position("0:K@40", more=CLOCK)
    state.give_time(2_500)
    assert state.deadline_ms() == 32_500


def test_given_time_without_a_clock_changes_nothing() -> None:
    state = position("0:K@40")
    state.give_time(2_500)
    assert state.deadline_ms() is None


def test_finished_match_has_no_deadline() -> None:
    state = position("0:K@40", more=CLOCK)
    act(state, Resign(), seat=1)
    assert state.deadline_ms() is None


def test_resigning_on_turn_starts_the_clock_of_the_next() -> None:
    state = position("0:K@40", players=3, more=CLOCK)
    act(state, Resign(), now_ms=7_000)
    assert (on_turn(state), state.deadline_ms()) == (1, 37_000)


def test_resigning_out_of_turn_leaves_the_clock_alone() -> None:
    state = position("0:K@40", players=3, more=CLOCK)
    act(state, Resign(), seat=2, now_ms=7_000)
    assert (on_turn(state), state.deadline_ms()) == (0, 30_000)


def test_sneak_after_many_misses_is_no_miss() -> None:
    """A seat that was taken back after its third miss keeps it as long as it acts."""
    number = card("violet")
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=0/3 hand={number}")
    act(state, a_card(number, triangle=40, to_triangle=50))
    assert not state.is_bot(0)


def test_move_after_many_misses_is_no_miss() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=0/3")
    move(state, 40, 41, "K")
    assert not state.is_bot(0)


def test_clock_after_a_move_hands_nothing_over_despite_many_misses() -> None:
    state = position("0:K@40", more=f"{CLOCK}\nseat 0: missed=0/3\ndone: move\nmoves: 2")
    run_out(state)
    assert not state.is_bot(0)
