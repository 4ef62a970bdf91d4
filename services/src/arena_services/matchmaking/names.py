"""What people and bots may be called, and the accounts they get."""

from __future__ import annotations

import random
import secrets
import unicodedata
from base64 import b32encode
from dataclasses import dataclass
from typing import Final

from arena_services.common.errors import InvalidArgumentError

LONGEST_NAME: Final = 24
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
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
        if unicodedata.category(character) in _INVISIBLE and not is_joint:
            raise InvalidArgumentError(
                "BAD_NAME",
                f"The name contains U+{ord(character):04X}, which cannot be seen; leave it out.",
            )
    return tidy


def new_player_id() -> str:
    """The id of a new account of a person."""
    return f"p-{_random_id()}"


def new_bots(count: int) -> tuple[Bot, ...]:
    """So many new bots, no two of one name."""
    names = random.sample(_BOT_NAMES, len(_BOT_NAMES))
    return tuple(
        Bot(f"bot-{_random_id()}", _numbered(names[index % len(names)], index // len(names)))
        for index in range(count)
    )


def _numbered(name: str, times_used: int) -> str:
    return f"{name} {times_used + 1}" if times_used else name


def _random_id() -> str:
    return b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
