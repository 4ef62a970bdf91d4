"""A real Envoy before real gRPC servers that know next to nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from arena.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from arena.matchmaking.v1 import matchmaking_service_pb2_grpc as matchmaking_grpc
from arena.room.v1 import room_service_pb2 as room
from arena.room.v1 import room_service_pb2_grpc as room_grpc
from arena_services.common.errors import NotFoundError
from arena_services.common.rpc import Server
from arena_services.common.tls import Tls
from arena_services.edge.bootstrap import MATCHMAKING_SERVICE, ROOM_SERVICE
from arena_services.local import ports
from arena_services.local.process import Process, ProcessSpec
from tests.services.stub_room import StubRoom

#: One whose viewers are told the second thing a while after the first.
SLOW_MATCH = "slow"
_SLOW_SECONDS = 3.0


class Matchmaking(matchmaking_grpc.MatchmakingServiceServicer):
    """Knows one game; what it leaves out nobody asks for."""

    SignIn = CreateTicket = WatchTicket = CancelTicket = FillWithBots = None  # type: ignore[assignment]

    async def ListGames(self, request: Any, context: Any) -> matchmaking.ListGamesResponse:
        return matchmaking.ListGamesResponse(games=[matchmaking.GameInfo(name="crowns")])


class Room(StubRoom):
    """Says its number in place of a match's sequence."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def Act(self, request: Any, context: Any) -> room.ActResponse:
        if request.match_id == "none":
            raise NotFoundError("MATCH_NOT_FOUND", "There is no match none.")
        return room.ActResponse(acted=room.Acted(sequence=self._number))

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[room.WatchResponse]:
        for sequence in (1, 2):
            yield room.WatchResponse(update=room.Update(sequence=sequence))
            if request.match_id == SLOW_MATCH:
                await asyncio.sleep(_SLOW_SECONDS)


class Edge:
    """A running edge and what is behind it."""

    def __init__(self, port: int, admin_port: int, rooms: list[Server], process: Process) -> None:
        self.address = f"127.0.0.1:{port}"
        self.admin_address = f"127.0.0.1:{admin_port}"
        self.rooms = rooms
        self.process = process

    async def http(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Reply:
        """One HTTP request on a connection of its own."""
        return await ask(self.address, method, path, headers, body)

    async def web_call(self, method: str, request: Any) -> Reply:
        """One gRPC-Web call."""
        data = request.SerializeToString()
        body = b"\0" + len(data).to_bytes(4, "big") + data
        kind = {"content-type": "application/grpc-web+proto", "x-grpc-web": "1"}
        return await self.http("POST", f"/{method}", kind, body)


class Reply:
    """An HTTP reply."""

    def __init__(self, response: HTTPResponse) -> None:
        self.status = response.status
        self.headers = {key.lower(): value for key, value in response.getheaders()}
        self.body = response.read()


async def ask(
    address: str,
    method: str,
    path: str,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Reply:
    """One HTTP request."""
    return await asyncio.to_thread(_ask, address, method, path, body, dict(headers or {}))


def _ask(address: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> Reply:
    with closing(HTTPConnection(address, timeout=20)) as connection:
        connection.request(method, path, body or None, headers)
        return Reply(connection.getresponse())


@asynccontextmanager
async def _serve(name: str, add: Any, servicer: Any, tls: Tls | None) -> AsyncIterator[Server]:
    server = Server("127.0.0.1:0", tls)
    add(servicer, server.raw)
    server.name(name)
    await server.start()
    await server.set_ready(True)
    try:
        yield server
    finally:
        await server.stop(0)


@asynccontextmanager
async def running_edge(
    folder: Path, page: Path, environment: Mapping[str, str], parts: Mapping[str, Tls] | None = None
) -> AsyncIterator[Edge]:
    """An edge before one matchmaking and two rooms; `parts`: what each of them shows."""
    tls = parts or {}
    add_matchmaking = matchmaking_grpc.add_MatchmakingServiceServicer_to_server
    add_room = room_grpc.add_RoomServiceServicer_to_server
    games_tls, room_tls = tls.get("matchmaking"), tls.get("room")
    async with (
        _serve(MATCHMAKING_SERVICE, add_matchmaking, Matchmaking(), games_tls) as games,
        _serve(ROOM_SERVICE, add_room, Room(1), room_tls) as first,
        _serve(ROOM_SERVICE, add_room, Room(2), room_tls) as second,
    ):
        port, admin_port = ports.find_free(2)
        spec = ProcessSpec(
            name="edge",
            command=(sys.executable, "-m", "arena_services.edge"),
            ready_url=f"http://127.0.0.1:{admin_port}/ready",
            log=folder / "edge.log",
            environment={
                "ARENA_LISTEN": f"127.0.0.1:{port}",
                "ARENA_METRICS_LISTEN": f"127.0.0.1:{admin_port}",
                "ARENA_MATCHMAKING_ADDRESSES": games.address,
                "ARENA_ROOM_ADDRESSES": f"{first.address},{second.address}",
                "ARENA_PAGE_DIR": str(page),
                **environment,
            },
        )
        process = await Process.start(spec)
        try:
            await process.wait_ready(20)
            yield Edge(port, admin_port, [first, second], process)
        finally:
            await process.stop(5)
