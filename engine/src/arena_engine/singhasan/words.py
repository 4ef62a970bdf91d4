"""Names and amounts in words, for phrases, the chronicle and the table. Seats go by the names given, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_engine.singhasan.board import PROVINCES
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.content.headlines import HEADLINES
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Ideology, Power, Resource
from arena_engine.singhasan.messages import Resources

RESOURCES: Final = ("Gold", "Steel", "Song", "Oath")
IDEOLOGIES: Final = ("the Golden Road", "the Iron Hand", "the Thousand Voices", "the Unbroken Oath")
LEGENDS: Final = ("Odysseus", "Heracles", "Orpheus", "Hector")
_POWERS: Final = (
    "no power",
    "Many Harbours",
    "the Wooden Horse",
    "the Lion's Skin",
    "Clean the Stables",
    "Song of the Road",
    "Charm the Stones",
    "the Shield of Troy",
    "Walls of Troy",
)


def seat_name(names: Sequence[str], seat: int) -> str:
    """A claimant's name."""
    return names[seat] if 0 <= seat < len(names) else f"Seat {seat}"


def province_name(province: int) -> str:
    """A province as it stands within a sentence."""
    if not 0 <= province < len(PROVINCES):
        return f"province {province}"
    name = PROVINCES[province].name
    return f"the {name}" if " " in name else name


def amounts(resources: Resources) -> tuple[int, int, int, int]:
    """Gold, Steel, Song, Oath."""
    return resources.gold, resources.steel, resources.song, resources.oath


def resources_text(resources: Resources | Sequence[int], more: Sequence[str] = ()) -> str:
    """Amounts in words, and what comes with them: `2 Gold and 1 Song`; `nothing` for none."""
    four = amounts(resources) if isinstance(resources, Resources) else resources
    parts = [f"{n} {name}" for n, name in zip(four, RESOURCES, strict=True) if n]
    return listed([*parts, *more])


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence, strung together: `a, b and c`; `nothing` for none."""
    if not parts:
        return "nothing"
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def count_of(count: int, noun: str) -> str:
    """`1 follower`, `2 followers`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def resource_name(kind: Resource | Ideology) -> str:
    """A resource by its number."""
    return RESOURCES[kind - 1] if kind else "nothing"


def ideology_name(kind: Ideology) -> str:
    """An ideology within a sentence."""
    return IDEOLOGIES[kind - 1] if kind else "nothing"


def legend_name(kind: Ideology) -> str:
    """The legend of an ideology."""
    return LEGENDS[kind - 1] if kind else "nobody"


def power_name(power: Power) -> str:
    """A power within a sentence."""
    return _POWERS[power]


def question_title(number: int) -> str:
    """What a Question is called."""
    return QUESTIONS[number - 1].title if 1 <= number <= len(QUESTIONS) else f"Question {number}"


def follower_card_name(number: int) -> str:
    """What a Follower card is called."""
    return FOLLOWERS[number - 1].name if 1 <= number <= len(FOLLOWERS) else f"card {number}"


def conspiracy_name(number: int) -> str:
    """What a Conspiracy is called; `a Conspiracy` for one that is not known."""
    return CONSPIRACIES[number - 1].name if 1 <= number <= len(CONSPIRACIES) else "a Conspiracy"


def headline_name(number: int) -> str:
    """What a Headline is called."""
    return HEADLINES[number - 1].name if 1 <= number <= len(HEADLINES) else f"Headline {number}"


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def card_text(headline: int, conspiracy: int) -> str:
    """What a Headline does, or where there is none, a Conspiracy."""
    return HEADLINES[headline - 1].text if headline else CONSPIRACIES[conspiracy - 1].text


def card_name(headline: int, conspiracy: int) -> str:
    """What a Headline is called, or where there is none, a Conspiracy."""
    return headline_name(headline) if headline else conspiracy_name(conspiracy)
