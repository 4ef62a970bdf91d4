"""One person on several devices: the newest stream has the seat, whichever rooms are asked."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena_services.client import PlayClient, RefusedError
from arena_services.common.auth import Role
from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from arena_services.room.audience import SEAT_TAKEN_ELSEWHERE
from arena_services.room.commands import Attach
from arena_services.room.viewers import Outbox, Viewer, WatchFraming
from tests.services.room import table as tables
from tests.services.room.harness import RoomHere, room_here, room_process
from tests.services.room.table import TOKENS, Play, Table, play_on, player


def attach(table: Table, number: int, seat: int = 0) -> pb.PlayRequest:
    """Attach a seat."""
    return pb.PlayRequest(id=number, match_id=table.match_id, seat=seat, attach=pb.Attach())


async def test_the_newest_stream_of_a_seat_wins(channel: grpc.aio.Channel, table: Table) -> None:
    older, newer = Play(channel, table.people[0]), Play(channel, table.people[0])
    older.send(attach(table, 7))
    assert (await older.next()).update.reset
    newer.send(attach(table, 8))
    assert (await newer.next()).update.reset
    said = await older.next()
    assert said.detached == pb.Detached(reason=SEAT_TAKEN_ELSEWHERE, attach_id=7)
    async with tables.Viewer(channel, table, 0) as page:
        assert (await newer.next()).detached.attach_id == 8
        await page.until()
        async with tables.Viewer(channel, table, 1) as other, tables.Viewer(channel, table, 0):
            assert await page.end() == SEAT_TAKEN_ELSEWHERE
            await other.until()
            assert not other.detached
    await older.end()
    await newer.end()


async def test_the_newest_stream_wins_through_other_rooms(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as owner,
        room_here(nats.url, "room-2") as front,
        open_channel(owner.address) as direct,
        open_channel(front.address) as forwarding,
    ):
        table = await Table.make(direct)
        older, newer = Play(forwarding, table.people[0]), Play(direct, table.people[0])
        older.send(attach(table, 3))
        assert (await older.next()).update.reset
        newer.send(attach(table, 4))
        assert (await newer.next()).update.reset
        assert (await older.next()).detached == pb.Detached(
            reason=SEAT_TAKEN_ELSEWHERE, attach_id=3
        )
        older.send(attach(table, 5))
        assert (await older.next()).update.reset
        assert (await newer.next()).detached.attach_id == 4
        await older.end()
        await newer.end()


async def test_requests_of_a_seat_taken_elsewhere_are_still_answered(
    channel: grpc.aio.Channel, table: Table
) -> None:
    older = Play(channel, table.people[0])
    older.send(attach(table, 1))
    await older.next()
    async with tables.Viewer(channel, table, 0) as newer, tables.Viewer(channel, table, 1) as other:
        assert (await older.next()).HasField("detached")
        await newer.until()
        leave = pb.Act(key=table.key(), leave=pb.Leave())
        older.send(pb.PlayRequest(id=2, match_id=table.match_id, seat=0, act=leave))
        assert (await older.next()).acted.sequence == 2
        await newer.until_sequence(2)
        await other.until_sequence(2)
    await older.end()


async def test_a_bot_and_its_person_follow_a_seat_side_by_side(
    channel: grpc.aio.Channel, table: Table
) -> None:
    bot, other_bot = (Play(channel, player(f"bot-{n}", Role.BOT)) for n in range(2))
    async with tables.Viewer(channel, table, 0) as person:
        await person.until()
        await table.act(channel, 0, pb.Act(key=table.key(), leave=pb.Leave()))
        for each in (bot, other_bot):
            each.send(attach(table, 1))
            assert (await each.next()).update.reset
        await table.act(channel, 0, pb.Act(key=table.key(), take_back=pb.TakeBack()))
        await person.until_sequence(3)
        for each in (bot, other_bot):
            while not (said := await each.next()).HasField("detached"):
                pass
            assert said.detached.reason == "SEAT_TAKEN_BACK"
            await each.end()
        async with tables.Viewer(channel, table, 1) as rival:
            await play_on(table, channel, [person, rival], 1)


@pytest.mark.parametrize(("since_ms", "is_over"), [(1, True), (2**60, False)])
async def test_a_room_that_attaches_anew_does_not_drive_a_newer_stream_away(
    room: RoomHere, channel: grpc.aio.Channel, table: Table, since_ms: int, *, is_over: bool
) -> None:
    match = room.hall.find(table.match_id)
    assert match is not None
    caller = TOKENS.check(table.people[0][0][1].removeprefix("Bearer "))
    framing = WatchFraming()
    again = Viewer(Outbox(framing), framing, table.match_id, 0, 0, since_ms=since_ms)
    ended: list[str] = []
    async with tables.Viewer(channel, table, 0) as newest:
        await newest.until()
        await match.submit(Attach(caller, again, lambda _, reason: ended.append(reason)))
        if not is_over:
            assert await newest.end() == SEAT_TAKEN_ELSEWHERE
    assert ended == [SEAT_TAKEN_ELSEWHERE] * is_over


async def test_our_client_hears_that_its_seat_was_taken_and_does_not_come_back(
    room: RoomHere, table: Table
) -> None:
    token = table.people[0][0][1].removeprefix("Bearer ")
    async with (
        PlayClient((room.address,), token) as first,
        PlayClient((room.address,), token) as second,
    ):
        seat = await first.join(table.match_id, 0)
        newer = await second.join(table.match_id, 0)
        with pytest.raises(RefusedError, match="another device") as refused:
            async for _ in seat.steps():
                pass
        assert refused.value.reason == SEAT_TAKEN_ELSEWHERE
        await asyncio.sleep(0.5)
        assert newer.is_up_to_date or newer.latest.sequence == 1
        await newer.leave()


async def test_a_front_room_that_wakes_up_gives_way_to_the_stream_that_took_its_place(
    nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as owner,
        room_process(nats.url, "room-2", tmp_path) as sleeper,
        open_channel(owner.address) as direct,
        patient_channel(sleeper.address) as before,
    ):
        table = await Table.make(direct)
        left_behind = Play(before, table.people[0])
        left_behind.send(attach(table, 1))
        assert (await left_behind.next()).update.reset
        sleeper.send(signal.SIGSTOP)
        async with room_here(nats.url, "room-3") as heir, open_channel(heir.address) as channel:
            while not heir.hall.heartbeat.is_settled:
                await asyncio.sleep(0.1)
            await owner.kill()
            async with tables.Viewer(channel, table, 0) as gone_on:
                assert (await gone_on.until(seconds=20)).sequence == 2
                sleeper.send(signal.SIGCONT)
                said = await left_behind.next(seconds=20)
                while not said.HasField("detached"):
                    said = await left_behind.next(seconds=20)
                assert said.detached == pb.Detached(reason=SEAT_TAKEN_ELSEWHERE, attach_id=1)
                await table.act(channel, 0, pb.Act(key=table.key(), leave=pb.Leave()))
                await gone_on.until_sequence(3)


def patient_channel(address: str) -> grpc.aio.Channel:
    """A channel of a client that does not notice that its room hangs."""
    return grpc.aio.insecure_channel(address)
