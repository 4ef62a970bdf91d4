"""Clocks: judged by the owner on arrival, and never charged for what the platform kept waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path

import grpc
import pytest

from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.log.subjects import new_match_id
from arena_services.common.owners import Reign
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from arena_services.room.clock import Outage, Standstill
from arena_services.room.commands import Expire
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.proxy import Proxy
from tests.services.room.table import SERVICE, Table, Viewer, play_on
from tests.waiting import eventually

EARLY = control.ExpireResponse.VERDICT_EARLY
STALE = control.ExpireResponse.VERDICT_STALE
EXPIRED = control.ExpireResponse.VERDICT_EXPIRED


async def expire(channel: grpc.aio.Channel, table: Table, decision: int) -> control.ExpireResponse:
    request = control.ExpireRequest(match_id=table.match_id, decision=decision)
    return await RoomControlServiceStub(channel).Expire(request, metadata=SERVICE)


def test_standstill_counts_overlapping_stretches_once() -> None:
    standstill = Standstill(Outage(), 1000)
    standstill.add(500, 900)
    standstill.add(1100, 1300)
    standstill.add(1200, 1400)
    standstill.add(1600, 1700)
    assert standstill.due(1000) == 0
    assert standstill.due(1250) == 150
    assert standstill.due(2000) == 400


def test_standstill_gives_back_what_lies_behind_an_entry_with_the_next_one() -> None:
    standstill = Standstill(Outage(), 1000)
    standstill.add(1100, 1300)
    standstill.settle(1200)
    assert standstill.due(1200) == 0
    assert standstill.due(1500) == 100
    standstill.settle(1500)
    assert standstill.due(9000) == 0


def test_standstill_counts_an_outage_that_goes_on() -> None:
    outage = Outage()
    standstill = Standstill(outage, 1000)
    outage.since_ms = 1500
    standstill.add(1400, 1600)
    assert standstill.due(2000) == 600


def test_standstill_counts_from_the_last_tick_of_a_room_that_slept_before_it_ticks_again() -> None:
    seconds = 10.0
    outage = Outage(lambda: seconds)
    standstill = Standstill(outage, 1000)
    seconds += 9
    assert standstill.due(1400) == 0
    assert outage.tick(1500) is None
    seconds += 0.5
    assert standstill.due(2000) == 0
    assert outage.tick(2000) is None
    seconds += 5
    assert standstill.due(7000) == 5000
    standstill.settle(7000)
    assert outage.tick(7100) == 2000
    standstill.add(2000, 7100)
    assert standstill.due(7100) == 100


def test_outage_of_nats_is_as_long_as_that_of_a_room_that_slept_meanwhile() -> None:
    seconds = 10.0
    outage = Outage(lambda: seconds)
    outage.answered(1000)
    outage.tick(1500)
    outage.since_ms = 1000
    seconds += 5
    assert outage.began_ms() == 1000
    outage.since_ms = 2500
    assert outage.began_ms() == 1500


async def test_expire_too_early_is_told_what_remains(channel: grpc.aio.Channel) -> None:
    table = await Table.make(channel, turn_seconds=30)
    async with Viewer(channel, table, None) as viewer:
        update = await viewer.until()
        decision = update.awaited[0].decision
        said = await expire(channel, table, decision)
        assert said.verdict == EARLY
        assert 28_000 < said.remaining_ms <= 30_000
        assert 28_000 < update.remaining_ms <= 30_000
        assert (await expire(channel, table, decision + 1)).verdict == STALE


async def test_expire_without_a_clock_is_stale(channel: grpc.aio.Channel) -> None:
    table = await Table.make(channel)
    async with Viewer(channel, table, None) as viewer:
        update = await viewer.until()
    assert not update.HasField("remaining_ms")
    assert (await expire(channel, table, update.awaited[0].decision)).verdict == STALE


async def test_expire_of_an_unknown_match_is_not_found(channel: grpc.aio.Channel) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await expire(channel, Table(new_match_id(), []), 1)
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def test_clock_that_has_run_out_is_expired_once(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table = await Table.make(channel, turn_seconds=30)
    async with Viewer(channel, table, None) as viewer:
        (awaited,) = (await viewer.until()).awaited
        match = room.hall.find(table.match_id)
        assert match is not None
        late = int(time.time() * 1000) + 31_000
        answers = [match.submit(Expire(awaited.decision, late)) for _ in range(2)]
        verdicts = [getattr(await answer, "verdict", None) for answer in answers]
        assert verdicts == [EXPIRED, STALE]
        update = await viewer.until_sequence(2)
        assert awaited.decision not in {each.decision for each in update.awaited}


async def test_act_that_arrives_after_the_clock_has_run_out_comes_too_late(
    channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.make(channel, turn_seconds=30)
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        seat = (await first.until()).awaited[0].seat
        act = table.choose(await (first, second)[seat].until(), seat)
        later = time.time_ns() + 30_500_000_000
        monkeypatch.setattr("arena_services.common.clock.time.time_ns", lambda: later)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await table.act(channel, seat, act)
        assert refused.value.code() is grpc.StatusCode.ABORTED
        update = await first.until_sequence(2)
        assert update.awaited[0].seat != seat


async def test_clock_stands_still_while_an_append_is_unresolved(nats: NatsServer) -> None:
    async with (
        Proxy(nats.config.port) as proxy,
        room_here(proxy.url) as room,
        open_channel(room.address) as channel,
    ):
        table = await Table.make(channel, turn_seconds=30)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            await play_on(table, channel, [first, second], 1)
            proxy.hold_answers()
            playing = asyncio.create_task(play_on(table, channel, [first, second], 1))
            await asyncio.sleep(3)
            proxy.pass_answers()
            last = await playing
            update = await first.until_sequence(last)
            if update.awaited[0].decision == first.updates[-2].awaited[0].decision:
                assert update.remaining_ms > 29_000
            last = await play_on(table, channel, [first, second], 1)
            given = (await first.until_sequence(last)).given_back_ms
            assert 2_500 < given < 6_000


async def test_nats_restarted_during_a_match_costs_nobody_time(nats: NatsServer) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            last = await play_on(table, channel, [first, second], 2)
            before = await first.until_sequence(last)
            began = time.monotonic()
            await nats.kill()
            await asyncio.sleep(3)
            await nats.start()
            away = time.monotonic() - began
            acted = await play_on(table, channel, [first, second], 2)
            assert acted == last + 2
            given = sum(update.given_back_ms for update in first.updates) / 1000
            assert away - 0.3 < given
            assert len({update.sequence for update in first.updates}) == acted
            assert before.remaining_ms > 25_000


@pytest.mark.timeout(120)
async def test_match_goes_on_when_one_of_three_nats_servers_dies(tmp_path: Path) -> None:
    cluster = NatsCluster(tmp_path, sync_always=False)
    async with (
        cluster,
        room_here(cluster.url, log_replicas=3, log_partitions=1) as room,
        open_channel(room.address) as channel,
    ):
        table = await Table.make(channel, turn_seconds=30)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            last = await play_on(table, channel, [first, second], 2)
            leader = await cluster.stream_leader("MATCHES_0")
            assert leader is not None
            await leader.kill()
            playing = asyncio.create_task(play_on(table, channel, [first, second], 1, insists=True))
            await cluster.new_leader("MATCHES_0", leader)
            async with asyncio.timeout(10):
                assert await playing == last + 1
            assert await play_on(table, channel, [first, second], 2) == last + 3


async def test_what_lies_between_a_claim_and_being_there_is_given_back(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
    async with room_here(nats.url, "room-2") as room:
        names = room.hall.names

        async def named_slowly(player_ids: Iterable[str]) -> dict[str, str]:
            await asyncio.sleep(0.5)
            return await names(player_ids)

        room.hall.names = named_slowly  # type: ignore[method-assign]
        tail = await room.hall.reader.tail(table.match_id)
        assert tail is not None
        match = await room.hall._take_in(table.match_id, tail, None)
        assert match.standstill.due(now_ms()) >= 500


@pytest.mark.parametrize("said", ["room-9", None])
async def test_room_that_settles_whose_a_match_is_keeps_what_was_known_of_it(
    nats: NatsServer, said: str | None
) -> None:
    """It may have slept: saying that it has the match says nothing of the time before."""
    async with room_here(nats.url, "room-1") as room, open_channel(room.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
        match = room.hall.find(table.match_id)
        tail = await room.hall.reader.tail(table.match_id)
        assert match is not None
        assert tail is not None
        if said is None:
            await room.hall._owners.remove(table.match_id)
        else:
            await room.hall._owners.put(table.match_id, said, tail.stored_ms)
        await asyncio.sleep(0.3)
        await room.hall.settle_contest(match)
        owner = await room.hall._owners.ask(table.match_id)
        assert owner is not None
        assert (owner.room_id, owner.since_ms) == ("room-1", tail.stored_ms)
        assert owner.reign == Reign(room.hall.heartbeat.began_ms, 1)


async def test_room_that_hears_again_of_its_own_match_writes_nothing(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-1") as room, open_channel(room.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
        match = room.hall.find(table.match_id)
        before = await room.hall._owners.ask(table.match_id)
        assert match is not None
        room.hall._owners.note(table.match_id, None)  # as after NATS was away
        await room.hall.settle_contest(match)
        assert room.hall._owners.find(table.match_id) == "room-1"
        assert await room.hall._owners.ask(table.match_id) == before


async def test_time_that_a_drained_room_had_not_given_back_is_given_back_by_the_next(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url, "room-1") as leaving,
        room_here(nats.url, "room-2") as staying,
        open_channel(leaving.address) as direct,
        open_channel(staying.address) as channel,
    ):
        await eventually(
            lambda: leaving.hall.heartbeat.is_settled and staying.hall.heartbeat.is_settled
        )
        table = await Table.make(direct, turn_seconds=30)
        await asyncio.sleep(1)
        leaving.hall.stood_still(now_ms() - 800, now_ms())
        await leaving.drain()
        async with Viewer(channel, table, None) as viewer:
            claimed = await viewer.until_sequence(2)
        assert claimed.remaining_ms is not None
        spent_ms = 30_000 - claimed.remaining_ms
        assert spent_ms < 700, "800 of the thousand milliseconds nobody could act in"
        tail = await staying.hall.reader.tail(table.match_id)
        assert tail is not None
        assert tail.entry.given_back_ms >= 800
