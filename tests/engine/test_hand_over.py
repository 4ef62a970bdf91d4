"""Seats that change between a person and a bot, and matches that people have left."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import SeatHandedOver
from arena_engine.crowns.messages import Resign
from arena_engine.errors import IllegalActionError
from tests.engine.new_matches import new_match
from tests.engine.positions import (
    act,
    all_of,
    bodies,
    find,
    move,
    outcome,
    position,
    seat_view,
    view,
)


def test_person_who_leaves_by_choice_is_replaced_by_a_bot_at_once() -> None:
    state = new_match(3)
    handed = find(bodies(state.hand_over(1, is_bot=True, now_ms=0)), SeatHandedOver)
    assert (handed.seat, handed.is_bot) == (1, True)
    assert state.is_bot(1)
    assert not state.is_bot(0)


def test_seat_handed_over_on_turn_keeps_its_decision_and_clock() -> None:
    state = new_match(2, turn_seconds=30)
    awaited = state.awaited()
    state.hand_over(0, is_bot=True, now_ms=4_000)
    assert state.awaited() == awaited
    assert state.deadline_ms() == 30_000


def test_person_may_take_the_seat_back() -> None:
    state = new_match(2)
    state.hand_over(0, is_bot=True, now_ms=0)
    handed = find(bodies(state.hand_over(0, is_bot=False, now_ms=0)), SeatHandedOver)
    assert not handed.is_bot
    assert not state.is_bot(0)


def test_hand_over_that_changes_nothing_tells_nothing() -> None:
    state = new_match(2)
    assert state.hand_over(0, is_bot=False, now_ms=0) == []


def test_seat_taken_back_clears_the_run_of_misses_and_keeps_the_total() -> None:
    state = position("0:K@40", more="clock: 30\ndeadline: 30000\nseat 0: bot person missed=2/2")
    state.hand_over(0, is_bot=False, now_ms=0)
    shown = seat_view(state, 0)
    assert (shown.missed_in_a_row, shown.missed_in_all) == (0, 2)


@pytest.mark.parametrize("missed", ["2/2", "1/3"])
def test_next_miss_of_a_seat_taken_back_hands_it_over_again(missed: str) -> None:
    state = position(
        "0:K@40", more=f"clock: 30\ndeadline: 30000\nseat 0: bot person missed={missed}"
    )
    state.hand_over(0, is_bot=False, now_ms=0)
    assert all_of(bodies(state.expire(30_000)), SeatHandedOver)
    assert state.is_bot(0)


def test_bot_from_the_start_has_no_person_to_take_it_back() -> None:
    state = new_match(2, bots=[1])
    assert state.is_bot(1)
    assert not seat_view(state, 1).has_person
    with pytest.raises(IllegalActionError):
        state.hand_over(1, is_bot=False, now_ms=0)


def test_eliminated_seat_cannot_be_handed_over() -> None:
    state = position("0:K@40", players=3)
    act(state, Resign(), seat=2)
    with pytest.raises(IllegalActionError):
        state.hand_over(2, is_bot=True, now_ms=0)


def test_match_without_people_ends_level_after_2000_actions() -> None:
    state = position(
        "0:k@40", players=3, out=[2], more="actions: 1999\nseat 0: bot\nseat 1: bot person"
    )
    move(state, 40, 41, "k")
    assert outcome(state).how == "limit"
    assert outcome(state).winner is None
    assert outcome(state).places == (1, 1, 3)
    assert view(state).actions == 2000


def test_match_with_a_person_goes_on_after_2000_actions() -> None:
    state = position("0:k@40", more="actions: 1999\nseat 0: bot")
    move(state, 40, 41, "k")
    assert state.outcome() is None


def test_match_whose_only_person_is_out_has_no_person_left() -> None:
    state = position("0:k@40", players=3, out=[2], more="actions: 1999\nseat 0: bot\nseat 1: bot")
    move(state, 40, 41, "k")
    assert outcome(state).how == "limit"


def test_match_that_its_last_person_leaves_late_ends_with_the_next_action() -> None:
    state = position("0:k@40", more="actions: 2500\nseat 0: bot")
    state.hand_over(1, is_bot=True, now_ms=0)
    if state.outcome() is None:
        move(state, 40, 41, "k")
    assert outcome(state).how == "limit"


def test_match_whose_last_person_misses_too_many_turns_late_ends_level() -> None:
    late = "actions: 2500\nseat 0: missed=1/1\nseat 1: bot"
    state = position("0:k@40", more=f"{late}\nclock: 30\ndeadline: 30000")
    state.expire(30_000)
    assert outcome(state).how == "limit"


def test_match_before_2000_actions_goes_on_without_people() -> None:
    state = position("0:k@40", more="actions: 1998\nseat 0: bot\nseat 1: bot")
    move(state, 40, 41, "k")
    assert state.outcome() is None
