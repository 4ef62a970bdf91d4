"""Answers bring legends, and losing them takes them away."""

from __future__ import annotations

from arena_engine.singhasan import events as e
from arena_engine.singhasan import legends
from arena_engine.singhasan.kinds import Ideology
from tests.engine.singhasan.boards import acting, happened, log_of


def test_legend_joins_at_3_and_stands_at_5() -> None:
    p = acting()
    levels = []
    for _ in range(6):
        legends.add_answer(p, 1, legends.HECTOR)
        levels.append(legends.level(p, 1, legends.HECTOR))
    assert levels == [0, 0, 3, 3, 5, 5]
    assert log_of(p) == [
        e.LegendChanged(1, Ideology.UNBROKEN_OATH, 3),
        e.LegendChanged(1, Ideology.UNBROKEN_OATH, 5),
    ]


def test_lost_answer_takes_what_it_gave_and_sends_its_question_away() -> None:
    p = acting(answers={1: (0, 5, 0, 0)})
    for question in (7, 3, 9, 40, 41):
        p.question_at[question - 1] = legends.KEPT + 1 * 4 + legends.HERACLES
    legends.lose_answer(p, 1, legends.HERACLES)
    assert legends.level(p, 1, legends.HERACLES) == 3
    assert log_of(p) == [
        e.AnswerLost(1, Ideology.IRON_HAND, 3),
        e.LegendChanged(1, Ideology.IRON_HAND, 3),
    ]
    assert p.question_at[3 - 1] == legends.SENT_AWAY
    assert p.question_at[7 - 1] != legends.SENT_AWAY


def test_answer_lost_above_a_level_leaves_the_legend() -> None:
    p = acting(answers={0: (4, 0, 0, 0)})
    p.question_at[0] = legends.KEPT
    legends.lose_answer(p, 0, legends.ODYSSEUS)
    assert happened(p, e.LegendChanged) == []


def test_strongest_legend_is_that_with_most_answers() -> None:
    p = acting()
    for kind in (0, 1, 1, 3):
        legends.add_answer(p, 0, kind)
    assert legends.strongest(p, 0) == 1
    assert legends.strongest(p, 1) == -1


def test_strongest_legend_tied_is_the_one_reached_first() -> None:
    p = acting()
    for kind in (2, 0, 0, 2):
        legends.add_answer(p, 0, kind)
    assert legends.strongest(p, 0) == 0


def test_legend_that_lost_an_answer_counts_as_reached_when_it_last_rose() -> None:
    p = acting()
    for kind in (0, 1, 0):
        legends.add_answer(p, 0, kind)
    p.question_at[0] = legends.KEPT
    legends.lose_answer(p, 0, 0)
    assert legends.strongest(p, 0) == 1
