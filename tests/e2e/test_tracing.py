"""Traces of a whole platform: from the ticket to the first entry, from each entry to the bot or the clock it woke."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena_services.client import Lobby, PlayClient, Seat
from arena_services.common import games
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.services.collector import Collector, Seen, collecting

_GAME = games.find("crowns")
_MATCHMAKING = "arena.matchmaking.v1.MatchmakingService"
_CONTROL = "arena.room.v1.RoomControlService"
_PLAY = "arena.room.v1.RoomService/Play act"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector that every process hears of as under `arena up`: from the environment."""
    with collecting() as running:
        monkeypatch.setenv("ARENA_TRACES_ENDPOINT", running.address)
        yield running


async def test_a_match_is_traced_from_its_ticket_on(tmp_path: Path, collector: Collector) -> None:
    settings = PlatformSettings(data_dir=tmp_path / "data", ports="auto", edge=False, rooms=2)
    async with (
        Platform(settings, environment={"ARENA_BOT_THINK_MS": "0"}) as platform,
        Lobby(platform.matchmaking_address) as lobby,
    ):
        account = await lobby.sign_in("Ada")
        options = _GAME.game.check_options(_GAME.game.types.options(turn_seconds=30), 2)
        place = await lobby.queue(account, _GAME, 2, options, bot_wait_ms=0)
        async with PlayClient(place.rooms, account.token) as client:
            seat = await client.join(place.match_id, place.seat)
            async with asyncio.timeout(20):
                await _act_once(seat)
            await _check_start(collector, place.match_id)
            await _check_bot(collector)
            await _check_expiry(collector)
    assert b"Ada" not in collector.raw
    assert account.token.encode() not in collector.raw


async def _act_once(seat: Seat) -> None:
    """Act in the first decision, and wait until the bot has acted and it is our turn again."""
    acted_at = 0
    async for step in seat.steps():
        if seat.decision is None or not seat.is_up_to_date:
            continue
        if acted_at and seat.sequence > acted_at + 1:
            return
        state = seat.game.game.resample(step.common, step.own, seat.number, Random(1))
        said = await seat.act(state.unpack(next(iter(state.legal_actions(seat.number)))))
        acted_at = acted_at or said.sequence


async def _check_start(collector: Collector, match_id: str) -> None:
    (created,) = await collector.find(f"{_CONTROL}/CreateMatch")
    await collector.find("host")
    room = created.process

    assert created.about["arena.match_id"] == match_id
    assert collector.tree(created.span.trace_id) == [
        f"{_MATCHMAKING}/CreateTicket (matchmaking)",
        "  host (matchmaking)",
        "    create match (matchmaking)",
        f"      {_CONTROL}/CreateMatch ({room})",
    ]


async def _check_bot(collector: Collector) -> None:
    """What the bot did is a trace of its own, which an entry has led to."""
    bot = (await collector.find("bot"))[0]
    async with asyncio.timeout(20):
        while not (causes := _causes(collector, bot)):
            await asyncio.sleep(0.1)
    await _until_whole(collector, bot)

    assert {cause.span.name for cause in causes} <= {"append", f"{_CONTROL}/CreateMatch"}
    tree = collector.tree(bot.span.trace_id)
    assert tree[0] == "bot (bot)"
    assert _PLAY in tree[1]
    assert [line.split()[0] for line in tree[-4:]] == ["mailbox", "apply", "append", "fan-out"]


async def _check_expiry(collector: Collector) -> None:
    """What a clock that ran out did is one, too."""
    async with asyncio.timeout(60):
        (expiry,) = await collector.find("expire", patience_seconds=60)
        while not (causes := _causes(collector, expiry)):
            await asyncio.sleep(0.1)
    await _until_whole(collector, expiry)

    assert [cause.span.name for cause in causes] == ["append"]
    tree = [line.split()[0] for line in collector.tree(expiry.span.trace_id)]
    assert tree[:2] == ["expire", f"{_CONTROL}/ExpireMany"]
    assert tree[-4:] == ["mailbox", "apply", "append", "fan-out"]


def _causes(collector: Collector, of: Seen) -> list[Seen]:
    return [each for each in collector.seen if of.links_to(each)]


async def _until_whole(collector: Collector, top: Seen) -> None:
    """Wait for the last part of a trace, and all that it is part of."""
    async with asyncio.timeout(20):
        while not _is_whole([e for e in collector.seen if e.span.trace_id == top.span.trace_id]):
            await asyncio.sleep(0.1)


def _is_whole(trace: list[Seen]) -> bool:
    known = {each.span.span_id for each in trace} | {b""}
    return any(each.span.name == "fan-out" for each in trace) and all(
        each.span.parent_span_id in known for each in trace
    )
