"""A NATS server, replicas of the service and people who use it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from typing import Any

import grpc
import pytest
import pytest_asyncio
from nats.aio.client import Client

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from arena_services.common.auth import Metadata, Tokens, bearer
from arena_services.common.channels import open_channel
from arena_services.common.nats import connect
from arena_services.common.service import Bindings
from arena_services.local.nats_server import NatsServer
from arena_services.matchmaking.app import bind
from arena_services.matchmaking.config import MatchmakingSettings
from tests.services.matchmaking.rooms import Matches, StandInRoom, run_room
from tests.services.running import TOKEN_KEY, running

RunReplica = Callable[..., AbstractAsyncContextManager["Replica"]]


class Replica:
    """One replica within this process."""

    def __init__(self, bindings: Bindings[MatchmakingSettings]) -> None:
        self._bindings = bindings
        self.address = bindings.address

    async def drain(self) -> None:
        """What happens first when it is told to stop."""
        for drain in self._bindings.on_drain:
            await drain()


class Person:
    """Somebody who signed in, and calls one replica after another."""

    def __init__(self, channel: grpc.aio.Channel, signed_in: pb.SignInResponse) -> None:
        self.player_id = signed_in.player_id
        self.metadata: Metadata = bearer(signed_in.token)
        self.stub = MatchmakingServiceStub(channel)

    def through(self, channel: grpc.aio.Channel) -> Person:
        """From now on by another replica."""
        self.stub = MatchmakingServiceStub(channel)
        return self

    async def queue(self, **fields: Any) -> pb.Ticket:
        """Join a queue: by default for two at Crowns."""
        wish: dict[str, Any] = {"request_id": uuid.uuid4().hex, "game": "crowns", "players": 2}
        wish |= fields
        answer = await self.stub.CreateTicket(
            pb.CreateTicketRequest(**wish), metadata=self.metadata
        )
        return answer.ticket

    async def watch(self, ticket: pb.Ticket) -> AsyncGenerator[pb.Ticket, None]:
        """The ticket at every change."""
        request = pb.WatchTicketRequest(ticket_id=ticket.ticket_id)
        call = self.stub.WatchTicket(request, metadata=self.metadata)
        try:
            async for answer in call:
                yield answer.ticket
        finally:
            call.cancel()

    async def wait_until(
        self, ticket: pb.Ticket, is_it: Callable[[pb.Ticket], bool], seconds: float = 10
    ) -> pb.Ticket:
        """The ticket as soon as it is as asked for."""
        async with asyncio.timeout(seconds), aclosing(self.watch(ticket)) as watching:
            async for now in watching:
                if is_it(now):
                    return now
        raise AssertionError("the ticket ended otherwise")

    async def closed(self, ticket: pb.Ticket, seconds: float = 10) -> pb.Ticket:
        """The ticket at its end."""
        return await self.wait_until(
            ticket, lambda now: now.state != pb.Ticket.STATE_WAITING, seconds
        )

    async def cancel(self, ticket: pb.Ticket) -> pb.Ticket:
        """Leave the queue."""
        request = pb.CancelTicketRequest(ticket_id=ticket.ticket_id)
        answer = await self.stub.CancelTicket(request, metadata=self.metadata)
        return answer.ticket

    async def fill_with_bots(self, ticket: pb.Ticket) -> pb.Ticket:
        """Have bots come now."""
        request = pb.FillWithBotsRequest(ticket_id=ticket.ticket_id)
        answer = await self.stub.FillWithBots(request, metadata=self.metadata)
        return answer.ticket


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[NatsServer]:
    async with NatsServer(tmp_path_factory.mktemp("nats"), sync_always=False) as running:
        yield running


@pytest.fixture
async def server(shared_server: NatsServer) -> NatsServer:
    """An empty server. Not to be stopped: others use it after."""
    client = await connect(shared_server.url, "clean", 10)
    js = client.jetstream()
    for stream in await js.streams_info():
        await js.delete_stream(str(stream.config.name))
    await client.close()
    return shared_server


@pytest.fixture
async def nats(server: NatsServer) -> AsyncIterator[Client]:
    client = await connect(server.url, "test", 10)
    yield client
    await client.close()


@pytest.fixture
def tokens() -> Tokens:
    return Tokens(TOKEN_KEY)


@pytest.fixture
def matches() -> Matches:
    return Matches()


@pytest.fixture
async def room(nats: Client, tokens: Tokens, matches: Matches) -> AsyncIterator[StandInRoom]:
    async with run_room(nats, tokens, matches) as running:
        yield running


@asynccontextmanager
async def replica_on(nats_url: str, **settings: Any) -> AsyncIterator[Replica]:
    """A replica within this process; at the end it is gone without a word, as after a crash."""
    chosen = MatchmakingSettings(nats_url=nats_url, token_key=TOKEN_KEY, **settings)
    async with running(bind, chosen) as bindings:
        yield Replica(bindings)


@pytest.fixture
def run_replica(server: NatsServer) -> RunReplica:
    return partial(replica_on, server.url)


@pytest.fixture
async def replica(run_replica: RunReplica) -> AsyncIterator[Replica]:
    async with run_replica() as running:
        yield running


@pytest.fixture
async def channel(replica: Replica) -> AsyncIterator[grpc.aio.Channel]:
    async with open_channel(replica.address) as opened:
        yield opened


async def sign_in(channel: grpc.aio.Channel, name: str = "Ada") -> Person:
    answer = await MatchmakingServiceStub(channel).SignIn(pb.SignInRequest(name=name))
    return Person(channel, answer)
