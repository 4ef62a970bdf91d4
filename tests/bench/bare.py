"""The yardstick of `make bench`: grpc.aio alone, with the messages of a room and nothing of what a room does.

`python -m tests.bench.bare ADDRESS [NATS_URL REPLICAS]` speaks the same API to the same players, but plays back a
recorded match, whatever they do: no rules, no hidden information, no resuming, no retries. With NATS it stores an entry
of the recorded match for each move, by the same check against other writers, before anybody sees the move.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import grpc
import nats
import uvloop
from nats.aio.client import Client

from arena.matchmaking.v1 import matchmaking_service_pb2 as mm
from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.ids import random_id
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.writer import LogWriter
from arena_services.common.rpc import SERVER_OPTIONS
from tests.bench.record import Step, record

_PARTITIONS = 8

_Context = grpc.aio.ServicerContext[Any, Any]


@dataclass
class Match:
    """Where a match stands in the recorded one, and who follows it."""

    match_id: str
    writer: LogWriter | None
    sequence: int = 1
    viewers: dict[int, _Context] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a seat attaches or a move is made: updates leave in order."""


class Tables:
    """Sign-in and private tables, as far as the players of the benchmark need them."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._numbers = itertools.count()
        self._tickets: dict[str, tuple[str, int]] = {}
        self._seated: Counter[str] = Counter()
        self._matches: dict[str, str] = {}

    async def sign_in(self, request: mm.SignInRequest, context: _Context) -> mm.SignInResponse:
        return mm.SignInResponse(player_id=request.name, token=request.name)

    async def create_ticket(
        self, request: mm.CreateTicketRequest, context: _Context
    ) -> mm.CreateTicketResponse:
        ticket_id = str(next(self._numbers))
        self._tickets[ticket_id] = (request.table, self._seated[request.table])
        self._seated[request.table] += 1
        return mm.CreateTicketResponse(ticket=mm.Ticket(ticket_id=ticket_id))

    async def watch_ticket(
        self, request: mm.WatchTicketRequest, context: _Context
    ) -> AsyncIterator[mm.WatchTicketResponse]:
        table, seat = self._tickets[request.ticket_id]
        match_id = self._matches.setdefault(table, random_id())
        yield mm.WatchTicketResponse(
            ticket=mm.Ticket(
                ticket_id=request.ticket_id,
                state=mm.Ticket.STATE_MATCHED,
                match_id=match_id,
                seat=seat,
                room_addresses=[self._address],
            )
        )

    def handler(self) -> grpc.GenericRpcHandler:
        """The service, for a server."""
        return grpc.method_handlers_generic_handler(
            "arena.matchmaking.v1.MatchmakingService",
            {
                "SignIn": grpc.unary_unary_rpc_method_handler(
                    self.sign_in,
                    mm.SignInRequest.FromString,
                    mm.SignInResponse.SerializeToString,
                ),
                "CreateTicket": grpc.unary_unary_rpc_method_handler(
                    self.create_ticket,
                    mm.CreateTicketRequest.FromString,
                    mm.CreateTicketResponse.SerializeToString,
                ),
                "WatchTicket": grpc.unary_stream_rpc_method_handler(
                    self.watch_ticket,
                    mm.WatchTicketRequest.FromString,
                    mm.WatchTicketResponse.SerializeToString,
                ),
            },
        )


class Playback:
    """Streams that play the recorded match back, a step for each move."""

    def __init__(self, steps: list[Step], log: LogReader | None) -> None:
        self._steps = steps
        self._log = log
        self._matches: dict[str, Match] = {}

    async def play(self, requests: AsyncIterator[pb.PlayRequest], context: _Context) -> None:
        async for request in requests:
            match = self._find(request.match_id)
            async with match.turn:
                if request.HasField("attach"):
                    match.viewers[request.seat] = context
                    await context.write(self._update(match, request.seat, is_first=True))
                else:
                    await self._move(match, request, context)

    def handler(self) -> grpc.GenericRpcHandler:
        """The service, for a server."""
        play = grpc.stream_stream_rpc_method_handler(
            self.play, pb.PlayRequest.FromString, pb.PlayResponse.SerializeToString
        )
        return grpc.method_handlers_generic_handler("arena.room.v1.RoomService", {"Play": play})

    def _find(self, match_id: str) -> Match:
        if (match := self._matches.get(match_id)) is None:
            writer = LogWriter(self._log, match_id, 0) if self._log else None
            match = self._matches[match_id] = Match(match_id, writer)
        return match

    async def _move(self, match: Match, request: pb.PlayRequest, context: _Context) -> None:
        step = self._step(match)
        if match.writer is not None:
            await match.writer.append(step.entry, step.headers, step.epoch, step.append_id)
        match.sequence += 1
        acted = pb.Acted(sequence=match.sequence)
        await context.write(
            pb.PlayResponse(id=request.id, match_id=match.match_id, seat=request.seat, acted=acted)
        )
        for seat, viewer in match.viewers.items():
            await viewer.write(self._update(match, seat))

    def _step(self, match: Match) -> Step:
        return self._steps[match.sequence % len(self._steps)]

    def _update(self, match: Match, seat: int, *, is_first: bool = False) -> pb.PlayResponse:
        step = self._step(match)
        update = pb.Update(
            sequence=match.sequence,
            reset=is_first,
            time_ms=time.time_ns() // 1_000_000,
            common=step.common,
            own=step.own[seat],
            awaited=[pb.Awaited(seat=step.awaited, decision=match.sequence)],
        )
        return pb.PlayResponse(match_id=match.match_id, seat=seat, update=update)


async def _serve(address: str, nats_url: str | None, replicas: int) -> None:
    client: Client | None = None
    log: LogReader | None = None
    if nats_url is not None:
        client = await nats.connect(nats_url.split(","))
        await ensure_streams(client.jetstream(), _PARTITIONS, replicas)
        log = LogReader(client, _PARTITIONS)
    server = grpc.aio.server(options=list(SERVER_OPTIONS))
    tables, playback = Tables(address), Playback(record(), log)
    server.add_generic_rpc_handlers((tables.handler(), playback.handler()))
    server.add_insecure_port(address)
    await server.start()
    print("ready", flush=True)
    await server.wait_for_termination()


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bare", description=__doc__)
    parser.add_argument("address", help="where to serve, host:port")
    parser.add_argument("nats_url", nargs="?", help="where to store moves; without it nowhere")
    parser.add_argument("replicas", nargs="?", type=int, default=1, help="copies NATS keeps")
    given = parser.parse_args()
    uvloop.run(_serve(given.address, given.nats_url, given.replicas))


if __name__ == "__main__":
    main()
