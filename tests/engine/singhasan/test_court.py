"""The court: its window, sending the Question away, the answer, what it pays, court cards."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Cause, Ideology, Phase
from arena_engine.singhasan.messages import (
    AnswerQuestion,
    CharmTheStones,
    Pass,
    PlayConspiracy,
    Redraw,
)
from tests.engine.singhasan.matches import (
    BY_LOT,
    FIRST_DEED,
    HUSH,
    REPLACE,
    TAX,
    act,
    all_of,
    awaited,
    court,
    decision,
    expire,
    find,
    legal,
    match,
    pass_all,
    play_turn,
    question_with,
    resources,
    stock,
    why_not,
)


def test_window_opens_for_every_rival_whether_or_not_anyone_holds_a_card() -> None:
    state = match("round: 2", players=4)
    play_turn(state)
    assert state.position.phase == Phase.COURT
    assert awaited(state) == [0, 2, 3]
    assert legal(state, 2) == [Pass()]


def test_window_closes_when_all_rivals_have_passed() -> None:
    state = court(players=4)
    act(state, 2, Pass())
    act(state, 1, Pass())
    assert awaited(state) == [3]
    assert why_not(state, 1, Pass()) == "Seat 1 has passed in this window."
    act(state, 3, Pass())
    assert awaited(state) == [0]
    assert state.position.phase == Phase.ANSWER


def test_nobody_is_passed_automatically_not_even_a_bot() -> None:
    state = court("seat 1: bot", "seat 2: bot person")
    assert awaited(state) == [1, 2]


def test_decision_of_one_rival_stays_open_while_another_passes() -> None:
    state = court(players=4)
    before = decision(state, 3)
    act(state, 1, Pass())
    assert decision(state, 3) == before


def test_playing_a_court_card_leaves_the_window_open_for_that_seat() -> None:
    state = court(f"hand 1: {HUSH} {TAX}")
    before = decision(state, 1)
    act(state, 1, PlayConspiracy(HUSH))
    assert awaited(state) == [1, 2]
    assert decision(state, 1) > before
    act(state, 1, PlayConspiracy(TAX))
    assert awaited(state) == [1, 2]


def test_deed_cannot_be_played_in_the_window() -> None:
    state = court(f"hand 1: {FIRST_DEED}")
    assert legal(state, 1) == [Pass()]
    assert why_not(state, 1, PlayConspiracy(FIRST_DEED)) is not None


def test_window_that_runs_out_lets_the_claimant_answer() -> None:
    state = court("deadline: 8000")
    assert expire(state) == []
    assert awaited(state) == [0]


@pytest.mark.parametrize("kind", range(4))
def test_answer_turns_over_pays_its_print_and_stays_on_the_board(kind: int) -> None:
    number = question_with(kind)
    state = court(question=number)
    pass_all(state)
    events = act(state, 0, AnswerQuestion(0))
    answer = QUESTIONS[number - 1].first
    assert events == [
        e.Answered(0, number, 0, Ideology(kind + 1), by_lot=False, by_clock=False),
        e.ResourcesGained(0, resources(*answer.pays), Cause.ANSWER),
    ]
    p = state.position
    assert stock(p, 0) == answer.pays
    assert [p.answers[i] for i in range(4)] == [int(i == kind) for i in range(4)]
    assert p.question_at[number - 1] == 3 + kind
    assert p.phase == Phase.ACT


def test_second_answer_is_a_where_the_question_is_swapped() -> None:
    for words, answer in (("court:", 0), ("court: swapped", 1)):
        state = court(words, question=7)
        pass_all(state)
        given = find(act(state, 0, AnswerQuestion(0)), e.Answered)
        assert given.ideology == (QUESTIONS[6].first, QUESTIONS[6].second)[answer].ideology


def test_which_answer_is_a_differs_from_match_to_match() -> None:
    swaps = set()
    for secret in range(12):
        state = match(f"secret: {secret:064x}")
        swaps.add(find(play_turn(state), e.QuestionDrawn).is_swapped)
    assert swaps == {True, False}


@pytest.mark.parametrize(("held", "tribute"), [(0, 0), (1, 1), (2, 1), (3, 2), (7, 4)])
def test_tribute_is_1_for_every_2_answers_counting_the_new_one(held: int, tribute: int) -> None:
    state = court(f"seat 0: answers={held}/0/0/5", question=_fresh_question(0))
    pass_all(state)
    events = act(state, 0, AnswerQuestion(0))
    paid = [g for g in all_of(events, e.ResourcesGained) if g.cause == Cause.TRIBUTE]
    assert paid == [e.ResourcesGained(0, resources(tribute, oath=2), Cause.TRIBUTE)]


def _fresh_question(kind: int) -> int:
    """A Question of a kind late in the deck, which answers held do not use up."""
    return max(n for n, q in enumerate(QUESTIONS, 1) if q.first.ideology == kind + 1)


def test_level_reached_by_an_answer_works_at_once() -> None:
    state = court("seat 0: answers=0/0/4/0", "at capital: s0=2", question=_fresh_question(2))
    pass_all(state)
    events = act(state, 0, AnswerQuestion(0))
    assert find(events, e.LegendChanged) == e.LegendChanged(0, Ideology.THOUSAND_VOICES, 5)
    assert stock(state.position, 0)[2] >= 2
    assert why_not(state, 0, CharmTheStones(0, 2)) is None


def test_redraw_costs_3_of_any_mix_and_brings_a_new_question_and_window() -> None:
    state = court("seat 0: stock=1/1/1/0")
    pass_all(state)
    events = act(state, 0, Redraw(resources(1, 1, 1)))
    assert find(events, e.QuestionSentAway) == e.QuestionSentAway(0, 1)
    assert find(events, e.ResourcesLost).cause == Cause.REDRAW
    assert not all_of(events, e.ResourcesGained)  # no Tribute
    assert awaited(state) == [1, 2]
    assert state.position.question != 1


def test_redraw_is_paid_from_hand_with_exactly_3() -> None:
    state = court("seat 0: stock=2/0/0/0")
    pass_all(state)
    assert [type(a) for a in legal(state, 0)] == [AnswerQuestion, AnswerQuestion]
    assert why_not(state, 0, Redraw(resources(3))) == "You do not have 3 Gold."
    assert "costs 3" in (why_not(state, 0, Redraw(resources(2))) or "")


def test_redraw_is_once_a_turn() -> None:
    state = court("seat 0: stock=9/0/0/0")
    pass_all(state)
    act(state, 0, Redraw(resources(3)))
    pass_all(state)
    assert "once a turn" in (why_not(state, 0, Redraw(resources(3))) or "")
    assert [type(a) for a in legal(state, 0)] == [AnswerQuestion, AnswerQuestion]


def test_court_cards_stay_in_force_over_a_redraw() -> None:
    state = court(f"hand 1: {HUSH}", "seat 0: stock=3/0/0/0 answers=5/5/5/5", question=120)
    act(state, 1, PlayConspiracy(HUSH))
    pass_all(state)
    act(state, 0, Redraw(resources(3)))
    pass_all(state)
    events = act(state, 0, AnswerQuestion(1))
    assert [g.cause for g in all_of(events, e.ResourcesGained)] == [Cause.ANSWER]


def test_court_cards_are_gone_with_the_turn() -> None:
    state = court(f"hand 1: {HUSH}")
    act(state, 1, PlayConspiracy(HUSH))
    play_turn(state)
    assert state.position.court & ~16 == 0


def test_court_tax_goes_to_who_played_it_from_the_largest_part() -> None:
    number = question_with(1)
    state = court(f"hand 2: {TAX}", question=number)
    act(state, 2, PlayConspiracy(TAX))
    pass_all(state)
    events = act(state, 0, AnswerQuestion(0))
    pays = QUESTIONS[number - 1].first.pays
    assert sum(stock(state.position, 0)) == 1
    assert sum(stock(state.position, 2)) == 2
    assert stock(state.position, 2)[1] >= 1
    assert [
        a + b for a, b in zip(stock(state.position, 0), stock(state.position, 2), strict=True)
    ] == list(pays)
    assert [x.cause for x in all_of(events, e.ResourcesLost)] == [Cause.CARD]


def test_several_taxes_take_no_more_than_the_answer_pays_clockwise_first() -> None:
    state = court(f"hand 1: {TAX}", f"hand 2: {BY_LOT}", "tax: 512")
    act(state, 1, PlayConspiracy(TAX))
    pass_all(state)
    act(state, 0, AnswerQuestion(0))
    assert [sum(stock(state.position, seat)) for seat in range(3)] == [0, 2, 1]


def test_answer_by_lot_leaves_nothing_to_answer() -> None:
    state = court(f"hand 1: {BY_LOT}")
    act(state, 1, PlayConspiracy(BY_LOT))
    events = pass_all(state)
    given = find(events, e.Answered)
    assert given.by_lot
    assert not given.by_clock
    assert state.position.phase == Phase.ACT
    assert state.position.has_answered == 0


def test_replaced_question_is_sent_away_by_the_rival_and_the_window_stays_open() -> None:
    state = court(f"hand 2: {REPLACE}", "seat 0: stock=3/0/0/0")
    events = act(state, 2, PlayConspiracy(REPLACE))
    assert find(events, e.QuestionSentAway) == e.QuestionSentAway(2, 1)
    assert awaited(state) == [1, 2]
    pass_all(state)
    assert "forbids" in (why_not(state, 0, Redraw(resources(3))) or "")


def test_answer_that_is_late_is_drawn_by_lot() -> None:
    state = court()
    pass_all(state, 1000)
    given = find(expire(state), e.Answered)
    assert given.by_lot
    assert given.by_clock


def test_questions_that_ran_out_come_back_from_those_sent_away_never_from_those_kept() -> None:
    kept = [number for number in range(1, 121) if number not in (3, 5, 8)]
    state = match(
        "away: 3 5 8",
        "questions:",
        "kept 1: " + " ".join(f"{number}=gold" for number in kept),
        "seat 1: answers=117/0/0/0",
    )
    events = play_turn(state)
    assert find(events, e.QuestionsReshuffled).questions == 3
    assert find(events, e.QuestionDrawn).question in {3, 5, 8}


def test_redraw_from_an_empty_deck_brings_another_question_not_the_same() -> None:
    """Those sent away before are shuffled back first, without the one that goes now."""
    for secret in range(8):
        state = court(
            "seat 0: stock=3/0/0/0",
            f"secret: {secret:064x}",
            "away: " + " ".join(map(str, range(2, 121))),
            "questions:",
        )
        pass_all(state)
        act(state, 0, Redraw(resources(3)))
        assert state.position.question != 1
        assert state.position.question_at[0] == 1
