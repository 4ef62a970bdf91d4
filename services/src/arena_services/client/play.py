"""One Play stream for all of a client's seats, kept alive over whatever room answers.

When a stream ends, the next room is asked: seats attach again behind the last sequence they saw, and requests that are
still open are sent again under their old keys, so that none is carried out twice.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn, Self

import grpc

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.client.errors import (
    LASTING_CODES,
    ClientError,
    RefusedError,
    UnreachableError,
)
from arena_services.client.seat import SPECTATOR, Seat
from arena_services.common.auth import bearer
from arena_services.common.channels import Channels, open_channel
from arena_services.common.pauses import Pauses

_SESSION_BYTES = 16
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 1.0
_RESEND_SECONDS = 0.2
_UNAVAILABLE = grpc.StatusCode.UNAVAILABLE.value[0]
#: Worth another try a little later.
_BUSY_REASONS = frozenset({"TOO_BUSY", "TOO_MANY_REQUESTS"})
_ABORTED = grpc.StatusCode.ABORTED.value[0]
#: Detached for these reasons, a viewer may attach again.
_PASSING_REASONS = frozenset({"TOO_SLOW", "MOVED"})
#: These say what the viewer knows already.
_EXPECTED_REASONS = frozenset({"DETACHED", "FINISHED"})
_SENTENCES = {"SEAT_TAKEN_ELSEWHERE": "Your seat was taken up on another device."}

_SeatKey = tuple[str, int]
_Call = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]


@dataclass
class _Open:
    """A request that waits for its answer."""

    request: pb.PlayRequest
    answer: asyncio.Future[pb.PlayResponse]


class PlayClient:
    """A player's connection to the rooms.

    Args:
        rooms: Addresses, host:port; any answers for any match.
        token: From `Lobby.sign_in`.
        patience_seconds: How long nobody may answer before everything fails with `UnreachableError`.
        open_to: Opens the channel to an address.
    """

    def __init__(
        self,
        rooms: Sequence[str],
        token: str,
        patience_seconds: float = 60.0,
        open_to: Callable[[str], grpc.aio.Channel] = open_channel,
    ) -> None:
        self.reconnects = 0
        """How often the stream had to be opened anew."""
        self._rooms = itertools.cycle(rooms)
        self._metadata = bearer(token)
        self._patience_seconds = patience_seconds
        self._session = secrets.token_bytes(_SESSION_BYTES)
        self._ids = itertools.count(1)
        self._seats: dict[_SeatKey, Seat] = {}
        self._open: dict[int, _Open] = {}
        self._attaching: dict[int, Seat] = {}
        self._joined: dict[_SeatKey, asyncio.Future[Seat]] = {}
        self._outgoing: asyncio.Queue[pb.PlayRequest] = asyncio.Queue()
        self._channels = Channels(open_plain=open_to)
        self._running: asyncio.Task[None] | None = None
        self._failure: ClientError | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run(), name="play-stream")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait((self._running,))
        self._fail_all(UnreachableError("The connection was closed."))
        await self._channels.close()

    async def join(self, match_id: str, seat: int) -> Seat:
        """Attach to a seat and wait for its first snapshot. Raises `RefusedError` or `UnreachableError`."""
        if self._failure is not None:
            raise self._failure
        key = (match_id, seat)
        made = self._seats[key] = Seat(match_id, seat, self._session, self._ask)
        joined: asyncio.Future[Seat] = asyncio.get_running_loop().create_future()
        self._joined[key] = joined
        self._attach(made)
        return await joined

    async def spectate(self, match_id: str) -> Seat:
        """As `join`, as a spectator."""
        return await self.join(match_id, SPECTATOR)

    def forget(self, seat: Seat) -> None:
        """Stop following a seat."""
        if self._seats.pop((seat.match_id, seat.number), None) is not None:
            self._outgoing.put_nowait(_addressed(pb.PlayRequest(detach=pb.Detach()), seat))

    def _attach(self, seat: Seat) -> None:
        request = _addressed(
            pb.PlayRequest(attach=pb.Attach(after_sequence=seat.sequence)), seat, next(self._ids)
        )
        self._attaching[request.id] = seat
        self._outgoing.put_nowait(request)

    async def _ask(self, seat: Seat, request: pb.PlayRequest) -> pb.PlayResponse:
        """Send a request until it is answered."""
        if self._failure is not None:
            raise self._failure
        request = _addressed(request, seat, next(self._ids))
        answer: asyncio.Future[pb.PlayResponse] = asyncio.get_running_loop().create_future()
        self._open[request.id] = _Open(request, answer)
        self._outgoing.put_nowait(request)
        try:
            async with asyncio.timeout(self._patience_seconds):
                return await answer
        except TimeoutError:
            raise UnreachableError(
                f"No room answered a request for {self._patience_seconds:g} s; its fate is unknown."
            ) from None
        finally:
            del self._open[request.id]

    async def _run(self) -> None:
        """Keep a stream open; whoever waits for something hears when that is over."""
        try:
            await self._keep_open()
        except ClientError as error:
            self._fail_all(error)
        except Exception as error:
            self._fail_all(ClientError(f"The connection failed: {error!r}."))

    async def _keep_open(self) -> NoReturn:
        """Open one stream after another until that is hopeless. Raises `RefusedError` or `UnreachableError`."""
        loop = asyncio.get_running_loop()
        pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        last_answer = loop.time()
        while True:
            trouble = "the stream ended"
            try:
                async with aclosing(self._responses(next(self._rooms))) as responses:
                    async for response in responses:
                        pauses.reset()
                        last_answer = loop.time()
                        self._take(response)
            except grpc.aio.AioRpcError as error:
                if error.code() in LASTING_CODES:
                    raise RefusedError.from_rpc(error) from None
                trouble = error.details() or error.code().name
            if loop.time() - last_answer > self._patience_seconds:
                raise UnreachableError(
                    f"No room answered for {self._patience_seconds:g} s ({trouble})."
                )
            self.reconnects += 1
            await pauses.wait()

    async def _responses(self, address: str) -> AsyncGenerator[pb.PlayResponse, None]:
        """What comes on a stream to one room, with all that is due on it already under way."""
        outgoing = self._outgoing = asyncio.Queue()
        self._attaching.clear()
        for seat in self._seats.values():
            self._attach(seat)
        for waiting in self._open.values():
            outgoing.put_nowait(waiting.request)
        call: _Call = RoomServiceStub(self._channels.to(address)).Play(metadata=self._metadata)
        # Written to, not fed from an iterator: grpc leaves an iterator's task behind when the stream breaks.
        writing = asyncio.create_task(_write(call, outgoing), name="play-write")
        try:
            async for response in call:
                yield response
        finally:
            writing.cancel()
            call.cancel()

    def _take(self, response: pb.PlayResponse) -> None:
        kind = response.WhichOneof("response")
        if kind == "update":
            self._take_update(response)
        elif kind in {"acted", "targets"}:
            if (waiting := self._open.get(response.id)) and not waiting.answer.done():
                waiting.answer.set_result(response)
        elif kind == "error":
            self._take_error(response)
        elif kind == "detached":
            self._take_detached(response)

    def _take_update(self, response: pb.PlayResponse) -> None:
        key = _key_of(response)
        if (seat := self._seats.get(key)) is None:
            return
        seat.receive(response.update)
        if (joined := self._joined.pop(key, None)) and not joined.done():
            joined.set_result(seat)

    def _take_detached(self, response: pb.PlayResponse) -> None:
        key, reason = _key_of(response), response.detached.reason
        if (seat := self._seats.get(key)) is None:
            return
        if reason in _PASSING_REASONS:
            self._attach(seat)
        elif reason in _EXPECTED_REASONS:
            del self._seats[key]
        else:
            sentence = _SENTENCES.get(reason, f"The match is no longer shown here: {reason}.")
            self._fail_seat(seat, RefusedError(_ABORTED, reason, sentence))

    def _take_error(self, response: pb.PlayResponse) -> None:
        error = response.error
        may_pass = error.code == _UNAVAILABLE or error.reason in _BUSY_REASONS
        refusal = RefusedError(error.code, error.reason, error.message)
        if (waiting := self._open.get(response.id)) is not None:
            if may_pass:
                self._later(self._resend, response.id)
            elif not waiting.answer.done():
                waiting.answer.set_exception(refusal)
        elif (seat := self._attaching.pop(response.id, None)) is not None:
            if may_pass:
                self._later(self._attach_if_followed, seat)
            else:
                self._fail_seat(seat, refusal)

    def _later(self, call: Any, argument: Any) -> None:
        asyncio.get_running_loop().call_later(_RESEND_SECONDS, call, argument)

    def _resend(self, request_id: int) -> None:
        if (waiting := self._open.get(request_id)) is not None:
            self._outgoing.put_nowait(waiting.request)

    def _attach_if_followed(self, seat: Seat) -> None:
        if self._seats.get((seat.match_id, seat.number)) is seat:
            self._attach(seat)

    def _fail_seat(self, seat: Seat, error: ClientError) -> None:
        key = (seat.match_id, seat.number)
        self._seats.pop(key, None)
        if (joined := self._joined.pop(key, None)) and not joined.done():
            joined.set_exception(error)
        seat.fail(error)

    def _fail_all(self, error: ClientError) -> None:
        self._failure = error
        for seat in list(self._seats.values()):
            self._fail_seat(seat, error)
        for waiting in self._open.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(error)


async def _write(call: _Call, requests: asyncio.Queue[pb.PlayRequest]) -> None:
    """Write requests as they come until the stream ends."""
    try:
        while True:
            await call.write(await requests.get())
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return  # the reading end hears of it too, and says why


def _addressed(request: pb.PlayRequest, seat: Seat, request_id: int = 0) -> pb.PlayRequest:
    request.id = request_id
    request.match_id = seat.match_id
    if seat.number == SPECTATOR:
        request.spectate = True
    else:
        request.seat = seat.number
    return request


def _key_of(response: pb.PlayResponse) -> _SeatKey:
    return response.match_id, SPECTATOR if response.spectate else response.seat
