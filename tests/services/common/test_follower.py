"""Following a bucket, whatever happens to the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.kv import KeyValue
from prometheus_client import REGISTRY

from arena_services.common.follower import Change, Follower
from arena_services.common.log.streams import ensure_bucket
from arena_services.common.nats import connect, connected, once_answered
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from tests.services.consumers import pause_all

BUCKET = "things"


@pytest.fixture
async def bucket(nats: Client) -> KeyValue:
    return await ensure_bucket(nats.jetstream(), BUCKET, 1)


class _Reader:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.values: dict[str, bytes | None] = {}
        self.changes: list[Change] = []
        self.starts = 0
        self.told: list[str] = []

    def start(self) -> None:
        self.starts += 1
        self.told.append("start")

    def change(self, change: Change) -> None:
        self.changes.append(change)
        self.values[change.key] = change.value
        self.told.append(change.key)

    def caught_up(self) -> None:
        self.told.append("caught up")

    async def until(self, is_it: Callable[[_Reader], bool], seconds: float = 10) -> None:
        async with asyncio.timeout(seconds):
            while not is_it(self):
                await asyncio.sleep(0.02)


@asynccontextmanager
async def _following(nats: Client) -> AsyncIterator[_Reader]:
    reader = _Reader()
    follower = Follower(nats, BUCKET, reader.start, reader.change, reader.caught_up)
    running = asyncio.create_task(follower.run())
    try:
        yield reader
    finally:
        assert not running.done(), running
        running.cancel()
        await asyncio.wait((running,))


async def test_what_is_stored_comes_first_then_each_change(nats: Client, bucket: KeyValue) -> None:
    for key in ("a", "b", "a"):
        await bucket.put(key, b"old")
    async with _following(nats) as reader:
        await reader.until(lambda reader: "caught up" in reader.told)
        assert reader.told == ["start", "b", "a", "caught up"]
        revision = await bucket.put("a", b"new")
        await reader.until(lambda reader: reader.values["a"] == b"new")
        assert reader.changes[-1] == Change("a", revision, b"new")
        await bucket.delete("b")
        await reader.until(lambda reader: reader.values["b"] is None)
    assert reader.starts == 1


async def test_an_empty_bucket_is_read_at_once(nats: Client, bucket: KeyValue) -> None:
    assert (await bucket.status()).values == 0
    async with _following(nats) as reader:
        await reader.until(lambda reader: reader.told == ["start", "caught up"], 2)


async def test_many_changes_come_in_order_and_whole(nats: Client, bucket: KeyValue) -> None:
    async with _following(nats) as reader:
        await reader.until(lambda reader: "caught up" in reader.told)
        await asyncio.gather(*(bucket.put(f"key-{number}", b"x") for number in range(500)))
        await reader.until(lambda reader: len(reader.changes) == 500)
    revisions = [change.revision for change in reader.changes]
    assert revisions == sorted(revisions)


async def test_silence_is_no_reason_to_read_again(nats: Client, bucket: KeyValue) -> None:
    await bucket.put("a", b"x")
    async with _following(nats) as reader:
        await asyncio.sleep(5)
    assert reader.starts == 1


async def test_a_restart_of_nats_is_survived(
    nats: Client, bucket: KeyValue, server: NatsServer
) -> None:
    await bucket.put("a", b"before")
    async with _following(nats) as reader:
        await reader.until(lambda reader: reader.values.get("a") == b"before")
        await server.kill()
        await server.start()
        other = await connect(server.url, "other", 10)
        await (await other.jetstream().key_value(BUCKET)).put("a", b"after")
        await other.close()
        await reader.until(lambda reader: reader.values["a"] == b"after")
    assert reader.starts > 1


async def test_a_dropped_consumer_is_replaced(nats: Client, bucket: KeyValue) -> None:
    await bucket.put("a", b"before")
    js = nats.jetstream()
    async with _following(nats) as reader:
        await reader.until(lambda reader: "caught up" in reader.told)
        (consumer,) = await js.consumers_info(f"KV_{BUCKET}")
        await js.delete_consumer(f"KV_{BUCKET}", consumer.name)
        await bucket.put("a", b"after")
        await reader.until(lambda reader: reader.values["a"] == b"after")


async def test_a_consumer_that_stands_still_is_replaced_and_seen_in_the_metrics(
    nats: Client, bucket: KeyValue
) -> None:
    def read_anew() -> float:
        return REGISTRY.get_sample_value("arena_buckets_read_anew_total", {"bucket": BUCKET}) or 0.0

    await bucket.put("a", b"before")
    async with _following(nats) as reader:
        await reader.until(lambda reader: "caught up" in reader.told)
        before = read_anew()
        await pause_all(nats, f"KV_{BUCKET}")
        await bucket.put("a", b"after")
        await reader.until(lambda reader: reader.values["a"] == b"after", 30)
        assert read_anew() == before + 1
    assert reader.starts == 2


@pytest.mark.parametrize("which", ["connected", "consumer"])
async def test_a_server_of_a_cluster_that_hangs_is_left(tmp_path: Path, which: str) -> None:
    async with (
        NatsCluster(tmp_path, sync_always=False) as cluster,
        connected(cluster.url, "follower", 10) as client,
    ):
        js = client.jetstream()
        bucket = await once_answered(lambda: ensure_bucket(js, BUCKET, 3), 30)
        await bucket.put("a", b"before")
        async with _following(client) as reader:
            await reader.until(lambda reader: "caught up" in reader.told)
            url = f"nats://{client.connected_url.netloc}" if client.connected_url else ""
            if which == "consumer":
                (consumer,) = await js.consumers_info(f"KV_{BUCKET}")
                name = (consumer.cluster.leader if consumer.cluster else None) or ""
                (hung,) = [
                    each
                    for each in cluster.servers
                    if each.config.cluster and each.config.cluster.name == name
                ]
            else:
                (hung,) = [each for each in cluster.servers if each.url == url]
            hung.pause()
            others = ",".join(each.url for each in cluster.servers if each is not hung)
            async with connected(others, "writer", 10) as writer:
                await _put_until_stored(writer, "a", b"after")
                await reader.until(lambda reader: reader.values["a"] == b"after", 30)
            hung.resume()


async def _put_until_stored(client: Client, key: str, value: bytes) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                bucket = await client.jetstream(timeout=2).key_value(BUCKET)
                await bucket.put(key, value)
            except NatsError:
                await asyncio.sleep(0.1)
            else:
                return
