"""The 120 Questions of the court: every pair of ideologies twenty times, in a module for each pair.

Their numbers are mixed, and which of its answers comes first is, too: players see both, and neither may tell what an
answer stands for. The mixing follows from the titles, so a Question keeps its place while no title changes.

To write one: a dilemma that people at a table would argue over, in one or two sentences, and two answers of like length
that both tempt. What an answer stands for may be guessed from it but never read off: no name of an ideology, resource
or legend. `pays` is Gold, Steel, Song, Oath: 2 of the answer's own and 1 more of any; over the deck every resource is
paid 180 times. `tests/engine/singhasan/test_questions.py` holds all this that can be counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from arena_engine.singhasan.content.kinds import Question
from arena_engine.singhasan.content.questions_hand_oath import HAND_OR_OATH
from arena_engine.singhasan.content.questions_hand_voices import HAND_OR_VOICES
from arena_engine.singhasan.content.questions_road_hand import ROAD_OR_HAND
from arena_engine.singhasan.content.questions_road_oath import ROAD_OR_OATH
from arena_engine.singhasan.content.questions_road_voices import ROAD_OR_VOICES
from arena_engine.singhasan.content.questions_voices_oath import VOICES_OR_OATH


def _digest(question: Question) -> bytes:
    return blake2b(question.title.encode(), digest_size=8).digest()


def _turned(question: Question) -> Question:
    """The Question with its answers the other way round, for every second one by the lot of its title."""
    if _digest(question)[-1] & 1:
        return question._replace(first=question.second, second=question.first)
    return question


def _mixed(questions: Iterable[Question]) -> tuple[Question, ...]:
    return tuple(_turned(question) for question in sorted(questions, key=_digest))


QUESTIONS: Final[tuple[Question, ...]] = _mixed(
    (
        *ROAD_OR_HAND,
        *ROAD_OR_VOICES,
        *ROAD_OR_OATH,
        *HAND_OR_VOICES,
        *HAND_OR_OATH,
        *VOICES_OR_OATH,
    )
)
