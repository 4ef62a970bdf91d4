"""The whole fleet process, between NATS and the cluster's API."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.services.fleet.api_server import Fault, away
from tests.services.fleet.stage import Stage, staged
from tests.waiting import eventually

_SCALE = "deployments/scale"


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with staged(tmp_path) as made:
        await eventually(lambda: len(made.rooms.alive) == 2)
        yield made


def _fill(stage: Stage, matches: int) -> None:
    for room in stage.rooms.alive.values():
        room.matches = matches


async def test_a_burst_is_answered_within_ten_seconds_and_a_conflict_retried(
    stage: Stage,
) -> None:
    fleet = await stage.start_leading("fleet-1")
    stage.api.fail("update", _SCALE, Fault(409))
    _fill(stage, 9)
    await eventually(lambda: stage.api.replicas == 3)
    await fleet.until('arena_fleet_errors_total{kind="conflict"}', 1)
    await fleet.until('arena_fleet_scalings_total{direction="up"}', 1)
    await eventually(lambda: len(stage.rooms.alive) == 3)


async def test_what_is_not_permitted_is_named(stage: Stage) -> None:
    stage.api.fail("update", _SCALE, Fault(403), stays=True)
    fleet = await stage.start_leading("fleet-1")
    _fill(stage, 10)
    await fleet.until('arena_fleet_errors_total{kind="forbidden"}', 2)
    stage.api.heal()
    await eventually(lambda: stage.api.replicas == 3)
    # Each time counts, and is told of once.
    log = fleet.log.read_text()
    assert log.count("may not update deployments/scale in namespace arena") == 1


async def test_a_throttled_fleet_waits_for_as_long_as_it_was_told(stage: Stage) -> None:
    fleet = await stage.start_leading("fleet-1")
    stage.api.fail("get", _SCALE, Fault(429, retry_after=4))
    await fleet.until('arena_fleet_errors_total{kind="throttled"}', 1)
    asked = len(stage.api.calls)
    await asyncio.sleep(2.5)
    assert len(stage.api.calls) == asked
    _fill(stage, 9)
    await eventually(lambda: stage.api.replicas == 3)


async def test_without_the_cluster_what_was_known_is_kept(stage: Stage) -> None:
    fleet = await stage.start_leading("fleet-1")
    async with away(stage.api):
        await fleet.until("arena_fleet_is_blind", 1)
        await asyncio.sleep(8)  # the lease cannot be held for longer
        shown = await fleet.metrics()
        assert shown["arena_fleet_is_leader"] == 0
        assert shown["arena_fleet_is_blind"] == 1
        assert shown["arena_fleet_rooms"] == 2
        _fill(stage, 9)
    await eventually(lambda: stage.api.replicas == 3)
    assert (await fleet.metrics())["arena_fleet_is_blind"] == 0


@pytest.mark.timeout(120)  # a lease has to run out, while two processes start on a busy machine
async def test_a_leader_that_was_paused_acts_no_more(stage: Stage) -> None:
    first = await stage.start_leading("fleet-1")
    second = await stage.start("fleet-2")
    await asyncio.sleep(4)
    assert stage.api.writes_of("fleet-2") == []
    first.process.send(signal.SIGSTOP)
    _fill(stage, 9)
    await eventually(lambda: stage.api.replicas == 3, seconds=20)
    assert stage.api.holder == "fleet-2"
    await eventually(lambda: len(stage.rooms.alive) == 3)
    before = stage.api.writes_of("fleet-1")
    _fill(stage, 10)
    first.process.send(signal.SIGCONT)
    await eventually(lambda: stage.api.replicas == 4)
    await first.until("arena_ready", 1)
    await asyncio.sleep(3)
    assert stage.api.writes_of("fleet-1") == before
    shown = await first.metrics()
    assert shown["arena_fleet_is_leader"] == shown["arena_fleet_rooms"] == 0
    assert (await second.metrics())["arena_fleet_is_leader"] == 1


async def test_the_next_leads_at_once_when_the_leader_is_told_to_stop(stage: Stage) -> None:
    first = await stage.start_leading("fleet-1")
    await stage.start("fleet-2")
    await first.process.stop(10)
    assert first.process.exit_code == 0
    await eventually(lambda: stage.api.holder == "fleet-2", seconds=5)


async def test_a_room_goes_once_it_is_empty_and_the_right_one(tmp_path: Path) -> None:
    async with staged(tmp_path, replicas=3) as stage:
        await eventually(lambda: len(stage.rooms.alive) == 3)
        names = list(stage.rooms.alive)
        for name, matches in zip(names, (3, 1, 3), strict=True):
            stage.rooms.alive[name].matches = matches
        await stage.start_leading("fleet-1")
        await eventually(lambda: stage.rooms.drained == [names[1]])
        assert stage.api.cost(names[1]) < 0
        await asyncio.sleep(3)
        assert stage.api.replicas == 3  # it still has a match
        stage.rooms.may_move.set()
        await eventually(lambda: stage.api.replicas == 2)
        assert stage.api.active() == [names[0], names[2]]
        assert stage.rooms.matches_at_end == {names[1]: 0}
        assert stage.rooms.drained == [names[1]]


async def test_a_burst_while_a_room_drains_is_answered_as_fast(tmp_path: Path) -> None:
    async with staged(tmp_path, replicas=3) as stage:
        await eventually(lambda: len(stage.rooms.alive) == 3)
        await stage.start_leading("fleet-1")
        await eventually(lambda: len(stage.rooms.drained) == 1)
        for room in stage.rooms.alive.values():
            room.matches = 9
        await eventually(lambda: stage.api.replicas > 3)


async def test_a_room_that_keeps_its_matches_is_not_ended(tmp_path: Path) -> None:
    async with staged(tmp_path, replicas=3) as stage:
        await eventually(lambda: len(stage.rooms.alive) == 3)
        _fill(stage, 1)
        stage.rooms.is_stuck = True
        fleet = await stage.start_leading("fleet-1")
        await fleet.until('arena_fleet_errors_total{kind="not_drained"}', 1)
        await asyncio.sleep(4)
        assert stage.api.replicas == 3
        assert stage.rooms.matches_at_end == {}
