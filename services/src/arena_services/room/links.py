"""Play streams to other rooms, on behalf of one client's stream: one for each room that has matches of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any, Protocol

import grpc

from arena.room.v1.room_service_pb2 import PlayRequest, PlayResponse
from arena_services.common import tracing
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.errors import UnavailableError
from arena_services.common.roster import Beat
from arena_services.common.tls import Tls
from arena_services.room import metrics
from arena_services.room.forwarding import ROOM_SERVICE, error_in, onward


class Link:
    """A Play stream to another room, on behalf of one client's stream."""

    def __init__(
        self,
        room_id: str,
        channel: grpc.aio.Channel,
        metadata: Metadata,
        take: Callable[[Link, bytes], None],
    ) -> None:
        self.room_id = room_id
        self.is_open = True
        self.task: asyncio.Task[None] | None = None
        """Runs this link."""
        self._take = take
        self._requests: asyncio.Queue[bytes] = asyncio.Queue()
        # Written to, not fed from an iterator: grpc leaves an iterator's task behind when the stream breaks.
        self._stream: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
            f"/{ROOM_SERVICE}/Play", None, None
        )(metadata=metadata)

    def send(self, request: PlayRequest) -> None:
        """Send a request on."""
        metrics.FORWARDED.labels("Play").inc()
        self._requests.put_nowait(request.SerializeToString())

    async def run(self) -> None:
        """Send and receive until the stream ends, however it does."""
        writing = asyncio.create_task(self._write(), name=f"link-write-{self.room_id}")
        try:
            with metrics.LINKS.track_inprogress():
                async for response in self._stream:
                    self._take(self, response)
        except grpc.aio.AioRpcError:
            pass  # whoever opened the link looks for the matches again
        finally:
            self.is_open = False
            writing.cancel()
            self._stream.cancel()

    async def _write(self) -> None:
        try:
            while True:
                await self._stream.write(await self._requests.get())
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the reading end hears of it too


class Peers:
    """The other rooms: channels to them, and all links that are open.

    A room may be dead while its connections are not, paused for example: links to it are cut then.
    """

    def __init__(self, tls: Tls | None = None) -> None:
        self.channels = Channels(tls)
        self._links: set[Link] = set()

    def add(self, link: Link) -> None:
        """Watch over a link."""
        self._links.add(link)

    def discard(self, link: Link) -> None:
        """A link has ended."""
        self._links.discard(link)

    def cut_all_but(self, alive: Collection[str]) -> None:
        """Cut the links to rooms that are not alive."""
        for link in list(self._links):
            if link.room_id not in alive and link.task is not None:
                link.task.cancel()


class Listener(Protocol):
    """Whoever follows matches over links."""

    def take(self, link: Link, raw: bytes, response: PlayResponse) -> None:
        """A response that answers no `Links.ask`, as it came and parsed."""

    def lost(self, link: Link) -> None:
        """A link has ended."""


class Links:
    """The links of one client's stream."""

    __slots__ = (
        "_asked",
        "_context",
        "_last_id",
        "_links",
        "_peers",
        "listener",
    )

    def __init__(self, peers: Peers, context: Any) -> None:
        """`context`: of the client's call, whose token goes with what is sent on."""
        self.listener: Listener
        """Set before the first link is opened."""
        self._peers = peers
        self._context = context
        self._links: dict[str, Link] = {}
        self._asked: dict[int, tuple[Link, asyncio.Future[PlayResponse]]] = {}
        self._last_id = 0

    def to(self, room: Beat) -> Link:
        """The link to a room, opened where there is none."""
        link = self._links.get(room.room_id)
        if link is None or not link.is_open:
            link = Link(
                room.room_id,
                self._peers.channels.to(room.address),
                onward(self._context),
                self._receive,
            )
            self._links[room.room_id] = link
            link.task = asyncio.create_task(self._run(link), name=f"link-{room.room_id}")
        return link

    def next_id(self) -> int:
        """An id for a request on any of the links."""
        self._last_id += 1
        return self._last_id

    async def ask(self, room: Beat, request: PlayRequest) -> PlayResponse:
        """Send a request on under an id of our own, and wait for its answer. Raises what the other room does."""
        onward = PlayRequest()
        onward.CopyFrom(request)
        onward.id = self.next_id()
        onward.traceparent = tracing.traceparent() or request.traceparent
        answer: asyncio.Future[PlayResponse] = asyncio.get_running_loop().create_future()
        link = self.to(room)
        self._asked[onward.id] = link, answer
        link.send(onward)
        try:
            response = await answer
        finally:
            del self._asked[onward.id]
        if response.HasField("error"):
            raise error_in(response.error)
        return response

    def close(self) -> None:
        """End all links."""
        for link in self._links.values():
            if link.task is not None:
                link.task.cancel()

    async def _run(self, link: Link) -> None:
        self._peers.add(link)
        try:
            await link.run()
        finally:
            self._peers.discard(link)
            self._end(link)

    def _end(self, link: Link) -> None:
        if self._links.get(link.room_id) is link:
            del self._links[link.room_id]
        lost = UnavailableError("ROOM_LOST", f"Room {link.room_id} has gone; try again.")
        for asked, answer in self._asked.values():
            if asked is link and not answer.done():
                answer.set_exception(lost)
        self.listener.lost(link)

    def _receive(self, link: Link, raw: bytes) -> None:
        response = PlayResponse.FromString(raw)
        asked = self._asked.get(response.id) if response.id else None
        if asked is None:
            self.listener.take(link, raw, response)
        elif not asked[1].done():
            asked[1].set_result(response)
