"""Leases: one holder at a time, on a real NATS server."""

from __future__ import annotations

import asyncio
import time

import pytest
from nats.aio.client import Client

from arena_services.common import lease as leases_module
from arena_services.common.lease import LEASES_BUCKET, Lease, LeaseLostError, Leases
from arena_services.common.nats import connect
from arena_services.local.nats_server import NatsServer


@pytest.fixture
def _brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything five times faster, so that a test may wait for an expiry."""
    for name in ("TTL_SECONDS", "TRUSTED_SECONDS", "RENEW_SECONDS", "_LONGEST_PAUSE_SECONDS"):
        monkeypatch.setattr(leases_module, name, getattr(leases_module, name) / 5)


class _Worker:
    """Holds a lease and notes when it did."""

    def __init__(self, leases: Leases, name: str = "q") -> None:
        self.leases = leases
        self.name = name
        self.begun = asyncio.Event()
        self.finish = asyncio.Event()
        self.times: list[float] = []
        self.lease: Lease | None = None

    async def work(self, lease: Lease) -> None:
        self.lease = lease
        self.times.append(time.monotonic())
        self.begun.set()
        try:
            await self.finish.wait()
        finally:
            self.times.append(time.monotonic())

    async def hold(self) -> None:
        await self.leases.hold(self.name, self.work)


async def _leases(nats: Client, holder: str) -> Leases:
    return await Leases.open(nats.jetstream(timeout=1), 1, holder)


async def test_a_second_one_waits_until_the_first_has_finished(nats: Client) -> None:
    first = _Worker(await _leases(nats, "one"))
    second = _Worker(await _leases(nats, "two"))
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        tasks.create_task(first.hold())
        await first.begun.wait()
        tasks.create_task(second.hold())
        await asyncio.sleep(2)
        assert not second.begun.is_set()
        first.finish.set()
        await second.begun.wait()
        second.finish.set()
    # Released, not left to run out.
    assert second.times[0] - first.times[1] < leases_module.TTL_SECONDS - 1


@pytest.mark.usefixtures("_brisk")
async def test_a_lease_outlives_its_ttl_while_it_is_renewed(nats: Client) -> None:
    worker = _Worker(await _leases(nats, "one"))
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        tasks.create_task(worker.hold())
        await worker.begun.wait()
        await asyncio.sleep(2.5 * leases_module.TTL_SECONDS)
        assert worker.lease is not None
        worker.lease.check()
        bucket = await nats.jetstream().key_value(LEASES_BUCKET)
        assert b"one" in ((await bucket.get("q")).value or b"")
        worker.finish.set()


@pytest.mark.usefixtures("_brisk")
async def test_who_cannot_renew_stops_before_the_next_one_begins(
    nats: Client, server: NatsServer
) -> None:
    cut_off = await connect(server.url, "cut off", 10)
    first = _Worker(await _leases(cut_off, "one"))
    second = _Worker(await _leases(nats, "two"))
    holding = asyncio.create_task(first.hold())
    await first.begun.wait()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        tasks.create_task(second.hold())
        await cut_off.close()
        with pytest.raises(LeaseLostError):
            await holding
        await second.begun.wait()
        second.finish.set()
    assert first.lease is not None
    assert not first.lease.is_held
    with pytest.raises(LeaseLostError):
        first.lease.check()
    assert first.times[1] <= second.times[0]


async def test_a_lease_taken_away_is_lost(nats: Client) -> None:
    worker = _Worker(await _leases(nats, "one"))
    holding = asyncio.create_task(worker.hold())
    await worker.begun.wait()
    bucket = await nats.jetstream().key_value(LEASES_BUCKET)
    await bucket.put("q", b"somebody else's")
    async with asyncio.timeout(5):
        with pytest.raises(LeaseLostError):
            await holding
    # What is not ours any longer is not given up either.
    assert (await bucket.get("q")).value == b"somebody else's"


async def test_a_renewal_whose_acknowledgement_was_lost_does_no_harm(nats: Client) -> None:
    worker = _Worker(await _leases(nats, "one"))
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        tasks.create_task(worker.hold())
        await worker.begun.wait()
        bucket = await nats.jetstream().key_value(LEASES_BUCKET)
        # Stored once more behind the holder's back, as a renewal that timed out is.
        await bucket.put("q", (await bucket.get("q")).value or b"")
        await asyncio.sleep(leases_module.RENEW_SECONDS + 0.5)
        assert not worker.times[1:]
        worker.finish.set()


async def test_a_failure_of_the_work_is_passed_on_and_frees_the_lease(nats: Client) -> None:
    leases = await _leases(nats, "one")

    async def fail(_: Lease) -> None:
        raise ValueError("no good")

    async with asyncio.timeout(10):
        with pytest.raises(ExceptionGroup) as caught:
            await leases.hold("q", fail)
        assert caught.group_contains(ValueError)
        assert await Lease(leases._bucket, "q", b"{}").acquire()


async def test_a_lease_taken_without_knowing_is_found_to_be_ours(nats: Client) -> None:
    bucket = (await _leases(nats, "one"))._bucket
    lease = Lease(bucket, "q", b"ours")
    # Stored, but its acknowledgement never came.
    await bucket.create("q", b"ours")
    assert await lease.acquire()
    lease.check()
    assert not await Lease(bucket, "q", b"another's").acquire()
