"""What a timer makes of rooms' answers: each match's is its own, and rooms of an older build are asked one by one."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc

from arena.room.v1 import room_control_service_pb2 as pb
from arena.room.v1.room_service_pb2 import Error
from arena_services.common.channels import Channels
from arena_services.common.roster import Beat, Roster
from arena_services.common.rpc import Server
from arena_services.room.forwarding import CONTROL_SERVICE
from arena_services.timer.calls import Answer, RoomCaller, Verdict
from arena_services.timer.schedule import Alarm

_EXPIRED = pb.ExpireResponse(verdict=pb.ExpireResponse.VERDICT_EXPIRED)
_EARLY = pb.ExpireResponse(verdict=pb.ExpireResponse.VERDICT_EARLY, remaining_ms=1500)
_NOT_FOUND, _UNAVAILABLE = (
    code.value[0] for code in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.UNAVAILABLE)
)


async def _expire(request: pb.ExpireRequest, _: Any) -> pb.ExpireResponse:
    return _EARLY if request.match_id == "early" else _EXPIRED


async def _expire_many(request: pb.ExpireManyRequest, _: Any) -> pb.ExpireManyResponse:
    answers = {
        "early": pb.ExpireResult(response=_EARLY),
        "gone": pb.ExpireResult(error=Error(code=_NOT_FOUND, reason="NO_SUCH_MATCH")),
        "moving": pb.ExpireResult(error=Error(code=_UNAVAILABLE, reason="NOT_OWNER")),
    }
    expired = pb.ExpireResult(response=_EXPIRED)
    return pb.ExpireManyResponse(
        results=[answers.get(each.match_id, expired) for each in request.expiries]
    )


_OLDER_ROOM = {
    "Expire": grpc.unary_unary_rpc_method_handler(
        _expire,
        request_deserializer=pb.ExpireRequest.FromString,
        response_serializer=pb.ExpireResponse.SerializeToString,
    )
}
_ROOM = {
    "ExpireMany": grpc.unary_unary_rpc_method_handler(
        _expire_many,
        request_deserializer=pb.ExpireManyRequest.FromString,
        response_serializer=pb.ExpireManyResponse.SerializeToString,
    )
}


@asynccontextmanager
async def _caller_of(room: dict[str, Any]) -> AsyncIterator[RoomCaller]:
    server, roster, channels = Server("127.0.0.1:0"), Roster(), Channels()
    handlers: Any = grpc.method_handlers_generic_handler(CONTROL_SERVICE, room)
    server.raw.add_generic_rpc_handlers((handlers,))
    await server.start()
    beat = Beat("room-1", server.address, server.address, 0)
    roster._beats["room-1"] = (beat, time.monotonic())
    try:
        yield RoomCaller(roster, channels, ())
    finally:
        await channels.close()
        await server.stop(0)


def _alarms(*match_ids: str) -> list[Alarm]:
    return [Alarm(match_id, 1, 0.0, 0) for match_id in match_ids]


async def test_each_match_has_its_own_answer() -> None:
    async with _caller_of(_ROOM) as caller:
        assert await caller.expire(_alarms("due", "early", "gone", "moving")) == [
            Answer(Verdict.EXPIRED),
            Answer(Verdict.EARLY, 1.5),
            Answer(Verdict.GIVEN_UP),
            Answer(Verdict.RETRIED),
        ]


async def test_a_room_of_an_older_build_is_asked_one_by_one() -> None:
    async with _caller_of(_OLDER_ROOM) as caller:
        assert await caller.expire(_alarms("due", "early")) == [
            Answer(Verdict.EXPIRED),
            Answer(Verdict.EARLY, 1.5),
        ]


async def test_without_any_room_all_are_tried_again() -> None:
    caller = RoomCaller(Roster(), Channels(), ())
    assert await caller.expire(_alarms("a", "b")) == [Answer(Verdict.RETRIED)] * 2
