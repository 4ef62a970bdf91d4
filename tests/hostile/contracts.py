"""Every call of every public service, as the contracts' descriptors tell of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.matchmaking.v1 import matchmaking_service_pb2
from arena.room.v1 import (
    chat_service_pb2,
    room_admin_service_pb2,
    room_control_service_pb2,
    room_service_pb2,
)
from arena_services.common import games

#: What a game's messages are called that travel within an Any: in requests, and in answers alone.
_ASKED = ("options", "action", "selection")
_ANSWERED = ("targets", "common", "own", "catalogue")


@dataclass(frozen=True)
class Call:
    """One call of a service."""

    service: str
    method: str
    request: type[Message]
    response: type[Message]
    is_client_streaming: bool
    is_server_streaming: bool
    is_public: bool
    """Whether people may reach it at all."""

    @property
    def path(self) -> str:
        """As gRPC names it."""
        return f"/{self.service}/{self.method}"

    @property
    def is_rooms(self) -> bool:
        """Whether rooms answer it, and not matchmaking."""
        return ".room." in self.service


def public_calls() -> tuple[Call, ...]:
    """What people may call."""
    modules = (matchmaking_service_pb2, room_service_pb2, chat_service_pb2)
    return tuple(call for module in modules for call in _calls(module, is_public=True))


def inner_calls() -> tuple[Call, ...]:
    """What only services and operators may call, and the edge does not pass on."""
    modules = (room_control_service_pb2, room_admin_service_pb2)
    return tuple(call for module in modules for call in _calls(module, is_public=False))


def _calls(module: Any, *, is_public: bool) -> list[Call]:
    return [
        Call(
            service.full_name,
            method.name,
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
            method.client_streaming,
            method.server_streaming,
            is_public,
        )
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]


def game_messages() -> tuple[list[Descriptor], list[Descriptor]]:
    """What may stand in an Any, of every game: in requests, and in answers alone."""
    return _messages(_ASKED), _messages(_ANSWERED)


def _messages(names: tuple[str, ...]) -> list[Descriptor]:
    return [getattr(hosted, name).message.DESCRIPTOR for hosted in games.hosted() for name in names]
