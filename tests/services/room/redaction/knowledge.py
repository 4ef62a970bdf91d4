"""Who may know which cards when, told from a match's log by what the rules say of each event, not by what rooms send.

Cards are named by sort and number. What has been shown to somebody once counts as known from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from arena.log.v1.entry_pb2 import Entry
from arena_engine.crowns import events as crowns
from arena_engine.crowns.position import HAND
from arena_engine.singhasan import events as singhasan
from arena_engine.singhasan.position import HELD
from arena_services.common import games
from arena_services.common.games import HostedGame
from arena_services.common.log.fold import fold_entry

#: A card: its sort and its number.
Card: TypeAlias = tuple[str, int]
#: Those who learn of a card; None for everybody.
Seats: TypeAlias = Iterable[int] | None
#: By seat, cards that it knows and others may not.
Own: TypeAlias = Sequence[set[Card]]


@dataclass(frozen=True)
class Known:
    """What is known after one entry of a match, and what is hidden."""

    public: frozenset[Card]
    own: tuple[frozenset[Card], ...]
    """By seat, what not everybody knows."""
    hands: tuple[tuple[int, ...], ...]
    """By seat."""
    decks: tuple[bytes, ...]
    """As they lie, one byte a card."""
    duel_answers: tuple[int | None, ...]
    """By seat, what it has answered in a round of a duel that goes on."""

    def by(self, seat: int | None) -> frozenset[Card]:
        """The cards that a seat, or (None) anybody, may know."""
        return self.public if seat is None else self.public | self.own[seat]


@dataclass(frozen=True)
class Cards:
    """The cards of a game."""

    titles: Mapping[Card, str]
    learnt: Callable[[Any, Own], Iterator[tuple[Seats, Card]]]
    """Who learns of which cards by an event."""
    hand: Callable[[Any, int], tuple[int, ...]]
    """Of a position, a seat's hand."""
    decks: Callable[[Any], Sequence[bytes]]
    """Of a position, the decks as they lie."""


def of_match(match_id: str, entries: Iterable[Entry]) -> dict[int, Known]:
    """By sequence, what is known after each entry of a match."""
    found: dict[int, Known] = {}
    fold = None
    public: set[Card] = set()
    own: list[set[Card]] = []
    for entry in entries:
        fold, events = fold_entry(match_id, fold, entry)
        cards, seats = CARDS[fold.hosted.game.name], range(len(fold.players))
        own = own or [set() for _ in seats]
        for event in events:
            for who, card in list(cards.learnt(event.event, own)):
                for known in [public] if who is None else [own[seat] for seat in who]:
                    known.add(card)
        state: Any = fold.state
        found[fold.sequence] = Known(
            frozenset(public),
            tuple(frozenset(each) for each in own),
            tuple(cards.hand(state.position, seat) for seat in seats),
            tuple(cards.decks(state.position)),
            tuple(_duel_answer(state.position, seat) for seat in seats),
        )
    return found


def _duel_answer(position: Any, seat: int) -> int | None:
    answers = getattr(position, "duel_answer", None)
    return None if answers is None or answers[seat] < 0 else int(answers[seat])


def _named(hosted: HostedGame, **sorts: str) -> dict[Card, str]:
    """Titles of the cards of a game; `sorts` says under what name each sort stands in the catalogue."""
    catalogue = hosted.game.catalogue()
    return {
        (sort, card.number): getattr(card, "name", None) or card.title
        for sort, name in sorts.items()
        for card in getattr(catalogue, name)
    }


def _top_last(cards: Any, size: int) -> bytes:
    return bytes(cards[i] for i in range(size))


def _crowns_learnt(event: Any, own: Own) -> Iterator[tuple[Seats, Card]]:
    if isinstance(event, crowns.CardDrawn):
        yield (event.seat,), ("loot", event.card)
    elif isinstance(event, crowns.CardPlayed):
        yield None, ("loot", event.card)
    elif isinstance(event, crowns.Eliminated):
        yield from ((None, card) for card in own[event.seat])


def _crowns_hand(position: Any, seat: int) -> tuple[int, ...]:
    return tuple(position.hands[seat * HAND + i] for i in range(position.hand_size[seat]))


def _crowns_decks(position: Any) -> Sequence[bytes]:
    return (_top_last(position.deck, position.deck_size),)


def _singhasan_learnt(event: Any, _: Own) -> Iterator[tuple[Seats, Card]]:
    match event:
        case singhasan.ConspiracyBought():
            yield (event.seat,), ("conspiracy", event.card)
        case singhasan.ConspiracyTaken():
            yield (event.from_seat, event.to_seat), ("conspiracy", event.card)
        case singhasan.ConspiracyPlayed() | singhasan.ConspiracyLost():
            yield None, ("conspiracy", event.card)
        case singhasan.CardsSeen():
            yield from (((event.seat,), ("conspiracy", card)) for card in event.conspiracies)
            yield from (((event.seat,), ("headline", card)) for card in event.headlines)
        case singhasan.HeadlineTurned():
            yield None, ("headline", event.headline)
        case singhasan.QuestionDrawn():
            yield None, ("question", event.question)
        case singhasan.HireRowChanged():
            yield None, ("follower", event.card)


def _singhasan_hand(position: Any, seat: int) -> tuple[int, ...]:
    order = {
        position.conspiracy_order[i]: i + 1
        for i in range(len(position.conspiracy_at))
        if position.conspiracy_at[i] == HELD + seat
    }
    return tuple(order[place] for place in sorted(order))


def _singhasan_decks(position: Any) -> Sequence[bytes]:
    return (
        _top_last(position.question_deck, position.question_size),
        _top_last(position.follower_deck, position.follower_size),
        _top_last(position.headline_deck, position.headline_size),
        _top_last(position.conspiracy_pile, position.conspiracy_size),
    )


CARDS: Final[Mapping[str, Cards]] = {
    "crowns": Cards(
        _named(games.find("crowns"), loot="cards"), _crowns_learnt, _crowns_hand, _crowns_decks
    ),
    "singhasan": Cards(
        _named(
            games.find("singhasan"),
            question="questions",
            follower="followers",
            headline="headlines",
            conspiracy="conspiracies",
        ),
        _singhasan_learnt,
        _singhasan_hand,
        _singhasan_decks,
    ),
}
