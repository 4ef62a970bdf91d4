"""Searches what was heard for what its hearer may not know."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.services.room.redaction.ears import Heard
from tests.services.room.redaction.fields import cards_in, messages
from tests.services.room.redaction.knowledge import Card, Cards, Known

#: Cards in a row, as they lie in a deck, that no accident puts into a message.
_RUN = 6
#: Bytes of a secret in a row that no accident puts into one.
_PIECE = 8


def find_leaks(
    heard: Iterable[Heard], known: Mapping[int, Known], cards: Cards, secret: bytes
) -> Iterator[str]:
    """What somebody was sent and may not know, in words; nothing where all is well."""
    for each in heard:
        at = known[each.sequence]
        for leak in (
            *_secret_in(each.data, secret),
            *_decks_in(each.data, at.decks),
            *_cards_in(each, at, cards),
            *_own_of_others(each, at),
        ):
            yield f"{each.call} to seat {each.seat} at {each.sequence}: {leak}"


def find_traces(data: bytes, known: Iterable[Known], cards: Cards, secret: bytes) -> Iterator[str]:
    """What is in text that tells of no match at all: logs and metrics."""
    yield from _secret_in(data, secret)
    for run in {run for each in known for deck in each.decks for run in _runs(deck)}:
        texts = (between.join(map(str, run)).encode() for between in (",", ", "))
        if run in data or any(text in data for text in texts):
            yield "cards as they lie in a deck"
    yield from (f"the card {title}" for title in cards.titles.values() if title.encode() in data)


def _secret_in(data: bytes, secret: bytes) -> Iterator[str]:
    pieces = [secret[i : i + _PIECE] for i in range(len(secret) - _PIECE + 1)]
    texts = secret.hex().encode(), b64encode(secret).rstrip(b"="), repr(secret)[2:-1].encode()
    if any(piece in data for piece in pieces) or any(text in data for text in texts):
        yield "the match's secret"


def _decks_in(data: bytes, decks: Sequence[bytes]) -> Iterator[str]:
    if any(run in data for deck in decks for run in _runs(deck)):
        yield "cards as they lie in a deck"


def _runs(deck: bytes) -> Iterator[bytes]:
    """Cards that lie in a row, from the top and from below."""
    for way in (deck, deck[::-1]):
        yield from (way[i : i + _RUN] for i in range(len(way) - _RUN + 1))


def _cards_in(heard: Heard, at: Known, cards: Cards) -> Iterator[str]:
    allowed = at.by(heard.seat) | (set(cards_in(heard.asked)) if heard.asked else set())
    named: set[Card] = set(cards_in(heard.response)) if heard.response is not None else set()
    yield from (f"{sort} {number}" for sort, number in sorted(named - allowed))
    for card, title in cards.titles.items():
        if card not in allowed and title.encode() in heard.data:
            yield f"the title {title}"


def _own_of_others(heard: Heard, at: Known) -> Iterator[str]:
    """Hands and duel answers that are not the hearer's."""
    for own in _owns(heard):
        answer = _duel_answer(own)
        if heard.seat is None:
            yield "what a seat alone sees"
        elif tuple(own.hand) != at.hands[heard.seat]:
            yield f"the hand {list(own.hand)}"
        elif answer is not None and answer != at.duel_answers[heard.seat]:
            yield f"the duel answer {answer}"


def _duel_answer(own: Any) -> int | None:
    is_given = "duel_answer" in own.DESCRIPTOR.fields_by_name and own.HasField("duel_answer")
    return int(own.duel_answer) if is_given else None


def _owns(heard: Heard) -> list[Any]:
    """The messages for one seat alone in what was heard."""
    if heard.response is None:
        return []
    return [each for each in messages(heard.response) if each.DESCRIPTOR.name == "Own"]
