"""Matches that cannot be played on: their logs do not fold, or were never begun."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from arena.log.v1.entry_pb2 import Entry
from arena.room.v1.room_admin_service_pb2 import VoidMatchRequest
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena_services.common.auth import Role
from arena_services.common.channels import open_channel
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.subjects import new_match_id
from arena_services.common.log.writer import LogWriter
from arena_services.common.owners import Reign
from arena_services.common.rpc import reason_of
from arena_services.local.nats_server import NatsServer
from arena_services.room import aside, hall, takeover
from arena_services.room.errors import MatchSetAsideError
from tests.services.room.harness import RoomHere, room_here, settled
from tests.services.room.table import Table, Viewer, player
from tests.waiting import eventually


async def test_match_whose_log_does_not_fold_is_set_aside_and_hurts_no_other(
    nats: NatsServer,
) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        broken, sound = await Table.make(channel), await Table.make(channel)
        await _spoil(room, broken)

    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        await settled(room)
        for _ in range(2):
            async with Viewer(channel, broken, None) as viewer:
                with pytest.raises(grpc.aio.AioRpcError) as failure:
                    await viewer.until()
            assert failure.value.code() is grpc.StatusCode.INTERNAL
            assert reason_of(failure.value) == "LOG_CORRUPT"
        assert room.hall.is_set_aside(broken.match_id)
        async with Viewer(channel, sound, 0) as viewer:
            assert (await viewer.until()).sequence >= 1


async def test_match_that_was_set_aside_is_tried_again(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel)
    monkeypatch.setattr(aside, "_FIRST_PAUSE_SECONDS", 0.3)
    load, tries = takeover.load, list[str]()

    async def load_at_last(*given: Any) -> takeover.Loaded:
        tries.append(table.match_id)
        if len(tries) < 3:
            raise CorruptLogError(table.match_id, "it was not mended yet")
        return await load(*given)

    monkeypatch.setattr(takeover, "load", load_at_last)
    async with room_here(nats.url, "room-2") as heir:
        await eventually(lambda: heir.hall.find(table.match_id) is not None)
        assert not heir.hall.is_set_aside(table.match_id)


def test_match_is_left_alone_the_longer_the_more_often_it_was_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aside, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    kept, error, said = aside.Aside(), CorruptLogError("match", "it ends early"), []
    kept.check("match")
    for tries in range(7):
        assert kept.put("match", error) is (tries == 0)
        assert kept.holds("match")
        with pytest.raises(MatchSetAsideError, match=r"does not fold: it ends early\.") as refused:
            kept.check("match")
        said.append(refused.value.message.rpartition(" again in ")[2])
    assert said == ["30 s.", "60 s.", "120 s.", "240 s.", "480 s.", "600 s.", "600 s."]
    monkeypatch.setattr(aside, "time", SimpleNamespace(monotonic=lambda: 1600.0))
    assert not kept.holds("match")
    kept.check("match")
    kept.take_back("match")
    assert kept.put("match", error)


async def test_operator_ends_a_match_whose_log_does_not_fold(nats: NatsServer) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table = await Table.make(channel)
        await _spoil(room, table)
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        await settled(room)
        await eventually(lambda: room.hall.is_set_aside(table.match_id))
        for _ in range(2):
            assert await _void(channel, table) == 3
        tail = await room.hall.reader.tail(table.match_id)
        assert tail is not None
        assert tail.headers.result == "VOIDED_BY_OPERATOR -"
        assert tail.headers.decision == 0
        assert tail.headers.deadline_ms is None
        assert await room.hall._owners.ask(table.match_id) is None
        await eventually(lambda: room.hall._owners.find(table.match_id) is None)


async def test_operator_cannot_end_a_spoilt_match_that_is_over(nats: NatsServer) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table = await Table.make(channel)
        await _spoil(room, table, result="escape 1,2")
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        await settled(room)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await _void(channel, table)
        assert reason_of(refused.value) == "MATCH_FINISHED"


async def test_match_that_was_announced_and_never_made_is_looked_for_a_while(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = new_match_id()
    async with room_here(nats.url, "room-1") as room:
        owners, at_ms = room.hall._owners, room.hall.heartbeat.nats_ms()
        assert await owners.propose(match_id, "room-9", at_ms, Reign(at_ms, 1))
        await settled(room)
        asked = await _asked(room, match_id, monkeypatch)
        await eventually(lambda: len(asked) >= 2)
        assert await owners.ask(match_id) is not None
        monkeypatch.setattr(hall, "_LONGEST_MAKING_MS", 0)
        await eventually(lambda: owners.find(match_id) is None)
        assert await owners.ask(match_id) is None


async def _asked(room: RoomHere, match_id: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The times that a match is looked for from now on."""
    asked, take_over = list[str](), room.hall.take_over

    async def note(wanted: str) -> None:
        if wanted == match_id:
            asked.append(wanted)
        await take_over(wanted)

    monkeypatch.setattr(room.hall, "take_over", note)
    return asked


async def _void(channel: grpc.aio.Channel, table: Table) -> int:
    said = await RoomAdminServiceStub(channel).VoidMatch(
        VoidMatchRequest(match_id=table.match_id), metadata=player("op", Role.OPERATOR), timeout=20
    )
    return said.sequence


async def _spoil(room: RoomHere, table: Table, result: str = "") -> None:
    """Append an entry to which the log does not fold."""
    tail = await room.hall.reader.tail(table.match_id)
    assert tail is not None
    entry = Entry(sequence=2, epoch=9, append_id=b"x" * 16, state_hash=b"wrong" * 3)
    entry.claimed.room_id = "room-1"
    headers = EntryHeaders(2, 0, 9, entry.append_id.hex(), "crowns", rules_version=1, result=result)
    writer = LogWriter(room.hall.reader, table.match_id, tail.stream_sequence)
    await writer.append(entry.SerializeToString(), headers.to_nats(), 9, entry.append_id)
