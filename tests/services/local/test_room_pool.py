"""Rooms of one machine, asked for over loopback as the fleet does."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from arena_services.fleet.errors import (
    ConflictError,
    FleetError,
    NotFoundError,
    UnreachableError,
)
from arena_services.fleet.machine import Machine
from arena_services.fleet.rooms import Turn
from arena_services.local.desk import Desk
from arena_services.local.info import State
from arena_services.local.room_pool import RoomPool
from arena_services.local.settings import PlatformSettings, RoomRange
from arena_services.local.supervisor import Supervised
from tests.services.local.fakes import fake_spec

_GRACE_SECONDS = 10


@asynccontextmanager
async def _rooms(folder: Path) -> AsyncIterator[tuple[RoomPool, dict[str, Supervised], Desk]]:
    """Three rooms that there may be, of which one runs."""
    names = ("room-1", "room-2", "room-3")
    kept = {
        name: Supervised(replace(fake_spec(folder), name=name), lambda _: None) for name in names
    }
    pool = RoomPool(kept, 1, _GRACE_SECONDS)
    kept["room-1"].start()
    desk = await Desk(pool).open()
    try:
        yield pool, kept, desk
    finally:
        desk.close()
        await pool.settle()
        for room in kept.values():
            await room.stop(_GRACE_SECONDS)


async def test_rooms_are_started_and_the_marked_one_ends(tmp_path: Path) -> None:
    async with _rooms(tmp_path) as (pool, kept, desk):
        machine = Machine(desk.address, desk.key)
        await kept["room-1"].wait_ready(10)
        await machine.scale(await machine.look(), 2)
        await kept["room-2"].wait_ready(10)
        assert list(pool.wanted) == ["room-1", "room-2"]
        assert not pool.is_shown("room-3")
        await machine.mark("room-1", Turn.NEXT)
        sight = await machine.look()
        assert sight.replicas == 2
        assert sight.would_go("room-1")
        await machine.scale(sight, 1)
        assert list(pool.wanted) == ["room-2"]
        assert pool.is_shown("room-1")
        await pool.settle()
        assert kept["room-1"].state is State.STOPPED
        assert not pool.is_shown("room-1")
        assert kept["room-2"].state is State.READY


async def test_a_room_that_is_not_ready_goes_before_a_marked_one(tmp_path: Path) -> None:
    async with _rooms(tmp_path) as (pool, kept, desk):
        machine = Machine(desk.address, desk.key)
        await kept["room-1"].wait_ready(10)
        await machine.mark("room-1", Turn.LEAVES)
        await machine.scale(await machine.look(), 2)
        await machine.scale(sight := await machine.look(), 1)
        assert not sight.would_go("room-1")
        assert list(pool.wanted) == ["room-1"]


async def test_what_was_decided_on_an_older_number_is_refused(tmp_path: Path) -> None:
    async with _rooms(tmp_path) as (pool, _, desk):
        machine = Machine(desk.address, desk.key)
        sight = await machine.look()
        await machine.scale(sight, 2)
        with pytest.raises(ConflictError):
            await machine.scale(sight, 3)
        with pytest.raises(ConflictError):
            await machine.scale(await machine.look(), 4)
        assert len(pool.wanted) == 2


async def test_who_has_no_key_or_asks_for_what_is_not_there_is_told(tmp_path: Path) -> None:
    async with _rooms(tmp_path) as (pool, _, desk):
        with pytest.raises(FleetError, match="the key is wrong"):
            await Machine(desk.address, "another").look()
        with pytest.raises(NotFoundError, match="room-9"):
            await Machine(desk.address, desk.key).mark("room-9", Turn.NEXT)
        assert list(pool.wanted) == ["room-1"]
        desk.close()
        with pytest.raises(UnreachableError):
            await Machine(desk.address, desk.key).look()


@pytest.mark.parametrize("said", ["[" * 10_000, "nonsense", '{"to": 1}'])
async def test_whatever_is_said_the_desk_ends_the_line_by_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, said: str
) -> None:
    async with _rooms(tmp_path) as (_, _, desk), asyncio.timeout(10):
        await _say(desk, said)
        assert (await Machine(desk.address, desk.key).look()).replicas == 1
    assert not [line for line in caplog.records if line.name == "asyncio"]


async def test_a_number_of_rooms_that_is_none_is_refused(tmp_path: Path) -> None:
    async with _rooms(tmp_path) as (pool, _, desk), asyncio.timeout(10):
        asked = {"key": desk.key, "call": "scale", "version": "0", "to": math.inf}
        assert json.loads(await _say(desk, json.dumps(asked)))["error"] == "other"
        assert list(pool.wanted) == ["room-1"]


async def _say(desk: Desk, line: str) -> bytes:
    """All that is said until the desk hangs up."""
    host, _, port = desk.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(line.encode() + b"\n")
    answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("typed", "rooms"),
    [("1..4", RoomRange(1, 4)), ("2", RoomRange(2, 2)), ("3..3", RoomRange(3, 3))],
)
def test_numbers_of_rooms_are_read(typed: str, rooms: RoomRange) -> None:
    assert PlatformSettings(rooms=typed).rooms == rooms


@pytest.mark.parametrize("typed", ["0", "4..1", "1..11", "many", "1.."])
def test_numbers_of_rooms_that_cannot_be_are_refused(typed: str) -> None:
    with pytest.raises(ValidationError):
        PlatformSettings(rooms=typed)
