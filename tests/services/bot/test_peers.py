"""How bot processes share seats, on a real NATS."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import nats
import pytest

from arena_services.bot.peers import Peers, player_of
from arena_services.common import games
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from tests.waiting import eventually

BEAT_SECONDS = 0.2
ALIVE_SECONDS = 3 * BEAT_SECONDS
RULES = ("crowns", games.find("crowns").game.rules_version)
SEATS = [(new_match_id(), seat) for _ in range(300) for seat in range(4)]


def test_every_seat_has_one_player_and_shares_are_even() -> None:
    peers = frozenset({"bot-1", "bot-2", "bot-3"})
    shares = Counter(player_of(match_id, seat, peers) for match_id, seat in SEATS)
    assert set(shares) == peers
    assert max(shares.values()) < 1.3 * min(shares.values())


def test_only_the_seats_of_one_that_leaves_move() -> None:
    before = frozenset({"bot-1", "bot-2", "bot-3"})
    after = before - {"bot-2"}
    for match_id, seat in SEATS:
        if (player := player_of(match_id, seat, before)) != "bot-2":
            assert player_of(match_id, seat, after) == player


def test_alone_one_plays_everything() -> None:
    assert player_of("m", 0, frozenset({"bot-1"})) == "bot-1"


class Bot:
    """One process's view of its peers."""

    def __init__(self, peers: Peers) -> None:
        self.peers = peers
        self.can_play = True
        self.changes = 0

    def changed(self) -> None:
        self.changes += 1

    def share(self) -> set[tuple[str, int]]:
        return {key for key in SEATS if self.peers.is_mine(*key, *RULES)}

    @contextmanager
    def running(self) -> Iterator[asyncio.Task[None]]:
        task = asyncio.create_task(self.peers.run(lambda: self.can_play, self.changed))
        try:
            yield task
        finally:
            task.cancel()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path, sync_always=False) as server:
        yield server


async def _ignore(_: Exception) -> None:
    """Losing NATS is what one of these tests does."""


@pytest.fixture
async def bots(server: NatsServer) -> AsyncIterator[list[Bot]]:
    clients = [
        await nats.connect(
            server.url, max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=_ignore
        )
        for _ in range(2)
    ]
    bots = [Bot(Peers(client, f"bot-{n}", BEAT_SECONDS)) for n, client in enumerate(clients)]
    async with asyncio.TaskGroup() as tasks:
        for bot in bots:
            tasks.create_task(bot.peers.settle())
    yield bots
    for client in clients:
        await client.close()


def _is_shared(bots: list[Bot]) -> bool:
    shares = [bot.share() for bot in bots]
    return sum(map(len, shares)) == len(SEATS) and all(shares)


async def test_bots_that_hear_each_other_share_all_seats(bots: list[Bot]) -> None:
    with bots[0].running(), bots[1].running():
        await eventually(lambda: _is_shared(bots), 3)
        assert bots[0].share().isdisjoint(bots[1].share())
        assert bots[0].changes == 1


async def test_a_bot_shares_seats_with_those_alone_who_say_that_they_play_by_their_rules(
    bots: list[Bot], server: NatsServer
) -> None:
    game, version = RULES
    stranger = await nats.connect(server.url)
    with bots[0].running():
        for said in (f"playing {game}-{version + 1}", "playing"):
            await stranger.publish("bots.beat.bot-9", said.encode())
            await eventually(lambda: "bot-9" in bots[0].peers._heard, 3)
            assert len(bots[0].share()) == len(SEATS)
        await stranger.publish("bots.beat.bot-9", f"playing {game}-{version}".encode())
        await eventually(lambda: len(bots[0].share()) < len(SEATS), 3)
        assert not bots[0].peers.is_mine(*SEATS[0], game, version + 1)
        await stranger.publish("bots.beat.bot-9", f"playing {game}-{version + 1}".encode())
        await eventually(lambda: len(bots[0].share()) == len(SEATS), 3)
    await stranger.close()


async def test_the_seats_of_a_silent_bot_are_taken_over_in_time(bots: list[Bot]) -> None:
    with bots[0].running():
        with bots[1].running():
            await eventually(lambda: _is_shared(bots), 3)
        start = asyncio.get_running_loop().time()
        await eventually(lambda: len(bots[0].share()) == len(SEATS), ALIVE_SECONDS + 2)
        assert asyncio.get_running_loop().time() - start > ALIVE_SECONDS - 1.5 * BEAT_SECONDS


async def test_the_seats_of_a_bot_that_leaves_are_taken_over_at_once(bots: list[Bot]) -> None:
    with bots[0].running(), bots[1].running():
        await eventually(lambda: _is_shared(bots), 3)
        await bots[1].peers.leave()
        await eventually(lambda: len(bots[0].share()) == len(SEATS), 0.5)
        await asyncio.sleep(2 * BEAT_SECONDS)
        assert len(bots[0].share()) == len(SEATS)


async def test_a_bot_that_reaches_no_room_is_not_counted_on(bots: list[Bot]) -> None:
    with bots[0].running(), bots[1].running():
        await eventually(lambda: _is_shared(bots), 3)
        bots[1].can_play = False
        await eventually(lambda: len(bots[0].share()) == len(SEATS), ALIVE_SECONDS + 2)
        await asyncio.sleep(ALIVE_SECONDS)
        assert len(bots[1].share()) < len(SEATS)


async def test_an_outage_of_nats_moves_no_seat(bots: list[Bot], server: NatsServer) -> None:
    with bots[0].running(), bots[1].running():
        await eventually(lambda: _is_shared(bots), 3)
        changes = bots[0].changes
        await server.kill()
        await asyncio.sleep(3 * ALIVE_SECONDS)
        await server.start()
        await asyncio.sleep(2 * ALIVE_SECONDS)
        assert _is_shared(bots)
        assert bots[0].changes == changes
