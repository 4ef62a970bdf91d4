"""Makes requests from descriptors: every field, with values that are likely to hurt or that come close to true ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from arena.log.v1.entry_pb2 import RequestKey
from arena_services.common import games
from tests.hostile.contracts import game_messages

_DEEPEST = 7
_ANY = AnyMessage.DESCRIPTOR.full_name
_SIGNED_32 = {
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_SFIXED32,
}
_SIGNED_64 = {
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_SINT64,
    FieldDescriptor.TYPE_SFIXED64,
}
_UNSIGNED_32 = {FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32}
_EDGES = (0, 1, 2, 6, 7, 127, 128, 255, 256, 4095, 65_536, 2**31 - 1, 2**31, 2**32 - 1)
_WIDE_EDGES = (*_EDGES, 2**32, 2**53, 2**53 + 1, 2**63 - 1)
_TEXTS = (
    "",
    " ",
    "a",
    "Ann",
    "\0",
    "../../etc/passwd",
    "%s%n{0}",
    "'; DROP TABLE players; --",
    "\u202eevil",
    "\u200d",
    "\U0001f600" * 40,
    "match.*.>",
    "*",
    ">",
    "a.b.c",
    "\r\nx-injected: 1",
    "A" * 25,
    "z" * 5000,
    "null",
    "undefined",
    "<script>alert(1)</script>",
)


@dataclass
class Pool:
    """What is true of the platform: values of which some are put into requests, so that they come close."""

    match_ids: list[str] = field(default_factory=list)
    ticket_ids: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=lambda: ["table-one", "table-two"])
    keys: list[RequestKey] = field(default_factory=list)
    decisions: list[int] = field(default_factory=lambda: [0, 1, 2])
    page_tokens: list[str] = field(default_factory=list)


class Forger:
    """Draws messages; the same ones for the same generator and pool."""

    def __init__(self, rng: Random, pool: Pool) -> None:
        self._rng = rng
        self._pool = pool
        self._packable = game_messages()
        self._texts: dict[str, Callable[[], Sequence[str]]] = {
            "match_id": lambda: pool.match_ids,
            "ticket_id": lambda: pool.ticket_ids,
            "table": lambda: pool.tables,
            "page_token": lambda: pool.page_tokens,
            "game": lambda: [hosted.game.name for hosted in games.hosted()],
            "request_id": lambda: ["wish-1", "wish-2", "w" * 64, "w" * 65],
        }
        self._numbers: dict[str, Callable[[], Sequence[int]]] = {
            "seat": lambda: (0, 1, 2, 3),
            "muted_seat": lambda: (0, 1, 2),
            "players": lambda: (2, 3, 4),
            "decision": lambda: pool.decisions[-20:],
            "counter": lambda: (1, 2, 3, 1000),
            "page_size": lambda: (0, 1, 50, 51),
            # Bots at once would make a match of every ticket.
            "bot_wait_ms": lambda: (60_000, 3_600_000, 3_600_001),
        }

    def message(self, descriptor: Any, depth: int = 0) -> Any:
        """A message of any type."""
        if descriptor.full_name == _ANY:
            return self._packed(depth)
        is_key = descriptor.full_name == RequestKey.DESCRIPTOR.full_name
        if is_key and self._pool.keys and self._is_one_in(3):
            return self._rng.choice(self._pool.keys)
        message = GetMessageClass(descriptor)()
        for each in self._chosen(descriptor):
            self._fill(message, each, depth)
        return message

    def _chosen(self, descriptor: Any) -> list[Any]:
        """The fields to fill: one of each choice, and most of the others."""
        in_choices = {
            each.name
            for choice in descriptor.oneofs
            if len(choice.fields) > 1
            for each in choice.fields
        }
        fields = [
            each
            for each in descriptor.fields
            if each.name not in in_choices and not self._is_one_in(6)
        ]
        fields += [
            self._rng.choice(choice.fields)
            for choice in descriptor.oneofs
            if len(choice.fields) > 1 and not self._is_one_in(12)
        ]
        return fields

    def _fill(self, message: Any, each: Any, depth: int) -> None:
        if each.message_type is not None:
            if depth >= _DEEPEST:
                return
            if each.is_repeated:
                for _ in range(self._count(depth)):
                    getattr(message, each.name).add().CopyFrom(
                        self.message(each.message_type, depth + 1)
                    )
            else:
                part = getattr(message, each.name)
                part.SetInParent()
                part.CopyFrom(self.message(each.message_type, depth + 1))
        elif each.is_repeated:
            getattr(message, each.name).extend(self._value(each) for _ in range(self._count(depth)))
        else:
            setattr(message, each.name, self._value(each))

    def _count(self, depth: int) -> int:
        """How many of a repeated field; rarely very many."""
        return self._rng.choice((0, 1, 1, 2, 3, 200 if depth < 3 and self._is_one_in(20) else 1))

    def _value(self, each: Any) -> Any:
        match each.type:
            case FieldDescriptor.TYPE_STRING:
                return self._text(each.name)
            case FieldDescriptor.TYPE_BYTES:
                return self._rng.randbytes(self._rng.choice((0, 1, 7, 8, 16, 64, 65, 1000)))
            case FieldDescriptor.TYPE_BOOL:
                return self._is_one_in(2)
            case FieldDescriptor.TYPE_ENUM:
                known = [value.number for value in each.enum_type.values]
                return self._rng.choice((*known, *known, -1, 99, 2**31 - 1))
            case FieldDescriptor.TYPE_FLOAT | FieldDescriptor.TYPE_DOUBLE:
                return self._rng.choice((0.0, -1.0, 1e300, float("inf"), float("nan")))
            case _:
                return self._number(each)

    def _text(self, name: str) -> str:
        near = self._texts.get(name, tuple)()
        if near and not self._is_one_in(4):
            return self._rng.choice(near)
        if name.endswith("_id") and self._is_one_in(2):
            return "".join(self._rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=26))
        return self._rng.choice(_TEXTS)

    def _number(self, each: Any) -> int:
        near = self._numbers.get(each.name, tuple)()
        if near and not self._is_one_in(5):
            return self._rng.choice(near)
        if each.type in _SIGNED_32:
            return self._rng.choice((*(edge for edge in _EDGES if edge < 2**31), -1, -(2**31)))
        if each.type in _UNSIGNED_32:
            return self._rng.choice(_EDGES)
        if each.type in _SIGNED_64:
            return self._rng.choice((*_WIDE_EDGES, -1, -(2**63)))
        return self._rng.choice((*_WIDE_EDGES, 2**63, 2**64 - 1))

    def _packed(self, depth: int) -> AnyMessage:
        """A game's message, or something else, in an Any."""
        likely, others = self._packable
        descriptor = self._rng.choice(others if self._is_one_in(8) else likely)
        packed = AnyMessage()
        packed.Pack(self.message(descriptor, depth + 1))
        if self._is_one_in(10):
            packed.value = damaged(packed.value, self._rng)
        if self._is_one_in(10):
            packed.type_url = self._rng.choice(
                (
                    "",
                    "/",
                    descriptor.full_name,
                    "type.googleapis.com/google.protobuf.Any",
                    "x" * 999,
                )
            )
        return packed

    def _is_one_in(self, number: int) -> bool:
        return self._rng.randrange(number) == 0


