"""What people and bots may be called, and the accounts they get."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass
from typing import Final

from arena_services.common.errors import InvalidArgumentError
from arena_services.common.ids import random_id

LONGEST_NAME: Final = 24
#: Categories of characters that show nothing, or not the same everywhere.
_UNFIT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Letters and symbols by category that are blank all the same.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
#: First letters of the categories that show something by themselves: letters, numbers, punctuation, symbols.
_VISIBLE = frozenset("LNPS")
#: Joiners shape letters of several scripts, so they may stand between visible characters.
_JOINERS = frozenset("\u200c\u200d")
_BOT_NAMES: Final = (
    *("Amber", "Basalt", "Briar", "Cinder", "Clover", "Cobalt", "Comet", "Copper", "Dapple"),
    *("Ember", "Fable", "Falcon", "Fennel", "Flint", "Gale", "Garnet", "Hazel", "Heron"),
    *("Indigo", "Ivory", "Jasper", "Juniper", "Kestrel", "Lark", "Linden", "Lotus", "Maple"),
    *("Marlow", "Nettle", "Nimbus", "Ochre", "Onyx", "Opal", "Osprey", "Pepper", "Pike"),
    *("Quartz", "Quill", "Raven", "Rowan", "Saffron", "Sable", "Sorrel", "Tansy", "Teal"),
    *("Thistle", "Umber", "Vesper", "Willow", "Wren", "Yarrow", "Zephyr"),
)


@dataclass(frozen=True)
class Bot:
    """The account of a bot for one match."""

    player_id: str
    name: str


def check_name(name: str) -> str:
    """The name as it will be shown: composed, with no spaces around it. Raises `InvalidArgumentError`."""
    tidy = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(tidy) <= LONGEST_NAME:
        raise InvalidArgumentError(
            "BAD_NAME",
            f"The name has {len(tidy)} characters; choose one with 1 to {LONGEST_NAME}.",
        )
    for index, character in enumerate(tidy):
        is_joint = character in _JOINERS and 0 < index < len(tidy) - 1
        is_unfit = unicodedata.category(character) in _UNFIT or character in _BLANK
        if is_unfit and not is_joint:
            raise InvalidArgumentError(
                "BAD_NAME",
                f"The name contains U+{ord(character):04X}, which is not shown everywhere; "
                "leave it out.",
            )
    if not any(unicodedata.category(character)[0] in _VISIBLE for character in tidy):
        raise InvalidArgumentError("BAD_NAME", "The name shows nothing; choose one with a letter.")
    return tidy


def new_player_id() -> str:
    """The id of a new account of a person."""
    return f"p-{random_id()}"


def new_bots(count: int) -> tuple[Bot, ...]:
    """So many new bots, no two of one name."""
    names = random.sample(_BOT_NAMES, len(_BOT_NAMES))
    return tuple(
        Bot(f"bot-{random_id()}", _numbered(names[index % len(names)], index // len(names)))
        for index in range(count)
    )


def _numbered(name: str, times_used: int) -> str:
    return f"{name} {times_used + 1}" if times_used else name
