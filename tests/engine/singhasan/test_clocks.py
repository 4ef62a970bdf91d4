"""Clocks: windows by speed, time carried and banked, what stands still, missed turns, seats that change hands."""

from __future__ import annotations

import pytest

from arena_engine.errors import IllegalActionError
from arena_engine.singhasan import events as e
from arena_engine.singhasan.kinds import Phase, Resource, Speed
from arena_engine.singhasan.messages import (
    AnswerAim,
    AnswerQuestion,
    EndTurn,
    MakeOffer,
    March,
    Pass,
    PlayConspiracy,
    Redraw,
    TradeWithBank,
)
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import (
    BY_LOT,
    act,
    all_of,
    awaited,
    court,
    expire,
    find,
    match,
    new_match,
    pass_all,
    resources,
    why_not,
)

RICH = "stock=9/0/0/0"
TRADE = TradeWithBank(resources(3), Resource.STEEL)


def answering(*lines: str) -> SinghasanState:
    """The window closes at 1,000 ms; seat 0 answers from then on."""
    state = court(*lines)
    pass_all(state, 1000)
    return state


def test_court_window_has_8_seconds_and_the_answer_45() -> None:
    state = new_match(2)
    expire(state, 30_000)
    assert state.deadline_ms() == 38_000
    act(state, 1, Pass(), 31_000)
    assert state.deadline_ms() == 31_000 + 45_000


def test_swift_has_half_of_each() -> None:
    state = new_match(2, speed=Speed.SWIFT)
    assert list(state.position.bank_ms) == [60_000] * 2
    expire(state)
    assert state.deadline_ms() == 15_000 + 4_000
    act(state, 1, Pass(), 16_000)
    assert state.deadline_ms() == 16_000 + 22_500
    act(state, 0, AnswerQuestion(0), 16_000)
    assert state.deadline_ms() == 16_000 + 60_000 + 22_500


def test_unhurried_has_no_clock() -> None:
    state = answering("speed: unhurried", f"seat 0: {RICH}")
    assert state.deadline_ms() is None
    act(state, 0, AnswerQuestion(0), 5)
    act(state, 0, TRADE, 10**9)
    assert state.deadline_ms() is None
    act(state, 0, EndTurn(), 2 * 10**9)
    assert state.deadline_ms() is None


def test_unused_answer_time_is_added_to_the_act_clock() -> None:
    state = answering()
    act(state, 0, AnswerQuestion(0), 11_000)
    assert state.deadline_ms() == 11_000 + 120_000 + 35_000


def test_answer_drawn_by_the_clock_carries_no_time() -> None:
    state = answering()
    expire(state)
    assert state.deadline_ms() == 46_000 + 120_000


def test_answer_drawn_by_a_court_card_carries_no_time() -> None:
    state = court(f"hand 1: {BY_LOT}")
    act(state, 1, PlayConspiracy(BY_LOT), 500)
    pass_all(state, 1000)
    assert state.deadline_ms() == 1000 + 120_000


def test_new_question_has_an_answer_clock_of_its_own() -> None:
    state = answering(f"seat 0: {RICH}")
    act(state, 0, Redraw(resources(3)), 40_000)
    assert state.deadline_ms() == 48_000
    pass_all(state, 41_000)
    assert state.deadline_ms() == 41_000 + 45_000


def test_time_bank_runs_only_in_a_turn_in_which_the_claimant_has_acted() -> None:
    state = answering()
    act(state, 0, AnswerQuestion(0), 46_000)
    assert state.deadline_ms() == 46_000 + 120_000
    expire(state)
    assert state.position.turn == 1
    assert state.position.bank_ms[0] == 120_000


def test_time_bank_stands_behind_the_act_clock_once_the_claimant_has_acted() -> None:
    state = answering(f"seat 0: {RICH}")
    act(state, 0, AnswerQuestion(0), 46_000)
    act(state, 0, TRADE, 50_000)
    assert state.deadline_ms() == 46_000 + 120_000 + 120_000
    act(state, 0, EndTurn(), 46_000 + 120_000 + 20_000)
    assert state.position.bank_ms[0] == 100_000


def test_time_bank_is_untouched_by_a_turn_within_its_clock() -> None:
    state = answering(f"seat 0: {RICH}")
    act(state, 0, AnswerQuestion(0), 46_000)
    act(state, 0, TRADE, 50_000)
    act(state, 0, EndTurn(), 100_000)
    assert state.position.bank_ms[0] == 120_000


def test_both_clocks_out_end_the_turn_without_a_miss() -> None:
    state = answering(f"seat 0: {RICH} bank=5000")
    act(state, 0, AnswerQuestion(0), 46_000)
    act(state, 0, TRADE, 50_000)
    events = expire(state)
    assert find(events, e.TurnEnded) == e.TurnEnded(0)
    assert not all_of(events, e.TurnMissed)
    assert state.position.bank_ms[0] == 0


