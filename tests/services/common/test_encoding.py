"""What is written without protobuf is what protobuf writes, to the byte."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from random import Random
from typing import Any

import pytest

from arena.games.crowns.v1 import crowns_pb2
from arena_services.common import games
from arena_services.common.codec import Codec
from arena_services.common.encoding import varint
from arena_services.common.shapes import snake_case

CROWNS = games.find("crowns")


def plainly(value: Any, message: Any) -> Any:
    """Fill a message from a dataclass field by field, through protobuf alone."""
    message.SetInParent()
    if (oneof := next(iter(message.DESCRIPTOR.oneofs_by_name), "")) and not hasattr(value, oneof):
        own_name = snake_case(type(value).__name__)
        if own_name in message.DESCRIPTOR.fields_by_name:
            plainly(value, getattr(message, own_name))
            return message
    for name in (field.name for field in fields(value)):
        _set(message, name, getattr(value, name))
    return message


def _set(message: Any, name: str, part: Any) -> None:
    if name in message.DESCRIPTOR.oneofs_by_name and part is not None:
        plainly(part, getattr(message, snake_case(type(part).__name__)))
    elif is_dataclass(part):
        plainly(part, getattr(message, name))
    elif isinstance(part, tuple):
        for item in part:
            repeated = getattr(message, name)
            _ = plainly(item, repeated.add()) if is_dataclass(item) else repeated.append(item)
    elif part is not None:
        setattr(message, name, part)


def assert_same(codec: Codec, value: Any) -> None:
    plain = plainly(value, codec.message())
    assert codec.write(value) == plain.SerializeToString(deterministic=True)
    assert codec.encode(value) == plain
    assert codec.decode(plain) == value
    assert games.packed(codec, value) == games.wrap(plain).SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("board", "players", "seconds"),
    [(crowns_pb2.BOARD_STANDARD, 4, 0), (crowns_pb2.BOARD_LARGE, 6, 30)],
)
def test_all_messages_of_a_match_are_as_protobuf_writes_them(
    board: crowns_pb2.Board.ValueType, players: int, seconds: int
) -> None:
    game, rng = CROWNS.game, Random(players)
    message = crowns_pb2.Options(board=board, turn_seconds=seconds)
    options = CROWNS.options.decode(message)
    assert_same(CROWNS.options, options)
    state, events = game.new(
        options, [False, *[True] * (players - 1)], bytes(32), 1_700_000_000_000
    )
    sorts, moves = set(), 0
    while state.awaited() and moves < 300:
        assert_same(CROWNS.common, state.common(events))
        for seat in range(players):
            assert_same(CROWNS.own, state.own(seat, events))
        sorts |= {type(event.event).__name__ for event in events}
        seat = state.awaited()[0].seat
        action = rng.choice(
            [game.choose(state, seat, rng), rng.choice(list(state.legal_actions(seat)))]
        )
        assert_same(CROWNS.action, state.unpack(action))
        events = state.apply(seat, action, 1_700_000_000_000 + moves)
        moves += 1
    assert_same(CROWNS.common, state.common(events))
    assert len(sorts) > 12


def test_catalogue_is_as_protobuf_writes_it() -> None:
    assert_same(CROWNS.catalogue, CROWNS.game.catalogue())


@dataclass(frozen=True)
class TurnBegan:
    seat: int
    round: int


@dataclass(frozen=True)
class Preview:
    kings_defeated: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class View:
    deadline_ms: int | None
    decision: int


@pytest.mark.parametrize("number", [0, 1, 127, 128, 16_383, 16_384, 2**31 - 1, 2**31, 2**32 - 1])
def test_numbers_of_all_sizes_are_as_protobuf_writes_them(number: int) -> None:
    assert_same(Codec(TurnBegan, crowns_pb2.TurnBegan), TurnBegan(1, number))
    assert_same(Codec(Preview, crowns_pb2.Preview), Preview((1, number), "Gains ♔."))
    assert_same(Codec(View, crowns_pb2.View), View(number, number << 32))
    assert (
        varint(number) == crowns_pb2.TurnEnded(seat=number).SerializeToString()[1:] or number == 0
    )


def test_optional_numbers_are_written_where_they_are_zero_or_negative_too() -> None:
    for deadline in (None, 0, -1, -(2**63)):
        assert_same(Codec(View, crowns_pb2.View), View(deadline, 0))


@pytest.mark.parametrize("number", [-1, 2**32])
def test_a_number_that_its_field_does_not_hold_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        Codec(TurnBegan, crowns_pb2.TurnBegan).write(TurnBegan(0, number))
    with pytest.raises(ValueError, match="out of range"):
        Codec(Preview, crowns_pb2.Preview).write(Preview((number,), ""))


@dataclass(frozen=True)
class RelicView:
    triangle: int
    relic: int


@dataclass(frozen=True)
class Arena:
    relics: tuple[RelicView, ...]


def test_parts_by_the_ten_thousand_are_each_written_as_themselves() -> None:
    codec = Codec(Arena, crowns_pb2.View)
    for start in range(0, 20_000, 500):
        arena = Arena(tuple(RelicView(start + i, 1) for i in range(500)))
        assert codec.decode(codec.encode(arena)) == arena
