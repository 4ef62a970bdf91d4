"""What one player may ask of a room, and how often its client may ping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.client import PlayClient
from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import Play, Table, Viewer, player, reason_of


@pytest.fixture
async def room(nats: NatsServer) -> AsyncIterator[RoomHere]:
    async with room_here(nats.url, requests_per_second=3, streams_per_player=2) as running:
        yield running


async def test_too_many_requests_are_refused_and_repeated_later_they_are_carried_out(
    channel: grpc.aio.Channel, table: Table
) -> None:
    leave = table.request(0, pb.Act(key=table.key(), leave=pb.Leave()))
    stub, who = RoomServiceStub(channel), table.people[0]
    for _ in range(6):
        assert (await stub.Act(leave, metadata=who)).acted.sequence == 2
    refused = await reason_of(stub.Act(leave, metadata=who))
    assert refused == ("RESOURCE_EXHAUSTED", "TOO_MANY_REQUESTS")
    other = table.request(1, pb.Act(key=table.key(), leave=pb.Leave()))
    assert (await stub.Act(other, metadata=table.people[1])).acted.sequence == 3
    await asyncio.sleep(0.5)
    assert (await stub.Act(leave, metadata=who)).acted.repeated_request


async def test_requests_within_a_stream_count_and_our_client_repeats_them(
    room: RoomHere, channel: grpc.aio.Channel, table: Table
) -> None:
    stream = Play(channel, table.people[1])
    for number in range(9):
        stream.send(pb.PlayRequest(id=number + 1, match_id=table.match_id, detach=pb.Detach()))
    reasons = [(await stream.next()).error.reason for _ in range(9)]
    assert reasons[:4] == ["NOT_ATTACHED"] * 4
    assert reasons[-1] == "TOO_MANY_REQUESTS"
    await stream.end()
    token = table.people[0][0][1].removeprefix("Bearer ")
    async with PlayClient((room.address,), token) as client:
        seat = await client.join(table.match_id, 0)
        began = time.monotonic()
        for _ in range(5):
            await seat.leave()
            await seat.take_back()
        assert time.monotonic() - began > 1


async def test_too_many_streams_of_one_player_are_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    request, who = pb.WatchRequest(match_id=table.match_id), player("many")
    stub = RoomServiceStub(channel)
    streams = [stub.Watch(request, metadata=who) for _ in range(2)]
    for stream in streams:
        await stream.read()
    refused = await reason_of(anext(aiter(stub.Watch(request, metadata=who))))
    assert refused == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
    async with Viewer(channel, table, 0) as viewer:
        await viewer.until()
    streams[0].cancel()
    async with asyncio.timeout(5):
        while not await _opens(stub, request):
            await asyncio.sleep(0.4)
    streams[1].cancel()


async def _opens(stub: Any, request: pb.WatchRequest) -> bool:
    stream = stub.Watch(request, metadata=player("many"))
    try:
        await stream.read()
    except grpc.aio.AioRpcError:
        return False
    stream.cancel()
    return True


async def test_a_client_that_pings_all_the_time_is_not_sent_away(
    room: RoomHere, table: Table
) -> None:
    eager = (
        ("grpc.keepalive_time_ms", 100),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.use_local_subchannel_pool", 1),
    )
    async with (
        grpc.aio.insecure_channel(room.address, options=eager) as pinging,
        open_channel(room.address) as channel,
        Viewer(pinging, table, None) as spectator,
    ):
        await spectator.until()
        await asyncio.sleep(3)
        acted = await table.act(channel, 0, pb.Act(key=table.key(), leave=pb.Leave()))
        await spectator.until_sequence(acted.sequence)
        assert not spectator._reading.done()
