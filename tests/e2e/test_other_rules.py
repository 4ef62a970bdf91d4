"""Rooms of an older build and of one with other rules: each leaves alone what it cannot play, and knows who can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from prometheus_client import REGISTRY

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_admin_service_pb2 import DrainRoomRequest
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.auth import Role
from arena_services.common.channels import open_channel
from arena_services.common.rpc import reason_of
from arena_services.local import probe
from arena_services.local.nats_server import NatsServer
from tests.e2e.older.running import older_spec, unpack
from tests.services.room.harness import RoomHere, RoomProcess, room_here
from tests.services.room.other_rules import change_rules
from tests.services.room.table import RESIGN, Table, Viewer, play_on, player
from tests.waiting import eventually

#: As another room would ask: answered at once, one way or the other.
_FORWARDED = ("arena-forwarded", "1")


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path / "nats", sync_always=False) as running:
        yield running


@asynccontextmanager
async def _older_room(nats: NatsServer, folder: Path) -> AsyncIterator[RoomProcess]:
    room = RoomProcess(*older_spec(unpack(folder), "room", "older", nats.url, folder))
    try:
        await room.start()
        yield room
    finally:
        await room.kill()


def _unplayable() -> float:
    return REGISTRY.get_sample_value("arena_room_unplayable_matches") or 0.0


def _set_aside_here() -> float:
    """How many matches rooms of this process have given up, of tests before as well."""
    return REGISTRY.get_sample_value("arena_room_set_aside_total") or 0.0


async def _set_aside_there(older: RoomProcess) -> float:
    """How many matches the older room has given up because it cannot fold them."""
    page = await probe.get(older.metrics_url)
    assert page is not None
    (there,) = [
        line.split()[1]
        for line in page.body.decode().splitlines()
        if line.startswith("arena_room_set_aside_total ")
    ]
    return float(there)


async def _played(table: Table, channel: grpc.aio.Channel, acts: int = 3) -> int:
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        return await play_on(table, channel, [first, second], acts)


async def _until_nobody_can_play(table: Table, channel: grpc.aio.Channel) -> None:
    """Wait until a room says that nobody is there who plays by the rules of a match."""
    request = table.request(0, pb.Act(key=table.key(), leave=pb.Leave()))
    reason = ""
    async with asyncio.timeout(20):
        while reason != "NO_CAPABLE_ROOM":
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await RoomServiceStub(channel).Act(
                    request, metadata=(*table.people[0], _FORWARDED), timeout=10
                )
            assert failed.value.code() is grpc.StatusCode.UNAVAILABLE
            reason = reason_of(failed.value)
            await asyncio.sleep(0.05)


async def _taken(room: RoomHere, table: Table) -> None:
    """Wait until a room has a match by itself."""
    await eventually(lambda: room.hall.find(table.match_id) is not None, 20)


async def _replay(table: Table, channel: grpc.aio.Channel) -> list[pb.Update]:
    request = pb.ReplayRequest(match_id=table.match_id)
    told = RoomServiceStub(channel).Replay(request, metadata=player("somebody"))
    return [each.update async for each in told]


async def test_matches_wait_for_a_room_that_plays_by_their_rules_and_go_on_there(
    nats: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch)
    before = _set_aside_here()
    async with (
        _older_room(nats, tmp_path) as older,
        open_channel(older.address) as to_older,
    ):
        async with room_here(nats.url, "newer") as newer, open_channel(newer.address) as to_newer:
            theirs, ours = await Table.make(to_older), await Table.make(to_newer)
            assert await _played(theirs, to_newer) == 4
            assert await _played(ours, to_older) == 4
        await _until_nobody_can_play(ours, to_older)

        async with (
            room_here(nats.url, "newest") as newest,
            open_channel(newest.address) as to_newest,
        ):
            await _taken(newest, ours)
            assert await _played(ours, to_older) == 8
            await older.kill()
            await eventually(lambda: _unplayable() == 1, 20)
            await _until_nobody_can_play(theirs, to_newest)
            assert newest.hall.find(theirs.match_id) is None

            await older.start()
            assert await _played(theirs, to_newest) == 8
            await eventually(lambda: _unplayable() == 0)
            assert newest.hall.find(theirs.match_id) is None
            assert await _set_aside_there(older) == 0
            assert _set_aside_here() == before


async def test_a_finished_match_is_shown_and_told_by_whoever_plays_by_its_rules(
    nats: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch)
    before = _set_aside_here()
    async with (
        _older_room(nats, tmp_path) as older,
        room_here(nats.url, "newer") as newer,
        open_channel(older.address) as to_older,
        open_channel(newer.address) as to_newer,
    ):
        table = await Table.make(to_older)
        await table.act(to_older, 0, pb.Act(key=table.key(), action=RESIGN.action))
        await eventually(lambda: newer.hall._roster.find("older") is not None)
        async with Viewer(to_newer, table, 1) as viewer:
            assert await viewer.end() == "FINISHED"
            assert viewer.newest.outcome.how == "last_king"
        assert await _replay(table, to_newer) == await _replay(table, to_older)
        assert newer.hall.find(table.match_id) is None
        assert await _set_aside_there(older) == 0
        assert _set_aside_here() == before

        await older.kill()
        await eventually(lambda: newer.hall._roster.find("older") is None)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await _replay(table, to_newer)
        assert reason_of(failed.value) == "NO_CAPABLE_ROOM"


async def test_a_room_is_not_drained_of_what_no_other_room_can_play(
    nats: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch)
    async with (
        _older_room(nats, tmp_path),
        room_here(nats.url, "newer") as newer,
        open_channel(newer.address) as channel,
    ):
        table = await Table.make(channel)
        await eventually(lambda: newer.hall._roster.find("older") is not None)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await RoomAdminServiceStub(channel).DrainRoom(
                DrainRoomRequest(), metadata=player("operator", Role.OPERATOR)
            )
        assert reason_of(failed.value) == "NO_OTHER_ROOM"
        assert await _played(table, channel) == 4
