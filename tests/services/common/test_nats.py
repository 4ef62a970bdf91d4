"""A service that starts waits for NATS as long as it was told to, and says what it waits for."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest
import structlog

from arena_services.common.nats import NatsUnreachableError, _within, connect, connected
from arena_services.local.nats_server import NatsServer
from arena_services.local.ports import HOST, find_free
from tests.services.room.proxy import Proxy
from tests.waiting import eventually


async def test_a_start_gives_up_where_nobody_answers() -> None:
    (port,) = find_free(1)
    began = time.monotonic()
    with (
        structlog.testing.capture_logs() as said,
        pytest.raises(
            NatsUnreachableError, match=f"{port} let nobody in within 3 s.*is it running"
        ),
    ):
        await connect(f"nats://{HOST}:{port}", "test", 3)
    assert 2.9 < time.monotonic() - began < 10
    waits = [line for line in said if line["event"] == "waiting for NATS"]
    assert 1 <= len(waits) <= 3


async def test_a_connection_that_is_lost_is_told_of_once_however_often_it_is_tried_again(
    server: NatsServer,
) -> None:
    async with Proxy(server.config.port) as proxy:
        with structlog.testing.capture_logs() as said:
            async with connected(proxy.url, "test", 10) as client:
                await proxy.cut()
                await eventually(lambda: not client.is_connected)
                await asyncio.sleep(1.5)
                await proxy.mend()
                await eventually(lambda: client.is_connected)
                await client.flush()
        events = [line["event"] for line in said]
    assert events == ["disconnected from NATS", "reconnected to NATS", "disconnected from NATS"]


async def test_a_connection_that_is_broken_just_now_is_closed_without_a_word(
    server: NatsServer,
) -> None:
    async with Proxy(server.config.port) as proxy, connected(proxy.url, "test", 10) as client:
        await proxy.cut()
        await eventually(lambda: not client.is_connected)
        await client.publish("unheard", b"kept for when there is a connection again")


async def test_a_start_ends_in_time_though_a_cancellation_is_lost() -> None:
    lost: list[bool] = []

    async def connect_for_ever() -> None:
        while len(lost) < 3:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            lost.append(True)

    async with asyncio.timeout(10):
        await _within(0.01, connect_for_ever())
    assert len(lost) == 3
