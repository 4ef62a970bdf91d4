"""Turns and their end: the order of things, discarding, the hire row, Headlines, rounds."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.kinds import Op
from arena_engine.singhasan.kinds import Cause, Phase
from arena_engine.singhasan.messages import Discard, EndTurn, Hire, Redraw
from tests.engine.singhasan.matches import (
    act,
    all_of,
    awaited,
    expire,
    find,
    legal,
    match,
    play_turn,
    resources,
    stock,
    why_not,
)

#: Headlines that ask nobody anything, and change the treasury limit.
PLAIN = [
    number
    for number, card in enumerate(HEADLINES, 1)
    if all((s.op == Op.GAIN and s.kind) or s.op == Op.PEEK_HEADLINES for s in card.steps)
]
FLOODS = next(n for n, card in enumerate(HEADLINES, 1) if card.name == "The Strongroom Floods")
THREES = [number for number, card in enumerate(FOLLOWERS, 1) if card.followers == 3]
ONES = [number for number, card in enumerate(FOLLOWERS, 1) if card.followers == 1]


def kinds(events: list[object]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_turn_passes_clockwise_and_a_round_begins_with_the_first_seat() -> None:
    state = match()
    seen = [find(play_turn(state), e.TurnBegan) for _ in range(4)]
    assert [(began.seat, began.round) for began in seen] == [(1, 1), (2, 1), (0, 2), (1, 2)]


def test_turn_begins_with_a_question_before_the_window() -> None:
    events = act(match(), 0, EndTurn())
    assert kinds(events)[-3:] == ["TurnEnded", "TurnBegan", "QuestionDrawn"]


def test_end_of_turn_lapses_offers_turns_headlines_discards_and_refills_in_order() -> None:
    state = match(
        "offers: 17592186044680",
        "declined: 0",
        f"called: {PLAIN[0]}@0",
        "row: 0 2 3",
        "seat 0: stock=14/0/0/0",
    )
    events = act(state, 0, EndTurn())
    assert kinds(events)[:2] == ["OfferWithdrawn", "HeadlineTurned"]
    assert state.position.phase == Phase.DISCARD
    over = sum(stock(state.position, 0)) - 12
    events = act(state, 0, Discard(resources(over)))
    assert kinds(events)[:3] == ["ResourcesLost", "HireRowChanged", "TurnEnded"]


def test_headlines_are_turned_up_in_the_order_called() -> None:
    called = [10, 25, 10 if len(PLAIN) < 3 else PLAIN[2]]
    order = list(dict.fromkeys(called))
    state = match("called: " + " ".join(f"{number}@0" for number in order))
    events = act(state, 0, EndTurn())
    assert [t.headline for t in all_of(events, e.HeadlineTurned)] == order


def test_headline_that_asks_for_a_choice_holds_the_end_of_the_turn() -> None:
    state = match(f"called: 1@0 {PLAIN[0]}@0")
    events = act(state, 0, EndTurn())
    assert len(all_of(events, e.HeadlineTurned)) == 1
    assert state.position.phase == Phase.CHOICE
    while state.position.phase == Phase.CHOICE:
        events = [x.event for x in state.apply(0, next(state.legal_actions(0)), 0)]
    assert find(events, e.HeadlineTurned).headline == PLAIN[0]
    assert state.position.turn == 1


def test_choice_by_clock_takes_the_first_option() -> None:
    state = match("called: 1@0", "deadline: 50000")
    act(state, 0, EndTurn(), 1000)
    assert state.deadline_ms() == 11_000
    events = expire(state)
    assert find(events, e.ChoiceMade) == e.ChoiceMade(0, 0, by_clock=True)


@pytest.mark.parametrize(("answers", "limit"), [("2/0/0/0", 12), ("3/0/0/0", 15)])
def test_limit_is_12_and_15_with_many_harbours(answers: str, limit: int) -> None:
    state = match(f"seat 0: answers={answers} stock={limit}/1/0/0")
    act(state, 0, EndTurn())
    assert state.position.phase == Phase.DISCARD
    at_limit = match(f"seat 0: answers={answers} stock={limit}/0/0/0")
    act(at_limit, 0, EndTurn())
    assert at_limit.position.turn == 1


def test_limit_binds_nobody_but_the_claimant_whose_turn_ends() -> None:
    state = match("seat 1: stock=20/0/0/0")
    act(state, 0, EndTurn())
    assert stock(state.position, 1)[0] == 20


def test_limit_lost_to_a_headline_counts_at_once() -> None:
    state = match(f"called: {FLOODS}@0", "seat 0: stock=12/0/0/0")
    act(state, 0, EndTurn())
    assert state.position.phase == Phase.DISCARD
    assert why_not(state, 0, Discard(resources(4))) is None


def test_claimant_chooses_what_to_discard() -> None:
    state = match("seat 0: stock=8/4/3/0")
    act(state, 0, EndTurn())
    assert awaited(state) == [0]
    assert "put 3 away" in (why_not(state, 0, Discard(resources(2))) or "")
    assert "You have 0 Oath" in (why_not(state, 0, Discard(resources(2, oath=1))) or "")
    events = act(state, 0, Discard(resources(0, 0, 3)))
    assert all_of(events, e.ResourcesLost)[0].cause == Cause.DISCARD
    assert stock(state.position, 0) == (8, 4, 0, 0)


def test_clock_discards_from_the_largest_stock_ties_in_the_order_of_kinds() -> None:
    state = match("seat 0: stock=5/5/5/0", "deadline: 9000")
    act(state, 0, EndTurn())
    expire(state)
    assert stock(state.position, 0) == (4, 4, 4, 0)
    state = match("seat 0: stock=0/6/9/2", "deadline: 9000")
    act(state, 0, EndTurn())
    expire(state)
    assert stock(state.position, 0) == (0, 5, 5, 2)


def test_listed_discards_are_the_clocks_and_those_that_spare_a_kind() -> None:
    state = match("seat 0: stock=6/6/2/0")
    act(state, 0, EndTurn())
    listed = [action.resources for action in legal(state, 0)]
    assert listed[0] == resources(1, 1)
    assert resources(0, 2) in listed
    assert resources(2) in listed
    assert len(listed) == len(set(listed)) == 3


def test_many_of_one_kind_can_be_discarded() -> None:
    state = match("seat 0: stock=40/0/0/0")
    act(state, 0, EndTurn())
    act(state, 0, Discard(resources(28)))
    assert stock(state.position, 0) == (12, 0, 0, 0)


def test_row_refills_to_three_only_at_the_end_of_the_turn() -> None:
    state = match("seat 0: stock=3/3/3/3")
    hire = next(a for a in legal(state, 0) if isinstance(a, Hire) and not a.on_rifts)
    act(state, 0, hire)
    assert state.position.row[hire.slot] == 0
    events = act(state, 0, EndTurn())
    assert state.position.row[hire.slot] > 0
    assert hire.slot in [changed.slot for changed in all_of(events, e.HireRowChanged)]


def full_board(free: int) -> list[str]:
    """Three claimants on every seat but `free` of Kingsmarch, which nobody holds."""
    return [
        "at capital: s0=7+1 s1=6+1",
        "at thornwold: s0=5+1 s2=4+1",
        "at veilhaven: s1=5+1 s2=2+1",
        "at emberfen: s1=5 s2=3+1",
        "at hollowmere: s2=5 s0=3+1",
        "at skyreach: s2=5 s1=3+1",
        f"at kingsmarch: s0={5 - free}+1 s1=2+1 s2=2",
    ]


def test_card_that_fits_in_no_province_is_replaced_at_refill() -> None:
    state = match(*full_board(2), f"row: {THREES[0]} {ONES[0]} {THREES[1]}")
    events = act(state, 0, EndTurn())
    p = state.position
    assert all(FOLLOWERS[p.row[slot] - 1].followers <= 2 for slot in range(3))
    assert p.row[1] == ONES[0]
    assert {changed.slot for changed in all_of(events, e.HireRowChanged)} == {0, 2}


def test_place_stays_empty_where_no_card_fits() -> None:
    state = match(*full_board(0), f"row: {THREES[0]} {ONES[0]} {ONES[1]}")
    events = act(state, 0, EndTurn())
    assert list(state.position.row) == [0, 0, 0]
    assert [changed.card for changed in all_of(events, e.HireRowChanged)] == [0, 0, 0]
    assert state.position.follower_size == 37


def test_used_cards_are_reshuffled_when_the_deck_runs_out() -> None:
    used = " ".join(map(str, [n for n in range(1, 41) if n not in (1, 2)]))
    state = match("row: 0 1 2", f"used: {used}", "followers:")
    events = act(state, 0, EndTurn())
    assert find(events, e.FollowersReshuffled).cards == 38
    assert state.position.row[0] > 2


def test_every_used_power_is_fresh_in_the_next_turn_but_the_shield() -> None:
    state = match("turn: 1", "seat 2: used=31")
    act(state, 1, EndTurn())
    assert state.position.used[2] == 16


def test_nothing_of_the_act_step_is_legal_before_the_answer() -> None:
    state = match("phase: answer", "question: 3", "done:", "seat 0: stock=9/9/9/9")
    assert why_not(state, 0, EndTurn()) == "The match waits for an answer to the court."
    assert why_not(state, 0, Redraw(resources(3))) is None
