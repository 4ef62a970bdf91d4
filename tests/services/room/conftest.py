"""NATS, a room, a match."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import Table


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path / "nats", sync_always=False) as running:
        yield running


@pytest.fixture
async def room(nats: NatsServer) -> AsyncIterator[RoomHere]:
    async with room_here(nats.url) as running:
        yield running


@pytest.fixture
async def channel(room: RoomHere) -> AsyncIterator[grpc.aio.Channel]:
    async with open_channel(room.address) as opened:
        yield opened


@pytest.fixture
async def table(channel: grpc.aio.Channel) -> Table:
    return await Table.make(channel)
