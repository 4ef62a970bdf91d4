"""From the door to a seat, with rooms as they are."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena.room.v1 import room_service_pb2 as room
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from tests.services.matchmaking.conftest import Person, RunReplica, sign_in
from tests.services.room.harness import room_process


async def _first_update(person: Person, ticket: pb.Ticket, address: str) -> room.Update:
    """What a player sees first at the seat of a ticket, through a room."""
    request = room.WatchRequest(match_id=ticket.match_id, seat=ticket.seat)
    async with open_channel(address) as channel:
        stub = RoomServiceStub(channel)
        async for answer in stub.Watch(request, metadata=person.metadata, timeout=5):
            return answer.update
    raise AssertionError("the room said nothing")


async def test_people_and_bots_find_their_seats(
    server: NatsServer, tmp_path: Path, run_replica: RunReplica
) -> None:
    async with (
        room_process(server.url, "room-1", tmp_path),
        room_process(server.url, "room-2", tmp_path),
        run_replica() as replica,
        open_channel(replica.address) as channel,
    ):
        people = [await sign_in(channel, name) for name in ("Ada", "Bea")]
        tickets = [await person.queue(players=4, bot_wait_ms=1_000) for person in people]
        ends = await asyncio.gather(
            *(person.closed(ticket) for person, ticket in zip(people, tickets, strict=True))
        )
        assert len({end.match_id for end in ends}) == 1
        assert len(ends[0].room_addresses) == 2
        for person, end in zip(people, ends, strict=True):
            for address in end.room_addresses:
                update = await _first_update(person, end, address)
                assert update.seats[end.seat].player_id == person.player_id
                assert sorted(seat.is_bot for seat in update.seats) == [False, False, True, True]


async def test_another_persons_seat_stays_closed(
    server: NatsServer, tmp_path: Path, run_replica: RunReplica
) -> None:
    async with (
        room_process(server.url, "room-1", tmp_path),
        run_replica() as replica,
        open_channel(replica.address) as channel,
    ):
        person, stranger = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
        end = await person.closed(await person.queue(bot_wait_ms=0))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _first_update(stranger, end, end.room_addresses[0])
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
