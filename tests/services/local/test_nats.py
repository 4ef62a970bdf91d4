from __future__ import annotations

import asyncio
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client
from nats.js.errors import NoStreamResponseError

from arena_services.local.errors import DataFolderInUseError
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsConfig, NatsServer


async def _connect(url: str) -> Client:
    return await nats.connect(url.split(","), reconnect_time_wait=0.1, max_reconnect_attempts=-1)


async def test_stored_messages_survive_a_crash_and_a_restart(tmp_path: Path) -> None:
    async with NatsServer(tmp_path) as server:
        client = await _connect(server.url)
        await client.jetstream().add_stream(name="log", subjects=["log.>"])
        await client.jetstream().publish("log.a", b"one")
        await client.close()
        await server.kill()
        await server.start()
        client = await _connect(server.url)
        assert (await client.jetstream().publish("log.a", b"two")).seq == 2
        await client.close()
    async with NatsServer(tmp_path) as server:
        client = await _connect(server.url)
        assert (await client.jetstream().get_msg("log", 2)).data == b"two"
        await client.close()


async def test_data_folder_is_not_shared(tmp_path: Path) -> None:
    async with NatsServer(tmp_path):
        with pytest.raises(DataFolderInUseError):
            await NatsServer(tmp_path).__aenter__()


async def test_every_append_is_on_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    assert "sync_interval: always" in NatsConfig(1, 2).render(tmp_path)


async def test_cluster_goes_on_without_the_leader_of_a_stream(tmp_path: Path) -> None:
    async with NatsCluster(tmp_path) as cluster:
        client = await _connect(cluster.url)
        jetstream = client.jetstream(timeout=30)  # servers that have just begun take their time
        await jetstream.add_stream(name="log", subjects=["log.>"], num_replicas=3)
        await _publish_until_stored(
            client
        )  # a server may hear a little later that there is a stream
        leader = await cluster.stream_leader("log")
        assert leader is not None
        await leader.kill()
        sequence = await _publish_until_stored(client)
        assert sequence >= 2
        await cluster.new_leader("log", leader)
        await leader.start()
        await cluster.wait_ready()
        await client.close()


async def _publish_until_stored(client: Client) -> int:
    async with asyncio.timeout(60):
        while True:
            try:
                return (await client.jetstream().publish("log.a", b"two", timeout=1)).seq
            except (nats.errors.Error, NoStreamResponseError):
                await asyncio.sleep(0.1)