def test_act_clock_stands_still_while_a_shield_is_asked_for() -> None:
    state = match(
        "seat 1: answers=0/0/0/3 stock=0/0/0/1", "at capital: s0=3 s1=2", "deadline: 90000"
    )
    act(state, 0, March(0, 1, 1), 10_000)
    assert state.position.phase == Phase.SHIELD
    assert state.deadline_ms() == 20_000
    act(state, 1, AnswerAim(shield=False), 17_000)
    # 80 s were left, and the bank of 120 s stands behind since the March.
    assert state.deadline_ms() == 17_000 + 80_000 + 120_000


def test_give_time_moves_the_window_under_way() -> None:
    state = answering()
    state.give_time(700)
    assert state.deadline_ms() == 46_700
    quiet = answering("speed: unhurried")
    quiet.give_time(700)
    assert quiet.deadline_ms() is None


def test_discard_has_10_seconds() -> None:
    state = match("seat 0: stock=15/0/0/0", "deadline: 90000")
    act(state, 0, EndTurn(), 1000)
    assert state.position.phase == Phase.DISCARD
    assert state.deadline_ms() == 11_000


def missing(*words: str, players: int = 2) -> SinghasanState:
    """Seat 0 has let its answer clock run out, and has not acted."""
    seat = " ".join(["seat 0:", *words])
    return match("done:", "deadline: 1000", seat, players=players)


def test_clocks_out_on_who_neither_answered_nor_acted_are_a_miss() -> None:
    state = missing()
    events = expire(state)
    assert find(events, e.TurnMissed) == e.TurnMissed(0, 1, 1)
    assert not state.is_bot(0)


def test_who_answered_has_not_missed_the_turn() -> None:
    state = match("done: answered", "deadline: 1000", "seat 0: missed=1/1")
    assert not all_of(expire(state), e.TurnMissed)


def test_who_ends_an_unanswered_turn_by_hand_has_not_missed_it() -> None:
    state = match("done:", "seat 0: missed=1/2")
    events = act(state, 0, EndTurn())
    assert not all_of(events, e.TurnMissed)
    assert not state.is_bot(0)
    assert (state.position.missed_run[0], state.position.missed_all[0]) == (0, 2)


def test_redraw_alone_does_not_save_from_a_miss() -> None:
    state = answering(f"seat 0: {RICH}")
    act(state, 0, Redraw(resources(3)), 2000)
    pass_all(state, 3000)
    expire(state)
    assert find(expire(state), e.TurnMissed) == e.TurnMissed(0, 1, 1)


@pytest.mark.parametrize("words", ["missed=1/1", "missed=0/2"])
def test_second_miss_in_a_row_or_third_in_all_hands_the_seat_to_a_bot(words: str) -> None:
    state = missing(words)
    events = expire(state)
    assert find(events, e.SeatHandedOver) == e.SeatHandedOver(0, is_bot=True)
    assert events.index(find(events, e.SeatHandedOver)) > events.index(find(events, e.TurnEnded))
    assert state.is_bot(0)


def test_person_takes_the_seat_back_with_the_run_cleared_and_the_total_kept() -> None:
    state = missing("missed=1/2")
    expire(state)
    state.hand_over(0, is_bot=False, now_ms=0)
    p = state.position
    assert (p.missed_run[0], p.missed_all[0]) == (0, 3)


def test_next_miss_after_coming_back_hands_it_over_again() -> None:
    state = missing("missed=0/3")
    assert find(expire(state), e.TurnMissed) == e.TurnMissed(0, 1, 4)
    assert state.is_bot(0)


def test_total_alone_hands_nothing_over() -> None:
    state = match("done: answered", "deadline: 1000", "seat 0: missed=0/3")
    expire(state)
    assert not state.is_bot(0)


def test_missed_turn_of_a_bot_is_not_counted() -> None:
    state = missing("bot", "person", "missed=0/1")
    assert find(expire(state), e.TurnMissed) == e.TurnMissed(0, 0, 1)


def test_seat_handed_over_keeps_its_decision_and_clock() -> None:
    state = answering()
    before = state.awaited(), state.deadline_ms()
    events = state.hand_over(0, is_bot=True, now_ms=2000)
    assert [event.event for event in events] == [e.SeatHandedOver(0, is_bot=True)]
    assert (state.awaited(), state.deadline_ms()) == before
    assert state.hand_over(0, is_bot=True, now_ms=2000) == []


def test_seat_of_a_bot_from_the_start_has_nobody_to_take_it_back() -> None:
    state = court("seat 1: bot")
    with pytest.raises(IllegalActionError, match="from the start"):
        state.hand_over(1, is_bot=False, now_ms=0)
    with pytest.raises(IllegalActionError, match="not in the match"):
        state.hand_over(3, is_bot=True, now_ms=0)


def test_bot_is_awaited_like_a_person() -> None:
    state = court("seat 1: bot", players=2)
    assert awaited(state) == [1]
    assert why_not(state, 1, Pass()) is None


def test_offer_of_the_active_claimant_counts_as_acting() -> None:
    state = match("done:", "seat 0: stock=1/0/0/0 missed=1/1", "deadline: 9000")
    act(state, 0, MakeOffer(resources(1), resources(0, 1)), 100)
    assert not all_of(expire(state), e.TurnMissed)
