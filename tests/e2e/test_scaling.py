"""Rooms of `arena up` come and go with the load, and no match is lost by it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from arena_services.cli.admin_rooms import open_rooms_of
from arena_services.client import Lobby, PlayClient, Seat
from arena_services.common import games
from arena_services.local import probe
from arena_services.local.info import State
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.e2e import playing
from tests.e2e.program import started, wait_gone
from tests.waiting import eventually, is_running

_GAME = games.find("crowns")
_FLEET = {
    "ARENA_BOT_THINK_MS": "0",
    "ARENA_MAX_MATCHES": "6",
    "ARENA_FLEET_FREE": "1",
    "ARENA_FLEET_PATIENCE_SECONDS": "3",
}
_PATIENCE_SECONDS = 60.0


async def test_a_burst_brings_a_room_and_its_end_takes_it_away_with_no_match_lost(
    tmp_path: Path,
) -> None:
    settings = PlatformSettings(data_dir=tmp_path, ports="auto", edge=False, rooms="1..2")
    async with (
        Platform(settings, environment=_FLEET) as platform,
        Lobby(platform.matchmaking_address) as lobby,
        AsyncExitStack() as matches,
    ):
        assert list(platform.rooms) == ["room-1"]
        await _until(platform, "arena_fleet_rooms", 1)
        seats = [await matches.enter_async_context(_seat(lobby, name)) for name in "abcdef"]
        await eventually(lambda: "room-2" in platform.rooms, seconds=_PATIENCE_SECONDS)
        await platform.wait_ready("room-2")
        await _until(platform, "arena_fleet_free_places", 6)
        assert platform.info().processes == tuple(platform.processes.values())
        # In the new room, since the other is full: it will be the emptiest.
        last = await matches.enter_async_context(_seat(lobby, "last"))
        await playing.act(last, 2)
        before = last.sequence
        await _end(tmp_path, seats[2:])
        await eventually(lambda: len(platform.rooms) == 1, seconds=_PATIENCE_SECONDS)
        assert list(platform.rooms) == ["room-1"]
        for seat in (*seats[:2], last):
            await playing.act(seat, 2)
        assert last.sequence > before
        await _until(platform, 'arena_fleet_scalings_total{direction="down"}', 1)
        await _until(platform, 'arena_fleet_scalings_total{direction="up"}', 1)
        assert platform.processes["fleet"].restarts == 0


def test_ctrl_c_leaves_no_room_that_was_added(tmp_path: Path) -> None:
    environment = {**_FLEET, "ARENA_FLEET_FREE": "7", "ARENA_ROOMS": "1..3"}
    with started(tmp_path, "up", "--ports", "auto", "--json", **environment) as up:
        up.read_ready()
        added = up.read_changed("room-2", State.READY)
        up.process.send_signal(signal.SIGINT)
        done = up.end()
    assert done.exit_code == 0, done.err
    assert wait_gone([added["pid"]]) == []
    assert not is_running(added["pid"])


@asynccontextmanager
async def _seat(lobby: Lobby, name: str) -> AsyncIterator[Seat]:
    """A seat of a match with a bot."""
    account = await lobby.sign_in(name)
    options = _GAME.game.check_options(_GAME.game.types.options(), 2)
    place = await lobby.queue(account, _GAME, 2, options, bot_wait_ms=0)
    async with PlayClient(place.rooms, account.token) as client:
        yield await client.join(place.match_id, place.seat)


async def _end(data_dir: Path, seats: Sequence[Seat]) -> None:
    async with open_rooms_of(data_dir) as rooms:
        for seat in seats:
            await rooms.void(seat.match_id)


async def _until(platform: Platform, series: str, value: float) -> None:
    """Wait until the fleet shows a value."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            page = await probe.get(platform.processes["fleet"].metrics)
            if page is not None and f"{series} {value:.1f}\n" in page.body.decode():
                return
            await asyncio.sleep(0.1)
