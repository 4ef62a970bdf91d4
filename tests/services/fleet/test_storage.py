"""What NATS stores, as the fleet reads and shows it: from real servers, by the fleet's own user."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from nats.js.api import StreamConfig

from arena_services.common.log.streams import ensure_streams
from arena_services.common.nats import Login, connected
from arena_services.fleet import metrics, storage_metrics
from arena_services.fleet import storage as storage_module
from arena_services.fleet.errors import UnreadError
from arena_services.fleet.storage import Copies, read_streams, stream_of
from arena_services.fleet.storage_metrics import Storage
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from arena_services.local.nats_users import FLEET, ROOM, USERS
from arena_services.room.control import header_consumer

_LOGINS = {user.name: Login(user.name, f"secret of {user.name}") for user in USERS}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    logins = tuple(_LOGINS.values())
    async with NatsServer(tmp_path / "nats", sync_always=False, logins=logins) as server:
        yield server


@asynccontextmanager
async def _shown(server: NatsServer) -> AsyncIterator[Storage]:
    async with connected(server.url, FLEET, 10, _LOGINS[FLEET]) as nats:
        yield Storage(nats, (f"127.0.0.1:{server.config.monitor_port}",))


async def test_streams_readers_and_the_store_are_shown(server: NatsServer) -> None:
    async with connected(server.url, ROOM, 10, _LOGINS[ROOM]) as room, _shown(server) as storage:
        js = room.jetstream()
        await ensure_streams(js, 1, 1)
        await js.add_stream(StreamConfig("SNAPSHOTS", subjects=["snapshot.*"], max_bytes=5000))
        await js.add_consumer("MATCHES_0", header_consumer("timer-1", 0)[1])
        await js.publish("match.0.one", b"x" * 1000)
        await js.publish("match.0.two", b"x" * 1000)
        await storage.read()
        shown = _series(storage)
    matches, snapshots = ("stream", "MATCHES_0"), ("stream", "SNAPSHOTS")
    assert shown["arena_stream_messages", matches] == 2
    assert shown["arena_stream_bytes", matches] > 2000
    assert shown["arena_stream_limit_bytes", matches] == 0
    assert shown["arena_stream_limit_bytes", snapshots] == 5000
    assert shown["arena_stream_replicas", matches, ("state", "current")] == 1
    assert shown["arena_stream_replicas", matches, ("state", "away")] == 0
    assert shown["arena_consumer_pending", matches, ("consumer", "headers-timer-1-0")] == 2
    store = ("server", "arena")
    assert 2000 < shown["arena_nats_store_bytes", store] < 100_000
    assert shown["arena_nats_store_limit_bytes", store] > 1_000_000


async def test_what_cannot_be_read_is_counted_kept_and_then_shown_no_more(
    server: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {what: _unread(what) for what in ("streams", "readers", "store")}
    async with connected(server.url, ROOM, 10, _LOGINS[ROOM]) as room, _shown(server) as storage:
        await ensure_streams(room.jetstream(), 1, 1)
        assert _series(storage) == {}
        await storage.read()
        known = _series(storage)
        monkeypatch.setattr(storage_module, "ASK_SECONDS", 0.2)
        server.pause()
        await storage.read()
        assert _series(storage) == known
        monkeypatch.setattr(storage_metrics, "FRESH_SECONDS", 0)
        assert _series(storage) == {}
        server.resume()
    assert _unread("streams") == before["streams"] + 1
    assert _unread("store") == before["store"] + 2  # the page, and the account


async def test_a_stream_that_nobody_leads_lacks_a_copy(tmp_path: Path) -> None:
    async with (
        NatsCluster(tmp_path, sync_always=False) as cluster,
        connected(cluster.url, "test", 10) as nats,
    ):
        js = nats.jetstream(timeout=30)  # three servers that have just begun take their time
        await js.add_stream(StreamConfig("THREE", subjects=["three"], num_replicas=3))
        await js.add_stream(StreamConfig("ONE", subjects=["one"], num_replicas=1))
        await _until(nats, "THREE", Copies(3))
        await _until(nats, "ONE", Copies(1))
        leader = await cluster.stream_leader("ONE")
        assert leader is not None
        await leader.kill()
        await _until(nats, "ONE", Copies(0, away=1))


async def _until(nats: Client, stream: str, copies: Copies) -> None:
    async with asyncio.timeout(40):
        while not await _has(nats, stream, copies):
            await asyncio.sleep(0.2)


async def _has(nats: Client, stream: str, copies: Copies) -> bool:
    try:
        return (stream, copies) in [(each.name, each.copies) for each in await read_streams(nats)]
    except UnreadError:  # whoever led all of JetStream may have gone with it
        return False


@pytest.mark.parametrize(
    ("others", "copies"),
    [
        ([], Copies(1)),
        ([{"current": True, "active": 1000}, {"current": False, "active": 0}], Copies(2, 1)),
        ([{"current": True, "active": 11 * 10**9}, {"current": True}], Copies(2, 0, 1)),
        ([{"offline": True, "current": False}] * 2, Copies(1, 0, 2)),
    ],
)
def test_copies_are_told_apart(others: list[dict[str, Any]], copies: Copies) -> None:
    said: Mapping[str, Any] = {
        "config": {"name": "S", "max_bytes": -1},
        "state": {"bytes": 1, "messages": 1, "consumer_count": 0},
        "cluster": {"leader": "one", "replicas": others},
    }
    assert stream_of(said).copies == copies


def _series(storage: Storage) -> dict[tuple[Any, ...], float]:
    """By name and labels."""
    return {
        (sample.name, *sample.labels.items()): sample.value
        for metric in storage.collect()
        for sample in metric.samples
    }


def _unread(what: str) -> float:
    return float(metrics.UNREAD.labels(what)._value.get())
