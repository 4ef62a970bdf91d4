"""Two replicas as processes of their own, and what becomes of tickets when one of them dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from nats.aio.client import Client
from nats.js.errors import KeyNotFoundError

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena_services.common.auth import Tokens
from arena_services.common.channels import open_channel
from arena_services.common.errors import UnavailableError
from arena_services.common.lease import LEASES_BUCKET
from arena_services.common.nats import connect
from arena_services.local.nats_cluster import NatsCluster
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import Process
from tests.services.matchmaking.conftest import Person, RunReplica, replica_on, sign_in
from tests.services.matchmaking.rooms import Matches, StandInRoom, run_room
from tests.services.running import service_spec

MATCHED = pb.Ticket.STATE_MATCHED


@dataclass
class _Process:
    name: str
    process: Process
    channel: grpc.aio.Channel


@asynccontextmanager
async def _run(name: str, server: NatsServer, folder: Path) -> AsyncIterator[_Process]:
    spec, address = service_spec("matchmaking", name, server.url, folder)
    process = await Process.start(spec)
    try:
        await process.wait_ready(20)
        async with open_channel(address) as channel:
            yield _Process(name, process, channel)
    finally:
        process.send(signal.SIGCONT)
        await process.stop(5)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    """A server of the test's own, to be killed."""
    async with NatsServer(tmp_path / "nats", sync_always=False) as running:
        yield running


@pytest.fixture
async def replicas(server: NatsServer, tmp_path: Path) -> AsyncIterator[dict[str, _Process]]:
    async with _run("mm-1", server, tmp_path) as one, _run("mm-2", server, tmp_path) as two:
        yield {"mm-1": one, "mm-2": two}


async def _leader(nats: Client, replicas: dict[str, _Process]) -> tuple[_Process, _Process]:
    """Who leads the only queue, and who does not."""
    bucket = await nats.jetstream().key_value(LEASES_BUCKET)
    (key,) = await bucket.keys()
    try:
        value = (await bucket.get(key)).value
    except KeyNotFoundError:
        raise AssertionError("nobody leads") from None
    name = json.loads(value or b"")["holder"]
    (other,) = [replica for replica in replicas.values() if replica.name != name]
    return replicas[name], other


async def _two_people(replicas: dict[str, _Process]) -> tuple[Person, Person]:
    channel = replicas["mm-1"].channel
    return await sign_in(channel, "Ada"), await sign_in(channel, "Bea")


@pytest.mark.parametrize("is_created", [True, False], ids=["created", "not created"])
async def test_a_leader_killed_while_a_room_is_asked_leaves_one_match(
    replicas: dict[str, _Process],
    nats: Client,
    room: StandInRoom,
    matches: Matches,
    *,
    is_created: bool,
) -> None:
    room.is_silent = is_created
    room.fails_with = None if is_created else UnavailableError("STARTING", "Not yet.")
    people = await _two_people(replicas)
    tickets = [await person.queue() for person in people]
    await asyncio.wait_for(room.was_asked.wait(), 5)
    leader, other = await _leader(nats, replicas)
    os.kill(leader.process.pid, signal.SIGKILL)
    room.is_silent, room.fails_with = False, None
    ends = await asyncio.gather(
        *(
            person.through(other.channel).closed(ticket, 20)
            for person, ticket in zip(people, tickets, strict=True)
        )
    )
    assert {(end.state, end.match_id) for end in ends} == {(MATCHED, matches.only.match_id)}
    assert {end.seat for end in ends} == {0, 1}
    assert len(room.asked) >= 2
    assert set(room.asked) == {matches.only.match_id}


async def test_a_leader_that_slept_does_not_make_a_second_match(
    replicas: dict[str, _Process], nats: Client, room: StandInRoom, matches: Matches
) -> None:
    room.is_silent = True
    people = await _two_people(replicas)
    tickets = [await person.queue() for person in people]
    await asyncio.wait_for(room.was_asked.wait(), 5)
    leader, other = await _leader(nats, replicas)
    leader.process.send(signal.SIGSTOP)
    room.is_silent = False
    ends = [
        await person.through(other.channel).closed(ticket, 20)
        for person, ticket in zip(people, tickets, strict=True)
    ]
    leader.process.send(signal.SIGCONT)
    await asyncio.sleep(1)
    assert {end.match_id for end in ends} == {matches.only.match_id}
    # It serves on, and knows what happened meanwhile.
    end = await people[0].through(leader.channel).closed(tickets[0])
    assert end.match_id == matches.only.match_id


