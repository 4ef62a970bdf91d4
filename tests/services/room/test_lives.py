"""What a room tells about when it could work, and what whoever takes its matches over gives back by that."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from nats.aio.client import Client

from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.log.streams import ensure_bucket
from arena_services.common.log.writer import LogWriter, _Verdict
from arena_services.common.nats import connected
from arena_services.common.owners import Owner, Reign
from arena_services.common.roster import ROOMS_BUCKET, Beat
from arena_services.local.nats_server import NatsServer
from arena_services.room import heartbeat as heartbeat_module
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.lapse import lapse_ms
from arena_services.room.lives import MOST_STRETCHES, Lives, Stretch
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.proxy import Proxy
from tests.services.room.table import Table, Viewer
from tests.waiting import eventually


def _told(lives: Lives, until_ms: int) -> Lives:
    return Lives.read(lives.told(until_ms))


def test_room_tells_all_its_interruptions_by_life() -> None:
    lives = Lives()
    lives.begin(1000)
    lives.interrupt(2000, 2500)
    lives.interrupt(4000, 5000)
    assert lives.told(6000) == "1000:0-1000,1500-3000,4000-5000"
    told = _told(lives, 6000)
    assert told.worked(1000, 0, 9000, 0) == 1000 + 1500 + 1000
    assert told.worked(1000, 2400, 4200, 0) == 1500
    assert told.worked(1001, 0, 9000, 0) == 0
    told.begin(8000)
    assert told.told(9000) == "1000:0-1000,1500-3000,4000-5000;8000:0-1000"
    assert told.worked(1000, 0, 9500, 0) == 3500
    assert told.worked(8000, 0, 9500, 0) == 1500


def test_interruption_that_contains_others_counts_once() -> None:
    lives = Lives()
    lives.begin(1000)
    lives.interrupt(3000, 4000)
    lives.interrupt(2000, 5000)
    lives.interrupt(2500, 4500)
    assert lives.told(6000) == "1000:0-1000,4000-5000"


def test_room_that_has_not_begun_and_tells_nothing_has_not_worked() -> None:
    lives = Lives.read("")
    lives.interrupt(1000, 2000)
    assert lives.told(3000) == ""
    assert lives.worked(0, 0, 9000, 0) == 0


def test_room_tells_what_keeps_it_waiting_and_what_kept_it_before_it_began_anew() -> None:
    lives = Lives()
    assert lives.told_kept({3: 900}) == ""
    lives.begin(1000)
    kept = lives.told_kept({3: 1800, 5: 1200})
    assert kept == "1000:3:1800,1000:5:1200"
    told = Lives.read(lives.told(2000), kept)
    told.begin(4000)
    told = Lives.read(told.told(5000), told.told_kept({3: 4200}))
    assert [told.worked(1000, 0, 9000, partition) for partition in (3, 5, 7)] == [800, 200, 1000]
    assert [told.worked(4000, 0, 9000, partition) for partition in (3, 5)] == [200, 1000]
    assert told.worked(1000, 1900, 9000, 3) == 0
    assert Lives.read("", kept).told_kept({}) == "", "of lives that are forgotten"


def test_of_too_many_interruptions_the_shortest_are_forgotten() -> None:
    lives = Lives()
    lives.begin(0)
    for number in range(1, 2 * MOST_STRETCHES):
        lives.interrupt(10_000 * number, 10_000 * number + (5000 if number % 4 == 0 else 700))
    told = lives.told(2_000_000)
    assert told.count("-") == MOST_STRETCHES
    for number in range(4, 2 * MOST_STRETCHES, 4):
        assert Lives.read(told).worked(0, 10_000 * number, 10_000 * number + 5000, 0) == 0


def test_of_too_many_lives_the_oldest_are_forgotten() -> None:
    lives = Lives(Stretch(life, life, life + 5) for life in range(0, 10 * MOST_STRETCHES, 10))
    lives.begin(100_000)
    assert lives.worked(0, 0, 200_000, 0) == 0
    assert lives.worked(10, 0, 200_000, 0) == 5


def _heartbeat(client: Client, room_id: str) -> Heartbeat:
    return Heartbeat(client, lambda: Beat(room_id, "", "", 0), lambda *_: None)


async def test_beat_that_nats_stores_late_tells_when_its_room_could_work(nats: NatsServer) -> None:
    """Its room may be dead by then, and NATS may have been away before it was sent."""
    async with connected(nats.url, "one", 10) as one, connected(nats.url, "two", 10) as two:
        await ensure_bucket(one.jetstream(), ROOMS_BUCKET, 1)
        dying, other = _heartbeat(one, "room-1"), _heartbeat(two, "room-2")
        await dying.begin()
        began_ms, answered_ms = dying.began_ms, dying.nats_ms()
        await asyncio.sleep(0.5)
        before = await other._last_beat("room-1")
        nats.pause()
        await dying.send()
        assert dying.outage.since_ms is not None
        nats.resume()
        async with asyncio.timeout(5):
            while await other._last_beat("room-1") == before:
                await asyncio.sleep(0.05)
        lives = await other.lives_of("room-1")
        assert lives.worked(began_ms, 0, answered_ms + 9000, 0) <= answered_ms - began_ms


async def test_room_that_nats_leaves_unanswered_says_since_when_it_cannot_work(
    nats: NatsServer,
) -> None:
    async with (
        Proxy(nats.config.port) as proxy,
        room_here(proxy.url, "room-1") as room,
        room_here(nats.url, "room-2") as other,
    ):
        life_ms = room.hall.heartbeat.began_ms
        await asyncio.sleep(1.2)
        held_ms = now_ms()
        proxy.hold_answers()
        await asyncio.sleep(3.5)
        lives = await other.hall.heartbeat.lives_of("room-1")
        worked_ms = lives.worked(life_ms, life_ms, now_ms(), 0)
        assert held_ms - 1500 < life_ms + worked_ms <= held_ms + 100
        proxy.pass_answers()


async def test_beat_that_takes_long_does_not_move_the_clock(nats: NatsServer) -> None:
    async with Proxy(nats.config.port) as proxy, connected(proxy.url, "one", 10) as one:
        await ensure_bucket(one.jetstream(), ROOMS_BUCKET, 1)
        heartbeat = _heartbeat(one, "room-1")
        proxy.delay_seconds = 0.2
        await heartbeat.begin()
        assert abs(heartbeat.nats_ms() - now_ms()) < 50


async def test_room_that_begins_anew_knows_when_its_former_process_worked(nats: NatsServer) -> None:
    async with connected(nats.url, "one", 10) as one, connected(nats.url, "two", 10) as two:
        await ensure_bucket(one.jetstream(), ROOMS_BUCKET, 1)
        former, anew = _heartbeat(one, "room-1"), _heartbeat(two, "room-1")
        await former.begin()
        await asyncio.sleep(0.3)
        await former.send()
        await former.send()
        died_ms = former.nats_ms()
        await asyncio.sleep(0.3)
        await anew.begin()
        for asked in (anew, _heartbeat(two, "room-2")):
            lives = await asked.lives_of("room-1")
            worked_ms = lives.worked(former.began_ms, 0, former.nats_ms(), 0)
            assert 200 < worked_ms <= died_ms - former.began_ms
        assert former.began_ms + 600 <= anew.began_ms


async def test_what_a_room_told_is_read_once_for_all_matches_that_are_taken_over_at_once(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(nats.url, "one", 10) as one:
        await ensure_bucket(one.jetstream(), ROOMS_BUCKET, 1)
        dead, heir = _heartbeat(one, "room-1"), _heartbeat(one, "room-2")
        await dead.begin()
        monkeypatch.setattr(heartbeat_module, "_FRESH_SECONDS", 60)
        lives = await heir.lives_of("room-1")
        assert await heir.lives_of("room-1") is lives
        monkeypatch.setattr(heartbeat_module, "_FRESH_SECONDS", 0)
        await dead.send()
        assert (await heir.lives_of("room-1")).worked(dead.began_ms, 0, now_ms(), 0) > 0


async def test_match_gets_back_every_outage_since_its_last_entry(nats: NatsServer) -> None:
    """Two of its room, after each of which that went on; then the room died."""
    async with room_here(nats.url, "room-2") as other, open_channel(other.address) as channel:
        await eventually(lambda: other.hall.heartbeat.is_settled)
        async with (
            Proxy(nats.config.port) as proxy,
            room_here(proxy.url, "room-1") as room,
            open_channel(room.address) as direct,
        ):
            table = await Table.make(direct, turn_seconds=30)
            outage, held_ms, made_ms = room.hall.heartbeat.outage, 0, now_ms()
            for _ in range(2):
                await eventually(lambda: outage.since_ms is None)
                began_ms = now_ms()
                proxy.hold_answers()
                await eventually(lambda: outage.since_ms is not None)
                held_ms += now_ms() - began_ms
                proxy.pass_answers()
            await eventually(lambda: outage.since_ms is None)
            await asyncio.sleep(3.5)
        died_ms = now_ms()
        async with Viewer(channel, table, None) as viewer:
            await viewer.until_sequence(2)
        tail = await other.hall.reader.tail(table.match_id)
        assert tail is not None
        given_ms, claimed_ms = tail.entry.given_back_ms, tail.entry.time_ms
        assert given_ms >= held_ms + claimed_ms - died_ms
        assert given_ms < claimed_ms - made_ms - 1000, "it worked for a while, too"


def _stop_clock(room: RoomHere) -> int:
    """Have it be now for a room from now on, by NATS' clock; returns that in milliseconds."""
    now = room.hall.heartbeat.nats_ms()
    room.hall.heartbeat.nats_ms = lambda: now  # type: ignore[method-assign]
    return now


