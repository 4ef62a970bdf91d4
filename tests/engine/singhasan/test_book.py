"""What the book says in passing: the map and the numbers as printed, and promises that hold of everything together."""

from __future__ import annotations

import pytest

from arena_engine.singhasan.board import PROVINCES, board_for
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.kinds import Op
from arena_engine.singhasan.events import (
    HeadlineTurned,
    ProvinceBroke,
    ProvinceSworn,
    ResourcesGained,
    ShieldAsked,
)
from arena_engine.singhasan.kinds import Cause, Phase
from arena_engine.singhasan.messages import AnswerQuestion, PlayConspiracy
from arena_engine.singhasan.packing import MARCH, kind_of
from tests.engine.singhasan.matches import (
    act,
    all_of,
    court,
    legal,
    match,
    play_turn,
    resources,
    why_not,
)
from tests.engine.singhasan.naive import realm
from tests.engine.singhasan.random_positions import random_position

#: What can be done to nobody on an empty map, where no rival has anything.
NEEDS_A_TARGET = {
    Op.REMOVE,
    Op.SHOVE,
    Op.CONVERT,
    Op.STEAL,
    Op.LOSE,
    Op.LOSE_ANSWER,
    Op.DESERT,
    Op.SWAP,
    Op.RELOCATE,
    Op.TAKE,
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_map_is_as_printed(players: int) -> None:
    board = board_for(players)
    for number, province in enumerate(PROVINCES):
        seats, rifts, _ = realm.PROVINCES[province.id]
        is_in_play = province.id in realm.provinces(players)
        assert board.in_play[number] == is_in_play
        assert (board.seats[number], board.rifts[number]) == (seats, rifts)
        beside = {
            other
            for other in realm.provinces(players)
            if is_in_play and frozenset({province.id, other}) in realm.BORDERS
        }
        assert {PROVINCES[n].id for n in range(9) if board.borders[number] >> n & 1} == beside


@pytest.mark.parametrize(
    ("players", "can_be"), [(2, True), (3, True), (4, False), (5, True)], ids=str
)
def test_all_seats_can_be_filled_but_with_four_claimants(players: int, can_be: bool) -> None:
    seats = sum(realm.seats(p) for p in realm.provinces(players))
    wildfolk = len(realm.provinces(2)) if players == 2 else 0
    assert (players * realm.SUPPLY[players] + wildfolk >= seats) == can_be


@pytest.mark.parametrize("answers", ["2/4/1/6", "3/5/7/0", "0/0/0/0"])
def test_every_ideology_pays_its_tribute_at_each_answer(answers: str) -> None:
    state = match(f"seat 0: answers={answers}", "phase: answer", "question: 1", "done:")
    events = act(state, 0, AnswerQuestion(0))
    held = [count // 2 for count in state.position.answers[:4]]
    tribute = [e.resources for e in all_of(events, ResourcesGained) if e.cause == Cause.TRIBUTE]
    assert tribute == ([resources(*held)] if any(held) else [])


def test_march_tips_a_province_and_never_breaks_one() -> None:
    sworn = 0
    for seed in range(120):
        state = random_position(seed)
        seat = state.position.turn
        if state.position.phase == Phase.ACT:
            marches = [a for a in state.legal_actions(seat) if kind_of(a) == MARCH]
            for action in marches:
                events = [event.event for event in state.clone().apply(seat, action, 0)]
                assert not all_of(events, ProvinceBroke)
                sworn += len(all_of(events, ProvinceSworn))
    assert sworn


@pytest.mark.parametrize("headline", range(1, len(HEADLINES) + 1))
def test_headline_is_aimed_at_nobody_so_that_no_shield_is_asked_for(headline: int) -> None:
    armed = [f"seat {seat}: answers=1/1/1/4 stock=2/2/2/2" for seat in range(3)]
    board = ["at capital: s0=4 s1=3 s2=2", "at emberfen: s0=2 s1=2", "at thornwold: s2=3 s1=1"]
    rest = " ".join(str(n) for n in range(1, 33) if n != headline)
    state = match(*armed, *board, f"called: {headline}@0", f"headlines: {rest}")
    events = play_turn(state)
    assert all_of(events, HeadlineTurned)
    assert not all_of(events, ShieldAsked)


@pytest.mark.parametrize(
    "card",
    [n for n, card in enumerate(CONSPIRACIES, 1) if card.steps[0].op in NEEDS_A_TARGET],
    ids=lambda number: CONSPIRACIES[number - 1].name,
)
def test_conspiracy_without_a_legal_target_cannot_be_played(card: int) -> None:
    is_court = CONSPIRACIES[card - 1].is_court
    seat = 1 if is_court else 0
    state = court(f"hand {seat}: {card}") if is_court else match(f"hand {seat}: {card}")
    assert not all_of(legal(state, seat), PlayConspiracy)
    assert why_not(state, seat, PlayConspiracy(card, None if is_court else 1))
