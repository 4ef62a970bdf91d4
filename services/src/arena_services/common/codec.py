"""Turns the engine's dataclasses into proto messages and back, by field name; one codec for every game.

`shapes` says what fits what, `encoding` writes; here it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from typing import Any

from google.protobuf.message import Message

from arena_services.common.encoding import Write, writer_of
from arena_services.common.shapes import Member, Shape, class_of, is_union, members_of, shapes_of

_Convert = Callable[[Any], Any]


class Codec:
    """Converts between one dataclass, or union of dataclasses, and its message."""

    def __init__(self, kind: Any, message: Any) -> None:
        self.message: type[Message] = message
        self.full_name: str = message.DESCRIPTOR.full_name
        self.write: Write = writer_of(kind, message)
        """The bytes of an object's message."""
        self._decode = _decoder(kind, message)

    def encode(self, value: Any) -> Any:
        """The message of an object."""
        return self.message.FromString(self.write(value))

    def decode(self, message: Message) -> Any:
        """The object of a message. Raises ValueError, in a sentence, for one that says nothing of the kind."""
        return self._decode(message)


@cache
def _decoder(kind: Any, message: Any) -> _Convert:
    if is_union(kind):
        (oneof,) = message.DESCRIPTOR.oneofs_by_name
        return _oneof_decoder(members_of(kind, message), message, oneof)
    readers = [(shape.name, _reader(shape, message)) for shape in shapes_of(kind, message)]

    def decode(value: Any) -> Any:
        return kind(**{name: read(value) for name, read in readers})

    return decode


def _reader(shape: Shape, message: Any) -> _Convert:
    """Reads one field of a message."""
    name = shape.name
    if shape.oneof:
        return _oneof_decoder(shape.oneof, message, name)
    convert = _value_decoder(shape.hint, shape.field)
    if shape.is_repeated:
        return lambda value: tuple(convert(item) for item in getattr(value, name))
    if shape.is_optional:
        return lambda value: convert(getattr(value, name)) if value.HasField(name) else None
    return lambda value: convert(getattr(value, name))


def _oneof_decoder(members: Sequence[Member], message: Any, oneof: str) -> _Convert:
    decoders = {member.field.name: _decoder(member.kind, member.message) for member in members}
    choices = ", ".join(decoders)

    def decode(value: Any) -> Any:
        member = value.WhichOneof(oneof)
        if member is None:
            raise ValueError(f"{message.DESCRIPTOR.name} is empty; it needs one of {choices}")
        return decoders[member](getattr(value, member))

    return decode


def _value_decoder(hint: Any, field: Any) -> _Convert:
    if field.message_type is not None:
        return _decoder(hint, class_of(field))
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return _enum_decoder(hint)
    return lambda value: value


def _enum_decoder(kind: type[IntEnum]) -> _Convert:
    members = {member.value: member for member in kind}

    def decode(value: Any) -> Any:
        member = members.get(value)
        if member is None:
            known = ", ".join(map(str, members))
            raise ValueError(f"{value} stands for no {kind.__name__}; those are {known}")
        return member

    return decode