@pytest.mark.parametrize("works_on", [False, True])
async def test_entry_that_waited_to_be_stored_does_not_shorten_an_outage(
    nats: NatsServer, works_on: bool
) -> None:
    """Its room slept as NATS came back, stored it as it woke up, and was fenced before it gave the wait back."""
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
        tail = await former.hall.reader.tail(table.match_id)
        assert tail is not None
    async with room_here(nats.url, "room-2") as room:
        now = _stop_clock(room)
        tail.entry.time_ms = now - 13_000
        tail = replace(tail, stored_ms=now - 1500)
        reign = Reign(now - 90_000, tail.entry.epoch)
        owner = Owner("room-1", now - 60_000, now - 60_000, reign)
        until_ms = now - (500 if works_on else 20_000)

        async def lives_of(room_id: str) -> Lives:
            assert room_id == "room-1"
            return Lives([Stretch(reign.life_ms, now - 90_000, until_ms)])

        room.hall.heartbeat.lives_of = lives_of  # type: ignore[method-assign]
        given_ms = await lapse_ms(room.hall.heartbeat, tail, owner, 0)
        assert given_ms == (12_000 if works_on else 13_000)


@pytest.mark.parametrize(
    ("reign", "given_ms"),
    [
        (None, 9000),
        (Reign(1, 1), 10_000),
        (Reign(0, 1), 5000),
        (Reign(0, 2), 10_000),
    ],
    ids=["was to have it", "began anew since", "had it", "had it before another one"],
)
async def test_life_of_a_room_counts_for_matches_that_it_has_alone(
    nats: NatsServer, reign: Reign | None, given_ms: int
) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel, turn_seconds=30)
        tail = await former.hall.reader.tail(table.match_id)
        assert tail is not None
    async with room_here(nats.url, "room-2") as room:
        now = _stop_clock(room)
        tail.entry.time_ms = now - 10_000
        tail = replace(tail, stored_ms=now - 10_000)

        async def lives_of(room_id: str) -> Lives:
            assert room_id == "room-3"
            return Lives([Stretch(0, 0, now - 4000)])

        room.hall.heartbeat.lives_of = lives_of  # type: ignore[method-assign]
        owner = Owner("room-3", now - 9000, now - 9000, reign)
        assert await lapse_ms(room.hall.heartbeat, tail, owner, 0) == given_ms