def damaged(data: bytes, rng: Random) -> bytes:
    """Bytes that most likely no longer read as what they were."""
    way = rng.randrange(8)
    at = rng.randrange(len(data) + 1)
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + rng.randbytes(rng.randrange(1, 40)) + data[at:]
    if way == 2 and data:
        return data[: at - 1] + bytes((data[at - 1] ^ 1 << rng.randrange(8),)) + data[at:]
    if way == 3:
        return data * rng.randrange(2, 30)
    if way == 4:  # groups within groups, thousands deep
        return data + b"\x0b" * rng.randrange(1, 9000)
    if way == 5:  # says that it goes on for much longer
        return data + b"\x0a\xff\xff\xff\xff\x0f" + data
    if way == 6:  # text that is no UTF-8
        return data + b"\x0a\x04\xff\xfe\xc0\xaf" + b"\x12\x02\xed\xa0"
    return rng.randbytes(rng.randrange(0, 400))


def oversized(data: bytes, rng: Random) -> bytes:
    """The same message in too many bytes: one unknown field makes up the weight."""
    weight = rng.choice((65_537, 70_000, 150_000, 300_000, 1_000_000, 4_300_000))
    length = bytearray()
    left = weight
    while left >= 0x80:
        length.append(left & 0x7F | 0x80)
        left >>= 7
    length.append(left)
    return data + b"\xfa\x7f" + bytes(length) + b"\0" * weight
