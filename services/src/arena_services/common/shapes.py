"""How the engine's dataclasses and proto messages fit together, for `codec` and `encoding`.

A field of a dataclass is the message's field of that name. `X | None` is an `optional` field, a tuple a repeated one,
an IntEnum an enum. A union of dataclasses is a oneof whose members are named after the classes in snake case: either a
oneof of the field's name within the message, or a message of its own that holds nothing else.
"""

from __future__ import annotations

import re
import types
import typing
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

from google.protobuf.message_factory import GetMessageClass


class CodecError(TypeError):
    """A dataclass and its message do not fit together: a fault of the build."""


class Member(NamedTuple):
    """One class of a union, and the field of the oneof that holds it."""

    kind: type
    field: Any

    @property
    def message(self) -> Any:
        """The class of the member's messages."""
        return class_of(self.field)


class Shape(NamedTuple):
    """One field of a dataclass: what it holds, without `| None` or the tuple around, and the message's field.

    `oneof` is a union's members where these are fields of the message itself; `field` is then None.
    """

    name: str
    hint: Any
    field: Any
    is_optional: bool
    is_repeated: bool
    oneof: tuple[Member, ...] = ()


@cache
def shapes_of(kind: Any, message: Any) -> tuple[Shape, ...]:
    """The fields of a dataclass, as its message has them. Raises `CodecError` where that has not."""
    return tuple(_shape(kind, message, name, hint) for name, hint in hints_of(kind).items())


def _shape(kind: Any, message: Any, name: str, full_hint: Any) -> Shape:
    hint, is_optional = _without_none(full_hint)
    if is_union(hint) and name in message.DESCRIPTOR.oneofs_by_name:
        return Shape(
            name, hint, None, is_optional, is_repeated=False, oneof=members_of(hint, message)
        )
    field = _field(message.DESCRIPTOR, name, kind)
    item = _item(hint)
    return Shape(name, item or hint, field, is_optional, is_repeated=item is not None)


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of a dataclass's fields by name."""
    if not is_dataclass(kind):
        raise CodecError(f"{kind} is no dataclass")
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def members_of(kind: Any, message: Any) -> tuple[Member, ...]:
    """The classes of a union, as the message has them."""
    return tuple(
        Member(member, _field(message.DESCRIPTOR, snake_case(member.__name__), kind))
        for member in typing.get_args(kind)
    )


def snake_case(name: str) -> str:
    """EndTurn -> end_turn."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def class_of(field: Any) -> Any:
    """The class of a field's messages."""
    return GetMessageClass(field.message_type)


def is_union(hint: Any) -> bool:
    """Whether a type is `X | Y`, whichever way it is written."""
    return isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union


def is_flat(kind: Any) -> bool:
    """Whether a dataclass holds no other dataclass."""
    return not is_union(kind) and not any(map(_is_nested, hints_of(kind).values()))


def _is_nested(hint: Any) -> bool:
    inner, _ = _without_none(hint)
    return is_union(inner) or is_dataclass(_item(inner) or inner)


def _field(descriptor: Any, name: str, kind: Any) -> Any:
    field = descriptor.fields_by_name.get(name)
    if field is None:
        raise CodecError(f"{descriptor.full_name} has no field {name!r}, which {kind} has")
    return field


def _without_none(hint: Any) -> tuple[Any, bool]:
    """A hint without `| None`, and whether it had it."""
    if not is_union(hint) or types.NoneType not in typing.get_args(hint):
        return hint, False
    rest = tuple(part for part in typing.get_args(hint) if part is not types.NoneType)
    return (rest[0] if len(rest) == 1 else typing.Union[rest]), True  # noqa: UP007 - rest is a tuple


def _item(hint: Any) -> Any | None:
    """The item type of a tuple hint, None for other hints."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None