async def test_a_leader_that_is_stopped_hands_over_at_once(
    replicas: dict[str, _Process], nats: Client, room: StandInRoom, matches: Matches
) -> None:
    people = await _two_people(replicas)
    ticket = await people[0].queue()
    async with asyncio.timeout(5):
        while not await nats.jetstream().streams_info() or not await _is_led(nats):
            await asyncio.sleep(0.05)
    leader, other = await _leader(nats, replicas)
    await leader.process.stop(10)
    assert leader.process.exit_code == 0
    second = await people[1].through(other.channel).queue()
    ends = await asyncio.gather(
        people[0].through(other.channel).closed(ticket, 3.5), people[1].closed(second, 3.5)
    )
    assert {end.match_id for end in ends} == {matches.only.match_id}
    assert room.asked == [matches.only.match_id]


async def _is_led(nats: Client) -> bool:
    bucket = await nats.jetstream().key_value(LEASES_BUCKET)
    return (await bucket.status()).values > 0


async def test_people_meet_through_different_replicas(
    replicas: dict[str, _Process], room: StandInRoom, matches: Matches
) -> None:
    assert room.beat.address
    first = await sign_in(replicas["mm-1"].channel, "Ada")
    second = await sign_in(replicas["mm-2"].channel, "Bea")
    ticket = await first.queue()
    ends = await asyncio.gather(first.closed(ticket), second.closed(await second.queue()))
    assert {end.match_id for end in ends} == {matches.only.match_id}


@pytest.mark.parametrize("outage_seconds", [0.0, 7.0])
async def test_a_restart_of_nats_costs_nobody_their_place(
    run_replica: RunReplica,
    server: NatsServer,
    room: StandInRoom,
    matches: Matches,
    outage_seconds: float,
) -> None:
    assert room.beat.address
    async with run_replica() as replica, open_channel(replica.address) as channel:
        people = [await sign_in(channel, name) for name in ("Ada", "Bea", "Cleo")]
        tickets = [await person.queue(players=3, bot_wait_ms=60_000) for person in people[:2]]
        watching = [
            asyncio.create_task(_closed(person, ticket))
            for person, ticket in zip(people, tickets, strict=False)
        ]
        await asyncio.sleep(0.3)
        await server.kill()
        await asyncio.sleep(outage_seconds)
        await server.start()
        third = await _insist(people[2])
        ends = [await _closed(people[2], third), *await asyncio.gather(*watching)]
    assert {(end.state, end.match_id) for end in ends} == {(MATCHED, matches.only.match_id)}
    ids = [player.player_id for player in matches.only.players]
    assert ids == [person.player_id for person in people]


async def test_the_loss_of_a_nats_server_of_three_costs_nobody_their_place(
    tmp_path: Path, tokens: Tokens, matches: Matches
) -> None:
    async with (
        NatsCluster(tmp_path / "cluster", sync_always=False) as cluster,
        AsyncExitStack() as stack,
    ):
        nats = await connect(cluster.url, "test", 10)
        stack.push_async_callback(nats.close)
        await stack.enter_async_context(run_room(nats, tokens, matches))
        replica = await stack.enter_async_context(replica_on(cluster.url, log_replicas=3))
        channel = await stack.enter_async_context(open_channel(replica.address))
        people = [await sign_in(channel, name) for name in ("Ada", "Bea", "Cleo")]
        tickets = [await person.queue(players=3, bot_wait_ms=60_000) for person in people[:2]]
        watching = [
            asyncio.create_task(_closed(person, ticket))
            for person, ticket in zip(people, tickets, strict=False)
        ]
        leader = await cluster.stream_leader("KV_tickets")
        assert leader is not None
        await leader.kill()
        third = await _insist(people[2])
        ends = [await _closed(people[2], third), *await asyncio.gather(*watching)]
    assert {(end.state, end.match_id) for end in ends} == {(MATCHED, matches.only.match_id)}
    ids = [player.player_id for player in matches.only.players]
    assert ids == [person.player_id for person in people]


async def test_a_call_while_nats_is_away_is_worth_a_retry(
    run_replica: RunReplica, server: NatsServer
) -> None:
    async with run_replica() as replica, open_channel(replica.address) as channel:
        person = await sign_in(channel)
        await server.kill()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await person.queue()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        await server.start()
        assert (await _insist(person)).state == pb.Ticket.STATE_WAITING


async def _insist(person: Person) -> pb.Ticket:
    """Queue as a client does: again with the same request id while the service is not to be had."""
    async with asyncio.timeout(40):
        while True:
            try:
                return await person.queue(request_id="insisting", players=3, bot_wait_ms=60_000)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017
                await asyncio.sleep(0.2)


async def _closed(person: Person, ticket: pb.Ticket) -> pb.Ticket:
    """Watch as a client does: again while the service is not to be had."""
    async with asyncio.timeout(40):
        while True:
            try:
                return await person.closed(ticket, 40)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017
                await asyncio.sleep(0.2)
