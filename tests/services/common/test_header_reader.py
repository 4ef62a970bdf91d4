"""Reading headers from a real NATS, with consumers that are made by hand as rooms make them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from arena.room.v1.room_control_service_pb2 import OpenHeaderReaderRequest, OpenHeaderReaderResponse
from arena.room.v1.room_control_service_pb2_grpc import (
    RoomControlServiceServicer,
    add_RoomControlServiceServicer_to_server,
)
from arena_services.common.auth import Tokens
from arena_services.common.channels import Channels
from arena_services.common.log.header_reader import HeaderReader
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.pull import SILENCE_SECONDS
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.subjects import new_match_id, partition_of, stream_of, subject_of
from arena_services.common.roster import Beat, Roster
from arena_services.common.rpc import Server
from arena_services.local.nats_server import NatsServer

PARTITIONS = 2


def _headers(sequence: int, result: str = "") -> EntryHeaders:
    return EntryHeaders(
        sequence=sequence,
        time_ms=1000 + sequence,
        epoch=1,
        append_id="00",
        game="crowns",
        rules_version=1,
        decision=sequence,
        deadline_ms=90_000,
        awaited=(0, 1),
        bots=(1,),
        result=result,
    )


class HandMadeRoom(RoomControlServiceServicer):
    """Makes consumers as a room does, and does nothing else."""

    def __init__(self, client: Client) -> None:
        self._js = client.jetstream()
        self.opened: list[tuple[str, str]] = []

    async def OpenHeaderReader(
        self, request: OpenHeaderReaderRequest, context: Any
    ) -> OpenHeaderReaderResponse:
        stream = stream_of(request.partition)
        await self._js.add_consumer(
            stream,
            ConsumerConfig(
                durable_name=request.reader,
                deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
                ack_policy=AckPolicy.NONE,
                headers_only=True,
                inactive_threshold=60,
                filter_subject=f"match.{request.partition}.*",
            ),
        )
        self.opened.append((stream, request.reader))
        return OpenHeaderReaderResponse(stream=stream, consumer=request.reader)

    def CreateMatch(self, request: Any, context: Any) -> Any:
        raise NotImplementedError

    def ExpireMany(self, request: Any, context: Any) -> Any:
        raise NotImplementedError

    def Expire(self, request: Any, context: Any) -> Any:
        raise NotImplementedError

    def LoseMatches(self, request: Any, context: Any) -> Any:
        raise NotImplementedError


class Reading:
    """A platform of one NATS, one hand-made room and one reader."""

    def __init__(self, client: Client, room: HandMadeRoom, server: NatsServer) -> None:
        self.client = client
        self.room = room
        self.server = server
        self.seen: list[tuple[str, EntryHeaders]] = []

    async def append(self, match_id: str, headers: EntryHeaders, body: bytes = b"secret") -> None:
        subject = subject_of(match_id, PARTITIONS)
        await self.client.jetstream().publish(subject, body, headers=headers.to_nats())

    def sequences(self, match_id: str) -> list[int]:
        return [headers.sequence for seen, headers in self.seen if seen == match_id]

    async def until(self, condition: Callable[[], bool], seconds: float = 15) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def reader(self, room: Beat) -> AsyncIterator[None]:
        roster, channels = Roster(), Channels()
        roster._beats["hand-made"] = (room, float("inf"))
        reader = HeaderReader(
            self.client,
            roster,
            channels,
            Tokens("k" * 32).service_metadata("test"),
            name="test-1",
            partitions=PARTITIONS,
            deliver=lambda match_id, headers: self.seen.append((match_id, headers)),
        )
        running = asyncio.create_task(reader.run())
        try:
            yield
            assert not running.done(), running
        finally:
            running.cancel()
            await asyncio.wait((running,))
            await channels.close()


@pytest.fixture
async def reading(tmp_path: Path) -> AsyncIterator[Reading]:
    async with NatsServer(tmp_path, sync_always=False) as server:
        client = await nats.connect(
            server.url, max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=_ignore
        )
        await ensure_streams(client.jetstream(), PARTITIONS, 1)
        yield Reading(client, HandMadeRoom(client), server)
        await client.close()


async def _ignore(_: Exception) -> None:
    """Losing NATS is what these tests do."""


@pytest.fixture
async def beat(reading: Reading) -> AsyncIterator[Beat]:
    server = Server("127.0.0.1:0")
    add_RoomControlServiceServicer_to_server(reading.room, server.raw)
    await server.start()
    yield Beat("hand-made", server.address, server.address, 0)
    await server.stop(0)


def _match_in(partition: int) -> str:
    while partition_of(match_id := new_match_id(), PARTITIONS) != partition:
        pass
    return match_id


async def test_the_newest_entry_of_every_match_comes_first_then_each_new_one(
    reading: Reading, beat: Beat
) -> None:
    matches = [_match_in(0), _match_in(1)]
    for match_id in matches:
        for sequence in (1, 2, 3):
            await reading.append(match_id, _headers(sequence))
    async with reading.reader(beat):
        await reading.until(lambda: len(reading.seen) == 2)
        assert {match_id: headers.sequence for match_id, headers in reading.seen} == {
            matches[0]: 3,
            matches[1]: 3,
        }
        assert reading.seen[0][1] == _headers(3)
        await reading.append(matches[0], _headers(4))
        await reading.append(matches[0], _headers(5))
        await reading.until(lambda: reading.sequences(matches[0]) == [3, 4, 5])


async def test_more_matches_than_one_request_brings_all_come(reading: Reading, beat: Beat) -> None:
    matches = {_match_in(0) for _ in range(2500)}
    async with asyncio.TaskGroup() as tasks:
        for match_id in matches:
            tasks.create_task(reading.append(match_id, _headers(1)))
    async with reading.reader(beat):
        await reading.until(lambda: len(reading.seen) >= len(matches))
        assert {match_id for match_id, _ in reading.seen} == matches


async def test_a_lost_consumer_is_replaced_and_nothing_comes_twice_or_is_missed(
    reading: Reading, beat: Beat
) -> None:
    match_id = _match_in(0)
    await reading.append(match_id, _headers(1))
    async with reading.reader(beat):
        await reading.until(lambda: reading.sequences(match_id) == [1])
        stream, consumer = next(o for o in reading.room.opened if o[0] == stream_of(0))
        await reading.client.jetstream().delete_consumer(stream, consumer)
        await reading.append(match_id, _headers(2))
        await reading.until(lambda: reading.sequences(match_id) == [1, 2])
        assert len({name for _, name in reading.room.opened}) == len(reading.room.opened)


async def test_nats_killed_and_started_again_is_read_on(reading: Reading, beat: Beat) -> None:
    match_id = _match_in(1)
    await reading.append(match_id, _headers(1))
    async with reading.reader(beat):
        await reading.until(lambda: reading.sequences(match_id) == [1])
        await reading.server.kill()
        await reading.server.start()
        await reading.until(lambda: reading.client.is_connected)
        await reading.append(match_id, _headers(2))
        await reading.until(lambda: reading.sequences(match_id) == [1, 2])


async def test_nats_that_hangs_is_read_on_once_it_is_back(reading: Reading, beat: Beat) -> None:
    match_id = _match_in(1)
    async with reading.reader(beat):
        await reading.until(lambda: len(reading.room.opened) == PARTITIONS)
        reading.server.pause()
        await asyncio.sleep(3)
        reading.server.resume()
        await reading.append(match_id, _headers(1))
        await reading.until(lambda: reading.sequences(match_id) == [1])


async def test_a_process_too_busy_to_read_does_not_take_its_reader_for_lost(
    reading: Reading, beat: Beat
) -> None:
    match_id = _match_in(0)
    await reading.append(match_id, _headers(1))
    async with reading.reader(beat):
        await reading.until(lambda: reading.sequences(match_id) == [1])
        time.sleep(SILENCE_SECONDS + 0.2)  # noqa: ASYNC251 - the loop is to stand still
        await asyncio.sleep(0.5)
        await reading.append(match_id, _headers(2))
        await reading.until(lambda: reading.sequences(match_id) == [1, 2])
        assert len(reading.room.opened) == PARTITIONS


async def test_a_reader_ends_although_the_client_library_swallows_that_it_is_to(
    reading: Reading, beat: Beat, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushing = asyncio.Event()

    async def swallow(timeout: int) -> None:  # noqa: ASYNC109 - as the library has it
        flushing.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(timeout)

    monkeypatch.setattr(reading.client, "flush", swallow)
    async with reading.reader(beat):
        await reading.until(lambda: len(reading.room.opened) == PARTITIONS)
        reading.server.pause()
        async with asyncio.timeout(20):
            await flushing.wait()


async def test_a_finished_match_is_delivered_with_its_result_and_no_body(
    reading: Reading, beat: Beat
) -> None:
    match_id = _match_in(0)
    await reading.append(match_id, _headers(9, result="escape 1,2"))
    async with reading.reader(beat):
        await reading.until(lambda: bool(reading.seen))
        assert reading.seen == [(match_id, _headers(9, result="escape 1,2"))]


async def test_a_message_without_headers_of_ours_is_skipped(reading: Reading, beat: Beat) -> None:
    match_id = _match_in(0)
    await reading.client.jetstream().publish(subject_of(_match_in(0), PARTITIONS), b"foreign")
    await reading.append(match_id, _headers(1))
    async with reading.reader(beat):
        await reading.until(lambda: reading.sequences(match_id) == [1])
