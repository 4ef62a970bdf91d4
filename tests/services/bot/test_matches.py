"""Bots in whole matches, with real rooms on a real NATS."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.bot.app import bind
from arena_services.bot.config import BotSettings
from arena_services.common.channels import open_channel
from arena_services.common.log.subjects import new_match_id
from arena_services.common.service import Bindings
from arena_services.local.nats_server import NatsServer
from tests.services.room.harness import room_here, room_process
from tests.services.room.table import SERVICE, Table, Viewer, create_request
from tests.services.running import TOKEN_KEY, running


@pytest.fixture
async def nats(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path / "nats", sync_always=False) as server:
        yield server


def _bot(
    nats: NatsServer, name: str = "bot-1", **settings: Any
) -> AbstractAsyncContextManager[Bindings[BotSettings]]:
    given = {"bot_think_ms": 0, "bot_workers": 0} | settings
    chosen = BotSettings(nats_url=nats.url, token_key=TOKEN_KEY, instance=name, **given)
    return running(bind, chosen)


async def _table(channel: grpc.aio.Channel, bots: int, players: int = 2) -> tuple[Table, list[str]]:
    """A new match and who sits where."""
    match_id = new_match_id()
    made = await RoomControlServiceStub(channel).CreateMatch(
        create_request(match_id, players, bots), metadata=SERVICE
    )
    player_ids = list(made.player_ids)
    return Table(match_id, player_ids), player_ids


@asynccontextmanager
async def _bot_matches(
    made_by: grpc.aio.Channel, watched_over: grpc.aio.Channel, count: int
) -> AsyncIterator[list[Viewer]]:
    """Matches of bots alone, with a spectator each, once they are well under way."""
    async with AsyncExitStack() as watched:
        viewers = []
        for _ in range(count):
            table, _ = await _table(made_by, bots=2)
            viewers.append(await watched.enter_async_context(Viewer(watched_over, table, None)))
        await _go_on(viewers)
        yield viewers


async def _go_on(viewers: list[Viewer]) -> None:
    """Wait until every match has gone on for a while, or ended."""
    for viewer in viewers:
        goal = viewer.newest.sequence + 6 if viewer.updates else 4
        await viewer.until(partial(_is_at, goal), seconds=40)


def _is_at(goal: int, update: pb.Update) -> bool:
    return update.sequence >= goal or _has_ended(update)


def _has_ended(update: pb.Update) -> bool:
    return update.HasField("outcome")


async def test_a_match_of_bots_is_played_to_its_result(nats: NatsServer) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table, _ = await _table(channel, bots=4, players=4)
        async with _bot(nats), Viewer(channel, table, None) as viewer:
            ended = await viewer.until(_has_ended, seconds=50)
            assert ended.outcome.how in {"escape", "last_king", "limit"}
            assert len(ended.outcome.places) == 4


async def test_bots_of_two_processes_share_matches_and_one_goes_on_when_the_other_dies(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        _bot(nats, "bot-1"),
        AsyncExitStack() as doomed,
    ):
        await doomed.enter_async_context(_bot(nats, "bot-2"))
        async with _bot_matches(channel, channel, count=4) as viewers:
            await doomed.aclose()
            await _go_on(viewers)


@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP],
    ids=["killed", "stopped", "frozen"],
)
async def test_bots_go_on_in_another_room_when_theirs_is(
    nats: NatsServer, tmp_path: Path, number: signal.Signals
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as doomed,
        room_here(nats.url, "room-2") as other,
        open_channel(doomed.address) as first,
        open_channel(other.address) as second,
        _bot(nats),
        _bot_matches(first, second, count=3) as viewers,
    ):
        doomed.send(number)
        await _go_on(viewers)


async def test_bots_go_on_after_nats_was_killed_and_started_again(nats: NatsServer) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        _bot(nats),
        _bot_matches(channel, channel, count=1) as viewers,
    ):
        await nats.kill()
        await nats.start()
        await _go_on(viewers)


async def test_a_bot_that_starts_again_finds_its_seats(nats: NatsServer) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        AsyncExitStack() as first,
    ):
        await first.enter_async_context(_bot(nats))
        async with _bot_matches(channel, channel, count=1) as viewers:
            await first.aclose()
            async with _bot(nats):
                await _go_on(viewers)


async def test_a_bot_plays_a_seat_while_its_person_is_away(nats: NatsServer) -> None:
    async with (
        room_here(nats.url) as room,
        open_channel(room.address) as channel,
        _bot(nats, bot_think_ms=50),
    ):
        table, player_ids = await _table(channel, bots=1)
        seat = player_ids.index("player-1")
        async with Viewer(channel, table, seat) as viewer:
            mine = await viewer.until(lambda update: _awaits(update, seat))
            away = pb.Act(key=table.key(), leave=pb.Leave())
            await table.act(channel, seat, away)
            # No longer than it takes to see that: bots may have a short match.
            later = await viewer.until(lambda u: u.sequence > mine.sequence + 4)
            back = pb.Act(key=table.key(), take_back=pb.TakeBack())
            taken = await table.act(channel, seat, back)
            await viewer.until(lambda u: u.sequence >= taken.sequence and _awaits(u, seat))
            quiet = viewer.newest.sequence
            await asyncio.sleep(0.5)
            assert viewer.newest.sequence == quiet, "the bot must not play a seat taken back"
            assert later.sequence < quiet


def _awaits(update: pb.Update, seat: int) -> bool:
    return any(each.seat == seat for each in update.awaited)
