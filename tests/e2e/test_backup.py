"""Backup as docs/operating.md has it: the volumes of NATS, one after another, while matches are played."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from arena_services.client import Lobby, PlayClient
from arena_services.common import games
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.process import Process
from tests.e2e import playing
from tests.services.running import service_spec
from tests.waiting import eventually

_GAME = games.find("crowns")
_SERVERS = 3
_SETTINGS = {
    "ARENA_LOG_REPLICAS": str(_SERVERS),
    "ARENA_LOG_PARTITIONS": "2",
    "ARENA_BOT_THINK_MS": "0",
}


async def test_a_match_goes_on_from_copies_of_volumes_that_were_taken_while_it_was_played(
    tmp_path: Path,
) -> None:
    lost, restored = tmp_path / "lost", tmp_path / "restored"
    async with (
        NatsCluster(lost, _SERVERS) as cluster,
        _parts(cluster, tmp_path, "room", "matchmaking", "bot") as parts,
    ):
        async with Lobby(parts["matchmaking"]) as lobby:
            account = await lobby.sign_in("Ada")
            options = _GAME.game.check_options(_GAME.game.types.options(), 2)
            place = await lobby.queue(account, _GAME, 2, options, bot_wait_ms=0)
        async with PlayClient((parts["room"],), account.token) as client:
            seat = await client.join(place.match_id, place.seat)
            await playing.act(seat, 5)
            acknowledged = seat.sequence
            on = asyncio.create_task(playing.act(seat, 1000, every_seconds=0.02), name="play")
            await eventually(lambda: seat.sequence > acknowledged)
            await _copy_one_by_one(cluster, lost, restored)
            on.cancel()
            with suppress(asyncio.CancelledError):
                await on
    shutil.rmtree(lost)
    async with (
        NatsCluster(restored, _SERVERS) as cluster,
        _parts(cluster, tmp_path, "room", "bot") as parts,
        PlayClient((parts["room"],), account.token) as client,
    ):
        seat = await client.join(place.match_id, place.seat)
        await playing.act(seat, 0)
        assert seat.sequence >= acknowledged
        await playing.act(seat, 5)


async def _copy_one_by_one(cluster: NatsCluster, source: Path, target: Path) -> None:
    """A volume's snapshot shows one moment of it, as a server does that stands still; each shows another moment."""
    for number, server in enumerate(cluster.servers, 1):
        server.pause()
        await asyncio.to_thread(
            shutil.copytree, source / f"nats-{number}", target / f"nats-{number}"
        )
        server.resume()
        await cluster.wait_ready()


@asynccontextmanager
async def _parts(cluster: NatsCluster, folder: Path, *names: str) -> AsyncIterator[dict[str, str]]:
    """Parts of the platform on a cluster, by the addresses that they serve. They start side by side."""
    async with AsyncExitStack() as started:
        addresses, starting = {}, []
        for name in names:
            spec, addresses[name] = service_spec(name, name, cluster.url, folder)
            environment = {**spec.environment, **_SETTINGS}
            process = await Process.start(replace(spec, environment=environment))
            started.push_async_callback(process.stop, 1)
            starting.append(process)
        async with asyncio.TaskGroup() as waits:
            for process in starting:
                waits.create_task(process.wait_ready(60), name=f"wait for {process.spec.name}")
        yield addresses
