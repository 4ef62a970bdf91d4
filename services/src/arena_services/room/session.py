"""One client's Play stream: its requests, answered from wherever their matches are, and what it follows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from functools import cache, partial
from typing import Any, NamedTuple

from arena.room.v1.room_service_pb2 import Acted, PlayRequest, PlayResponse, Targets
from arena_services.common import tracing
from arena_services.common.auth import Caller
from arena_services.common.clock import now_ms
from arena_services.common.errors import ArenaError, InvalidArgumentError
from arena_services.common.limits import Limits
from arena_services.common.roster import Beat
from arena_services.common.rpc import as_arena_error, read_request
from arena_services.room import metrics
from arena_services.room.audience import MOVED
from arena_services.room.commands import Act, Answer, SelectTargets
from arena_services.room.errors import NotOwnerError, error_message
from arena_services.room.following import Attachment, Following
from arena_services.room.forwarding import ROOM_SERVICE, is_forwarded
from arena_services.room.hall import Hall
from arena_services.room.links import Links, Peers
from arena_services.room.routing import answer, ask
from arena_services.room.viewers import Outbox, PlayFraming, Viewer, play_response

#: Requests of one stream that may wait for an answer, and answers that may wait to be read; then it is read no further.
MOST_OPEN = 1024
_PLAY = f"{ROOM_SERVICE}/Play"
_LOOK_AGAIN_SECONDS = 0.05
#: Kept once found: looking labels up costs more than counting.
_request_seconds = cache(metrics.REQUEST_SECONDS.labels)

_FRAMING = PlayFraming()

_Question = Act | SelectTargets


class _Asked(NamedTuple):
    """A request that waits for its answer."""

    request: PlayRequest
    question: _Question
    at: float
    """When it came, by `time.perf_counter`."""
    work: tracing.Work


class Session:
    """What one client's stream follows and asks. Everything it has to say goes into its outbox."""

    __slots__ = (
        "_caller",
        "_following",
        "_hall",
        "_is_closed",
        "_is_finishing",
        "_is_forwarded",
        "_limits",
        "_links",
        "_open",
        "_tasks",
        "_traceparent",
        "outbox",
    )

    def __init__(
        self, hall: Hall, peers: Peers, caller: Caller, limits: Limits, context: Any
    ) -> None:
        """`context`: of the call."""
        self.outbox = Outbox(_FRAMING)
        self._hall = hall
        self._caller = caller
        self._limits = limits
        self._is_forwarded = is_forwarded(context)
        self._traceparent = tracing.incoming(context)
        self._links = Links(peers, context)
        self._following = Following(
            hall, self._links, caller, self, is_forwarded=self._is_forwarded
        )
        self._tasks: dict[asyncio.Task[None], None] = {}  # a set takes thrice as much, empty
        self._open = 0
        self._is_finishing = False
        self._is_closed = False

    async def receive(self, raw: bytes) -> None:
        """Take one `PlayRequest` of the client, waiting first while too much is unanswered or unread."""
        while self._is_crowded():  # noqa: ASYNC110 - rare, and two counters have a say
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        request = PlayRequest()
        try:
            request = read_request(raw, PlayRequest.FromString)
            self._limits.admit(self._caller)
            self._handle(request)
        except Exception as error:
            self._say(request, as_arena_error(error))

    def finish(self) -> None:
        """The client asks no more: the stream ends with the last answer."""
        self._is_finishing = True
        if not self._open:
            self.outbox.close()

    def close(self) -> None:
        """The stream has ended."""
        self._is_closed = True
        self._following.close()
        self._links.close()
        for task in self._tasks:
            task.cancel()
        self.outbox.close()

    def _handle(self, request: PlayRequest) -> None:
        seat = None if request.spectate else request.seat
        match request.WhichOneof("request"):
            case "attach":
                self._following.attach(self._viewer(request, seat))
            case "detach":
                self._following.detach(request.match_id, seat)
                response = _response_to(request)
                response.detached.reason = "DETACHED"
                self._put(response)
            case "act":
                self._ask(request, Act.of(self._caller, request.seat, request.act, now_ms()))
            case "targets":
                selection = request.targets.selection
                self._ask(request, SelectTargets(self._caller, request.seat, selection))
            case _:
                raise InvalidArgumentError(
                    "EMPTY_REQUEST",
                    "The message asks for nothing; it needs attach, detach, act or targets.",
                )

    def _viewer(self, request: PlayRequest, seat: int | None) -> Viewer:
        attach = request.attach
        return Viewer(
            self.outbox,
            _FRAMING,
            request.match_id,
            seat,
            attach.after_sequence,
            attach_id=request.id,
            since_ms=attach.since_ms if self._is_forwarded else 0,
        )

    def _is_crowded(self) -> bool:
        return self._open >= MOST_OPEN or self.outbox.replies >= MOST_OPEN

    def _ask(self, request: PlayRequest, question: _Question) -> None:
        """Ask the match: at once where it is here, otherwise wherever it is found."""
        work = tracing.serve_message(_PLAY, request, self._traceparent)
        asked = _Asked(request, question, time.perf_counter(), work)
        match = self._hall.find(request.match_id)
        with work.held():
            if match is None or match.is_gone:
                self._ask_around(asked)
            else:
                match.submit(question).add_done_callback(partial(self._answered, asked))
        self._open += 1

    def _answered(self, asked: _Asked, done: asyncio.Future[Answer]) -> None:
        said = done.result()
        if isinstance(said, NotOwnerError) and not (self._is_forwarded or self._is_closed):
            self._ask_around(asked)
        else:
            self._close_request(asked, said)

    def _ask_around(self, asked: _Asked) -> None:
        self._spawn(self._search(asked), "ask")

    async def _search(self, asked: _Asked) -> None:
        request, question = asked.request, asked.question
        said: Answer
        try:
            said = await ask(
                self._hall,
                request.match_id,
                lambda match: answer(match, question.again()),
                partial(self._ask_there, request),
                is_forwarded=self._is_forwarded,
            )
        except Exception as error:
            said = as_arena_error(error)
        self._close_request(asked, said)

    async def _ask_there(self, request: PlayRequest, room: Beat) -> Answer:
        with tracing.span("forward Play", None, tracing.Kind.CLIENT, room.room_id):
            response = await self._links.ask(room, request)
        return response.acted if response.HasField("acted") else response.targets

    def _close_request(self, asked: _Asked, said: Answer) -> None:
        self._open -= 1
        kind = asked.request.WhichOneof("request")
        code = said.code.name if isinstance(said, ArenaError) else "OK"
        _request_seconds(kind, code).observe(time.perf_counter() - asked.at)
        asked.work.end(code)
        if self._is_closed:
            return
        self._say(asked.request, said)
        if self._is_finishing and not self._open:
            self.outbox.close()

    def _say(self, request: PlayRequest, said: Answer) -> None:
        response = _response_to(request)
        match said:
            case ArenaError():
                response.error.CopyFrom(error_message(said))
            case Acted():
                response.acted.CopyFrom(said)
            case Targets():
                response.targets.CopyFrom(said)
        self._put(response)

    def _put(self, response: PlayResponse) -> None:
        self.outbox.put(response.SerializeToString())

    def attach_failed(self, attachment: Attachment, error: ArenaError) -> None:
        """See `following.Client`."""
        viewer = attachment.viewer
        response = play_response(viewer.match_id, viewer.seat)
        if viewer.is_served:
            response.detached.reason = MOVED
            response.detached.attach_id = viewer.attach_id
        else:
            response.id = viewer.attach_id
            response.error.CopyFrom(error_message(error))
        self._put(response)

    def attach_ended(self, attachment: Attachment, reason: str) -> None:
        """See `following.Client`."""
        attachment.viewer.say_detached(reason)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._tasks.pop)


def _response_to(request: PlayRequest) -> PlayResponse:
    return PlayResponse(
        id=request.id, match_id=request.match_id, seat=request.seat, spectate=request.spectate
    )
