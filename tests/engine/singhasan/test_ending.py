"""The end: what triggers it, last turns, the cap, scores, places, the way into the duel and out of it."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import quiz
from arena_engine.singhasan.changes import place, remove
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.kinds import Ending, Phase
from arena_engine.singhasan.messages import AnswerQuiz, EndTurn, RaiseWalls, Tap
from arena_engine.singhasan.state import SinghasanState
from tests.engine.singhasan.matches import (
    act,
    all_of,
    awaited,
    expire,
    find,
    match,
    play_turn,
    why_not,
)

#: With two claimants: all provinces sworn but Emberfen, where seat 0 is one short.
NEARLY = [
    "at capital: s0=8",
    "at thornwold: s1=6",
    "at kingsmarch: s1=6",
    "at veilhaven: s0=5",
    "at emberfen: s0=4",
]


def sworn(*lines: str) -> SinghasanState:
    """Two claimants; every province has just sworn in the turn of seat 0."""
    state = match(*NEARLY, *lines, players=2)
    state.position.log = []
    place(state.position, 0, 4, 1, 0)
    return state


def test_every_province_sworn_triggers_the_end() -> None:
    state = sworn()
    assert e.EndTriggered(Ending.SWORN) in (state.position.log or [])


def test_every_seat_filled_triggers_the_end() -> None:
    state = match(
        "at capital: s0=7+1 s1=5+1",
        "at thornwold: s0=4 s1=4+2",
        "at kingsmarch: s0=4+1 s1=4+1",
        "at veilhaven: s0=3+1 s1=2+1",
        "at emberfen: s0=4 s1=3+1",
        players=2,
    )
    p = state.position
    p.log = []
    place(p, 0, 3, 1, 0)
    assert all_of(p.log, e.EndTriggered) == [e.EndTriggered(Ending.SEATS)]


def test_end_once_triggered_stays_triggered() -> None:
    state = sworn()
    p = state.position
    remove(p, 0, 4, 1)
    assert p.sworn[4] == -1
    assert p.ending == Ending.SWORN
    place(p, 0, 4, 1, 0)
    assert len(all_of(p.log or [], e.EndTriggered)) == 1


def test_every_claimant_takes_one_whole_last_turn_clockwise_from_the_next() -> None:
    state = sworn("round: 3")
    seen = []
    while not state.position.how:
        seen += [(began.seat, began.is_last) for began in all_of(play_turn(state), e.TurnBegan)]
    assert seen == [(1, True), (0, True)]
    assert state.outcome() is not None


def test_cap_ends_the_match_when_its_round_is_complete() -> None:
    state = match("round: 18", "turn: 1", "at capital: s1=8")
    events = play_turn(state)
    assert find(events, e.TurnBegan) == e.TurnBegan(2, 18, is_last=True)
    events = play_turn(state)
    assert all_of(events, e.EndTriggered) == [e.EndTriggered(Ending.CAP)]
    assert find(events, e.MatchEnded) == e.MatchEnded("points", 1, (0, 8, 0))


@pytest.mark.parametrize(("players", "cap"), [(2, 18), (3, 18), (4, 18), (5, 16)])
def test_cap_by_number_of_claimants(players: int, cap: int) -> None:
    assert match(players=players).position.board.round_cap == cap


def test_cap_beats_last_turns_still_due() -> None:
    state = match(*NEARLY, "round: 18", "turn: 1", players=2)
    place(state.position, 0, 4, 1, 0)
    events = play_turn(state)
    assert find(events, e.MatchEnded).scores == (18, 12)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.how == "sworn"


def test_score_is_the_number_of_each_sworn_province_and_1_more_for_each_sealed() -> None:
    state = match("at capital: s0=8 sealed", "at emberfen: s0=5", "at kingsmarch: s1=6")
    assert [score(state.position, seat) for seat in range(3)] == [14, 6, 0]


def test_walls_of_troy_add_a_point() -> None:
    state = match("at capital: s0=8", "seat 0: answers=0/0/0/5 stock=0/0/0/2")
    act(state, 0, RaiseWalls(0))
    assert score(state.position, 0) == 9


def test_places_follow_the_points_and_level_seats_share_one() -> None:
    state = match(
        "round: 18",
        "turn: 3",
        "at capital: s2=8",
        "at emberfen: s0=5",
        "at hollowmere: s3=5",
        players=4,
    )
    play_turn(state)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.places == (2, 4, 1, 2)
    assert outcome.winner == 2
    assert outcome.how == "cap"


def tied(*lines: str) -> SinghasanState:
    """Seats 0 and 2 of three have 5 points each at the cap."""
    state = match("round: 18", "turn: 2", "at emberfen: s0=5", "at hollowmere: s2=5", *lines)
    play_turn(state)
    return state


def test_tie_at_the_top_goes_to_the_duel_of_those_tied() -> None:
    state = tied()
    assert state.position.phase == Phase.QUIZ
    assert awaited(state) == [0, 2]
    assert state.outcome() is None


def test_winner_of_the_quiz_takes_the_throne() -> None:
    state = tied()
    events = []
    while state.outcome() is None:
        right = quiz.right_choice(state.position)
        act(state, 0, AnswerQuiz(right))
        events = act(state, 2, AnswerQuiz((right + 1) % 3))
    assert find(events, e.MatchEnded) == e.MatchEnded("duel", 0, (5, 0, 5))
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.how, outcome.winner, outcome.places) == ("cap", 0, (1, 3, 2))


def test_level_quiz_goes_to_the_mark() -> None:
    state = tied()
    while state.position.phase == Phase.QUIZ:
        expire(state)
    p = state.position
    act(state, 0, Tap(p.mark_ms + 90), p.swing_at + p.mark_ms + 90)
    events = act(state, 2, Tap(p.mark_ms + 10), p.swing_at + p.mark_ms + 90)
    assert find(events, e.MatchEnded).how == "mark"
    assert p.winner == 2


def test_duel_has_its_clock_in_an_unhurried_match_too() -> None:
    state = tied("speed: unhurried")
    assert state.deadline_ms() == 5000


def test_nothing_is_awaited_once_the_match_has_ended() -> None:
    state = match("round: 18", "turn: 2", "at emberfen: s0=5")
    play_turn(state)
    assert state.awaited() == ()
    assert state.deadline_ms() is None
    assert list(state.legal_actions(0)) == []
    assert why_not(state, 0, EndTurn()) == "The match has ended."
