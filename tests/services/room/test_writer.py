"""Appends without a clear answer: each ends up certain, and in the log exactly once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from nats.aio.client import Client

from arena.log.v1.entry_pb2 import Claimed, Entry
from arena_services.common.log import reader as reader_module
from arena_services.common.log.errors import FencedError, LogFullError, LogUnavailableError
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.subjects import new_match_id
from arena_services.common.log.writer import Appended, LogWriter, Resolution
from arena_services.common.nats import connect, once_answered
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from tests.services.room.proxy import Proxy

PARTITIONS = 2


class Log:
    """One match's log, seen by its writer and, over a connection of its own, by the test."""

    def __init__(self, client: Client, direct: Client) -> None:
        self.match_id = new_match_id()
        self.direct = LogReader(direct, PARTITIONS)
        self.reader = LogReader(client, PARTITIONS)
        self.writer = LogWriter(self.reader, self.match_id, 0)

    def entry(self, sequence: int, epoch: int = 1) -> Entry:
        return Entry(
            sequence=sequence,
            epoch=epoch,
            append_id=os.urandom(16),
            claimed=Claimed(room_id="room"),
        )

    async def append(self, entry: Entry) -> Appended:
        return await self.writer.append(
            entry.SerializeToString(), headers(entry), entry.epoch, entry.append_id
        )

    async def publish_beside(self, entry: Entry) -> None:
        """Store an entry behind the writer's back."""
        _, subject = self.direct.place(self.match_id)
        await self.direct.nats.jetstream().publish(
            subject, entry.SerializeToString(), headers=headers(entry)
        )

    async def stored(self) -> list[Entry]:
        tail = await self.direct.tail(self.match_id, self.writer.last)
        if tail is None:
            return []
        found: list[Stored] = await self.direct.read(self.match_id, tail.stream_sequence)
        return [each.entry for each in found]


def headers(entry: Entry) -> dict[str, str]:
    return EntryHeaders(
        entry.sequence, entry.time_ms, entry.epoch, entry.append_id.hex(), "crowns"
    ).to_nats()


@asynccontextmanager
async def open_log(url: str, direct_url: str, replicas: int = 1) -> AsyncIterator[Log]:
    async with AsyncExitStack() as open_connections:
        direct = await connect(direct_url, "direct", 10)
        open_connections.push_async_callback(direct.close)
        js = direct.jetstream()
        await once_answered(lambda: ensure_streams(js, PARTITIONS, replicas), 30)
        client = await connect(url, "writer", 10)
        open_connections.push_async_callback(client.close)
        yield Log(client, direct)


@pytest.fixture
async def proxy(nats: NatsServer) -> AsyncIterator[Proxy]:
    async with Proxy(nats.config.port) as running:
        yield running


@pytest.fixture
async def log(nats: NatsServer, proxy: Proxy) -> AsyncIterator[Log]:
    async with open_log(proxy.url, nats.url) as opened:
        yield opened


async def test_append_that_is_acknowledged_is_stored(log: Log) -> None:
    first, second = log.entry(1), log.entry(2)
    assert (await log.append(first)).resolution is Resolution.ACKNOWLEDGED
    assert (await log.append(second)).resolution is Resolution.ACKNOWLEDGED
    assert await log.stored() == [first, second]


async def test_append_that_is_stored_but_times_out_is_found(log: Log, proxy: Proxy) -> None:
    await log.append(log.entry(1))
    proxy.hold_answers()
    entry = log.entry(2)
    appending = asyncio.create_task(log.append(entry))
    await asyncio.sleep(2.3)
    assert not appending.done()
    proxy.pass_answers()
    assert (await appending).resolution is Resolution.FOUND
    assert (await log.append(log.entry(3))).resolution is Resolution.ACKNOWLEDGED
    assert [each.sequence for each in await log.stored()] == [1, 2, 3]


