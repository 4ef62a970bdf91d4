"""Which fields of the games' messages name cards, and of which sort. Every number that is sent stands here, by name.

A field that is added later has to be put down here, as a card or as none, before the tests pass again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

#: By game, the sort of card that stands in a field, by its message and name.
CARD_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "crowns": dict.fromkeys(
        ("CardDrawn.card", "CardPlayed.card", "PlayCard.card", "Own.hand", "View.discard"), "loot"
    ),
    "singhasan": {
        **dict.fromkeys(
            (
                "Chip.conspiracy",
                "Choice.conspiracy",
                "ConspiracyBought.card",
                "ConspiracyLost.card",
                "ConspiracyPlayed.card",
                "ConspiracyTaken.card",
                "CardsSeen.conspiracies",
                "LastingBegan.conspiracy",
                "MakeOffer.give_cards",
                "OfferedCards.cards",
                "Own.hand",
                "PlayConspiracy.card",
                "View.spent",
            ),
            "conspiracy",
        ),
        **dict.fromkeys(
            (
                "CardsSeen.headlines",
                "Chip.headline",
                "Choice.headline",
                "HeadlineTurned.headline",
                "LastingBegan.headline",
                "View.turned",
            ),
            "headline",
        ),
        **dict.fromkeys(
            (
                "AnswerLost.question",
                "Answered.question",
                "QuestionDrawn.question",
                "QuestionSentAway.question",
                "SeatView.kept",
                "View.question",
                "View.sent_away",
            ),
            "question",
        ),
        **dict.fromkeys(
            ("HireRowChanged.card", "Hired.card", "View.follower_used", "View.row"), "follower"
        ),
    },
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Names of fields that hold seats, places, counts, costs, clocks and the like, never cards; by game.
PLAIN_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "crowns": _words(
        """
        actions board by_seat cards crowns deadline_ms decision deck_size eliminated from_triangle gate golden
        hand_size in_a_row in_all index kings_defeated knights knights_defeated missed_in_a_row missed_in_all
        moves_left players relic relics reserve rival round seat shield_choices to_triangle triangle turn turn_seconds
        winner
        """
    ),
    "singhasan": _words(
        """
        act_ms actions aimed answer answered answers ask_cards asked bank_ms called cards cause charms chip choice
        choices colour conspiracy_change cost count court_cards court_tax deadline_ms decision declined distances
        duel_answer duel_score effects ending facts follower_deck followers from_province from_seat give_costs gold
        hand_costs headline_deck headlines hire_change ideology in_a_row in_all in_court index kind last_played_by
        last_turns legends level limit marched mark_ms missed_in_a_row missed_in_all number oath offer offers_made
        offset_ms on_rifts option owner phase pile_size players power program province question_deck questions quiz
        reached registers resources resume right rival round score scores seat seats shielded shields sigil slot song
        speed standing steel step supply swing_at_ms swing_ms sworn take to_province to_seat top_cost turn used wildfolk
        winner
        """
    ),
}


def game_of(descriptor: Any) -> str:
    """The game whose message this is; empty for others."""
    package, _, rest = str(descriptor.full_name).partition("games.")
    return rest.partition(".")[0] if package == "arena." else ""


def messages(message: Message) -> Iterator[Any]:
    """A message and all that it holds, with what is packed unpacked."""
    if isinstance(message, AnyMessage):
        yield from messages(_unpacked(message))
        return
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else (value,):
                yield from messages(each)


def cards_in(message: Message) -> Iterator[tuple[str, int]]:
    """Every card that a message names, by sort and number."""
    for holder in messages(message):
        of_game = CARD_FIELDS.get(game_of(holder.DESCRIPTOR), {})
        for field, value in holder.ListFields():
            sort = of_game.get(f"{holder.DESCRIPTOR.name}.{field.name}")
            if sort is not None:
                numbers = value if field.is_repeated else (value,)
                yield from ((sort, number) for number in numbers if number)


def unknown_fields(message: type[Message]) -> set[str]:
    """Fields of a message, and of those within it, that hold numbers and are not put down here."""
    found: set[str] = set()
    seen: set[str] = set()
    _look(message.DESCRIPTOR, found, seen)
    return found


def _look(descriptor: Any, found: set[str], seen: set[str]) -> None:
    if descriptor.full_name in seen:
        return
    seen.add(descriptor.full_name)
    game = game_of(descriptor)
    for field in descriptor.fields:
        name = f"{descriptor.name}.{field.name}"
        if field.message_type is not None:
            _look(field.message_type, found, seen)
        elif field.cpp_type not in (field.CPPTYPE_BOOL, field.CPPTYPE_STRING) and not (
            name in CARD_FIELDS[game] or field.name in PLAIN_FIELDS[game]
        ):
            found.add(name)


def _unpacked(message: AnyMessage) -> Message:
    descriptor = descriptor_pool.Default().FindMessageTypeByName(message.TypeName())
    kind = message_factory.GetMessageClass(descriptor)
    return kind.FromString(message.value)
