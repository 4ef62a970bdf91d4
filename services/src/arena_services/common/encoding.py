"""Writes the engine's dataclasses as the bytes of their messages, without making the messages.

A room writes a whole view for every move, which is most of what a move costs it. What is frequent (small numbers, and
parts that a view has in common with the one before) is written here; the rest is left to protobuf itself. The bytes are
those that protobuf would write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter, call
from types import NoneType
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from arena_services.common.shapes import (
    Member,
    Shape,
    class_of,
    is_flat,
    is_union,
    members_of,
    shapes_of,
)

#: Of an object: its message's bytes. Of a field's value: the bytes of the whole field, none where it is not written.
Write: TypeAlias = Callable[[Any], bytes]

#: Parts of messages that are kept written, for each field that holds them.
_PARTS_KEPT = 8192
_LENGTH_DELIMITED = 2
#: Below this a number is one byte.
_SMALL = 1 << 7
#: Below this every sort of number that is written here holds a number that is not negative.
_SAFE = 1 << 31
_NUMBERS = {
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_ENUM,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT32,
    FieldDescriptor.TYPE_UINT64,
}


def varint(number: int) -> bytes:
    """A number that is not negative, as protobuf writes it."""
    if number < _SMALL:
        return _ONE_BYTE[number]
    parts = bytearray()
    while number >= _SMALL:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


_ONE_BYTE = [bytes((number,)) for number in range(_SMALL)]


def varint_tag(number: int) -> bytes:
    """What stands before a field that is a varint."""
    return varint(number << 3)


def length_tag(number: int) -> bytes:
    """What stands before a field that begins with its length."""
    return varint(number << 3 | _LENGTH_DELIMITED)


@cache
def writer_of(kind: Any, message: Any) -> Write:
    """Writes objects of a dataclass, or of a union of them, as their message."""
    if is_union(kind):
        return _oneof_writer(members_of(kind, message))
    fields = sorted((_number(shape), shape) for shape in shapes_of(kind, message))
    writers = [_field_writer(shape, message) for _, shape in fields]
    names = [shape.name for _, shape in fields]
    if not names:
        return lambda _: b""
    if len(names) == 1:
        read_one, write_one = attrgetter(*names), writers[0]
        return lambda value: write_one(read_one(value))
    read = attrgetter(*names)

    return lambda value: b"".join(map(call, writers, read(value)))


def _number(shape: Shape) -> int:
    """Where a field stands among the others."""
    if shape.oneof:
        return min(int(member.field.number) for member in shape.oneof)
    return int(shape.field.number)


def _field_writer(shape: Shape, message: Any) -> Write:
    if shape.oneof:
        return _oneof_writer(shape.oneof)
    if shape.field.message_type is not None:
        return _repeated_writer(shape) if shape.is_repeated else _single_writer(shape)
    by_protobuf = _protobuf_writer(message, shape.name)
    if shape.field.type not in _NUMBERS:
        return by_protobuf
    if shape.is_repeated:
        return _small_numbers_writer(shape.field, by_protobuf)
    return _Numbers(shape.field, by_protobuf).__getitem__


def _protobuf_writer(message: Any, name: str) -> Write:
    """Leaves a field to protobuf, which also checks its value."""

    def write(value: Any) -> bytes:
        written: bytes = message(**{name: value}).SerializeToString()
        return written

    return write


class _Tagged(dict[int | None, bytes]):
    """A tag with each number behind it; with small ones it is held once it was asked for."""

    def __init__(self, tag: bytes) -> None:
        super().__init__()
        self._tag = tag

    def __missing__(self, number: int) -> bytes:
        written = self._tag + varint(number)
        if number < _SMALL:
            self[number] = written
        return written


class _Numbers(_Tagged):
    """What is written for each number in one field, and for None."""

    def __init__(self, field: Any, by_protobuf: Write) -> None:
        super().__init__(varint_tag(field.number))
        self._by_protobuf = by_protobuf
        self[None] = b""
        if not field.has_presence:
            self[0] = b""

    def __missing__(self, number: int) -> bytes:
        is_safe = 0 <= number < _SAFE
        return super().__missing__(number) if is_safe else self._by_protobuf(number)


def _small_numbers_writer(field: Any, by_protobuf: Write) -> Write:
    tag = length_tag(field.number)

    def write(values: Sequence[int]) -> bytes:
        if not values:
            return b""
        if min(values) < 0 or max(values) >= _SMALL:
            return by_protobuf(values)
        return tag + varint(len(values)) + bytes(values)

    return write


def _single_writer(shape: Shape) -> Write:
    write = _part_writer(shape.hint, shape.field)
    return lambda part: b"" if part is None else write(part)


def _part_writer(kind: Any, field: Any) -> Write:
    """Writes a message within another, with its tag and length."""
    write_message = writer_of(kind, class_of(field))
    heads = _Tagged(length_tag(field.number))

    def write(part: Any) -> bytes:
        written = write_message(part)
        return heads[len(written)] + written

    return write


def _oneof_writer(members: Sequence[Member]) -> Write:
    writers = {member.kind: _part_writer(member.kind, member.field) for member in members}
    writers[NoneType] = lambda _: b""
    return lambda part: writers[type(part)](part)


def _repeated_writer(shape: Shape) -> Write:
    write_part = _part_writer(shape.hint, shape.field)
    if not is_flat(shape.hint):
        return lambda parts: b"".join(map(write_part, parts))
    # Engines give what stays the same from view to view as the very same object. Each is kept together with what was
    # written for it, so no other object can have its id meanwhile.
    kept: dict[int, tuple[Any, bytes]] = {}

    def keep(part: Any) -> tuple[Any, bytes]:
        if len(kept) >= _PARTS_KEPT:
            kept.clear()
        entry = kept[id(part)] = (part, write_part(part))
        return entry

    def write(parts: Sequence[Any]) -> bytes:
        return b"".join([(kept.get(id(part)) or keep(part))[1] for part in parts])

    return write
