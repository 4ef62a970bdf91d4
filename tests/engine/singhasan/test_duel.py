"""The duel for the throne: the quiz made from the match, and strikes at the mark."""

from __future__ import annotations

from collections import Counter

import pytest

from arena_engine.singhasan import duel, quiz
from arena_engine.singhasan import events as e
from arena_engine.singhasan.board import PROVINCE_COUNT, board_for
from arena_engine.singhasan.explain_duel import explain_duel
from arena_engine.singhasan.kinds import Phase
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import FIRST, QUIZ, TAP
from arena_engine.singhasan.position import BOT, FACT_PLAYED, PERSON, Position

NOW = 1_000_000


def tied(players: int = 3, duellists: int = 0b11, secret: int = 0) -> Position:
    """A position whose duel has just begun."""
    p = Position(board_for(players), secret.to_bytes(32, "big"), 1)
    for seat in range(players):
        p.colour[seat] = p.sigil[seat] = seat + 1
    p.log = []
    duel.begin(p, duellists, NOW)
    return p


def happened(p: Position, kind: type) -> list[e.EventBody]:
    assert p.log is not None
    return [event for event in p.log if isinstance(event, kind)]


def answer(p: Position, seat: int, *, is_right: bool = True) -> int:
    right = quiz.right_choice(p)
    choice = right if is_right else (right + 1) % 3
    return duel.take(p, seat, QUIZ | choice << FIRST, NOW)


def to_the_strike(p: Position) -> None:
    """Answer all seven questions rightly, all duellists."""
    while p.phase == Phase.QUIZ:
        for seat in range(p.board.players):
            if p.decisions[seat]:
                assert answer(p, seat) == -1


def tap(p: Position, seat: int, off: int, arrival: int | None = None) -> int:
    """Tap so many milliseconds off the mark, arriving at once unless told."""
    offset = p.mark_ms + off
    now = p.swing_at + (offset if arrival is None else arrival)
    return duel.take(p, seat, TAP | offset << FIRST, now)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("secret", range(20))
def test_a_short_match_still_yields_seven_questions_with_one_right_choice_of_three(
    players: int, secret: int
) -> None:
    p = tied(players, 0b11, secret)
    seen = []
    while p.phase == Phase.QUIZ:
        choices = quiz.choice_texts(p)
        assert len(set(choices)) == 3
        seen.append((quiz.question_text(p), choices))
        duel.expire_duel(p, NOW)
    assert len(seen) == duel.QUESTIONS
    assert len({text for text, _ in seen}) == duel.QUESTIONS


@pytest.mark.parametrize("secret", range(40))
def test_exactly_one_province_of_three_borders_the_one_asked_about(secret: int) -> None:
    p = tied(5, 0b11, secret)
    while p.phase == Phase.QUIZ:
        if p.quiz[0] == quiz.BORDER:
            borders = p.board.borders[p.quiz[1]]
            assert sum(borders >> p.quiz[2 + i] & 1 for i in range(3)) == 1
        duel.expire_duel(p, NOW)


def test_no_question_is_about_a_fact_that_is_itself_tied() -> None:
    for secret in range(60):
        p = tied(3, 0b11, secret)
        while p.phase == Phase.QUIZ:
            assert p.quiz[0] not in {quiz.MOST, quiz.LAST_PLAYED}
            duel.expire_duel(p, NOW)


def test_what_was_played_is_asked_about_once_one_leads() -> None:
    asked = Counter[int]()
    for secret in range(60):
        p = Position(board_for(2), secret.to_bytes(32, "big"), 1)
        p.colour[0], p.colour[1] = 1, 2
        p.facts[FACT_PLAYED * 2 + 1] = 3
        p.last_played_by = 1
        duel.begin(p, 0b11, NOW)
        while p.phase == Phase.QUIZ:
            asked[p.quiz[0]] += 1
            if p.quiz[0] in {quiz.MOST, quiz.LAST_PLAYED}:
                assert p.quiz[2 + quiz.right_choice(p)] == 1
            duel.expire_duel(p, NOW)
    assert asked[quiz.MOST]
    assert asked[quiz.LAST_PLAYED]


def test_questions_take_their_templates_in_turn_before_one_comes_again() -> None:
    p = tied(4)
    templates = []
    while p.phase == Phase.QUIZ:
        templates.append(p.quiz[0])
        duel.expire_duel(p, NOW)
    assert len(set(templates)) == 7


def test_all_duellists_answer_at_once_and_nobody_else() -> None:
    p = tied(5, 0b10101)
    assert [bool(p.decisions[seat]) for seat in range(5)] == [True, False, True, False, True]
    assert len(set(p.decisions)) == 4
    assert explain_duel(p, 1, QUIZ) == "Seat 1 is not in the duel."


