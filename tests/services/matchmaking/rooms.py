"""Rooms as matchmaking sees them: a real server with real beats that keeps matches in a dictionary."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from nats.aio.client import Client

from arena.room.v1 import room_control_service_pb2 as pb
from arena.room.v1 import room_control_service_pb2_grpc as pb_grpc
from arena_services.common.auth import Role, Tokens
from arena_services.common.errors import AlreadyExistsError, ArenaError
from arena_services.common.games import hosted
from arena_services.common.log.streams import ensure_bucket
from arena_services.common.roster import KEPT_SECONDS, ROOMS_BUCKET, Beat
from arena_services.common.rpc import Server


@dataclass
class Matches:
    """What a platform's log would hold: each match as it was first created."""

    created: dict[str, pb.CreateMatchRequest] = field(default_factory=dict)

    def create(self, request: pb.CreateMatchRequest) -> list[str]:
        """Player ids by seat: here the last to come sits first."""
        first = self.created.setdefault(request.match_id, request)
        if first != request:
            raise AlreadyExistsError("MATCH_EXISTS", f"{request.match_id} has other content.")
        return [player.player_id for player in reversed(first.players)]

    @property
    def only(self) -> pb.CreateMatchRequest:
        (request,) = self.created.values()
        return request


class StandInRoom(pb_grpc.RoomControlServiceServicer):
    """Creates matches, or fails in the way a test asks for."""

    def __init__(self, beat: Beat, matches: Matches, tokens: Tokens) -> None:
        self.beat = beat
        self.matches = matches
        self.asked: list[str] = []
        self.fails_with: ArenaError | None = None
        self.is_silent = False
        """Creates matches, but never says so."""
        self.was_asked = asyncio.Event()
        self.beats = True
        self._tokens = tokens

    async def CreateMatch(self, request: Any, context: Any) -> pb.CreateMatchResponse:
        self._tokens.caller(context).require(Role.SERVICE)
        self.asked.append(request.match_id)
        self.was_asked.set()
        if self.fails_with:
            raise self.fails_with
        player_ids = self.matches.create(request)
        self.beat = replace(self.beat, matches=self.beat.matches + 1)
        if self.is_silent:
            await asyncio.Event().wait()
        return pb.CreateMatchResponse(player_ids=player_ids)

    async def ExpireMany(self, request: Any, context: Any) -> pb.ExpireManyResponse:
        raise NotImplementedError

    async def LoseMatches(self, request: Any, context: Any) -> pb.LoseMatchesResponse:
        raise NotImplementedError

    async def Expire(self, request: Any, context: Any) -> pb.ExpireResponse:
        raise AssertionError("matchmaking has no business with clocks")

    async def OpenHeaderReader(self, request: Any, context: Any) -> pb.OpenHeaderReaderResponse:
        raise AssertionError("matchmaking does not read the log")

    async def beat_on(self, nats: Client) -> None:
        while True:
            if self.beats:
                subject = f"$KV.{ROOMS_BUCKET}.{self.beat.room_id}"
                await nats.publish(subject, self.beat.to_bytes())
            await asyncio.sleep(0.2)


@asynccontextmanager
async def run_room(
    nats: Client, tokens: Tokens, log: Matches, room_id: str = "room-1", **beat: Any
) -> AsyncIterator[StandInRoom]:
    """A room that serves and beats."""
    await ensure_bucket(nats.jetstream(), ROOMS_BUCKET, 1, ttl_seconds=KEPT_SECONDS)
    server = Server("127.0.0.1:0")
    rules = {each.game.name: [each.game.rules_version] for each in hosted()}
    first_beat = Beat(room_id, "", f"{room_id}.example:443", matches=0, rules=rules)
    room = StandInRoom(replace(first_beat, **beat), log, tokens)
    pb_grpc.add_RoomControlServiceServicer_to_server(room, server.raw)
    await server.start()
    room.beat = replace(room.beat, address=server.address)
    beating = asyncio.create_task(room.beat_on(nats), name=f"beat-{room_id}")
    try:
        yield room
    finally:
        beating.cancel()
        await server.stop(0)
