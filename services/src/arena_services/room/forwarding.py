"""Other rooms, to which requests are sent on with the token they came with, marked so that they go no further."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import grpc

from arena.room.v1.room_service_pb2 import Error
from arena_services.common import tracing
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.errors import ArenaError, InternalError
from arena_services.common.roster import Beat
from arena_services.common.rpc import reason_of
from arena_services.room import metrics

ROOM_SERVICE = "arena.room.v1.RoomService"
CHAT_SERVICE = "arena.room.v1.ChatService"
CONTROL_SERVICE = "arena.room.v1.RoomControlService"
ADMIN_SERVICE = "arena.room.v1.RoomAdminService"
_AUTHORIZATION = "authorization"
_MARK = ("arena-forwarded", "1")
#: Long enough for an append in a bad moment; whoever asked asks again, under the same request key.
_CALL_SECONDS = 2.5

#: One class for each code derives from the base itself; all others derive from these.
_BY_CODE = {kind.code: kind for kind in ArenaError.__subclasses__()}

_BY_NUMBER = {code.value[0]: code for code in grpc.StatusCode}


def is_forwarded(context: Any) -> bool:
    """Whether another room sent this call on."""
    return _MARK in {(key, value) for key, value in context.invocation_metadata() or ()}


def onward(context: Any) -> Metadata:
    """Metadata for sending a call on."""
    own = tuple(
        (key, str(value))
        for key, value in context.invocation_metadata() or ()
        if key == _AUTHORIZATION
    )
    return (*own, _MARK)


def error_in(error: Error) -> ArenaError:
    """The failure that an Error message of another room tells of."""
    return error_of(
        _BY_NUMBER.get(error.code, grpc.StatusCode.INTERNAL), error.reason, error.message
    )


def error_of(code: grpc.StatusCode, reason: str, message: str) -> ArenaError:
    """The failure that another room answered with, to be passed on as it is."""
    return _BY_CODE.get(code, InternalError)(reason or code.name, message)


async def forward(
    channels: Channels,
    room: Beat,
    service: str,
    method: str,
    request: Any,
    response: Any,
    metadata: Metadata,
) -> Any:
    """Send a unary call on. Raises `ArenaError` as the other room did; `UnavailableError` where it does not answer."""
    metrics.FORWARDED.labels(method).inc()
    stub = channels.to(room.address).unary_unary(
        f"/{service}/{method}",
        request_serializer=type(request).SerializeToString,
        response_deserializer=response.FromString,
    )
    try:
        with tracing.span(f"forward {method}", None, tracing.Kind.CLIENT, room.room_id):
            return await stub(request, metadata=tracing.carried(metadata), timeout=_CALL_SECONDS)
    except grpc.aio.AioRpcError as error:
        raise _said_there(error) from error


async def forward_stream(
    channels: Channels, room: Beat, service: str, method: str, request: Any, metadata: Metadata
) -> AsyncGenerator[bytes, None]:
    """Send a call on that many responses answer; they are passed on as they come. Raises as `forward` does."""
    metrics.FORWARDED.labels(method).inc()
    stub: Any = channels.to(room.address).unary_stream(
        f"/{service}/{method}", request_serializer=type(request).SerializeToString
    )
    call: grpc.aio.UnaryStreamCall[Any, bytes] = stub(request, metadata=tracing.carried(metadata))
    try:
        async for response in call:
            yield response
    except grpc.aio.AioRpcError as error:
        raise _said_there(error) from error
    finally:
        call.cancel()


def _said_there(error: grpc.aio.AioRpcError) -> ArenaError:
    code = error.code()
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        code = grpc.StatusCode.UNAVAILABLE
    return error_of(code, reason_of(error), error.details() or code.name)
