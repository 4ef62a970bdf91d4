"""Turns the engine's dataclasses into proto messages and back, by field name; one codec for every game.

A field of a dataclass is the message's field of that name. `X | None` is an `optional` field, a tuple a repeated one,
an IntEnum an enum. A union of dataclasses is a oneof whose members are named after the classes in snake case: either a
oneof of the field's name within the message, or a message of its own that holds nothing else.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import IntEnum
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

_Convert = Callable[[Any], Any]
_Part = Callable[[Any, dict[str, Any]], None]
#: Flat parts of messages that are kept encoded, for each type of them.
_PARTS_KEPT = 4096


class CodecError(TypeError):
    """A dataclass and its message do not fit together: a fault of the build."""


class Codec:
    """Converts between one dataclass, or union of dataclasses, and its message."""

    def __init__(self, kind: Any, message: Any) -> None:
        self.message: type[Message] = message
        self.encode: Callable[[Any], Any] = _encoder(kind, message)
        """The message of an object."""
        self._decode = _decoder(kind, message)

    def decode(self, message: Message) -> Any:
        """The object of a message. Raises ValueError, in a sentence, for one that says nothing of the kind."""
        return self._decode(message)


def snake_case(name: str) -> str:
    """EndTurn -> end_turn."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cache
def _encoder(kind: Any, message: Any) -> _Convert:
    if _is_union(kind):
        return _union_encoder(kind, message)
    plain: list[str] = []
    parts: list[_Part] = []
    for name, hint in _hints(kind).items():
        part = _part(kind, message, name, hint)
        if part is None:
            plain.append(name)
        else:
            parts.append(part)

    read = _reader_of(plain)

    def encode_leaf(value: Any) -> Any:
        return message(**dict(zip(plain, read(value), strict=True)))

    def encode(value: Any) -> Any:
        given = dict(zip(plain, read(value), strict=True))
        for part in parts:
            part(value, given)
        return message(**given)

    return encode if parts else encode_leaf


