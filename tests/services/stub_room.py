"""A room that answers nothing, for tests to fill in what they ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceServicer


class StubRoom(RoomServiceServicer):
    """Answers every call with an empty message; its streams end at once."""

    async def Play(self, request_iterator: Any, context: Any) -> AsyncIterator[Any]:
        async for _ in request_iterator:
            yield pb.PlayResponse()

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[Any]:
        yield pb.WatchResponse()

    async def Act(self, request: Any, context: Any) -> Any:
        return pb.ActResponse()

    async def Targets(self, request: Any, context: Any) -> Any:
        return pb.TargetsResponse()

    async def ListMyMatches(self, request: Any, context: Any) -> Any:
        return pb.ListMyMatchesResponse()

    async def Replay(self, request: Any, context: Any) -> AsyncIterator[Any]:
        yield pb.ReplayResponse()
