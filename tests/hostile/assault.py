"""Sends hostile requests of every kind, over many lines at once, and judges what comes back."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.room.v1 import room_service_pb2 as pb
from arena_services.common import rpc
from arena_services.common.auth import Tokens
from tests.hostile.callers import Caller, Impostor, known
from tests.hostile.contracts import Call, inner_calls, public_calls
from tests.hostile.findings import Findings
from tests.hostile.forger import Forger, Pool, damaged, oversized
from tests.hostile.insiders import Insiders
from tests.hostile.victims import Honest

_CALL_SECONDS = 20.0
#: A stream is over when all that was asked on it is answered: on a busy machine that takes its time.
_STREAM_SECONDS = 60.0
_REFUSED_SECONDS = 0.5
#: What the client's library says of a stream that ended while it was written to: no status of ours can be had then.
_ENDED_MEANWHILE = "Internal error from Core"
#: Requests on one Play stream.
_BATCH = 25
_STREAM_ONE_IN = 50
_KINDS = (
    "forged",
    "malformed",
    "oversized",
    "replayed",
    "out of order",
    "no token",
    "from inside",
    "noise",
)
_WEIGHTS = (25, 15, 3, 12, 10, 10, 24, 1)
#: What needs no token.
_OPEN_CALLS = {"SignIn", "ListGames"}
_SEATED = {"Act", "Targets", "Say", "ListLines", "Mute", "Report"}
_OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))


@dataclass(frozen=True)
class Places:
    """Where the platform is reached, host:port."""

    edge: str
    matchmaking: str
    rooms: tuple[str, ...]


@dataclass(frozen=True)
class _Request:
    kind: str
    call: Call
    data: bytes
    caller: Caller
    is_exact: bool = False
    """What an honest person sent, with that person's own token: the first answer may be had again."""

    def __str__(self) -> str:
        return f"{self.kind} {self.call.method} of {len(self.data)} bytes"


