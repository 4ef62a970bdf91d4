"""A room that NATS cannot reach, while its players can: they are led to the room that goes on with their match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import grpc
import pytest

from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.owners import Reign
from arena_services.local.nats_server import NatsServer
from arena_services.room import following
from arena_services.room.errors import NotOwnerError
from tests.services.room.harness import RoomHere, room_here, settled
from tests.services.room.proxy import Proxy
from tests.services.room.table import SERVICE, Table, Viewer, play_on, player
from tests.waiting import eventually


class Pair(NamedTuple):
    """Two rooms, one of which reaches NATS over a line that can be cut."""

    line: Proxy
    owner: RoomHere
    channel: grpc.aio.Channel
    """To the owner."""
    other: RoomHere


@asynccontextmanager
async def pair_on(nats: NatsServer) -> AsyncIterator[Pair]:
    async with (
        Proxy(nats.config.port) as line,
        room_here(line.url, "room-1") as owner,
        room_here(nats.url, "room-2") as other,
        open_channel(owner.address) as channel,
    ):
        await settled(owner, other)
        yield Pair(line, owner, channel, other)


async def test_players_are_led_to_the_room_that_goes_on_while_theirs_is_still_cut_off(
    nats: NatsServer,
) -> None:
    async with pair_on(nats) as pair:
        table = await Table.make(pair.channel)
        async with (
            Viewer(pair.channel, table, 0) as first,
            Viewer(pair.channel, table, 1) as second,
            Viewer(pair.channel, table, None) as spectator,
        ):
            last = await play_on(table, pair.channel, [first, second], 3)
            await pair.line.cut()
            # The first of these acts waits for the log at a room that no answer reaches any more.
            assert await play_on(table, pair.channel, [first, second], 3) == last + 4
            assert pair.owner.hall.heartbeat.outage.since_ms is not None
            assert pair.owner.hall.find(table.match_id) is None
            assert pair.other.hall.find(table.match_id) is not None
            await spectator.until_sequence(last + 4)
            await pair.line.mend()
            await settled(pair.owner, pair.other)
            assert await play_on(table, pair.channel, [first, second], 2) == last + 6


async def test_a_room_that_nats_does_not_answer_takes_the_others_to_be_as_they_were(
    nats: NatsServer,
) -> None:
    async with pair_on(nats) as pair, open_channel(pair.other.address) as to_other:
        table = await Table.make(to_other)
        async with (
            Viewer(pair.channel, table, 0) as first,
            Viewer(pair.channel, table, 1) as second,
        ):
            await play_on(table, pair.channel, [first, second], 2)
            await pair.line.cut()
            outage = pair.owner.hall.heartbeat.outage
            await eventually(lambda: outage.since_ms is not None)
            await asyncio.sleep(2.5)  # longer than others are taken for alive unheard
            await play_on(table, pair.channel, [first, second], 2)
            async with Viewer(pair.channel, table, None) as spectator:
                await spectator.until_sequence(table.reached)
            await pair.line.mend()


async def test_a_room_that_is_answered_knows_the_others_to_be_gone(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-1") as one:
        async with room_here(nats.url, "room-2") as two:
            await settled(one, two)
        await eventually(lambda: one.hall._roster.find("room-2") is None)
        assert one.hall._roster.find("room-1") is not None


async def test_viewers_are_not_sent_for_ever_to_a_room_that_died_unheard(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_FOLLOW_SECONDS", 3.0)
    async with (
        Proxy(nats.config.port) as line,
        room_here(line.url, "room-1") as front,
        open_channel(front.address) as channel,
    ):
        async with room_here(nats.url, "room-2") as owner, open_channel(owner.address) as to_owner:
            await settled(front, owner)
            table = await Table.make(to_owner)
            viewer = Viewer(channel, table, 0)
            await viewer.until()
            await line.cut()
            await eventually(lambda: front.hall.heartbeat.deaf_seconds > 0)
        async with viewer:
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await viewer.end(20)
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
        await line.mend()


async def test_a_room_that_is_cut_off_ends_in_time_and_leaves_its_matches_to_be_found(
    nats: NatsServer,
) -> None:
    async with pair_on(nats) as pair:
        table = await Table.make(pair.channel)
        await pair.line.cut()
        async with asyncio.timeout(15):
            await pair.owner.drain()
        await eventually(lambda: pair.other.hall.find(table.match_id) is not None, 15)
        await pair.line.mend()


async def test_a_room_names_no_heir_of_a_match_that_it_has_lost(nats: NatsServer) -> None:
    async with pair_on(nats) as pair:
        table = await Table.make(pair.channel)
        match, heir = pair.owner.hall.find(table.match_id), pair.owner.hall._roster.find("room-2")
        assert match is not None
        assert heir is not None
        before = await pair.owner.hall._owners.ask(table.match_id)
        match.lose()
        await pair.owner.hall._pass_on(match)
        with pytest.raises(NotOwnerError):
            await pair.owner.hall.hand_over(match, heir)
        assert await pair.owner.hall._owners.ask(table.match_id) == before


@pytest.mark.parametrize("epoch", [0, 1])
async def test_a_room_keeps_a_match_that_somebody_says_to_have_had_before(
    room: RoomHere, channel: grpc.aio.Channel, epoch: int
) -> None:
    table = await Table.make(channel)
    request = control.LoseMatchesRequest(
        room_id="room-9", matches=[control.LostMatch(match_id=table.match_id, epoch=epoch)]
    )
    await RoomControlServiceStub(channel).LoseMatches(request, metadata=SERVICE)
    assert room.hall.find(table.match_id) is not None


async def test_a_room_that_is_told_wrongly_takes_its_match_up_again(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    await settled(room)
    table = await Table.make(channel)
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        last = await play_on(table, channel, [first, second], 2)
        room.hall.lose(table.match_id, room.hall.room_id, Reign(1, 7))
        assert room.hall.find(table.match_id) is None
        assert await play_on(table, channel, [first, second], 2) >= last + 2


async def test_a_room_keeps_a_match_of_which_a_room_tells_it_that_it_does_not_know(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table = await Table.make(channel)
    room.hall.lose(table.match_id, "room-9", Reign(1, 7))
    assert room.hall.find(table.match_id) is not None


async def test_only_services_tell_a_room_what_it_has_lost(channel: grpc.aio.Channel) -> None:
    table = await Table.make(channel)
    request = control.LoseMatchesRequest(
        room_id="room-9", matches=[control.LostMatch(match_id=table.match_id, epoch=9)]
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await RoomControlServiceStub(channel).LoseMatches(request, metadata=player("player-0"))
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
