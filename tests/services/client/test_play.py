"""A client's stream over rooms that break it, on a real server."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena_services.client import PlayClient
from arena_services.common import games
from arena_services.common.errors import UnavailableError
from arena_services.common.rpc import Server

BREAKS = 5


class BreakingRoom:
    """Breaks its first streams as soon as something is asked; on the next one the match goes on."""

    def __init__(self) -> None:
        self.left = BREAKS
        self.seen: list[int] = []

    def add_to(self, server: grpc.aio.Server) -> None:
        play = grpc.stream_stream_rpc_method_handler(
            self.play, pb.PlayRequest.FromString, pb.PlayResponse.SerializeToString
        )
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("arena.room.v1.RoomService", {"Play": play}),)
        )

    async def play(
        self, requests: AsyncIterator[pb.PlayRequest], context: Any
    ) -> AsyncIterator[pb.PlayResponse]:
        async for request in requests:
            self.seen.append(request.attach.after_sequence)
            first = pb.Update(sequence=1, reset=True, game=games.hosted()[0].game.name)
            yield pb.PlayResponse(match_id=request.match_id, seat=request.seat, update=first)
            if self.left:
                self.left -= 1
                raise UnavailableError("DRAINING", "This room stops.")
            last = pb.Update(sequence=2, outcome=pb.Outcome(how="test"))
            yield pb.PlayResponse(match_id=request.match_id, seat=request.seat, update=last)


@pytest.fixture
async def server() -> AsyncIterator[tuple[Server, BreakingRoom]]:
    made, room = Server("127.0.0.1:0"), BreakingRoom()
    room.add_to(made.raw)
    await made.start()
    await made.set_ready(True)
    yield made, room
    await made.stop(0)


async def test_broken_streams_leave_nothing_behind_and_nothing_to_read_for_people(
    server: tuple[Server, BreakingRoom],
) -> None:
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    made, room = server

    async with PlayClient((made.address,), "token") as client:
        seat = await client.join("match", 0)
        sequences = [step.sequence async for step in seat.steps()]
        feeding = [task for task in asyncio.all_tasks() if "_consume_request" in repr(task)]
    await asyncio.sleep(0)
    gc.collect()

    assert sequences == [1] * (BREAKS + 1) + [2]
    assert client.reconnects == BREAKS
    assert room.seen == [0] + [1] * BREAKS
    assert not feeding
    assert not complaints
