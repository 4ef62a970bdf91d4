"""Rooms archive by themselves what has ended, and nothing else; those who read headers hardly notice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from nats.aio.client import Client
from prometheus_client import REGISTRY

from arena.log.v1.entry_pb2 import Closed, Entry
from arena_services.common import games
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.messages import all_messages
from arena_services.common.log.reader import Heading, LogReader
from arena_services.common.nats import connected
from arena_services.common.roster import ROOMS_BUCKET, Beat
from arena_services.local.nats_server import NatsServer
from arena_services.room.archive import ARCHIVE_BUCKET
from arena_services.room.archiver import Archiver
from arena_services.room.config import RoomSettings
from arena_services.room.stores import Stores
from tests.services.room.harness import room_here
from tests.services.room.other_rules import change_rules
from tests.services.room.proxy import Proxy
from tests.services.room.short_match import ShortMatch
from tests.services.room.test_header_readers import read, until
from tests.services.running import TOKEN_KEY
from tests.waiting import eventually

PARTITIONS = 2
#: What has ended is archived at once, and as fast as that goes.
EAGER: dict[str, Any] = {
    "archive_after_seconds": 0.4,
    "archive_share": 1,
    "log_partitions": PARTITIONS,
    "keep_finished_seconds": 0.1,
}


@pytest.fixture
async def stores(nats: NatsServer) -> AsyncIterator[Stores]:
    async with connected(nats.url, "test", 10) as client:
        yield await Stores.open(
            client, RoomSettings(token_key=TOKEN_KEY, log_partitions=PARTITIONS)
        )


async def played(stores: Stores, count: int) -> list[ShortMatch]:
    matches = [ShortMatch(stores.reader, seed=seed) for seed in range(count)]
    for each in matches:
        await each.play(12)
    return matches


async def entries(stores: Stores, match: ShortMatch) -> int:
    """How many entries the log of a match holds."""
    stream, subject = stores.reader.place(match.match_id)
    info = await stores.reader.nats.jetstream().stream_info(stream, subjects_filter=subject)
    return (info.state.subjects or {}).get(subject, 0)


async def archived(stores: Stores, *matches: ShortMatch, seconds: float = 30) -> None:
    """Wait until matches are archived and their logs are gone."""
    async with asyncio.timeout(seconds):
        for each in matches:
            while await entries(stores, each) > 1:
                await asyncio.sleep(0.05)
    for each in matches:
        assert len(await stores.archive.replay(each.match_id)) == 12


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_what_has_ended_is_archived_and_what_goes_on_is_left_alone(
    nats: NatsServer, stores: Stores
) -> None:
    running = ShortMatch(stores.reader)
    await running.begin()
    matches = await played(stores, 8)
    before = value("arena_archived_matches_total")
    async with room_here(nats.url, **EAGER):
        await archived(stores, *matches)
        await eventually(lambda: value("arena_archived_matches_total") == before + 8)
        assert value("arena_archive_backlog_seconds") == 0
        later = await played(stores, 2)
        await archived(stores, *later)
    assert await entries(stores, running) == 1
    assert not await stores.archive.has(running.match_id)


async def test_nothing_is_archived_before_its_time(nats: NatsServer, stores: Stores) -> None:
    matches = await played(stores, 2)
    async with room_here(nats.url, **{**EAGER, "archive_after_seconds": 3600}) as room:
        await eventually(lambda: room.hall.heartbeat.is_settled)
        await asyncio.sleep(0.5)
        for each in matches:
            assert await entries(stores, each) == 12


async def bookmarks(stores: Stores) -> list[int]:
    found = await all_messages(
        stores.reader.nats, f"KV_{ARCHIVE_BUCKET}", f"$KV.{ARCHIVE_BUCKET}.settled.>"
    )
    return [int(each.data) for each in found]


async def test_a_room_that_starts_goes_on_where_another_left_off(
    nats: NatsServer, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await played(stores, 6)
    used = {stores.reader.partition(each.match_id) for each in first}
    async with room_here(nats.url, "room-1", **EAGER):
        await archived(stores, *first)
        async with asyncio.timeout(10):
            while len(await bookmarks(stores)) < len(used):
                await asyncio.sleep(0.05)
        assert all(await bookmarks(stores))
    looked_at: list[str] = []
    settle = Archiver.settle

    async def watched(archiver: Archiver, match_id: str) -> None:
        looked_at.append(match_id)
        await settle(archiver, match_id)

    monkeypatch.setattr(Archiver, "settle", watched)
    second = await played(stores, 2)
    async with room_here(nats.url, "room-2", **EAGER):
        await archived(stores, *second)
    assert sorted(looked_at) == sorted(each.match_id for each in second)


async def test_what_was_read_is_not_read_again_whatever_waits_there(
    nats: NatsServer, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = ShortMatch(stores.reader)
    await stuck.begin()
    await stuck.go_on(Entry(closed=Closed(reason="ABANDONED"), state_hash=b"that of another"))
    partition = stores.reader.partition(stuck.match_id)
    begins: list[int] = []
    headings = LogReader.headings

    def watched(
        reader: LogReader, read_partition: int, beyond: int
    ) -> AsyncGenerator[Heading, None]:
        if read_partition == partition:
            begins.append(beyond)
        return headings(reader, read_partition, beyond)

    monkeypatch.setattr(LogReader, "headings", watched)
    async with room_here(nats.url, **EAGER):
        await eventually(lambda: begins[-2:] == [stuck.writer.last] * 2)
        await archived(stores, *(await played(stores, 3)))
    assert begins == sorted(begins)


async def test_rooms_share_the_work_and_take_over_that_of_one_that_is_gone(
    nats: NatsServer, stores: Stores
) -> None:
    damaged = value("arena_archive_failures_total", reason="ARCHIVE_DAMAGED")
    async with room_here(nats.url, "room-1", **EAGER):
        async with room_here(nats.url, "room-2", **EAGER):
            await archived(stores, *(await played(stores, 6)))
        await archived(stores, *(await played(stores, 6)))
    assert value("arena_archive_failures_total", reason="ARCHIVE_DAMAGED") == damaged


async def test_a_match_that_cannot_be_archived_shows_and_holds_no_other_one_up(
    nats: NatsServer, stores: Stores
) -> None:
    stuck = ShortMatch(stores.reader)
    await stuck.begin()
    await stuck.go_on(Entry(closed=Closed(reason="ABANDONED"), state_hash=b"that of another"))
    others = await played(stores, 6)
    before = value("arena_archive_failures_total", reason="LOG_CORRUPT")
    async with room_here(nats.url, **EAGER):
        await archived(stores, *others)
        await eventually(lambda: value("arena_archive_backlog_seconds") > 1)
        # Again and again: somebody may mend it.
        await eventually(
            lambda: value("arena_archive_failures_total", reason="LOG_CORRUPT") >= before + 2
        )
        await archived(stores, *(await played(stores, 3)))
    assert await entries(stores, stuck) == 2
    assert not await stores.archive.has(stuck.match_id)


async def test_a_room_that_ends_amid_a_long_match_does_not_rest_from_it_first(
    nats: NatsServer, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = asyncio.Event()

    async def work(*_: object) -> None:
        working.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Archiver, "settle", work)
    await played(stores, 1)
    async with asyncio.timeout(30), room_here(nats.url, **{**EAGER, "archive_share": 0.001}):
        await working.wait()
        await asyncio.sleep(0.2)  # it would rest for 200 s


@asynccontextmanager
async def beating(nats: NatsServer) -> AsyncIterator[None]:
    """A room of the present build, as far as others hear of it."""
    rules = {each.game.name: [each.game.rules_version] for each in games.hosted()}
    beat = Beat("older", "127.0.0.1:1", "127.0.0.1:1", 0, rules)

    async def run(client: Client) -> None:
        while True:
            await client.publish(f"$KV.{ROOMS_BUCKET}.older", beat.to_bytes())
            await asyncio.sleep(0.2)

    async with connected(nats.url, "older", 10) as client:
        task = asyncio.create_task(run(client), name="beat")
        yield
        task.cancel()
        await asyncio.wait((task,))


async def test_what_an_older_build_played_is_left_to_it_and_shows_once_it_is_gone(
    nats: NatsServer, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failures() -> float:
        return value("arena_archive_failures_total", reason="LOG_CORRUPT")

    (match,) = await played(stores, 1)
    before = failures()
    with monkeypatch.context() as later:
        async with beating(nats):
            change_rules(later)
            async with room_here(nats.url, "newer", **EAGER):
                await eventually(lambda: value("arena_archive_backlog_seconds") > 1.5)
                assert failures() == before
        async with room_here(nats.url, "newer", **EAGER):
            await eventually(lambda: failures() > before)
            assert await entries(stores, match) == 12
    async with room_here(nats.url, "older", **EAGER):
        await archived(stores, match)


async def test_a_room_cut_off_from_nats_goes_on_once_it_is_back(
    nats: NatsServer, stores: Stores
) -> None:
    async with Proxy(nats.config.port) as proxy, room_here(proxy.url, **EAGER) as room:
        await eventually(lambda: room.hall.heartbeat.is_settled)
        await proxy.cut()
        matches = await played(stores, 3)
        await asyncio.sleep(1)
        for each in matches:
            assert await entries(stores, each) == 12
        await proxy.mend()
        await archived(stores, *matches)


@asynccontextmanager
async def reading(nats: NatsServer) -> AsyncIterator[dict[str, EntryHeaders]]:
    """The newest headers of all matches, as timer and bots read them."""
    seen: dict[str, EntryHeaders] = {}
    async with connected(nats.url, "reader", 10) as client:
        task = asyncio.create_task(read(client, seen, PARTITIONS), name="reader")
        yield seen
        task.cancel()
        await asyncio.wait((task,))


async def test_readers_of_headers_hear_how_a_purged_match_ended(
    nats: NatsServer, stores: Stores
) -> None:
    async with room_here(nats.url, **EAGER), reading(nats) as seen:
        (match,) = await played(stores, 1)
        ended = await until(seen, match.match_id, 12)
        assert ended.result == "ABANDONED -"
        lost = value("arena_log_header_readers_lost_total")
        await archived(stores, match)
        later = ShortMatch(stores.reader)
        await later.begin()
        await until(seen, later.match_id, 1)
        assert value("arena_log_header_readers_lost_total") == lost
        async with reading(nats) as anew:
            assert await until(anew, match.match_id, 12) == ended
            await until(anew, later.match_id, 1)
