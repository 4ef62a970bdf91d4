"""What clients are told of the game's content."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

from arena_engine.singhasan.board import PROVINCES, board_for
from arena_engine.singhasan.catalogue import QuestionCard, catalogue
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Power


def test_catalogue_counts_what_the_book_counts() -> None:
    found = catalogue()
    counts = (found.provinces, found.questions, found.followers, found.headlines)
    assert [len(part) for part in counts] == [9, 120, 40, 32]
    assert len(found.conspiracies) == 30
    assert [card.number for card in found.headlines] == list(range(1, 33))
    assert Counter(card.tone for card in found.headlines) == {"boon": 12, "bane": 12, "upheaval": 8}
    assert sum(card.lasts for card in found.headlines) >= 8
    assert sum(card.is_court for card in found.conspiracies) == 10


def test_question_is_told_in_words_that_say_nothing_of_what_its_answers_stand_for() -> None:
    assert {field.name for field in fields(QuestionCard)} == {
        "number",
        "title",
        "text",
        "first",
        "second",
    }
    card = catalogue().questions[0]
    assert (card.first, card.second) == (QUESTIONS[0].first.text, QUESTIONS[0].second.text)


def test_neither_numbers_of_questions_nor_the_order_of_answers_tell_what_they_stand_for() -> None:
    """Both are public before the answer: every stretch of numbers has all pairs, and each comes either way round."""
    pairs = [(card.first.ideology, card.second.ideology) for card in QUESTIONS]
    for start in range(0, 120, 30):
        assert len({frozenset(pair) for pair in pairs[start : start + 30]}) == 6
    ways = Counter(pairs)
    assert len(ways) == 12
    assert min(ways.values()) >= 5


def test_provinces_are_those_of_the_board() -> None:
    board = board_for(5)
    for card in catalogue().provinces:
        assert card.id == PROVINCES[card.number].id
        assert card.swears == board.swears[card.number]
        assert sum(1 << border for border in card.borders) == board.borders[card.number]


def test_legends_have_one_power_at_three_answers_and_one_at_five() -> None:
    legends = catalogue().legends
    assert [[power.answers for power in legend.powers] for legend in legends] == [[3, 5]] * 4
    found = {power.power for legend in legends for power in legend.powers}
    assert found == set(Power) - {Power.UNSPECIFIED}


def test_no_sentence_is_told_twice() -> None:
    found = catalogue()
    texts = [text for card in found.questions for text in (card.text, card.first, card.second)]
    texts += [card.line for card in found.followers]
    texts += [line for card in found.headlines for line in (card.text, card.line)]
    texts += [line for card in found.conspiracies for line in (card.text, card.line)]
    texts += [power.text for legend in found.legends for power in legend.powers]
    assert len(set(texts)) == len(texts)
