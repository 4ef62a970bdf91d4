"""The public API of matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

import grpc

from arena.room.v1.room_service_pb2 import (
    ActRequest,
    ActResponse,
    ListMyMatchesRequest,
    ListMyMatchesResponse,
    ReplayRequest,
    TargetsRequest,
    TargetsResponse,
    WatchRequest,
)
from arena_services.common.auth import Caller, Role
from arena_services.common.clock import now_ms
from arena_services.common.errors import ArenaError
from arena_services.common.limits import Gate
from arena_services.common.roster import Beat
from arena_services.room.commands import Act, SelectTargets
from arena_services.room.errors import DrainingError, NoCapableRoomError
from arena_services.room.following import Attachment, Following
from arena_services.room.forwarding import (
    ROOM_SERVICE,
    forward,
    forward_stream,
    is_forwarded,
    onward,
)
from arena_services.room.hall import Hall
from arena_services.room.library import Library
from arena_services.room.links import Links, Peers
from arena_services.room.routing import answer, ask
from arena_services.room.session import Session
from arena_services.room.viewers import Outbox, Outboxes, Viewer, WatchFraming

#: Reading logs costs as much as so many moves.
_LIBRARY_WEIGHT = 20.0
_WATCH_FRAMING = WatchFraming()


class RoomServicer:
    """Serves `arena.room.v1.RoomService`. Responses of streams are serialized by whoever makes them."""

    def __init__(
        self, hall: Hall, library: Library, peers: Peers, gate: Gate, outboxes: Outboxes
    ) -> None:
        self._hall = hall
        self._library = library
        self._peers = peers
        self._gate = gate
        self._outboxes = outboxes

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register with a server."""
        handlers: dict[str, Any] = {
            "Play": grpc.stream_stream_rpc_method_handler(self.play),
            "Watch": grpc.unary_stream_rpc_method_handler(
                self.watch, request_deserializer=WatchRequest.FromString
            ),
            "Act": grpc.unary_unary_rpc_method_handler(
                self.act,
                request_deserializer=ActRequest.FromString,
                response_serializer=ActResponse.SerializeToString,
            ),
            "Targets": grpc.unary_unary_rpc_method_handler(
                self.targets,
                request_deserializer=TargetsRequest.FromString,
                response_serializer=TargetsResponse.SerializeToString,
            ),
            "ListMyMatches": grpc.unary_unary_rpc_method_handler(
                self.list_my_matches,
                request_deserializer=ListMyMatchesRequest.FromString,
                response_serializer=ListMyMatchesResponse.SerializeToString,
            ),
            "Replay": grpc.unary_stream_rpc_method_handler(
                self.replay, request_deserializer=ReplayRequest.FromString
            ),
        }
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(ROOM_SERVICE, handlers),)
        )

    async def play(self, _: AsyncIterator[bytes], context: Any) -> AsyncGenerator[bytes, None]:
        """See the proto."""
        caller = self._gate.admit(context)
        with self._gate.limits.stream(caller):
            session = Session(self._hall, self._peers, caller, self._gate.limits, context)
            reading = asyncio.create_task(_read(context, session), name=f"play-{caller.player_id}")
            try:
                self._open(session.outbox)
                while (message := await session.outbox.take()) is not None:
                    yield message
                    del message  # the next one may be long in coming
            finally:
                self._outboxes.discard(session.outbox)
                reading.cancel()
                session.close()

    async def watch(self, request: WatchRequest, context: Any) -> AsyncGenerator[bytes, None]:
        """See the proto."""
        caller = self._gate.admit(context)
        with self._gate.limits.stream(caller):
            watch = _Watch(self._hall, self._peers, caller, context)
            try:
                self._open(watch.outbox)
                watch.begin(request)
                while (message := await watch.outbox.take()) is not None:
                    yield message
                    del message  # the next one may be long in coming
            finally:
                self._outboxes.discard(watch.outbox)
                watch.close()

    async def act(self, request: ActRequest, context: Any) -> ActResponse:
        """See the proto."""
        act = Act.of(self._gate.admit(context), request.seat, request.act, now_ms())
        said = await self._ask(request, act, "Act", ActResponse, context)
        return said if isinstance(said, ActResponse) else ActResponse(acted=said)

    async def targets(self, request: TargetsRequest, context: Any) -> TargetsResponse:
        """See the proto."""
        select = SelectTargets(self._gate.admit(context), request.seat, request.select.selection)
        said = await self._ask(request, select, "Targets", TargetsResponse, context)
        return said if isinstance(said, TargetsResponse) else TargetsResponse(targets=said)

    async def list_my_matches(
        self, request: ListMyMatchesRequest, context: Any
    ) -> ListMyMatchesResponse:
        """See the proto."""
        caller = self._gate.admit(context, _LIBRARY_WEIGHT).require(Role.PLAYER)
        return await self._library.matches_of(caller.player_id, request)

    async def replay(self, request: ReplayRequest, context: Any) -> AsyncGenerator[bytes, None]:
        """See the proto."""
        caller = self._gate.admit(context, _LIBRARY_WEIGHT)
        with self._gate.limits.stream(caller):
            try:
                async with aclosing(self._library.replay(request)) as responses:
                    async for response in responses:
                        yield response
            except NoCapableRoomError as error:
                if is_forwarded(context):
                    raise
                async with aclosing(self._replay_there(request, error, context)) as responses:
                    async for response in responses:
                        yield response

    def _replay_there(
        self, request: ReplayRequest, error: NoCapableRoomError, context: Any
    ) -> AsyncGenerator[bytes, None]:
        """A replay by a room that plays by the match's rules. Raises `NoCapableRoomError` where there is none."""
        room = self._hall.succession.choose(request.match_id, error.game, error.rules_version)
        return forward_stream(
            self._peers.channels, room, ROOM_SERVICE, "Replay", request, onward(context)
        )

    def end_streams(self) -> None:
        """Have all streams end and their clients go on through other rooms."""
        self._outboxes.close_all(DrainingError())

    def _open(self, outbox: Outbox) -> None:
        if self._hall.is_draining:
            raise DrainingError
        self._outboxes.add(outbox)

    async def _ask(
        self, request: Any, question: Act | SelectTargets, method: str, response: Any, context: Any
    ) -> Any:
        metadata = onward(context)

        async def there(room: Beat) -> Any:
            return await forward(
                self._peers.channels, room, ROOM_SERVICE, method, request, response, metadata
            )

        return await ask(
            self._hall,
            request.match_id,
            lambda match: answer(match, question.again()),
            there,
            is_forwarded=is_forwarded(context),
        )