def _reader_of(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    """Reads several attributes at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: [getattr(value, name) for name in names]


def _part(kind: Any, message: Any, name: str, full_hint: Any) -> _Part | None:
    """How one field goes into a message's arguments; None where its value goes in as it is."""
    hint, is_optional = _without_none(full_hint)
    if _is_union(hint) and name in message.DESCRIPTOR.oneofs_by_name:
        return _oneof_part(name, _members(hint, message, _encoder))
    field = _field(message.DESCRIPTOR, name, kind)
    item = _item(hint)
    convert = _value_encoder(item or hint, field)
    if item is not None:
        return _repeated_part(name, convert) if convert else None
    if is_optional or convert:
        return _single_part(name, convert)
    return None


def _oneof_part(name: str, members: Mapping[type, tuple[str, _Convert]]) -> _Part:
    def fill(value: Any, given: dict[str, Any]) -> None:
        if (part := getattr(value, name)) is not None:
            member, convert = members[type(part)]
            given[member] = convert(part)

    return fill


def _repeated_part(name: str, convert: _Convert) -> _Part:
    def fill(value: Any, given: dict[str, Any]) -> None:
        given[name] = [convert(item) for item in getattr(value, name)]

    return fill


def _single_part(name: str, convert: _Convert | None) -> _Part:
    def fill(value: Any, given: dict[str, Any]) -> None:
        if (part := getattr(value, name)) is not None:
            given[name] = convert(part) if convert else part

    return fill


def _union_encoder(kind: Any, message: Any) -> _Convert:
    members = _members(kind, message, _encoder)

    def encode(value: Any) -> Any:
        member, to_message = members[type(value)]
        return message(**{member: to_message(value)})

    return encode


@cache
def _decoder(kind: Any, message: Any) -> _Convert:
    if _is_union(kind):
        (oneof,) = message.DESCRIPTOR.oneofs_by_name
        return _oneof_decoder(kind, message, oneof)
    readers: list[tuple[str, _Convert]] = []
    for name, full_hint in _hints(kind).items():
        hint, is_optional = _without_none(full_hint)
        if _is_union(hint) and name in message.DESCRIPTOR.oneofs_by_name:
            readers.append((name, _oneof_decoder(hint, message, name)))
            continue
        field = _field(message.DESCRIPTOR, name, kind)
        item = _item(hint)
        convert = _value_decoder(item or hint, field)
        readers.append((name, _reader(name, convert, item is not None, is_optional)))

    def decode(value: Any) -> Any:
        return kind(**{name: read(value) for name, read in readers})

    return decode


def _reader(name: str, convert: _Convert, is_repeated: bool, is_optional: bool) -> _Convert:
    if is_repeated:
        return lambda message: tuple(convert(item) for item in getattr(message, name))
    if is_optional:
        return lambda message: convert(getattr(message, name)) if message.HasField(name) else None
    return lambda message: convert(getattr(message, name))


def _oneof_decoder(kind: Any, message: Any, oneof: str) -> _Convert:
    members = dict(_members(kind, message, _decoder).values())
    choices = ", ".join(members)

    def decode(value: Any) -> Any:
        member = value.WhichOneof(oneof)
        if member is None:
            raise ValueError(f"{message.DESCRIPTOR.name} is empty; it needs one of {choices}")
        return members[member](getattr(value, member))

    return decode


def _value_encoder(hint: Any, field: Any) -> _Convert | None:
    """How a single value of a field is encoded; None where it goes in as it is."""
    if field.message_type is None:
        return None
    return _encoder_of_parts(hint, _class_of(field))


@cache
def _encoder_of_parts(kind: Any, message: Any) -> _Convert:
    """As `_encoder`; flat objects, which come again and again as parts of others, are encoded once.

    That is safe for parts alone: they are copied into the message that holds them.
    """
    encode = _encoder(kind, message)
    if _is_union(kind) or any(map(_is_nested, _hints(kind).values())):
        return encode
    return lru_cache(_PARTS_KEPT)(encode)


def _is_nested(hint: Any) -> bool:
    inner, _ = _without_none(hint)
    return _is_union(inner) or is_dataclass(_item(inner) or inner)


def _value_decoder(hint: Any, field: Any) -> _Convert:
    if field.message_type is not None:
        return _decoder(hint, _class_of(field))
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return hint
    return lambda value: value


def _members(
    kind: Any, message: Any, make: Callable[[Any, Any], _Convert]
) -> dict[type, tuple[str, _Convert]]:
    """For each class of a union: its member's name, and what `make` makes for it."""
    members = {}
    for member in typing.get_args(kind):
        name = snake_case(member.__name__)
        field = _field(message.DESCRIPTOR, name, kind)
        members[member] = (name, make(member, _class_of(field)))
    return members


def _field(descriptor: Any, name: str, kind: Any) -> Any:
    field = descriptor.fields_by_name.get(name)
    if field is None:
        raise CodecError(f"{descriptor.full_name} has no field {name!r}, which {kind} has")
    return field


def _class_of(field: Any) -> Any:
    """The class of a field's messages."""
    return GetMessageClass(field.message_type)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    if not is_dataclass(kind):
        raise CodecError(f"{kind} is no dataclass")
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _is_union(hint: Any) -> bool:
    return isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union


def _without_none(hint: Any) -> tuple[Any, bool]:
    """A hint without `| None`, and whether it had it."""
    if not _is_union(hint) or types.NoneType not in typing.get_args(hint):
        return hint, False
    rest = tuple(part for part in typing.get_args(hint) if part is not types.NoneType)
    return (rest[0] if len(rest) == 1 else typing.Union[rest]), True  # noqa: UP007 - rest is a tuple


def _item(hint: Any) -> Any | None:
    """The item type of a tuple hint, None for other hints."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None
