"""The registered games with their messages: the one place where services meet the engine's registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message

from arena_engine.game import Game
from arena_engine.registry import GAMES
from arena_services.common.codec import Codec
from arena_services.common.encoding import length_tag, varint
from arena_services.common.errors import InvalidArgumentError


@dataclass(frozen=True)
class HostedGame:
    """A game and the codecs of its messages, found by convention in `arena.games.<name>.v1`."""

    game: Game

    @cached_property
    def options(self) -> Codec:
        """Options."""
        return self._codec("Options", self.game.types.options)

    @cached_property
    def action(self) -> Codec:
        """Actions."""
        return self._codec("Action", self.game.types.action)

    @cached_property
    def selection(self) -> Codec:
        """Selections."""
        return self._codec("Selection", self.game.types.selection)

    @cached_property
    def targets(self) -> Codec:
        """Targets."""
        return self._codec("Targets", self.game.types.targets)

    @cached_property
    def common(self) -> Codec:
        """What everybody sees."""
        return self._codec("Common", self.game.types.common)

    @cached_property
    def own(self) -> Codec:
        """What one seat sees beyond that."""
        return self._codec("Own", self.game.types.own)

    @cached_property
    def catalogue(self) -> Codec:
        """What the game is made of."""
        return self._codec("Catalogue", self.game.types.catalogue)

    def _codec(self, name: str, kind: Any) -> Codec:
        package = f"arena.games.{self.game.name}.v1"
        module = import_module(f"{package}.{self.game.name}_pb2")
        return Codec(kind, getattr(module, name))


_TYPE_URL_PREFIX = "type.googleapis.com/"
_VALUE_TAG = length_tag(AnyMessage.VALUE_FIELD_NUMBER)

_HOSTED: Mapping[str, HostedGame] = {game.name: HostedGame(game) for game in GAMES}


def hosted() -> tuple[HostedGame, ...]:
    """All games of this build, in the registry's order."""
    return tuple(_HOSTED.values())


def find(name: str) -> HostedGame:
    """A game by its registered name. Raises `InvalidArgumentError` that lists those there are."""
    game = _HOSTED.get(name)
    if game is None:
        known = ", ".join(_HOSTED)
        raise InvalidArgumentError(
            "UNKNOWN_GAME", f"There is no game {name!r} here; this platform hosts: {known}."
        )
    return game


def can_play(name: str, rules_version: int) -> bool:
    """Whether this build plays a game by this version of its rules."""
    game = _HOSTED.get(name)
    return game is not None and game.game.rules_version == rules_version


def wrap(message: Message) -> AnyMessage:
    """A message as an Any."""
    return AnyMessage(
        type_url=_TYPE_URL_PREFIX + message.DESCRIPTOR.full_name, value=message.SerializeToString()
    )


def packed(codec: Codec, value: Any) -> bytes:
    """An object as the bytes of an Any: what `wrap` makes of its message, without making either."""
    head, written = _type_field(codec.full_name), codec.write(value)
    return head + _VALUE_TAG + varint(len(written)) + written if written else head


@cache
def _type_field(full_name: str) -> bytes:
    return AnyMessage(type_url=_TYPE_URL_PREFIX + full_name).SerializeToString()


def unwrap(packed: AnyMessage, codec: Codec, what: str) -> Any:
    """The dataclass in an Any. Raises `InvalidArgumentError` where it holds something else, or nothing sensible."""
    wanted = codec.full_name
    if packed.TypeName() != wanted:
        raise InvalidArgumentError(
            "WRONG_MESSAGE_TYPE",
            f"The {what} is a {packed.TypeName() or 'message without a type'}; this game takes {wanted}.",
        )
    message = codec.message()
    try:
        packed.Unpack(message)
        return codec.decode(message)
    except DecodeError as error:
        raise InvalidArgumentError(
            "MALFORMED_MESSAGE", f"The bytes of the {what} do not read as {wanted}."
        ) from error
    except ValueError as error:
        raise InvalidArgumentError(
            "MALFORMED_MESSAGE", f"The {what} does not read as {wanted}: {error}."
        ) from error
