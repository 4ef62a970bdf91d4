"""The codec between the engine's dataclasses and proto messages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import pytest

from arena.games.crowns.v1 import crowns_pb2
from arena_services.common.codec import Codec
from arena_services.common.shapes import CodecError, snake_case


class Relic(IntEnum):
    NONE = 0
    CROWN = 1
    HORSE = 2


@dataclass(frozen=True)
class EndTurn:
    pass


@dataclass(frozen=True)
class PlayCard:
    card: int
    rival: int | None = None
    triangle: int | None = None


@dataclass(frozen=True)
class Preview:
    relics: tuple[Relic, ...]
    kings_defeated: tuple[int, ...]
    wins: bool
    text: str


@dataclass(frozen=True)
class Target:
    triangle: int | None
    action: EndTurn | PlayCard | None
    reason: str
    preview: Preview | None


@dataclass(frozen=True)
class Targets:
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class TurnEnded:
    seat: int


@dataclass(frozen=True)
class CardDrawn:
    seat: int
    card: int


@dataclass(frozen=True)
class Event:
    index: int
    event: TurnEnded | CardDrawn


def test_nested_repeated_and_optional_fields_survive_the_round_trip() -> None:
    codec = Codec(Targets, crowns_pb2.Targets)
    value = Targets(
        (
            Target(7, PlayCard(40, rival=0), "", Preview((Relic.CROWN,), (1, 2), True, "Gain.")),
            Target(None, None, "Not yours.", None),
        )
    )
    message = codec.encode(value)
    assert message.targets[0].action.play_card.HasField("rival")
    assert not message.targets[1].HasField("preview")
    assert codec.decode(crowns_pb2.Targets.FromString(message.SerializeToString())) == value


def test_a_union_is_a_message_with_one_oneof() -> None:
    codec = Codec(EndTurn | PlayCard, crowns_pb2.Action)
    assert codec.encode(EndTurn()).WhichOneof("action") == "end_turn"
    assert codec.decode(codec.encode(PlayCard(3, triangle=0))) == PlayCard(3, triangle=0)


def test_a_union_field_is_a_oneof_of_its_message() -> None:
    codec = Codec(Event, crowns_pb2.Event)
    for event in (TurnEnded(3), CardDrawn(1, 40)):
        assert codec.decode(codec.encode(Event(2, event))) == Event(2, event)


def test_an_empty_oneof_is_refused_with_what_it_needs() -> None:
    codec = Codec(EndTurn | PlayCard, crowns_pb2.Action)
    with pytest.raises(ValueError, match="needs one of end_turn, play_card"):
        codec.decode(crowns_pb2.Action())


def test_an_unknown_enum_value_is_refused() -> None:
    codec = Codec(Targets, crowns_pb2.Targets)
    # Relic 9 in the preview of a target, as an older build would read it from a newer one.
    message = crowns_pb2.Targets.FromString(b"\x0a\x05\x2a\x03\x22\x01\x09")
    with pytest.raises(ValueError, match="9 stands for no Relic; those are 0, 1, 2"):
        codec.decode(message)


def test_a_dataclass_that_does_not_fit_its_message_is_a_fault_of_the_build() -> None:
    @dataclass(frozen=True)
    class Strange:
        colour: int

    with pytest.raises(CodecError, match="no field 'colour'"):
        Codec(Strange, crowns_pb2.View)


def test_snake_case_names_oneof_members() -> None:
    assert [snake_case(name) for name in ("Move", "EndTurn")] == ["move", "end_turn"]
