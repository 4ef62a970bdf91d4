"""The Shield of Troy: who is asked, what it cancels, what stays paid."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan.kinds import Cause, Phase
from arena_engine.singhasan.messages import (
    AnswerAim,
    CharmTheStones,
    CleanTheStables,
    EndTurn,
    March,
    Pass,
    PlayConspiracy,
    RaiseWalls,
    UseWoodenHorse,
)
from tests.engine.singhasan.matches import (
    ASSASSINS,
    HUSH,
    act,
    all_of,
    awaited,
    court,
    decision,
    expire,
    find,
    match,
    resources,
    stock,
    why_not,
)

HECTOR = "answers=0/0/0/3 stock=0/0/0/2"
BURNING_FIELDS = 11
ALL_LEGENDS = "seat 0: answers=5/5/5/5 stock=5/5/5/5"
BOARD = "at capital: s0=3 s1=2 s2=2"


@pytest.mark.parametrize(
    "action",
    [
        March(0, 1, 1),
        UseWoodenHorse(0, 1),
        CleanTheStables(0, 1, 2),
        PlayConspiracy(ASSASSINS, rival=1, province=0, count=2),
    ],
    ids=lambda action: type(action).__name__,
)
def test_shield_cancels_what_is_aimed_at_its_claimant(action: object) -> None:
    state = match(ALL_LEGENDS, f"seat 1: {HECTOR}", BOARD, f"hand 0: {ASSASSINS}")
    events = act(state, 0, action)
    assert find(events, e.ShieldAsked) == e.ShieldAsked(1)
    assert awaited(state) == [1]
    events = act(state, 1, AnswerAim(shield=True))
    p = state.position
    assert p.followers(1, 0) == 2
    assert stock(p, 1) == (0, 0, 0, 1)
    assert find(events, e.ResourcesLost) == e.ResourcesLost(1, resources(oath=1), Cause.POWER)
    assert awaited(state) == [0]
    assert p.phase == Phase.ACT


def test_what_was_paid_stays_paid_and_the_use_is_spent() -> None:
    state = match(ALL_LEGENDS, f"seat 1: {HECTOR}", BOARD)
    act(state, 0, UseWoodenHorse(0, 1))
    act(state, 1, AnswerAim(shield=True))
    assert stock(state.position, 0) == (3, 5, 5, 5)
    assert why_not(state, 0, UseWoodenHorse(0, 2)) is not None


def test_march_that_was_shielded_is_spent() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD)
    act(state, 0, March(0, 1, 1))
    act(state, 1, AnswerAim(shield=True))
    assert why_not(state, 0, March(0, 1, 2)) is not None


def test_card_that_was_shielded_is_spent() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD, f"hand 0: {ASSASSINS}")
    act(state, 0, PlayConspiracy(ASSASSINS, rival=1, province=0, count=1))
    act(state, 1, AnswerAim(shield=True))
    assert state.position.conspiracy_at[ASSASSINS - 1] == 1
    assert state.position.hand_sizes[0] == 0


def test_shield_not_raised_lets_it_happen() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD)
    act(state, 0, March(0, 1, 1))
    events = act(state, 1, AnswerAim(shield=False))
    assert find(events, e.Marched) == e.Marched(0, 1, 0, 1)
    assert stock(state.position, 1) == (0, 0, 0, 2)


def test_time_out_does_not_raise_it() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD, "deadline: 90000")
    act(state, 0, March(0, 1, 1), 1000)
    assert state.deadline_ms() == 11_000
    events = expire(state)
    assert find(events, e.ShieldAnswered) == e.ShieldAnswered(1, is_raised=False)
    assert all_of(events, e.Marched)


@pytest.mark.parametrize(
    "seat",
    [
        "answers=0/0/0/2 stock=0/0/0/2",
        "answers=0/0/0/3 stock=3/0/0/0",
        "answers=0/0/0/3 stock=0/0/0/2 used=16",
    ],
    ids=["no Hector", "no Oath", "used this round"],
)
def test_only_who_can_raise_the_shield_is_asked(seat: str) -> None:
    state = match(f"seat 1: {seat}", BOARD)
    events = act(state, 0, March(0, 1, 1))
    assert not all_of(events, e.ShieldAsked)
    assert all_of(events, e.Marched)
    assert awaited(state) == [0]


def test_own_march_charm_and_walls_are_aimed_at_nobody() -> None:
    state = match(ALL_LEGENDS, f"seat 1: {HECTOR}", "at capital: s0=9 s1=2")
    for action in (March(0, 1, 0), CharmTheStones(0, 2), RaiseWalls(0)):
        if why_not(state, 0, action) is None:
            assert not all_of(act(state, 0, action), e.ShieldAsked)
    assert awaited(state) == [0]


def test_card_aimed_at_several_asks_each_and_cancels_its_part_only() -> None:
    lines = ["at capital: s0=3 s1=2 s2=2 s3=2", f"hand 0: {BURNING_FIELDS}"]
    state = match(f"seat 1: {HECTOR}", f"seat 2: {HECTOR}", *lines, players=4)
    events = act(state, 0, PlayConspiracy(BURNING_FIELDS, province=0))
    assert [asked.seat for asked in all_of(events, e.ShieldAsked)] == [1, 2]
    other = decision(state, 2)
    act(state, 1, AnswerAim(shield=True))
    assert awaited(state) == [2]
    assert decision(state, 2) == other
    act(state, 2, AnswerAim(shield=False))
    assert [state.position.followers(seat, 0) for seat in range(4)] == [3, 2, 1, 1]


def test_court_card_waits_for_the_shield_and_the_window_stands_still() -> None:
    state = court(f"seat 0: {HECTOR}", f"hand 1: {HUSH}", "deadline: 8000")
    act(state, 2, Pass(), 1000)
    act(state, 1, PlayConspiracy(HUSH), 3000)
    assert awaited(state) == [0]
    act(state, 0, AnswerAim(shield=True), 9000)
    p = state.position
    assert p.phase == Phase.COURT
    assert p.court & 1 == 0
    assert awaited(state) == [1]
    assert state.deadline_ms() == 9000 + 5000


def test_shield_is_once_a_round_which_begins_with_the_first_seat() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD)
    act(state, 0, March(0, 1, 1))
    act(state, 1, AnswerAim(shield=True))
    act(state, 0, EndTurn())
    assert state.position.used[1] & 16
    again = match("turn: 2", "seat 1: used=16")
    act(again, 2, EndTurn())
    assert again.position.used[1] == 0


def test_nobody_else_acts_while_a_shield_is_asked_for() -> None:
    state = match(f"seat 1: {HECTOR}", BOARD)
    act(state, 0, March(0, 1, 1))
    assert "Shield of Troy" in (why_not(state, 0, EndTurn()) or "")
    assert list(state.legal_actions(0)) == []