class Assault:
    """Draws requests from a seed; what the platform is like at each moment has a say, too."""

    def __init__(
        self,
        places: Places,
        tokens: Tokens,
        honest: Honest,
        insiders: Insiders,
        pool: Pool,
        findings: Findings,
        seed: int,
    ) -> None:
        self._places = places
        self._honest = honest
        self._insiders = insiders
        self._pool = pool
        self._findings = findings
        self._rng = Random(seed)
        self._forger = Forger(self._rng, pool)
        self._public = public_calls()
        self._inner = inner_calls()
        self._act = next(call for call in self._public if call.method == "Act")
        self._targets = next(call for call in self._public if call.method == "Targets")
        self._outsiders = [
            known(tokens, f"outsider-{number}", is_marked=number % 8 == 0) for number in range(40)
        ]
        self._impostor = Impostor(self._rng, ["honest-crowns-0", "honest-singhasan-0"])
        self._impostor.learn(dict(self._outsiders[1].metadata)["authorization"].split()[1])
        self._left = 0

    async def run(self, requests: int, lines: int) -> None:
        """Send so many requests over so many lines at once."""
        self._left = requests
        async with asyncio.TaskGroup() as tasks:
            for number in range(lines):
                tasks.create_task(self._line(number), name=f"line-{number}")

    async def _line(self, number: int) -> None:
        """Send one request after another, through the edge or straight."""
        edge = grpc.aio.insecure_channel(self._places.edge, options=_OPTIONS)
        room = grpc.aio.insecure_channel(
            self._places.rooms[number % len(self._places.rooms)], options=_OPTIONS
        )
        desk = grpc.aio.insecure_channel(self._places.matchmaking, options=_OPTIONS)
        async with edge, room, desk:
            while self._left > 0:
                if self._rng.randrange(_STREAM_ONE_IN) == 0:
                    await self._play(edge if number % 2 else room)
                    continue
                request = self._draw()
                self._left -= 1
                self._findings.asked[request.kind] += 1
                if request.kind == "noise":
                    await asyncio.to_thread(self._make_noise, request)
                    continue
                straight = room if request.call.is_rooms else desk
                is_straight = number % 2 == 0 or self._rng.randrange(8) == 0
                await self._send(straight if is_straight else edge, request)

    def _draw(self) -> _Request:
        rng = self._rng
        (kind,) = rng.choices(_KINDS, _WEIGHTS)
        if kind == "replayed" and (replayed := self._replayed()):
            return replayed
        if kind == "from inside" and (inside := self._from_inside()):
            return inside
        calls: Sequence[Call] = self._inner if rng.randrange(25) == 0 else self._public
        call = rng.choice([each for each in calls if not each.is_client_streaming])
        caller = self._impostor.caller() if kind == "no token" else rng.choice(self._outsiders)
        data = self._forger.message(call.request.DESCRIPTOR).SerializeToString()
        if kind == "malformed":
            data = damaged(data, rng)
        elif kind == "oversized":
            data = oversized(data, rng)
        elif kind == "out of order":
            call, data = self._late(call, data)
        return _Request(kind, call, data, caller)

    def _replayed(self) -> _Request | None:
        """What an honest person sent: exactly, by somebody else, or with another content under its key."""
        rng = self._rng
        victims = [victim for victim in self._honest.victims if victim.acknowledged]
        if not victims:
            return None
        victim = rng.choice(victims)
        wish = rng.choice(list(victim.acknowledged))
        request = pb.ActRequest()
        request.CopyFrom(victim.sent[wish])
        own = Caller(self._honest.metadata(victim, wish[0]), is_known=True)
        way = rng.randrange(3)
        if way == 0:
            return _Request("replayed", self._act, request.SerializeToString(), own, is_exact=True)
        if way == 1:
            request.act.decision += rng.choice((0, 1, 1000))
            request.act.action.value = damaged(request.act.action.value, rng)
            # Under the true key anything else is refused; what happens to be the same is the first answer again.
            return _Request("replayed", self._act, request.SerializeToString(), own, is_exact=True)
        outsider = rng.choice(self._outsiders)
        return _Request("replayed", self._act, request.SerializeToString(), outsider)

    def _from_inside(self) -> _Request | None:
        """What a person at a match of their own asks of its rules."""
        drawn = self._insiders.draw(self._rng, self._forger)
        if drawn is None:
            return None
        caller, asked = Caller(drawn[0], is_known=True), drawn[1]
        request: Any
        if asked.HasField("act"):
            request = pb.ActRequest(match_id=asked.match_id, seat=asked.seat, act=asked.act)
            return _Request("from inside", self._act, request.SerializeToString(), caller)
        request = pb.TargetsRequest(match_id=asked.match_id, seat=asked.seat, select=asked.targets)
        return _Request("from inside", self._targets, request.SerializeToString(), caller)

    def _late(self, call: Call, data: bytes) -> tuple[Call, bytes]:
        """An honest person's wish for the victim's other seat, or a decision that closed long ago."""
        victims = [victim for victim in self._honest.victims if victim.acknowledged]
        if not victims:
            return call, data
        victim = self._rng.choice(victims)
        request = pb.ActRequest()
        request.CopyFrom(victim.sent[self._rng.choice(list(victim.acknowledged))])
        request.seat = self._rng.randrange(3)
        request.act.key.counter = self._rng.choice((1, 2, 2**63, 2**64 - 1))
        request.act.key.session = self._rng.randbytes(16)
        return self._act, request.SerializeToString()

    async def _send(self, channel: grpc.aio.Channel, request: _Request) -> None:
        call = request.call
        kind: Any = channel.unary_stream if call.is_server_streaming else channel.unary_unary
        sending = kind(call.path)(
            request.data, metadata=request.caller.metadata, timeout=_CALL_SECONDS
        )
        try:
            if call.is_server_streaming:
                said = await sending.read()
                sending.cancel()
                if said is grpc.aio.EOF:
                    await sending.code()
                    said = b""
            else:
                said = await sending
        except grpc.aio.AioRpcError as error:
            self._findings.answered(
                str(request), error.code(), rpc.reason_of(error), error.details() or ""
            )
            return
        self._findings.answered(str(request), grpc.StatusCode.OK, "", "")
        self._check_success(request, said)

    def _check_success(self, request: _Request, said: bytes) -> None:
        """Whether what was carried out was the caller's to ask."""
        call = request.call
        if not call.is_public:
            self._findings.fault(f"carried out what is for services: {request}")
        elif not request.caller.is_known and call.method not in _OPEN_CALLS:
            self._findings.fault(f"carried out without a token: {request}")
        if request.is_exact:
            if not pb.ActResponse.FromString(said).acted.repeated_request:
                self._findings.fault(f"carried out once more: {request}")
        elif self._is_at_victim(call, request.data):
            if call.method in _SEATED:
                self._findings.fault(f"got in: {request}")
            elif call.method == "Watch" and pb.WatchResponse.FromString(said).update.HasField(
                "own"
            ):
                self._findings.fault(f"saw what is not its own: {request}")
        if call.method == "CreateTicket":
            ticket = call.response.FromString(said)
            self._pool.ticket_ids.append(ticket.ticket.ticket_id)  # type: ignore[attr-defined]
        elif call.method == "ListMyMatches":
            page = pb.ListMyMatchesResponse.FromString(said)
            self._pool.page_tokens.append(page.next_page_token or "0")

    def _is_at_victim(self, call: Call, data: bytes) -> bool:
        victims = {victim.match_id for victim in self._honest.victims}
        try:
            return getattr(call.request.FromString(data), "match_id", "") in victims
        except DecodeError:
            return False

    async def _play(self, channel: grpc.aio.Channel) -> None:
        """One Play stream with many requests."""
        rng, count = self._rng, min(_BATCH, self._left)
        self._left -= count
        caller = self._impostor.caller() if rng.randrange(6) == 0 else rng.choice(self._outsiders)
        self._findings.asked["on streams"] += count
        requests = [self._play_request() for _ in range(count)]
        if rng.randrange(2) and (drawn := self._insiders.draw(rng, self._forger)):
            caller = Caller(drawn[0], is_known=True)
            requests = [drawn[1].SerializeToString(), *self._inside(count - 1)]

        async def send() -> AsyncIterator[bytes]:
            if (
                not caller.is_known
            ):  # a stream that ends while it is written to has no status to look at
                await asyncio.sleep(_REFUSED_SECONDS)
            for request in requests:
                yield request

        path = next(call.path for call in self._public if call.is_client_streaming)
        stream_stream: Any = channel.stream_stream
        stream = stream_stream(path)(send(), metadata=caller.metadata, timeout=_STREAM_SECONDS)
        try:
            async for raw in stream:
                self._take(pb.PlayResponse.FromString(raw), caller)
        except grpc.aio.AioRpcError as error:
            if error.details() == _ENDED_MEANWHILE:
                self._findings.answers["ended while it was written to"] += 1
                return
            self._findings.answered(
                "a stream", error.code(), rpc.reason_of(error), error.details() or ""
            )

    def _inside(self, count: int) -> list[bytes]:
        """What insiders ask, for their own seats and for each other's."""
        drawn = (self._insiders.draw(self._rng, self._forger) for _ in range(count))
        return [each[1].SerializeToString() for each in drawn if each]

    def _play_request(self) -> bytes:
        rng = self._rng
        data: bytes = self._forger.message(pb.PlayRequest.DESCRIPTOR).SerializeToString()
        way = rng.randrange(10)
        if way < 3:
            return damaged(data, rng)
        return oversized(data, rng)[:4_000_000] if way == 3 and rng.randrange(8) == 0 else data

    def _take(self, response: Any, caller: Caller) -> None:
        victims = {victim.match_id for victim in self._honest.victims}
        kind = response.WhichOneof("response")
        if kind == "error":
            error = response.error
            code = next(code for code in grpc.StatusCode if code.value[0] == error.code)
            self._findings.answered("on a stream", code, error.reason, error.message)
            return
        self._findings.answered("on a stream", grpc.StatusCode.OK, "", "")
        if not caller.is_known:
            self._findings.fault(f"a stream without a token was told {kind}")
        if response.match_id in victims:
            if kind in {"acted", "targets"}:
                self._findings.fault(f"got in on a stream: {kind}")
            elif kind == "update" and response.update.HasField("own"):
                self._findings.fault("saw on a stream what is not its own")

    def _make_noise(self, request: _Request) -> None:
        """Bytes that are no HTTP/2, or that begin as such and go on as anything."""
        places = (self._places.edge, self._places.matchmaking, *self._places.rooms)
        host, _, port = self._rng.choice(places).rpartition(":")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" if len(request.data) % 2 else b""
        with socket.create_connection((host, int(port)), timeout=_CALL_SECONDS) as line:
            line.sendall(preface + request.data)
        self._findings.answers["noise"] += 1
