"""A NATS server of each test's own, and a connection to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from nats.aio.client import Client

from arena_services.common.nats import connect
from arena_services.local.nats_server import NatsServer


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path / "nats", sync_always=False) as running:
        yield running


@pytest.fixture
async def nats(server: NatsServer) -> AsyncIterator[Client]:
    client = await connect(server.url, "test", 10)
    yield client
    await client.close()