def test_answers_stay_hidden_until_all_duellists_have_answered() -> None:
    p = tied()
    answer(p, 0)
    assert not happened(p, e.QuizResolved)
    assert happened(p, e.QuizAnswered) == [e.QuizAnswered(0)]
    answer(p, 1, is_right=False)
    (resolved,) = happened(p, e.QuizResolved)
    assert isinstance(resolved, e.QuizResolved)
    assert resolved.scores == (1, 0)


def test_a_question_closes_after_five_seconds_and_a_missing_answer_counts_as_wrong() -> None:
    p = tied()
    assert p.deadline == NOW + 5000
    answer(p, 1)
    duel.expire_duel(p, NOW + 5000)
    (resolved,) = happened(p, e.QuizResolved)
    assert isinstance(resolved, e.QuizResolved)
    assert resolved.choices[0] == -1
    assert resolved.scores == (0, 1)


def test_one_answer_counts() -> None:
    p = tied()
    answer(p, 0)
    assert explain_duel(p, 0, QUIZ) == "Seat 0 has given its answer already; one counts."


def test_the_best_score_alone_wins() -> None:
    p = tied()
    winner = -1
    while p.phase == Phase.QUIZ and winner < 0:
        answer(p, 0, is_right=False)
        winner = answer(p, 1)
    assert winner == 1
    assert p.duel_score[1] == 7


def test_of_three_tied_the_best_go_on_to_the_mark() -> None:
    p = tied(3, 0b111)
    while p.phase == Phase.QUIZ:
        answer(p, 0, is_right=False)
        answer(p, 1)
        answer(p, 2)
    assert p.phase == Phase.STRIKE
    assert p.duellists == 0b110


def test_the_tap_closest_to_the_mark_wins() -> None:
    p = tied()
    to_the_strike(p)
    assert tap(p, 0, 41) == -1
    assert tap(p, 1, -40) == 1


def test_taps_level_again_are_struck_again() -> None:
    p = tied()
    to_the_strike(p)
    tap(p, 0, 25)
    assert tap(p, 1, -25) == -1
    assert p.duel_number == 2
    tap(p, 0, 25)
    assert tap(p, 1, -24) == 1


def test_no_tap_is_farthest() -> None:
    p = tied()
    to_the_strike(p)
    tap(p, 1, 500)
    assert duel.expire_duel(p, p.deadline) == 1


def test_three_rounds_without_taps_are_drawn_by_lot() -> None:
    winners = set()
    for secret in range(20):
        p = tied(secret=secret)
        to_the_strike(p)
        assert duel.expire_duel(p, p.deadline) == -1
        assert duel.expire_duel(p, p.deadline) == -1
        winners.add(duel.expire_duel(p, p.deadline))
    assert winners == {0, 1}


def test_a_tap_between_rounds_without_taps_starts_their_count_again() -> None:
    p = tied()
    to_the_strike(p)
    duel.expire_duel(p, p.deadline)
    duel.expire_duel(p, p.deadline)
    tap(p, 0, 10)
    assert tap(p, 1, 10) == -1
    assert duel.expire_duel(p, p.deadline) == -1


@pytest.mark.parametrize(
    ("off", "late", "counts"),
    [(0, 0, 0), (0, 400, 0), (0, 401, 1), (0, 900, 500), (100, -1, 99), (-700, 0, 400)],
)
def test_a_tap_is_clamped_to_the_400_ms_before_it_arrives(off: int, late: int, counts: int) -> None:
    p = tied()
    to_the_strike(p)
    p.mark_ms = 1500
    tap(p, 0, off, arrival=1500 + max(off, 0) + late)
    assert p.duel_answer[0] == counts


def test_a_bots_tap_counts_where_it_aimed() -> None:
    p = tied()
    to_the_strike(p)
    p.flags[0] = PERSON | BOT
    tap(p, 0, 70, arrival=0)
    assert p.duel_answer[0] == 70


def test_taps_after_the_swing_do_not_exist() -> None:
    p = tied()
    to_the_strike(p)
    assert explain_duel(p, 0, TAP | duel.SWING_MS << FIRST) is None
    assert explain_duel(p, 0, TAP | (duel.SWING_MS + 1) << FIRST) == (
        "A tap at 3001 ms comes after the swing, which takes 3000 ms."
    )


def test_questions_are_about_this_match() -> None:
    p = tied(4, 0b1111)
    p.standing[2 * PROVINCE_COUNT + 3] = 4
    p.quiz[0], p.quiz[1] = quiz.FOLLOWERS, 2 * PROVINCE_COUNT + 3
    p.quiz[2], p.quiz[3], p.quiz[4] = 3, 4, 5
    assert quiz.right_choice(p) == 1
    assert quiz.question_text(p) == "How many followers has the Emerald Peacock in Veilhaven?"


def test_taps_listed_are_legal() -> None:
    p = tied()
    to_the_strike(p)
    out = ActionList()
    duel.fill_duel(p, out)
    assert out.count == 31
    assert all(explain_duel(p, 0, out.items[i]) is None for i in range(out.count))
