"""What Singhasan is made of, as clients show it. Fields are those of the proto messages of the same names.

A Question's answers stand here as words alone: what they stand for and what they pay is told by the court, afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from arena_engine.singhasan.board import PROVINCES
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.kinds import Headline, Op
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Ideology, Power


@dataclass(frozen=True)
class ProvinceCard:
    """A province of Nauvara, as it never changes."""

    number: int
    id: str
    name: str
    seats: int
    rifts: int
    swears: int
    fewest_claimants: int
    borders: tuple[int, ...]


@dataclass(frozen=True)
class QuestionCard:
    """A Question of the court. Where it is drawn swapped, `second` is answer A."""

    number: int
    title: str
    text: str
    first: str
    second: str


@dataclass(frozen=True)
class FollowerCard:
    """A card of the hire row."""

    number: int
    name: str
    line: str
    followers: int
    cost: tuple[int, ...]
    any: int


@dataclass(frozen=True)
class HeadlineCard:
    """A Headline."""

    number: int
    name: str
    tone: str
    text: str
    line: str
    lasts: bool


@dataclass(frozen=True)
class ConspiracyCard:
    """A Conspiracy."""

    number: int
    name: str
    is_court: bool
    cost: int
    text: str
    line: str


@dataclass(frozen=True)
class PowerCard:
    """What a legend does for its claimant."""

    power: Power
    name: str
    answers: int
    text: str


@dataclass(frozen=True)
class LegendCard:
    """A legend with its ideology and resource, which share one number."""

    ideology: Ideology
    name: str
    ideology_name: str
    resource_name: str
    powers: tuple[PowerCard, ...]


@dataclass(frozen=True)
class Catalogue:
    """All of it, by number from 1; provinces from 0."""

    provinces: tuple[ProvinceCard, ...]
    questions: tuple[QuestionCard, ...]
    followers: tuple[FollowerCard, ...]
    headlines: tuple[HeadlineCard, ...]
    conspiracies: tuple[ConspiracyCard, ...]
    legends: tuple[LegendCard, ...]


#: Steps whose effect stays in force for a while.
_LASTING: Final = frozenset({Op.CHANGE, Op.FORBID, Op.PROTECT})

_LEGENDS: Final = (
    LegendCard(
        Ideology.GOLDEN_ROAD,
        "Odysseus",
        "the Golden Road",
        "Gold",
        (
            PowerCard(
                Power.MANY_HARBOURS,
                "Many Harbours",
                3,
                "Your treasury holds 15, and the bank gives you 1 resource for any 2.",
            ),
            PowerCard(
                Power.WOODEN_HORSE,
                "The Wooden Horse",
                5,
                "Once a turn, for 2 Gold, a follower of yours takes the place of a rival's.",
            ),
        ),
    ),
    LegendCard(
        Ideology.IRON_HAND,
        "Heracles",
        "the Iron Hand",
        "Steel",
        (
            PowerCard(
                Power.LIONS_SKIN,
                "The Lion's Skin",
                3,
                "No rival can March a follower of yours.",
            ),
            PowerCard(
                Power.CLEAN_THE_STABLES,
                "Clean the Stables",
                5,
                "Once a turn, for 1 Steel, send home 1 to 3 followers of one rival from a province "
                "where you have one, too.",
            ),
        ),
    ),
    LegendCard(
        Ideology.THOUSAND_VOICES,
        "Orpheus",
        "the Thousand Voices",
        "Song",
        (
            PowerCard(
                Power.SONG_OF_THE_ROAD,
                "Song of the Road",
                3,
                "Once a turn, as you hire, 1 Song brings one follower more than the card says.",
            ),
            PowerCard(
                Power.CHARM_THE_STONES,
                "Charm the Stones",
                5,
                "Once a turn, for 2 Song, move one follower of yours or two to wherever there is "
                "room; never from a Rift or onto one.",
            ),
        ),
    ),
    LegendCard(
        Ideology.UNBROKEN_OATH,
        "Hector",
        "the Unbroken Oath",
        "Oath",
        (
            PowerCard(
                Power.SHIELD_OF_TROY,
                "Shield of Troy",
                3,
                "Once a round, for 1 Oath, a Conspiracy, power or March does nothing to you.",
            ),
            PowerCard(
                Power.WALLS_OF_TROY,
                "Walls of Troy",
                5,
                "Once a turn, for 2 Oath, Seal a province sworn to you: it never breaks, nobody "
                "leaves it, and it scores 1 point more.",
            ),
        ),
    ),
)


@cache
def catalogue() -> Catalogue:
    """All of it."""
    numbers = {province.id: number for number, province in enumerate(PROVINCES)}
    return Catalogue(
        provinces=tuple(
            ProvinceCard(
                number,
                province.id,
                province.name,
                province.seats,
                province.rifts,
                province.seats // 2 + 1,
                province.fewest_claimants,
                tuple(numbers[border] for border in province.borders),
            )
            for number, province in enumerate(PROVINCES)
        ),
        questions=tuple(
            QuestionCard(number, card.title, card.text, card.first.text, card.second.text)
            for number, card in enumerate(QUESTIONS, start=1)
        ),
        followers=tuple(
            FollowerCard(number, card.name, card.line, card.followers, card.cost, card.any)
            for number, card in enumerate(FOLLOWERS, start=1)
        ),
        headlines=tuple(
            _headline_card(number, card) for number, card in enumerate(HEADLINES, start=1)
        ),
        conspiracies=tuple(
            ConspiracyCard(number, card.name, card.is_court, card.cost, card.text, card.line)
            for number, card in enumerate(CONSPIRACIES, start=1)
        ),
        legends=_LEGENDS,
    )


def _headline_card(number: int, card: Headline) -> HeadlineCard:
    return HeadlineCard(
        number=number,
        name=card.name,
        tone=card.tone.name.lower(),
        text=card.text,
        line=card.line,
        lasts=any(step.op in _LASTING for step in card.steps),
    )
