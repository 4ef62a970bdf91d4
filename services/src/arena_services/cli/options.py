"""A game's options from the command line, by the names of the fields of its options dataclass.

Written `--option board=large`, or as options of their own: `--board large`. This module knows no game: names, kinds
and choices are the dataclass's.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable
from dataclasses import fields, replace
from enum import IntEnum
from typing import Any, Final

from arena_engine.game import Game
from arena_services.cli.errors import UsageError
from arena_services.common import games
from arena_services.common.games import HostedGame

#: For typer: options that a command does not know are kept, for the game to read.
KEEP_UNKNOWN: Final = {"allow_extra_args": True, "ignore_unknown_options": True}


def find_game(name: str, unknown: list[str]) -> tuple[HostedGame, list[str]]:
    """The game of a command line, and the arguments that are left for it.

    Click takes the first argument that it does not know for the game's name, so an option may stand there.
    """
    if name.startswith("-"):
        return games.hosted()[0], [name, *unknown]
    return games.find(name), unknown


def parse_options(game: Game, pairs: Iterable[str], unknown: Iterable[str] = ()) -> Any:
    """The game's options dataclass. Raises `UsageError` that says what there is to choose.

    Args:
        game: Whose options.
        pairs: `name=value` each.
        unknown: Arguments that the command itself does not know: `--name value` or `--name=value`.
    """
    hints = typing.get_type_hints(game.types.options)
    values = {}
    for name, text in [*map(_split, pairs), *_flags(list(unknown))]:
        if name not in hints:
            raise UsageError(f"{game.title} has no option {name!r}; it has {describe(game)}.")
        values[name] = _value(game, name, hints[name], text)
    return replace(game.default_options(), **values)


def describe(game: Game) -> str:
    """What can be chosen, on one line."""
    hints = typing.get_type_hints(game.types.options)
    return ", ".join(
        f"{field.name} ({_kind(hints[field.name])})" for field in fields(game.types.options)
    )


def shown(options: Any) -> str:
    """Options as they are typed, on one line."""
    return " ".join(
        f"{field.name}={_text(getattr(options, field.name))}" for field in fields(options)
    )


def _split(pair: str) -> tuple[str, str]:
    name, equals, text = pair.partition("=")
    if not equals:
        raise UsageError(f"An option is written name=value; {pair!r} has no '='.")
    return name.replace("-", "_"), text


def _flags(arguments: list[str]) -> Iterable[tuple[str, str]]:
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("--"):
            raise UsageError(f"Unexpected argument {argument!r}.")
        if "=" in argument:
            yield _split(argument[2:])
            continue
        text = next(rest, None)
        if text is None:
            raise UsageError(f"{argument} needs a value.")
        yield argument[2:].replace("-", "_"), text


def _value(game: Game, name: str, hint: Any, text: str) -> Any:
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        member = text.upper().replace("-", "_")
        if member in hint.__members__ and hint[member] != 0:
            return hint[member]
    elif hint is bool:
        if text.lower() in {"yes", "no", "true", "false"}:
            return text.lower() in {"yes", "true"}
    elif hint is int:
        if text.lstrip("-").isascii() and text.lstrip("-").isdigit():
            return int(text)
    else:
        return text
    raise UsageError(f"{game.title} takes {_kind(hint)} for {name}, not {text!r}.")


def _kind(hint: Any) -> str:
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return " or ".join(member.name.lower() for member in hint if member != 0)
    return {int: "a whole number", bool: "yes or no"}.get(hint, "text")


def _text(value: Any) -> str:
    return value.name.lower() if isinstance(value, IntEnum) else str(value).lower()
