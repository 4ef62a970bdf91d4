"""Streams to clients: what waits to be sent on each, and who on it watches what.

Matches and sessions put messages in and never wait; the stream's handler takes them out as fast as the client reads.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from arena.log.v1 import chat_pb2
from arena.room.v1.room_service_pb2 import (
    ChatLine,
    Detached,
    Heartbeat,
    PlayResponse,
    Update,
    WatchResponse,
)
from arena_services.common.clock import now_ms
from arena_services.common.encoding import length_tag, varint
from arena_services.common.errors import ArenaError
from arena_services.room import metrics
from arena_services.room.updates import Moment

#: Updates that may wait for one viewer before it counts as too slow.
MOST_WAITING = 128
#: How often streams are looked at, and after how many looks one that says nothing says so.
TICK_SECONDS = 1.0
_TURNS = 16
HEARTBEAT_TICKS = 15
TOO_SLOW = "TOO_SLOW"


class Outbox:
    """Messages of one stream, in order, until its client has read them."""

    __slots__ = (
        "_failure",
        "_framing",
        "_is_closed",
        "_quiet",
        "_reader",
        "_stale",
        "_waiting",
        "replies",
    )

    def __init__(self, framing: Framing) -> None:
        self.replies = 0
        """Messages that wait and are nobody's updates."""
        self._waiting: deque[tuple[bytes, Viewer | None]] | tuple[()] = ()
        self._stale = 0
        self._reader: asyncio.Future[None] | None = None
        self._is_closed = False
        self._failure: ArenaError | None = None
        self._framing = framing
        self._quiet = 0

    @property
    def size(self) -> int:
        """How many messages are kept, those included that will not be sent any more."""
        return len(self._waiting)

    def put(self, message: bytes, viewer: Viewer | None = None) -> None:
        """Queue a message; after `close` nothing more is said."""
        if self._is_closed:
            return
        if not self._waiting:
            self._waiting = deque()  # made anew when needed: an empty one takes 700 bytes
        self._waiting.append((message, viewer))
        if viewer is None:
            self.replies += 1
        self._quiet = 0
        self._wake()

    async def take(self) -> bytes | None:
        """The next message; None at the stream's end. Raises what `close` was given, once all is taken."""
        while True:
            while not self._waiting:
                if self._is_closed:
                    if self._failure is not None:
                        raise self._failure
                    return None
                self._reader = asyncio.get_running_loop().create_future()
                await self._reader
            message, viewer = self._waiting.popleft()
            if not self._waiting:
                self._waiting = ()
            if viewer is None:
                self.replies -= 1
            elif viewer.is_gone:
                self._stale -= 1
                continue
            else:
                viewer.waiting -= 1
            return message

    def close(self, failure: ArenaError | None = None) -> None:
        """Take nothing more; the stream ends when what waits has been read."""
        self._is_closed = True
        self._failure = failure
        self._wake()

    def forget(self, viewer: Viewer) -> None:
        """Drop what waits for a viewer, who is sent nothing more."""
        viewer.is_gone = True
        self._stale += viewer.waiting
        viewer.waiting = 0
        # Cleared away once there is as much of it as of the rest: each message is then looked at a few times at most.
        if self._stale > max(MOST_WAITING, len(self._waiting) // 2):
            self._waiting = deque(
                each for each in self._waiting if each[1] is None or not each[1].is_gone
            )
            self._stale = 0

    def tick(self) -> None:
        """Say that the stream lives, where nothing else has been said for `HEARTBEAT_TICKS`."""
        self._quiet += 1
        if self._quiet >= HEARTBEAT_TICKS and not self._waiting:
            self.put(self._framing.heartbeat())

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


class Outboxes:
    """Those of all open streams. One clock for all: a timer for each would cost as much memory as what it beats for."""

    def __init__(self) -> None:
        self._open: set[Outbox] = set()

    def add(self, outbox: Outbox) -> None:
        """A stream has begun."""
        self._open.add(outbox)

    def discard(self, outbox: Outbox) -> None:
        """A stream has ended."""
        self._open.discard(outbox)

    def close_all(self, failure: ArenaError) -> None:
        """Have all streams end."""
        for outbox in self._open:
            outbox.close(failure)

    async def run(self) -> None:
        """Keep streams without news alive."""
        while True:
            opened = list(self._open)
            for turn in range(_TURNS):  # thousands of them at once would hold up moves
                await asyncio.sleep(TICK_SECONDS / _TURNS)
                for outbox in opened[turn::_TURNS]:
                    outbox.tick()


class Framing(Protocol):
    """How a stream's responses are framed."""

    def update(self, viewer: Viewer) -> tuple[bytes, bytes]:
        """What goes before an update's length: the fields that precede it, and its tag."""

    def passed_on(self, response: bytes, update: Update) -> bytes:
        """The update of another room's Play response, given as it came and parsed."""

    def detached(self, viewer: Viewer, reason: str) -> bytes:
        """The message that ends a viewer's updates."""

    def chat(self, viewer: Viewer, line: ChatLine) -> bytes:
        """The message that tells what was said."""

    def heartbeat(self) -> bytes:
        """A sign of life."""


class PlayFraming:
    """Responses of a Play stream."""

    _TAG = length_tag(PlayResponse.UPDATE_FIELD_NUMBER)

    def update(self, viewer: Viewer) -> tuple[bytes, bytes]:
        """See `Framing`."""
        return play_response(viewer.match_id, viewer.seat).SerializeToString(), self._TAG

    def passed_on(self, response: bytes, update: Update) -> bytes:
        """See `Framing`. The same fields in the same message: nothing to do."""
        return response

    def detached(self, viewer: Viewer, reason: str) -> bytes:
        """See `Framing`."""
        response = play_response(viewer.match_id, viewer.seat)
        response.detached.reason = reason
        response.detached.attach_id = viewer.attach_id
        return response.SerializeToString()

    def chat(self, viewer: Viewer, line: ChatLine) -> bytes:
        """See `Framing`."""
        response = play_response(viewer.match_id, viewer.seat)
        response.chat.CopyFrom(line)
        return response.SerializeToString()

    def heartbeat(self) -> bytes:
        """See `Framing`."""
        return PlayResponse(heartbeat=Heartbeat(time_ms=now_ms())).SerializeToString()


class WatchFraming:
    """Responses of a Watch stream."""

    _TAG = length_tag(WatchResponse.UPDATE_FIELD_NUMBER)

    def update(self, viewer: Viewer) -> tuple[bytes, bytes]:
        """See `Framing`."""
        return b"", self._TAG

    def passed_on(self, response: bytes, update: Update) -> bytes:
        """See `Framing`."""
        return WatchResponse(update=update).SerializeToString()

    def detached(self, viewer: Viewer, reason: str) -> bytes:
        """See `Framing`."""
        return WatchResponse(detached=Detached(reason=reason)).SerializeToString()

    def chat(self, viewer: Viewer, line: ChatLine) -> bytes:
        """See `Framing`."""
        return WatchResponse(chat=line).SerializeToString()

    def heartbeat(self) -> bytes:
        """See `Framing`."""
        return WatchResponse(heartbeat=Heartbeat(time_ms=now_ms())).SerializeToString()


def shown_line(line: chat_pb2.ChatLine) -> ChatLine:
    """What was said, as it is shown."""
    return ChatLine(number=line.number, time_ms=line.time_ms, seat=line.seat, text=line.text)


def play_response(match_id: str, seat: int | None) -> PlayResponse:
    """A response about one viewer's match and seat, with nothing said yet."""
    return PlayResponse(match_id=match_id, seat=seat or 0, spectate=seat is None)


class Viewer:
    """One seat, or a spectator, that follows one match on one stream."""

    __slots__ = (
        "_before",
        "_framing",
        "_outbox",
        "_tag",
        "after_sequence",
        "attach_id",
        "is_again",
        "is_gone",
        "is_served",
        "match_id",
        "seat",
        "since_ms",
        "waiting",
    )

    def __init__(
        self,
        outbox: Outbox,
        framing: Framing,
        match_id: str,
        seat: int | None,
        after_sequence: int,
        *,
        attach_id: int = 0,
        since_ms: int = 0,
    ) -> None:
        """`since_ms`: when the client attached, where another room attaches it anew; 0 where it does so itself."""
        self.match_id = match_id
        self.seat = seat
        """None for a spectator."""
        self.after_sequence = after_sequence
        """The last sequence that went out, or that the client said it has seen."""
        self.attach_id = attach_id
        """Id of the request that attached it; 0 on streams without requests."""
        self.is_again = bool(since_ms)
        """A room attaches it anew, unasked: that makes it no newer."""
        self.since_ms = since_ms or now_ms()
        """When its client attached, by the clock of the room that it asked."""
        self.waiting = 0
        """Updates that wait in the outbox."""
        self.is_served = False
        """An update has gone out."""
        self.is_gone = False
        """Whoever watched wants nothing more."""
        self._outbox = outbox
        self._framing = framing
        self._before, self._tag = framing.update(self)

    def push(self, moment: Moment, remaining: bytes) -> bool:
        """Queue an update; False, and nothing queued, for a viewer that is too slow."""
        update = moment.for_viewer(self.seat, remaining)
        message = b"".join((self._before, self._tag, varint(len(update)), update))
        return self._queue(message, moment.sequence)

    def pass_on(self, response: bytes, update: Update) -> bool:
        """Queue the update of another room's Play response, as `push` does."""
        return self._queue(self._framing.passed_on(response, update), update.sequence)

    def _queue(self, message: bytes, sequence: int) -> bool:
        if self.waiting >= MOST_WAITING:
            metrics.VIEWERS_CUT.inc()
            return False
        self._outbox.put(message, self)
        self.waiting += 1
        self.after_sequence = sequence
        self.is_served = True
        return True

    def say(self, line: ChatLine) -> None:
        """Queue what was said. One that is too slow goes without: its client sees the gap and lists the lines."""
        if self.waiting < MOST_WAITING and not self.is_gone:
            self._outbox.put(self._framing.chat(self, line), self)
            self.waiting += 1

    def withdraw(self) -> None:
        """Send this viewer nothing more, of what waits for it neither."""
        self._outbox.forget(self)

    def say_detached(self, reason: str) -> None:
        """Queue the message that ends this viewer's updates; what waits is dropped if it was too slow."""
        if reason == TOO_SLOW:
            self._outbox.forget(self)
        self._outbox.put(self._framing.detached(self, reason))
