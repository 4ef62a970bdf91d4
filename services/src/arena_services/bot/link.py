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
        async with asyncio.TaskGroup() as tasks:
            while True:
                room = await self._rooms.picked(avoid=(left,))
                left = room.room_id
                call = RoomServiceStub(self._channels.to(room.address)).Play(
                    metadata=self._metadata
                )
                try:
                    why = await _connect(call) or await self._play(tasks, call, room, opened, heard)
                finally:
                    call.cancel()
                _log.info("play stream ended", room_id=room.room_id, why=why)
                await asyncio.sleep(_RETRY_SECONDS * random.uniform(0.5, 1.5))

    async def _play(
        self,
        tasks: asyncio.TaskGroup,
        call: _Call,
        room: Beat,
        opened: Callable[[], None],
        heard: Callable[[PlayResponse], None],
    ) -> str:
        """Use one stream until it ends; returns why it did."""
        self._requests = asyncio.Queue()
        LINK_UP.set(1)
        _log.info("play stream open", room_id=room.room_id)
        opened()
        parts = (
            tasks.create_task(_read(call, heard), name="play-read"),
            tasks.create_task(_write(call, self._requests), name="play-write"),
            tasks.create_task(self._watch(call, room), name="play-watch"),
        )
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            return "; ".join(part.result() for part in done if not part.cancelled())
        finally:
            self._requests = None
            LINK_UP.set(0)
            for part in parts:
                part.cancel()

    async def _watch(self, call: _Call, room: Beat) -> str:
        """Give up a room that no longer beats while others do: its connection alone may not tell for long."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if call.done():
                return "ended unread"
            if self._rooms.alive() and self._rooms.find(room.room_id) is None:
                return "the room is silent"


async def _connect(call: _Call) -> str:
    """Wait until a stream is open; returns why it is not, or nothing."""
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            await call.wait_for_connection()
    except TimeoutError:
        return "no connection in time"
    except grpc.aio.AioRpcError as error:
        return _reason(error)
    return ""


async def _read(call: _Call, heard: Callable[[PlayResponse], None]) -> str:
    """Hand messages on until the stream ends; returns why it did."""
    try:
        async for response in call:
            heard(response)
    except grpc.aio.AioRpcError as error:
        return _reason(error)
    return "closed by the room"


async def _write(call: _Call, requests: asyncio.Queue[PlayRequest]) -> str:
    """Write requests as they come until the stream ends; returns why it did."""
    try:
        while True:
            await call.write(await requests.get())
    except grpc.aio.AioRpcError as error:
        return _reason(error)
    except asyncio.InvalidStateError:
        return "closed while writing"


def _reason(error: grpc.aio.AioRpcError) -> str:
    return f"{error.code().name}: {error.details()}"
