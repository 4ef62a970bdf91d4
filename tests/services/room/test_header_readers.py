"""Consumers that rooms make for readers of log headers."""

from __future__ import annotations

import asyncio

import grpc
from nats.aio.client import Client

from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common.channels import Channels
from arena_services.common.log.header_reader import HeaderReader
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.nats import connect
from arena_services.common.roster import Roster
from arena_services.local.nats_server import NatsServer
from tests.services.room.table import RESIGN, SERVICE, Table, player, reason_of


async def until(seen: dict[str, EntryHeaders], match_id: str, sequence: int) -> EntryHeaders:
    async with asyncio.timeout(10):
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
