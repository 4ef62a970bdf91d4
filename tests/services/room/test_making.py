"""Matches as they are made: known to all rooms from the first entry on, with names for those who sit there."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from pydantic import SecretStr, ValidationError

from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.log.subjects import new_match_id
from arena_services.common.nats import connect
from arena_services.common.players import Players
from arena_services.local.nats_server import NatsServer
from arena_services.room.config import RoomSettings
from arena_services.room.creation import draw_secret
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import SERVICE, Table, Viewer, create_request
from tests.services.running import TOKEN_KEY


async def stored(room: RoomHere, match_id: str) -> None:
    """Return as soon as a match's first entry is stored."""
    async with asyncio.timeout(10):
        while await room.hall.reader.tail(match_id) is None:
            await asyncio.sleep(0)


async def test_match_is_not_taken_from_the_room_that_is_making_it(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as maker,
        room_here(nats.url, "room-2") as other,
        open_channel(maker.address) as direct,
        open_channel(other.address) as elsewhere,
    ):
        while not other.hall.heartbeat.is_settled:
            await asyncio.sleep(0.1)
        for _ in range(10):
            match_id = new_match_id()
            making = asyncio.create_task(_make(direct, match_id))
            await stored(other, match_id)
            table = Table(match_id, ["player-0", "player-1"])
            async with Viewer(elsewhere, table, None) as spectator:
                await spectator.until(lambda update: update.sequence >= 1)
            await making
            assert other.hall.find(match_id) is None
            match = maker.hall.find(match_id)
            assert match is not None
            assert match.epoch == 1


async def _make(channel: grpc.aio.Channel, match_id: str) -> None:
    stub = RoomControlServiceStub(channel)
    await stub.CreateMatch(create_request(match_id), metadata=SERVICE)


async def test_seats_show_the_stored_names_of_people_and_bots(
    room: RoomHere, nats: NatsServer
) -> None:
    client = await connect(nats.url, "test", 10)
    players = await Players.open(client.jetstream(), 1)
    request = create_request(new_match_id(), players=2, bots=1)
    people = [each.player_id for each in request.players]
    await players.store({people[0]: "Mira", people[1]: "Flint"})
    async with open_channel(room.address) as channel:
        made = await RoomControlServiceStub(channel).CreateMatch(request, metadata=SERVICE)
        table = Table(request.match_id, list(made.player_ids))
        async with Viewer(channel, table, None) as spectator:
            first = await spectator.until(lambda update: update.sequence >= 1)
    names = {seat.player_id: seat.name for seat in first.seats}
    assert names == {people[0]: "Mira", people[1]: "Flint"}
    await client.close()


def test_secrets_are_drawn_unless_tests_say_what_they_are_made_of() -> None:
    assert draw_secret() != draw_secret()
    assert draw_secret(SecretStr("one")) == draw_secret(SecretStr("one"))
    assert draw_secret(SecretStr("one")) != draw_secret(SecretStr("two"))


@pytest.mark.parametrize("reached", ["listen", "advertise", "public_address"])
def test_test_secrets_are_refused_where_other_machines_reach_the_room(reached: str) -> None:
    at_home = {"token_key": TOKEN_KEY, "room_test_secrets": "text"}
    assert RoomSettings.model_validate(at_home).room_test_secrets
    with pytest.raises(ValidationError, match="127.0.0.1"):
        RoomSettings.model_validate({**at_home, reached: "0.0.0.0:7410"})
