"""One Play stream to any room, opened anew on another whenever it ends."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import grpc

from arena.room.v1.room_service_pb2 import PlayRequest, PlayResponse
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.bot.metrics import LINK_UP
from arena_services.common import logs
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.roster import BEAT_SECONDS, Beat, Roster

_CONNECT_SECONDS = 3.0
_RETRY_SECONDS = 0.25

_Call = grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]

_log = logs.get()


class _Ended(Exception):  # noqa: N818 - not an error: it ends the stream's task group
    """The stream is over."""


class Link:
    """A stream that is there most of the time. What is sent while it is not is lost."""

    def __init__(self, rooms: Roster, channels: Channels, metadata: Metadata) -> None:
        self._rooms = rooms
        self._channels = channels
        self._metadata = metadata
        self._requests: asyncio.Queue[PlayRequest] | None = None

    @property
    def is_up(self) -> bool:
        """Whether a stream is open."""
        return self._requests is not None

    def send(self, request: PlayRequest) -> None:
        """Send a request, if the stream is open."""
        if self._requests is not None:
            self._requests.put_nowait(request)

    async def run(self, opened: Callable[[], None], heard: Callable[[PlayResponse], None]) -> None:
        """Keep a stream open for ever.

        `opened` is called for each new stream: nothing that was asked before counts. `heard` with each message.
        """
        left = ""
        while True:
            while (room := self._rooms.pick(avoid=(left,))) is None:
                await self._rooms.wait_for_any()
            left = room.room_id
            why = await self._play(room, opened, heard)
            _log.info("play stream ended", room_id=room.room_id, why=why)
            await asyncio.sleep(_RETRY_SECONDS * random.uniform(0.5, 1.5))

    async def _play(
        self, room: Beat, opened: Callable[[], None], heard: Callable[[PlayResponse], None]
    ) -> str:
        """One stream from opening to end; returns why it ended."""
        call = RoomServiceStub(self._channels.to(room.address)).Play(metadata=self._metadata)
        why: list[str] = []
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                await call.wait_for_connection()
            self._requests = asyncio.Queue()
            LINK_UP.set(1)
            _log.info("play stream open", room_id=room.room_id)
            opened()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_read(call, heard), name="play-read")
                tasks.create_task(_write(call, self._requests), name="play-write")
                tasks.create_task(self._leave_dead(call, room), name="play-watch")
        except* (_Ended, grpc.aio.AioRpcError, TimeoutError) as group:
            why = _reasons(group)
        finally:
            self._requests = None
            LINK_UP.set(0)
            call.cancel()
        if (task := asyncio.current_task()) is not None and task.cancelling():
            raise asyncio.CancelledError  # a task group that fails while it is cancelled drops that
        return "; ".join(why)

    async def _leave_dead(self, call: _Call, room: Beat) -> None:
        """Give up a room that no longer beats while others do: its connection alone may not tell for long."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if call.done():
                raise _Ended("ended unread")
            if self._rooms.alive() and self._rooms.find(room.room_id) is None:
                raise _Ended("the room is silent")


async def _read(call: _Call, heard: Callable[[PlayResponse], None]) -> None:
    """Hand messages on until the stream ends."""
    async for response in call:
        heard(response)
    raise _Ended("closed by the room")


async def _write(call: _Call, requests: asyncio.Queue[PlayRequest]) -> None:
    """Write requests as they come."""
    while True:
        request = await requests.get()
        try:
            await call.write(request)
        except asyncio.InvalidStateError as error:
            raise _Ended("closed while writing") from error


def _reasons(error: BaseException) -> list[str]:
    """Each reason of a group in words."""
    if isinstance(error, BaseExceptionGroup):
        return [reason for inner in error.exceptions for reason in _reasons(inner)]
    if isinstance(error, grpc.aio.AioRpcError):
        return [f"{error.code().name}: {error.details()}"]
    return [str(error) or type(error).__name__]