async def test_wait_for_a_partition_that_takes_nothing_is_given_back_after_its_room_died(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url, "room-2") as other:
        await eventually(lambda: other.hall.heartbeat.is_settled)
        async with room_here(nats.url, "room-1") as room, open_channel(room.address) as direct:
            table = await Table.make(direct, turn_seconds=30)
            await asyncio.sleep(1.5)

            async def send_in_vain(*_: object) -> tuple[_Verdict, int]:
                return _Verdict.UNKNOWN, 0

            with monkeypatch.context() as leaderless:
                leaderless.setattr(LogWriter, "_send", send_in_vain)
                leave = pb.Act(key=table.key(), leave=pb.Leave())
                acting = asyncio.create_task(table.act(direct, 0, leave), name="act")
                await eventually(lambda: bool(room.hall.reader.kept_since(0)))
                (since_ms,) = room.hall.reader.kept_since(0).values()
                await asyncio.sleep(2)
                assert not acting.done()
                acting.cancel()
                await room.hall.heartbeat.send()
        await eventually(lambda: other.hall.find(table.match_id) is not None)
        tail = await other.hall.reader.tail(table.match_id)
        assert tail is not None
        given_ms, claimed_ms = tail.entry.given_back_ms, tail.entry.time_ms
        assert given_ms >= claimed_ms - since_ms - 300