async def test_append_whose_acknowledgement_is_lost_with_the_connection_is_stored_once(
    log: Log, proxy: Proxy
) -> None:
    await log.append(log.entry(1))
    proxy.hold_answers()
    appending = asyncio.create_task(log.append(log.entry(2)))
    await asyncio.sleep(0.3)
    await proxy.cut()
    await proxy.mend()
    assert (await appending).resolution is not Resolution.ACKNOWLEDGED
    assert [each.sequence for each in await log.stored()] == [1, 2]


async def test_append_while_cut_off_is_stored_once_when_mended(log: Log, proxy: Proxy) -> None:
    await log.append(log.entry(1))
    await proxy.cut()
    appending = asyncio.create_task(log.append(log.entry(2)))
    await asyncio.sleep(2.5)
    assert not appending.done()
    await proxy.mend()
    await appending
    assert (await log.append(log.entry(3))).resolution is Resolution.ACKNOWLEDGED
    assert [each.sequence for each in await log.stored()] == [1, 2, 3]


async def test_append_that_is_refused_but_its_own_is_found(log: Log) -> None:
    entry = log.entry(1)
    await log.publish_beside(entry)
    assert (await log.append(entry)).resolution is Resolution.FOUND
    assert await log.stored() == [entry]


async def test_append_behind_another_writer_is_fenced(log: Log) -> None:
    await log.append(log.entry(1))
    await log.publish_beside(log.entry(2, epoch=2))
    with pytest.raises(FencedError):
        await log.append(log.entry(2))
    assert [each.epoch for each in await log.stored()] == [1, 2]


async def test_append_to_a_full_stream_is_refused_visibly(log: Log) -> None:
    stream, _ = log.direct.place(log.match_id)
    js = log.direct.nats.jetstream()
    config = (await js.stream_info(stream)).config
    await log.append(log.entry(1))
    config.max_msgs = 1
    await js.update_stream(config)
    with pytest.raises(LogFullError):
        await log.append(log.entry(2))
    config.max_msgs = -1
    await js.update_stream(config)
    await log.append(log.entry(2))
    assert [each.sequence for each in await log.stored()] == [1, 2]


async def test_tail_older_than_what_is_known_to_be_stored_is_no_answer(log: Log) -> None:
    await log.append(log.entry(1))
    tail = await log.direct.tail(log.match_id, log.writer.last)
    assert tail is not None
    with pytest.raises(LogUnavailableError):
        await log.direct.tail(log.match_id, log.writer.last + 1)


async def test_reading_gives_long_logs_in_order_up_to_the_tail(log: Log) -> None:
    for sequence in range(1, 701):
        await log.append(log.entry(sequence))
    assert [each.sequence for each in await log.stored()] == list(range(1, 701))


async def stored_by_now(log: Log) -> list[Entry]:
    """What is stored, once the servers agree: just after a change of leader they may say to try again."""
    async with asyncio.timeout(40):
        while True:
            with suppress(LogUnavailableError):
                return await log.stored()


async def test_append_survives_a_paused_leader_of_three(tmp_path: Path) -> None:
    cluster = NatsCluster(tmp_path, sync_always=False)
    async with cluster, open_log(cluster.url, cluster.url, replicas=3) as log:
        await log.append(log.entry(1))
        stream, _ = log.direct.place(log.match_id)
        leader = await cluster.stream_leader(stream)
        assert leader is not None
        leader.pause()
        try:
            async with asyncio.timeout(40):
                await log.append(log.entry(2))
        finally:
            leader.resume()
        await log.append(log.entry(3))
        assert [each.sequence for each in await stored_by_now(log)] == [1, 2, 3]


async def test_where_a_match_lies_is_worked_out_once_for_all_of_its_appends(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    partition = log.direct.partition(log.match_id)
    monkeypatch.setattr(reader_module, "partition_of", None)
    for sequence in (1, 2, 3):
        appended = await log.append(log.entry(sequence))
        assert log.reader.newest_places[partition] == appended.stream_sequence
