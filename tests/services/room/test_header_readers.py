"""Consumers that rooms make for readers of log headers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc
import pytest
from nats.aio.client import Client
from prometheus_client import REGISTRY

from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common.channels import Channels
from arena_services.common.log.header_reader import HeaderReader
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.subjects import partition_of, stream_of
from arena_services.common.nats import connect, connected
from arena_services.common.roster import Roster
from arena_services.local.nats_server import NatsServer
from tests.services.consumers import delete_all, pause_all
from tests.services.room.table import RESIGN, SERVICE, Table, player, reason_of


async def until(
    seen: dict[str, EntryHeaders], match_id: str, sequence: int, seconds: float = 10
) -> EntryHeaders:
    async with asyncio.timeout(seconds):
        while match_id not in seen or seen[match_id].sequence < sequence:
            await asyncio.sleep(0.02)
    return seen[match_id]


async def read(nats: Client, seen: dict[str, EntryHeaders], partitions: int = 8) -> None:
    roster, channels = Roster(), Channels()
    await roster.follow(nats)
    reader = HeaderReader(
        nats,
        roster,
        channels,
        SERVICE,
        name="test-1",
        partitions=partitions,
        deliver=seen.__setitem__,
    )
    try:
        await reader.run()
    finally:
        await channels.close()


async def test_reader_gets_the_newest_headers_of_every_match(
    nats: NatsServer, channel: grpc.aio.Channel
) -> None:
    tables = [await Table.make(channel, turn_seconds=30) for _ in range(5)]
    seen: dict[str, EntryHeaders] = {}
    client = await connect(nats.url, "reader", 10)
    reading = asyncio.create_task(read(client, seen), name="reader")
    for table in tables:
        headers = await until(seen, table.match_id, 1)
        assert headers.deadline_ms == headers.time_ms + 30_000
        assert (len(headers.awaited), headers.bots, headers.result) == (1, (), "")
    (seat,) = seen[tables[0].match_id].awaited
    await tables[0].act(channel, seat, pb.Act(key=tables[0].key(), leave=pb.Leave()))
    assert (await until(seen, tables[0].match_id, 2)).bots == (seat,)
    await tables[1].act(channel, 0, pb.Act(key=tables[1].key(), action=RESIGN.action))
    assert (await until(seen, tables[1].match_id, 2)).result == "last_king 2,1"
    reading.cancel()
    await asyncio.wait((reading,))
    await client.close()


async def _pause(client: Client, stream: str, _: NatsServer) -> None:
    await pause_all(client, stream)


async def _delete(client: Client, stream: str, _: NatsServer) -> None:
    await delete_all(client, stream)


async def _restart(_: Client, __: str, nats: NatsServer) -> None:
    await nats.restart()


@pytest.mark.parametrize("harm", [_pause, _delete, _restart])
async def test_a_reader_whose_consumers_fail_it_notices_and_reads_anew(
    nats: NatsServer,
    channel: grpc.aio.Channel,
    harm: Callable[[Client, str, NatsServer], Awaitable[None]],
) -> None:
    table, seen = await Table.make(channel), dict[str, EntryHeaders]()
    async with connected(nats.url, "reader", 10) as client:
        reading = asyncio.create_task(read(client, seen), name="reader")
        await until(seen, table.match_id, 1)
        lost = _lost()
        await harm(client, stream_of(partition_of(table.match_id, 8)), nats)
        await table.act(channel, 0, pb.Act(key=table.key(), leave=pb.Leave()))
        await until(seen, table.match_id, 2, 30)
        assert _lost() > lost
        reading.cancel()
        await asyncio.wait((reading,))


def _lost() -> float:
    return REGISTRY.get_sample_value("arena_log_header_readers_lost_total") or 0.0


async def test_a_reader_that_nothing_befalls_is_never_read_anew(
    nats: NatsServer, channel: grpc.aio.Channel
) -> None:
    table, seen = await Table.make(channel), dict[str, EntryHeaders]()
    async with connected(nats.url, "reader", 10) as client:
        reading = asyncio.create_task(read(client, seen), name="reader")
        await until(seen, table.match_id, 1)
        lost = _lost()
        for number in range(4):
            act = pb.Act(key=table.key(), leave=pb.Leave())
            if number % 2:
                act = pb.Act(key=table.key(), take_back=pb.TakeBack())
            await table.act(channel, 0, act)
            await asyncio.sleep(1.5)
        await until(seen, table.match_id, 5)
        assert _lost() == lost
        reading.cancel()
        await asyncio.wait((reading,))


async def test_readers_need_a_fit_name_a_partition_and_a_role(channel: grpc.aio.Channel) -> None:
    stub = RoomControlServiceStub(channel)

    async def refused(reader: str, partition: int) -> tuple[str, str]:
        request = control.OpenHeaderReaderRequest(reader=reader, partition=partition)
        return await reason_of(stub.OpenHeaderReader(request, metadata=SERVICE))

    assert await refused("a.b", 0) == ("INVALID_ARGUMENT", "BAD_READER_NAME")
    assert await refused("", 0) == ("INVALID_ARGUMENT", "BAD_READER_NAME")
    assert await refused("timer-1", 8) == ("INVALID_ARGUMENT", "NO_SUCH_PARTITION")
    request = control.OpenHeaderReaderRequest(reader="timer-1", partition=0)
    call = stub.OpenHeaderReader(request, metadata=player("p"))
    assert await reason_of(call) == ("PERMISSION_DENIED", "WRONG_ROLE")
    first = await stub.OpenHeaderReader(request, metadata=SERVICE)
    assert await stub.OpenHeaderReader(request, metadata=SERVICE) == first
