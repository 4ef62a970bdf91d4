"""The edge: a real Envoy before real gRPC servers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from arena.matchmaking.v1 import matchmaking_service_pb2_grpc as matchmaking_grpc
from arena.room.v1 import room_service_pb2 as room
from arena.room.v1 import room_service_pb2_grpc as room_grpc
from arena_services.common.channels import open_channel
from arena_services.common.errors import NotFoundError
from arena_services.common.rpc import Server, reason_of
from arena_services.edge.bootstrap import MATCHMAKING_SERVICE, ROOM_SERVICE
from arena_services.local import ports
from arena_services.local.process import Process, ProcessSpec
from tests.services.stub_room import StubRoom

ORIGIN = "https://play.example.org"


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


class Edge:
    """A running edge and what is behind it."""

    def __init__(self, port: int, rooms: list[Server], process: Process) -> None:
        self.address = f"127.0.0.1:{port}"
        self.rooms = rooms
        self.process = process

    async def http(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Reply:
        """One HTTP request on a connection of its own."""
        return await asyncio.to_thread(_ask, self.address, method, path, body, dict(headers or {}))

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


def _ask(address: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> Reply:
    with closing(HTTPConnection(address, timeout=20)) as connection:
        connection.request(method, path, body or None, headers)
        return Reply(connection.getresponse())


@asynccontextmanager
async def _serve(name: str, add: Any, servicer: Any) -> AsyncIterator[Server]:
    server = Server("127.0.0.1:0")
    add(servicer, server.raw)
    server.name(name)
    await server.start()
    await server.set_ready(True)
    try:
        yield server
    finally:
        await server.stop(0)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Arena</title>")
    (folder / "assets" / "index-1a2b.js").write_text("play();\n" * 1000)
    return folder


@pytest.fixture
async def edge(tmp_path: Path, page: Path, request: Any) -> AsyncIterator[Edge]:
    add_matchmaking = matchmaking_grpc.add_MatchmakingServiceServicer_to_server
    add_room = room_grpc.add_RoomServiceServicer_to_server
    async with (
        _serve(MATCHMAKING_SERVICE, add_matchmaking, Matchmaking()) as games,
        _serve(ROOM_SERVICE, add_room, Room(1)) as first,
        _serve(ROOM_SERVICE, add_room, Room(2)) as second,
    ):
        port, admin_port = ports.find_free(2)
        spec = ProcessSpec(
            name="edge",
            command=(sys.executable, "-m", "arena_services.edge"),
            ready_url=f"http://127.0.0.1:{admin_port}/ready",
            log=tmp_path / "edge.log",
            environment={
                "ARENA_LISTEN": f"127.0.0.1:{port}",
                "ARENA_METRICS_LISTEN": f"127.0.0.1:{admin_port}",
                "ARENA_MATCHMAKING_ADDRESSES": games.address,
                "ARENA_ROOM_ADDRESSES": f"{first.address},{second.address}",
                "ARENA_PAGE_DIR": str(page),
                "ARENA_ALLOWED_ORIGINS": ORIGIN,
                **getattr(request, "param", {}),
            },
        )
        process = await Process.start(spec)
        try:
            await process.wait_ready(20)
            yield Edge(port, [first, second], process)
        finally:
            await process.stop(5)


def messages(body: bytes) -> tuple[list[bytes], bytes]:
    """The messages and the trailers of a gRPC-Web reply."""
    found: list[bytes] = []
    trailers = b""
    while body:
        length = int.from_bytes(body[1:5], "big")
        part, is_trailer = body[5 : 5 + length], body[0] & 0x80
        trailers, found = (part, found) if is_trailer else (trailers, [*found, part])
        body = body[5 + length :]
    return found, trailers


async def test_page_is_served_compressed_and_hashed_files_for_a_year(edge: Edge) -> None:
    start = await edge.http("GET", "/")
    assert start.status == 200
    assert start.headers["content-type"] == "text/html; charset=utf-8"
    assert start.headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in start.headers["content-security-policy"]
    script = await edge.http("GET", "/assets/index-1a2b.js", {"accept-encoding": "gzip"})
    assert script.headers["cache-control"].endswith("immutable")
    assert script.headers["content-encoding"] == "gzip"
    assert len(script.body) < 1000


@pytest.mark.parametrize(
    "path", ["/nothing", "/assets/", "/assets/../../edge.log", "/%2e%2e/edge.log"]
)
async def test_nothing_but_the_page_s_own_files_is_served(edge: Edge, path: str) -> None:
    assert (await edge.http("GET", path)).status == 404


async def test_browsers_call_matchmaking_and_watch_rooms(edge: Edge) -> None:
    reply = await edge.web_call(f"{MATCHMAKING_SERVICE}/ListGames", matchmaking.ListGamesRequest())
    (answer,), trailers = messages(reply.body)
    assert matchmaking.ListGamesResponse.FromString(answer).games[0].name == "crowns"
    assert b"grpc-status:0" in trailers

    watched = await edge.web_call(f"{ROOM_SERVICE}/Watch", room.WatchRequest(match_id="m"))
    updates, _ = messages(watched.body)
    assert [room.WatchResponse.FromString(each).update.sequence for each in updates] == [1, 2]


async def test_native_clients_use_the_same_address_and_hear_the_same_reasons(edge: Edge) -> None:
    async with open_channel(edge.address) as channel:
        stub = room_grpc.RoomServiceStub(channel)
        assert (await stub.Act(room.ActRequest(match_id="m"))).acted.sequence in {1, 2}
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await stub.Act(room.ActRequest(match_id="none"))
        assert failure.value.code() is grpc.StatusCode.NOT_FOUND
        assert reason_of(failure.value) == "MATCH_NOT_FOUND"


async def test_room_that_drains_gets_nothing_new(edge: Edge) -> None:
    await edge.rooms[0].set_ready(False)
    async with open_channel(edge.address) as channel, asyncio.timeout(20):
        stub = room_grpc.RoomServiceStub(channel)
        row = 0
        while row < 20:  # the health check takes a moment to notice
            answer = await stub.Act(room.ActRequest(match_id="m"))
            row = row + 1 if answer.acted.sequence == 2 else 0
            await asyncio.sleep(0.03)


async def test_other_services_are_not_reached(edge: Edge) -> None:
    hidden = "arena.room.v1.RoomControlService/CreateMatch"
    assert (await edge.web_call(hidden, room.ActRequest())).status == 404


async def test_pages_of_named_origins_alone_may_call(edge: Edge) -> None:
    ask = {"access-control-request-method": "POST"}
    path = f"/{ROOM_SERVICE}/Act"
    named = await edge.http("OPTIONS", path, {"origin": ORIGIN, **ask})
    assert named.headers["access-control-allow-origin"] == ORIGIN
    other = await edge.http("OPTIONS", path, {"origin": "https://elsewhere.example", **ask})
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize("edge", [{"ARENA_CALLS_PER_SECOND": "1"}], indirect=True)
async def test_connection_that_asks_too_much_is_slowed_down(edge: Edge) -> None:
    async with open_channel(edge.address) as channel:
        stub = room_grpc.RoomServiceStub(channel)
        calls = [stub.Act(room.ActRequest(match_id="m")) for _ in range(20)]
        said = await asyncio.gather(*calls, return_exceptions=True)
    refused = [each for each in said if isinstance(each, grpc.aio.AioRpcError)]
    assert len(refused) > 10
    assert {each.code() for each in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}


@pytest.mark.parametrize("edge", [{"ARENA_PAGE_DIR": "/nowhere"}], indirect=True)
async def test_without_a_page_the_edge_says_so_and_serves_the_api(edge: Edge) -> None:
    start = await edge.http("GET", "/")
    assert start.status == 404
    assert b"has not been built" in start.body
    reply = await edge.web_call(f"{MATCHMAKING_SERVICE}/ListGames", matchmaking.ListGamesRequest())
    assert reply.status == 200
