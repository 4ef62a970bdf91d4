"""A client of one room that keeps every byte it is sent: responses, statuses, headers and trailers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message

from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.auth import Metadata

ROOM = "/arena.room.v1.RoomService/"
CHAT = "/arena.room.v1.ChatService/"


@dataclass(frozen=True)
class Heard:
    """Something a client was sent."""

    call: str
    seat: int | None
    """Whose client it is; None for somebody without a seat."""
    sequence: int
    """The match's sequence when it was sent: what was known then may be in it."""
    data: bytes
    response: Message | None
    asked: Message | None
    """The request that it answers: what that names tells nobody anything."""


class Ears:
    """All that the clients of one match hear, and the match's present sequence."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.heard: list[Heard] = []
        self.sequence = 1
        self._channel = channel

    def keep(
        self,
        call: str,
        seat: int | None,
        data: bytes,
        response: Message | None = None,
        asked: Message | None = None,
        sequence: int | None = None,
    ) -> None:
        """Keep what was heard."""
        if data:
            at = self.sequence if sequence is None else sequence
            self.heard.append(Heard(call, seat, at, data, response, asked))

    async def ask(
        self,
        call: str,
        who: Metadata,
        seat: int | None,
        request: Message,
        kind: type[Message],
        asked: Message | None = None,
    ) -> Any:
        """A unary call; None where it was refused."""
        made: Any = self._channel.unary_unary(
            call, request_serializer=type(request).SerializeToString
        )
        answer = made(request, metadata=who, timeout=20)
        try:
            data = await answer
        except grpc.aio.AioRpcError as error:
            self.keep(call, seat, _status(error), asked=asked)
            return None
        response = kind.FromString(data)
        self.keep(call, seat, data, response, asked)
        self.keep(call, seat, _metadata(await answer.initial_metadata()))
        self.keep(call, seat, _metadata(await answer.trailing_metadata()))
        return response

    async def listen(
        self, call: str, who: Metadata, seat: int | None, request: Message, kind: type[Message]
    ) -> AsyncIterator[Any]:
        """The responses of a streaming call, to its end, however that comes."""
        made: Any = self._channel.unary_stream(
            call, request_serializer=type(request).SerializeToString
        )
        stream = made(request, metadata=who)
        try:
            async for data in stream:
                response = kind.FromString(data)
                self.keep(call, seat, data, response, sequence=_sequence_of(response))
                yield response
        except grpc.aio.AioRpcError as error:
            self.keep(call, seat, _status(error))
        finally:
            stream.cancel()


class PlayEar:
    """A Play stream of one person, with requests that are answered one at a time."""

    def __init__(self, ears: Ears, channel: grpc.aio.Channel, who: Metadata) -> None:
        self._ears = ears
        self._requests: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        self._answers: asyncio.Queue[pb.PlayResponse] = asyncio.Queue()
        self.updates: asyncio.Queue[pb.Update] = asyncio.Queue()
        self._asked: dict[int, Message] = {}
        self._stream: Any = channel.stream_stream(
            ROOM + "Play", request_serializer=pb.PlayRequest.SerializeToString
        )(self._outgoing(), metadata=who)
        self._reading = asyncio.create_task(self._read(), name="play-ear")

    async def ask(self, request: pb.PlayRequest, asked: Message | None = None) -> pb.PlayResponse:
        """The answer to a request."""
        request.id = len(self._asked) + 1
        self._asked[request.id] = asked or request
        self._requests.put_nowait(request)
        async with asyncio.timeout(20):
            return await self._answers.get()

    def tell(self, request: pb.PlayRequest) -> None:
        """Send a request that is answered by updates."""
        self._requests.put_nowait(request)

    async def close(self) -> None:
        """End the stream once all is read."""
        self._requests.put_nowait(None)
        async with asyncio.timeout(20):
            await self._reading

    async def _outgoing(self) -> AsyncIterator[pb.PlayRequest]:
        while (request := await self._requests.get()) is not None:
            yield request

    async def _read(self) -> None:
        async for data in self._stream:
            response = pb.PlayResponse.FromString(data)
            seat = None if response.spectate else response.seat
            asked = self._asked.get(response.id) if response.id else None
            at = _sequence_of(response)
            self._ears.keep(ROOM + "Play", seat, data, response, asked, at)
            if response.id:
                self._answers.put_nowait(response)
            elif response.HasField("update"):
                self.updates.put_nowait(response.update)


class WatchEar:
    """A Watch stream of a seat, or of a spectator."""

    def __init__(
        self, ears: Ears, who: Metadata, match_id: str, seat: int | None, after_sequence: int = 0
    ) -> None:
        request = pb.WatchRequest(match_id=match_id, seat=seat, after_sequence=after_sequence)
        self.updates: asyncio.Queue[pb.Update] = asyncio.Queue()
        self._responses = ears.listen(ROOM + "Watch", who, seat, request, pb.WatchResponse)
        self._reading = asyncio.create_task(self._read(), name="watch-ear")

    async def close(self) -> None:
        """Listen no longer."""
        self._reading.cancel()
        await asyncio.wait((self._reading,))

    async def _read(self) -> None:
        async for response in self._responses:
            if response.HasField("update"):
                self.updates.put_nowait(response.update)


def _sequence_of(response: Any) -> int | None:
    is_update = "update" in response.DESCRIPTOR.fields_by_name and response.HasField("update")
    return int(response.update.sequence) if is_update else None


def _status(error: grpc.aio.AioRpcError) -> bytes:
    """All that a client learns from a failure."""
    metadata = _metadata(error.initial_metadata()), _metadata(error.trailing_metadata())
    return b"\n".join((str(error.code()).encode(), (error.details() or "").encode(), *metadata))


def _metadata(pairs: Iterable[tuple[str, str | bytes]] | None) -> bytes:
    """Headers, or trailers, as they came."""
    values = (value if isinstance(value, bytes) else value.encode() for _, value in pairs or ())
    return b"\n".join(values)
