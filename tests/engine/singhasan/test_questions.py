"""The Questions: what the rule book and the rulings count, and how their words are held to be fair."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.content.kinds import Answer
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Ideology, Resource

IDEOLOGIES = [ideology for ideology in Ideology if ideology]
ANSWERS: list[Answer] = [answer for q in QUESTIONS for answer in (q.first, q.second)]

#: Words that would name an ideology, its resource, its legend or a form of them.
GIVEAWAYS = re.compile(
    r"gold\w*|steel\w*|songs?|oaths?|iron|voices?|unbroken|thousands?|legends?|odysseus|heracles|orpheus|hector|troy"
    r"|sings?|sang|sung|singers?|singing|swears?|swore|sworn|coins?|fealty|ideolog\w+",
    re.IGNORECASE,
)
#: The other half of "Golden Road" and "Iron Hand": a road may be asked about, but no answer may point along one.
POINTERS = re.compile(r"roads?|hands?", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    return [part.strip().lower() for part in re.split(r"(?<=[.?!])\s+", text)]


def has_word(pattern: re.Pattern[str], text: str) -> bool:
    return any(pattern.fullmatch(word) for word in re.findall(r"\w+", text))


def test_questions_deck_is_120_with_60_answers_per_ideology() -> None:
    assert len(QUESTIONS) == 120
    assert Counter(answer.ideology for answer in ANSWERS) == dict.fromkeys(IDEOLOGIES, 60)


def test_questions_every_pair_of_ideologies_meets_20_times() -> None:
    pairs = Counter(frozenset((q.first.ideology, q.second.ideology)) for q in QUESTIONS)
    assert pairs == {frozenset(pair): 20 for pair in combinations(IDEOLOGIES, 2)}


def test_questions_every_answer_pays_3_with_at_least_2_of_its_own() -> None:
    for answer in ANSWERS:
        assert sum(answer.pays) == 3, answer
        assert min(answer.pays) >= 0, answer
        assert answer.pays[answer.ideology - 1] >= 2, answer


def test_questions_deck_pays_every_resource_180_times() -> None:
    paid = {
        kind: sum(answer.pays[kind - 1] for answer in ANSWERS)
        for kind in Resource
        if kind is not Resource.UNSPECIFIED
    }
    assert set(paid.values()) == {180}, paid


def test_questions_third_resource_is_spread_evenly_within_every_pair() -> None:
    """So which rival ideology an answer stood against tells nothing about what it pays."""
    third: Counter[tuple[Ideology, Ideology, int]] = Counter()
    for q in QUESTIONS:
        for answer, other in ((q.first, q.second), (q.second, q.first)):
            rest = list(answer.pays)
            rest[answer.ideology - 1] -= 2
            third[answer.ideology, other.ideology, rest.index(1)] += 1
    assert len(third) == 4 * 3 * 4
    assert set(third.values()) == {5}


def test_questions_titles_are_unique_and_no_sentence_stands_twice() -> None:
    titles = Counter(q.title.lower() for q in QUESTIONS)
    texts = [*(q.text for q in QUESTIONS), *(a.text for a in ANSWERS), *(f.line for f in FOLLOWERS)]
    said = Counter(sentence for text in texts for sentence in sentences(text))
    assert [twice for counts in (titles, said) for twice, n in counts.items() if n > 1] == []


def test_questions_words_never_name_ideology_resource_or_legend() -> None:
    texts = [text for q in QUESTIONS for text in (q.title, q.text)] + [a.text for a in ANSWERS]
    assert [text for text in texts if has_word(GIVEAWAYS, text)] == []
    assert [a.text for a in ANSWERS if has_word(POINTERS, a.text)] == []


def test_questions_fit_the_card_and_read_as_one_or_two_sentences() -> None:
    for q in QUESTIONS:
        assert len(q.title) <= 30, q.title
        assert len(q.text) <= 180, q.text
        assert len(sentences(q.text)) <= 2, q.text
        assert q.text[-1] in ".?", q.text
        assert "  " not in q.text, q.text
    for answer in ANSWERS:
        assert 35 <= len(answer.text) <= 70, answer.text
        assert sentences(answer.text) == [answer.text.lower()], answer.text
        assert answer.text.endswith("."), answer.text


def test_questions_answers_of_one_question_are_of_like_length() -> None:
    assert [q.title for q in QUESTIONS if abs(len(q.first.text) - len(q.second.text)) > 15] == []


def test_questions_length_of_an_answer_gives_no_ideology_away() -> None:
    """The mean length of an ideology's answers lies within 3 characters of every other's."""
    means = [
        sum(len(a.text) for a in ANSWERS if a.ideology is ideology) / 60 for ideology in IDEOLOGIES
    ]
    assert max(means) - min(means) < 3, means


def test_questions_openings_vary() -> None:
    """No opening word of answers or texts, and no turn of phrase, wears itself out."""
    answers = Counter(a.text.split()[0].strip(",:;") for a in ANSWERS)
    texts = Counter(" ".join(q.text.split()[:2]) for q in QUESTIONS)
    assert len(answers) > 100
    assert answers.most_common(1)[0][1] <= 16, answers.most_common(3)
    assert texts.most_common(1)[0][1] <= 6, texts.most_common(3)
    assert sum(", and " in a.text for a in ANSWERS) <= 80
    assert sum("you could" in q.text.lower() for q in QUESTIONS) <= 3
