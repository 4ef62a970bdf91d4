"""Matches made straight at a room, and the newest of what is seen of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from arena.log.v1.entry_pb2 import Player
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.auth import Metadata, Role, Tokens, bearer
from arena_services.common.games import HostedGame
from arena_services.common.log.subjects import new_match_id

CALL_SECONDS = 20.0
#: Without news for so long a match stands still, though somebody is always awaited.
_SILENT_SECONDS = 120.0
_HOUR = 3600


def metadata_of(tokens: Tokens, player_id: str) -> Metadata:
    """What a person shows."""
    return bearer(tokens.issue(player_id, player_id, Role.PLAYER, _HOUR)[0])


async def create(
    channel: grpc.aio.Channel, tokens: Tokens, hosted: HostedGame, people: list[str]
) -> tuple[str, list[str]]:
    """Make a match of some people; returns its id, and theirs by seat."""
    match_id = new_match_id()
    made = await RoomControlServiceStub(channel).CreateMatch(
        control.CreateMatchRequest(
            match_id=match_id,
            game=hosted.game.name,
            players=[Player(player_id=player_id) for player_id in people],
        ),
        metadata=tokens.service_metadata("hostile"),
        timeout=CALL_SECONDS,
    )
    return match_id, list(made.player_ids)


class Newest:
    """The newest update of a stream."""

    def __init__(self) -> None:
        self.update: pb.Update | None = None
        self._news = asyncio.Event()

    def put(self, update: pb.Update) -> None:
        """Take an update in."""
        self.update = update
        self._news.set()

    async def take(self, seconds: float = _SILENT_SECONDS) -> pb.Update:
        """The newest update, once there is a newer one than before. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            await self._news.wait()
        self._news.clear()
        assert self.update is not None
        return self.update


@asynccontextmanager
async def following(
    channel: grpc.aio.Channel, request: pb.WatchRequest, metadata: Metadata, newest: Newest
) -> AsyncIterator[None]:
    """Follow a match while the block runs."""
    stream = RoomServiceStub(channel).Watch(request, metadata=metadata)

    async def read() -> None:
        async for response in stream:
            if response.HasField("update"):
                newest.put(response.update)

    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(read(), name="watch")
        yield
        reading.cancel()
    stream.cancel()
