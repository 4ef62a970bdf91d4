"""The edge: a real Envoy before real gRPC servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from arena.room.v1 import room_service_pb2 as room
from arena.room.v1 import room_service_pb2_grpc as room_grpc
from arena_services.common.channels import open_channel
from arena_services.common.rpc import reason_of
from arena_services.edge.bootstrap import MATCHMAKING_SERVICE, ROOM_SERVICE
from tests.services.edge.stage import SLOW_MATCH, Edge, ask, running_edge

ORIGIN = "https://play.example.org"


@pytest.fixture
async def edge(tmp_path: Path, page: Path, request: Any) -> AsyncIterator[Edge]:
    asked = {"ARENA_ALLOWED_ORIGINS": ORIGIN, **getattr(request, "param", {})}
    async with running_edge(tmp_path, page, asked) as running:
        yield running


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


async def test_a_client_that_pings_all_the_time_is_not_sent_away(edge: Edge) -> None:
    eager = (
        ("grpc.keepalive_time_ms", 100),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.use_local_subchannel_pool", 1),
    )
    async with grpc.aio.insecure_channel(edge.address, options=eager) as channel:
        watching = room_grpc.RoomServiceStub(channel).Watch(room.WatchRequest(match_id=SLOW_MATCH))
        assert [said.update.sequence async for said in watching] == [1, 2]


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


async def test_of_envoy_s_own_pages_those_alone_are_there_that_change_nothing(edge: Edge) -> None:
    stats = await ask(edge.admin_address, "GET", "/stats/prometheus")
    assert b"envoy_cluster_membership_healthy" in stats.body
    for method, path in (("POST", "/quitquitquit"), ("GET", "/config_dump"), ("GET", "/")):
        assert (await ask(edge.admin_address, method, path)).status == 403
