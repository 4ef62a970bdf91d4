"""The timer service with real rooms: turns that nobody takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import grpc
import pytest

from arena.games.crowns.v1 import crowns_pb2
from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.service import Bindings
from arena_services.local.nats_server import NatsServer
from arena_services.timer.app import bind
from arena_services.timer.config import TimerSettings
from tests.services.room.harness import room_here
from tests.services.room.table import Table, Viewer
from tests.services.running import TOKEN_KEY, running

TURN_MS = 30_000


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path / "nats", sync_always=False) as server:
        yield server


def _timer(
    nats: NatsServer, name: str = "timer-1", delay_ms: int = 0
) -> AbstractAsyncContextManager[Bindings[TimerSettings]]:
    chosen = TimerSettings(
        nats_url=nats.url, token_key=TOKEN_KEY, instance=name, timer_delay_ms=delay_ms
    )
    return running(bind, chosen)


async def _table(monkeypatch: pytest.MonkeyPatch, channel: grpc.aio.Channel, left_ms: int) -> Table:
    """A match that began so long ago that its first turn has only so much time left."""
    with monkeypatch.context() as patch:
        # Whoever hosts it must not take the time since then for one in which nobody could act.
        for module in ("creation", "hall"):
            patch.setattr(
                f"arena_services.room.{module}.now_ms", lambda: now_ms() - TURN_MS + left_ms
            )
        return await Table.make(channel, turn_seconds=TURN_MS // 1000)


def _deadline_ms(update: pb.Update) -> int:
    common = crowns_pb2.Common()
    update.common.Unpack(common)
    return common.view.deadline_ms


def _is_missed(update: pb.Update) -> bool:
    common = crowns_pb2.Common()
    update.common.Unpack(common)
    return any(event.HasField("turn_missed") for event in common.events)


async def test_a_turn_that_nobody_takes_ends_on_time(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        _timer(nats),
    ):
        await asyncio.sleep(1.5)
        table = await _table(monkeypatch, channel, left_ms=1500)
        async with Viewer(channel, table, None) as viewer:
            deadline_ms = _deadline_ms(await viewer.until())
            missed = await viewer.until(_is_missed, seconds=5)
            assert 0 <= missed.time_ms - deadline_ms < 1000


async def test_a_timer_that_starts_again_recovers_from_the_log(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table = await _table(monkeypatch, channel, left_ms=3000)
        late = await _table(monkeypatch, channel, left_ms=500)
        async with Viewer(channel, table, None) as viewer, Viewer(channel, late, None) as other:
            deadline_ms = _deadline_ms(await viewer.until())
            async with _timer(nats):
                await other.until(_is_missed, seconds=5)
            async with _timer(nats):
                missed = await viewer.until(_is_missed, seconds=8)
                assert 0 <= missed.time_ms - deadline_ms < 2000


async def test_a_second_timer_takes_over_and_neither_expires_a_turn_twice(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        _timer(nats, "timer-2", delay_ms=150),
        AsyncExitStack() as first,
    ):
        await first.enter_async_context(_timer(nats, "timer-1"))
        both = await _table(monkeypatch, channel, left_ms=2000)
        async with Viewer(channel, both, None) as viewer:
            missed = await viewer.until(_is_missed, seconds=8)
            await asyncio.sleep(0.5)
            assert viewer.newest.sequence == missed.sequence
        await first.aclose()
        alone = await _table(monkeypatch, channel, left_ms=500)
        async with Viewer(channel, alone, None) as viewer:
            await viewer.until(_is_missed, seconds=5)


async def test_a_turn_in_a_room_that_is_gone_gets_its_time_back_and_then_ends(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        _timer(nats),
        room_here(nats.url, "room-2") as other,
        open_channel(other.address) as channel,
    ):
        async with (
            room_here(nats.url, "room-1") as doomed,
            open_channel(doomed.address) as first,
        ):
            table = await _table(monkeypatch, first, left_ms=2000)
            # Dated back, the first entry looks as if it had waited to be stored, all of which would be given back. A
            # second one is of now, and leaves the clock alone.
            await table.act(first, 1, pb.Act(key=table.key(), leave=pb.Leave()))
            async with Viewer(first, table, None) as viewer:
                deadline_ms = _deadline_ms(await viewer.until())
        async with Viewer(channel, table, None) as viewer:
            claimed = await viewer.until(lambda update: update.sequence >= 3)
            assert _deadline_ms(claimed) > deadline_ms
            missed = await viewer.until(_is_missed)
            assert missed.time_ms >= _deadline_ms(claimed)