async def _read(context: Any, session: Session) -> None:
    """Take what a client asks until it asks no more."""
    # Read from the call itself: gRPC's iterator over requests costs each stream a kilobyte more.
    while (request := await context.read()) is not grpc.aio.EOF:
        await session.receive(request)
    session.finish()


class _Watch:
    """One Watch stream: one viewer of one match."""

    def __init__(self, hall: Hall, peers: Peers, caller: Caller, context: Any) -> None:
        self.outbox = Outbox(_WATCH_FRAMING)
        self._links = Links(peers, context)
        self._following = Following(
            hall, self._links, caller, self, is_forwarded=is_forwarded(context)
        )

    def begin(self, request: WatchRequest) -> None:
        """Start following."""
        seat = request.seat if request.HasField("seat") else None
        self._following.attach(
            Viewer(self.outbox, _WATCH_FRAMING, request.match_id, seat, request.after_sequence)
        )

    def close(self) -> None:
        """The stream has ended."""
        self._following.close()
        self._links.close()
        self.outbox.close()

    def attach_failed(self, _: Attachment, error: ArenaError) -> None:
        """See `following.Client`."""
        self.outbox.close(error)

    def attach_ended(self, attachment: Attachment, reason: str) -> None:
        """See `following.Client`."""
        attachment.viewer.say_detached(reason)
        self.outbox.close()
