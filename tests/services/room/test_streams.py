"""Streams to clients: resuming, being slow, several seats on one, what spectators may see."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.log.subjects import partition_of, stream_of
from arena_services.common.nats import connect
from arena_services.local.nats_server import NatsServer
from arena_services.room import viewers
from arena_services.room.commands import Attach
from arena_services.room.updates import RECENT
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import (
    RESIGN,
    TOKENS,
    Play,
    Table,
    Viewer,
    play_on,
    player,
    reason_of,
)


async def test_watch_resumes_behind_a_sequence_without_gap_or_repeat(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        last = await play_on(table, channel, [first, second], 12)
        await first.until_sequence(last)
        async with Viewer(channel, table, 0, after_sequence=5) as resumed:
            await resumed.until_sequence(last)
            assert [update.sequence for update in resumed.updates] == list(range(6, last + 1))
            assert [update.common for update in resumed.updates] == [
                update.common for update in first.updates if update.sequence > 5
            ]
            assert [update.own for update in resumed.updates] == [
                update.own for update in first.updates if update.sequence > 5
            ]
        async with Viewer(channel, table, 0, after_sequence=last) as current:
            last = await play_on(table, channel, [first, second], 1)
            await current.until_sequence(last)
            assert [update.sequence for update in current.updates] == [last]


async def test_watch_from_too_long_ago_begins_with_a_reset(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        last = await play_on(table, channel, [first, second], RECENT + 2)
        async with Viewer(channel, table, 0, after_sequence=1) as resumed:
            update = await resumed.until()
            assert update.reset
            assert update.sequence == last
            assert update.game == "crowns"
            assert update.HasField("options")
            assert len(update.seats) == 2
    async with Viewer(channel, table, 0, after_sequence=last + 1000) as ahead:
        assert (await ahead.until()).reset


async def test_spectator_and_seats_get_the_same_common_part(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with (
        Viewer(channel, table, 0) as first,
        Viewer(channel, table, 1) as second,
        Viewer(channel, table, None) as spectator,
    ):
        last = await play_on(table, channel, [first, second], 10)
        everybody = [await viewer.until_sequence(last) for viewer in (first, second, spectator)]
        assert len({update.common.value for update in everybody}) == 1
        assert [update.HasField("own") for update in everybody] == [True, True, False]


async def test_play_carries_several_seats_and_requests(
    channel: grpc.aio.Channel, table: Table
) -> None:
    other = await Table.make(channel)
    stream = Play(channel, table.people[0])
    seat_there = other.player_ids.index(table.player_ids[0])
    for match, seat in ((table, 0), (other, seat_there)):
        stream.send(pb.PlayRequest(id=1, match_id=match.match_id, seat=seat, attach=pb.Attach()))
    snapshots = [await stream.next(), await stream.next()]
    assert all(each.update.reset for each in snapshots)
    assert {each.match_id for each in snapshots} == {table.match_id, other.match_id}
    act = pb.Act(key=table.key(), action=RESIGN.action)
    stream.send(pb.PlayRequest(id=7, match_id=table.match_id, seat=0, act=act))
    said = [await stream.next() for _ in range(3)]
    assert [each.WhichOneof("response") for each in said] == ["update", "detached", "acted"]
    assert said[0].update.outcome.places
    assert (said[2].id, said[2].acted.sequence) == (7, 2)
    stream.send(pb.PlayRequest(id=8, match_id=other.match_id, seat=seat_there, detach=pb.Detach()))
    said = [await stream.next()]
    assert (said[0].id, said[0].detached.reason) == (8, "DETACHED")
    await stream.end()


async def test_play_goes_on_after_requests_that_fail(
    channel: grpc.aio.Channel, table: Table
) -> None:
    stream = Play(channel, table.people[0])

    def ask(number: int, seat: int = 0, **wish: Any) -> pb.PlayRequest:
        return pb.PlayRequest(id=number, match_id=table.match_id, seat=seat, **wish)

    wrong = [
        (ask(1), "EMPTY_REQUEST"),
        (ask(2, detach=pb.Detach()), "NOT_ATTACHED"),
        (ask(3, act=pb.Act(leave=pb.Leave())), "BAD_REQUEST_KEY"),
        (pb.PlayRequest(id=4, match_id="nowhere", attach=pb.Attach()), "NO_SUCH_MATCH"),
        (ask(5, 1, attach=pb.Attach()), "NOT_YOUR_SEAT"),
        (ask(6, 9, attach=pb.Attach()), "NO_SUCH_SEAT"),
        (pb.PlayRequest(id=7, match_id="x" * 70_000, attach=pb.Attach()), "MESSAGE_TOO_LARGE"),
    ]
    for request, reason in wrong:
        stream.send(request)
        said = await stream.next()
        assert said.error.reason == reason
        assert said.error.message
        assert said.id == (request.id if reason != "MESSAGE_TOO_LARGE" else 0)
    stream.send(ask(9, attach=pb.Attach()))
    assert (await stream.next()).HasField("update")
    await stream.end()


async def test_play_answers_bytes_that_are_no_request(channel: Any, table: Table) -> None:
    async def garbage() -> AsyncIterator[bytes]:
        yield b"\xff\xff\xff"

    play = channel.stream_stream(
        "/arena.room.v1.RoomService/Play", None, pb.PlayResponse.FromString
    )
    responses = [each async for each in play(garbage(), metadata=table.people[0])]
    assert [each.error.reason for each in responses] == ["MALFORMED_MESSAGE"]


async def test_viewer_too_slow_to_read_is_cut_off_and_nobody_waits_for_it(
    room: RoomHere, channel: grpc.aio.Channel, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "MOST_WAITING", 5)
    framing = viewers.WatchFraming()
    outbox = viewers.Outbox(framing)
    slow = viewers.Viewer(outbox, framing, table.match_id, None, 0)
    match = room.hall.find(table.match_id)
    assert match is not None
    caller = TOKENS.check(player("sleepy")[0][1].removeprefix("Bearer "))
    await match.submit(Attach(caller, slow, viewers.Viewer.say_detached))
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        last = await play_on(table, channel, [first, second], 10)
        assert (await first.until_sequence(last)).sequence == last
    outbox.close()
    said = pb.WatchResponse.FromString(await outbox.take() or b"")
    assert said.detached.reason == "TOO_SLOW"
    assert await outbox.take() is None


async def test_seats_are_shown_by_the_names_of_their_people(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with Viewer(channel, table, None) as spectator:
        assert [seat.name for seat in (await spectator.until()).seats] == ["Player 1", "Player 2"]
    async with Viewer(channel, table, 0) as viewer:
        seats = (await viewer.until()).seats
        assert [seat.name for seat in seats] == [seats[0].player_id, "Player 2"]


async def test_streams_without_news_carry_heartbeats(
    channel: grpc.aio.Channel, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "HEARTBEAT_TICKS", 1)
    watch = RoomServiceStub(channel).Watch(
        pb.WatchRequest(match_id=table.match_id), metadata=player("p")
    )
    responses = aiter(watch)
    kinds = [(await anext(responses)).WhichOneof("response") for _ in range(3)]
    assert kinds == ["update", "heartbeat", "heartbeat"]
    watch.cancel()
    stream = Play(channel, player("p"))
    assert (await stream.next()).heartbeat.time_ms > 0
    await stream.end()


async def test_streams_that_are_cancelled_leave_nothing_behind(
    room: RoomHere, channel: grpc.aio.Channel, table: Table
) -> None:
    before = len(asyncio.all_tasks())
    for _ in range(50):
        watch = RoomServiceStub(channel).Watch(
            pb.WatchRequest(match_id=table.match_id), metadata=player("p")
        )
        await anext(aiter(watch))
        watch.cancel()
    match = room.hall.find(table.match_id)
    assert match is not None
    async with asyncio.timeout(5):
        while match._audience._viewers:
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.2)
    assert len(asyncio.all_tasks()) <= before + 5


async def test_act_on_a_full_log_is_refused_and_changes_nothing(
    nats: NatsServer, channel: grpc.aio.Channel, table: Table
) -> None:
    client = await connect(nats.url, "test", 10)
    js = client.jetstream()
    config = (await js.stream_info(stream_of(partition_of(table.match_id, 8)))).config
    config.max_msgs = 1
    await js.update_stream(config)
    leave = pb.Act(key=table.key(), leave=pb.Leave())
    refused = await reason_of(table.act(channel, 0, leave))
    assert refused == ("RESOURCE_EXHAUSTED", "LOG_FULL")
    async with Viewer(channel, table, 0) as viewer:
        assert (await viewer.until()).sequence == 1
    config.max_msgs = -1
    await js.update_stream(config)
    assert (await table.act(channel, 0, leave)).sequence == 2
    await client.close()


async def test_spectators_who_are_kept_behind_see_everything_later(nats: NatsServer) -> None:
    delay = 2.5
    async with (
        room_here(nats.url, spectator_delay_seconds=delay) as room,
        open_channel(room.address) as channel,
    ):
        table = await Table.make(channel)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            made = time.monotonic()
            async with Viewer(channel, table, None) as spectator:
                last = await play_on(table, channel, [first, second], 3)
                assert not spectator.updates
                update = await spectator.until()
                assert time.monotonic() - made > delay / 2
                assert (update.sequence, update.reset) == (1, True)
                await spectator.until_sequence(last)
                assert [each.sequence for each in spectator.updates] == list(range(1, last + 1))
                assert spectator.updates[2].common == first.updates[2].common
                await play_on(table, channel, [first, second], 1)
                async with Viewer(channel, table, None) as late:
                    assert (await late.until()).sequence == last
                async with Viewer(channel, table, None, after_sequence=2) as resumed:
                    await resumed.until_sequence(last)
                    assert not resumed.updates[0].reset
                await table.act(channel, 0, pb.Act(key=table.key(), action=RESIGN.action))
                assert await spectator.end(seconds=delay / 2) == "FINISHED"
                assert spectator.newest.sequence == last + 2


async def test_spectators_are_kept_behind_over_a_takeover_too(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2", spectator_delay_seconds=1.0) as heir:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            table = await Table.make(direct)
        async with open_channel(heir.address) as channel, Viewer(channel, table, 0) as seat:
            await seat.until()
            async with Viewer(channel, table, None) as spectator:
                with pytest.raises(TimeoutError):
                    await spectator.until(seconds=0.3)
                assert (await spectator.until()).sequence == 2
