"""The Kubernetes API as the fleet meets it, within this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from kubernetes import client
from pydantic import SecretStr, ValidationError

from arena_services.fleet.cluster import Cluster, Deployment
from arena_services.fleet.config import FleetSettings
from arena_services.fleet.errors import (
    ConflictError,
    ExpiredError,
    ForbiddenError,
    LeaseLostError,
    NotFoundError,
    ThrottledError,
    UnreachableError,
)
from arena_services.fleet.leadership import Leadership
from arena_services.fleet.rooms import Turn
from tests.services.fleet.api_server import DEPLOYMENT, LABELS, NAMESPACE, ApiServer, Fault, away
from tests.waiting import eventually


@pytest.fixture
async def server() -> AsyncIterator[ApiServer]:
    async with ApiServer(replicas=3, start_seconds=0.05) as running:
        await eventually(lambda: all("nodeName" in pod["spec"] for pod in running.pods.values()))
        yield running


@pytest.fixture
def cluster(server: ApiServer) -> Cluster:
    return Cluster(client.Configuration(host=server.url), NAMESPACE)


@pytest.fixture
def rooms(cluster: Cluster) -> Deployment:
    return Deployment(cluster, DEPLOYMENT)


async def test_sees_pods_by_their_labels_and_scales(server: ApiServer, rooms: Deployment) -> None:
    server.pods["arena-room-3"]["metadata"]["labels"]["app.kubernetes.io/instance"] = "other"
    sight = await rooms.look()
    assert sight.replicas == 3
    assert set(sight.standings) == {"arena-room-1", "arena-room-2"}
    assert not sight.is_settled
    await rooms.scale(sight, 4)
    assert server.replicas == 4


async def test_a_pod_may_lack_what_nobody_here_reads(server: ApiServer, rooms: Deployment) -> None:
    server.pods["arena-room-1"]["status"]["containerStatuses"] = [{"name": "room"}]
    server.pods["arena-room-2"]["status"].pop("conditions")
    sight = await rooms.look()
    assert sight.standings["arena-room-1"].health == (True, 2, True)
    assert sight.standings["arena-room-2"].health == (True, 2, False)


async def test_an_answer_without_sense_is_a_failure_like_others(
    server: ApiServer, rooms: Deployment
) -> None:
    server.pods["arena-room-1"].pop("spec")
    with pytest.raises(UnreachableError, match="an answer without 'spec'"):
        await rooms.look()


async def test_a_change_since_the_look_is_not_overwritten(
    server: ApiServer, rooms: Deployment
) -> None:
    sight = await rooms.look()
    server.set_ready("arena-room-1", ready=False)  # a status counts as well
    with pytest.raises(ConflictError):
        await rooms.scale(sight, 4)
    await rooms.scale(await rooms.look(), 4)
    assert server.replicas == 4


async def test_the_marked_room_goes_only_where_no_other_would_go_before_it(
    server: ApiServer, rooms: Deployment
) -> None:
    await rooms.mark("arena-room-2", Turn.NEXT)
    assert (await rooms.look()).would_go("arena-room-2")
    server.set_ready("arena-room-3", ready=False)
    assert not (await rooms.look()).would_go("arena-room-2")
    server.set_ready("arena-room-2", ready=False)  # as a room that has handed its matches over
    assert (await rooms.look()).would_go("arena-room-2")
    await rooms.scale(await rooms.look(), 2)
    assert server.active() == ["arena-room-1", "arena-room-3"]


async def test_no_room_goes_while_one_starts_or_builds_change(
    server: ApiServer, rooms: Deployment
) -> None:
    server.start_seconds = 0.3
    await rooms.scale(await rooms.look(), 4)
    assert not (await rooms.look()).would_go("arena-room-1")
    await eventually(lambda: "nodeName" in server.pods["arena-room-4"]["spec"])
    assert (await rooms.look()).would_go("arena-room-1")
    server.pods["arena-room-4"]["metadata"]["labels"] = LABELS | {"pod-template-hash": "b"}
    assert not (await rooms.look()).would_go("arena-room-1")


async def test_of_two_that_are_marked_none_goes(rooms: Deployment, server: ApiServer) -> None:
    await rooms.mark("arena-room-1", Turn.LEAVES)
    await rooms.mark("arena-room-2", Turn.NEXT)
    assert (await rooms.look()).would_go("arena-room-2")
    await rooms.mark("arena-room-1", Turn.NEXT)
    assert not (await rooms.look()).would_go("arena-room-2")
    await rooms.mark("arena-room-1", Turn.STAYS)
    assert server.cost("arena-room-1") == 0
    assert (await rooms.look()).would_go("arena-room-2")


async def test_a_long_list_is_read_in_pages_and_anew_where_that_took_too_long(
    server: ApiServer, rooms: Deployment
) -> None:
    server.page = 1
    assert len((await rooms.look()).standings) == 3
    asked = len(server.calls)
    server.fail("list", "pods", Fault(), Fault(410))
    assert len((await rooms.look()).standings) == 3
    assert len(server.calls) - asked == 1 + 2 + 3
    server.fail("list", "pods", Fault(410), Fault(), Fault(410))
    with pytest.raises(ExpiredError):
        await rooms.look()


@pytest.mark.parametrize("selector", ["app.kubernetes.io/component=room", "component"])
def test_labels_that_match_rooms_of_another_release_are_refused(selector: str) -> None:
    with pytest.raises(ValidationError, match="app.kubernetes.io/instance"):
        FleetSettings(token_key=SecretStr("k" * 32), fleet_selector=selector)


async def test_failures_are_told_apart(server: ApiServer, rooms: Deployment) -> None:
    server.fail("list", "pods", Fault(403), Fault(500))
    with pytest.raises(ForbiddenError, match="may not list pods in namespace arena"):
        await rooms.look()
    with pytest.raises(UnreachableError, match="list pods: 500"):
        await rooms.look()
    with pytest.raises(NotFoundError, match="patch pods"):
        await rooms.mark("nobody", Turn.NEXT)
    async with away(server):
        with pytest.raises(UnreachableError):
            await rooms.look()
    assert (await rooms.look()).replicas == 3


async def test_a_server_that_hangs_is_not_waited_for_for_ever(
    server: ApiServer, rooms: Deployment
) -> None:
    server.fail("get", "deployments/scale", Fault(seconds=8))
    began = time.monotonic()
    with pytest.raises(UnreachableError):
        await rooms.look()
    assert time.monotonic() - began < 7


async def test_a_server_that_asks_for_quiet_gets_it(server: ApiServer, rooms: Deployment) -> None:
    server.fail("get", "deployments/scale", Fault(429, retry_after=1))
    with pytest.raises(ThrottledError) as refused:
        await rooms.look()
    assert refused.value.seconds == 1
    asked = len(server.calls)
    with pytest.raises(ThrottledError):
        await rooms.mark("arena-room-1", Turn.NEXT)
    assert len(server.calls) == asked
    await asyncio.sleep(1)
    assert (await rooms.look()).replicas == 3


async def test_one_leads_and_the_next_follows_at_once_when_it_goes(
    server: ApiServer, cluster: Cluster
) -> None:
    first, second = (Leadership(cluster, "fleet", name) for name in ("one", "two"))
    await first.attempt()
    await second.attempt()
    first.check()
    with pytest.raises(LeaseLostError):
        second.check()
    await first.release()
    await second.attempt()
    await first.attempt()
    with pytest.raises(LeaseLostError):
        first.check()
    second.check()
    assert server.holder == "two"


async def test_of_two_that_take_a_lease_at_once_one_gets_it(
    server: ApiServer, cluster: Cluster
) -> None:
    both = [Leadership(cluster, "fleet", name) for name in ("one", "two")]
    server.fail("get", "leases", Fault(seconds=0.2), Fault(seconds=0.2))
    results = await asyncio.gather(*(each.attempt() for each in both), return_exceptions=True)
    # On a busy machine the second may come when the first has it already, and lets it be.
    assert {type(result) for result in results if result is not None} <= {ConflictError}
    assert [each.is_held for each in both].count(True) == 1
