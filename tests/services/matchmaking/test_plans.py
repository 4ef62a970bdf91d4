"""Several tickets become one match, wherever the leader stops: dead for good, or only asleep."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.kv import KeyValue

from arena_services.common.auth import Tokens
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.follower import Follower
from arena_services.common.games import hosted, wrap
from arena_services.common.lease import Lease, Leases
from arena_services.common.players import Players
from arena_services.common.roster import Roster
from arena_services.matchmaking.host import Host
from arena_services.matchmaking.leader import Leader
from arena_services.matchmaking.plans import Plans
from arena_services.matchmaking.tickets import (
    TICKETS_BUCKET,
    ConflictError,
    Queue,
    State,
    Ticket,
    Tickets,
)
from arena_services.matchmaking.view import View
from tests.services.matchmaking.rooms import Matches, StandInRoom

PEOPLE = ("p-ada", "p-bea", "p-cleo")
#: A match of three is six writes, each with a moment before and one after it.
MOMENTS = range(12)


class _StoppingTickets(Tickets):
    """Stops for a while, perhaps for ever, at one moment of its work."""

    def __init__(self, js: JetStreamContext, bucket: KeyValue, moment: int) -> None:
        super().__init__(js, bucket)
        self._moments_left = moment
        self.has_stopped = asyncio.Event()
        self.go_on = asyncio.Event()

    async def _store(self, ticket: Ticket, last: int) -> Ticket:
        await self._pass()
        stored = await super()._store(ticket, last)
        await self._pass()
        return stored

    async def _pass(self) -> None:
        if self._moments_left == 0:
            self.has_stopped.set()
            await self.go_on.wait()
        self._moments_left -= 1


@dataclass
class Stage:
    """A platform without its service: what leaders are made of."""

    js: JetStreamContext
    nats: Client
    tickets: Tickets
    host: Host
    lease: Lease
    matches: Matches

    async def queue(self, player_id: str) -> Ticket:
        """Somebody joins."""
        known = await self.tickets.find(player_id)
        ticket = Ticket(
            ticket_id=f"t-{player_id}-{now_ms()}",
            player_id=player_id,
            request_id="r",
            request_hash="h",
            queue=_queue(),
            bot_wait_ms=600_000,
            bot_level="",
            create_time_ms=now_ms(),
        )
        return await self.tickets.add(ticket, known.revision if known else 0)

    async def stopping_leader(self, group: tuple[Ticket, ...], moment: int) -> _Stopped:
        """A leader that makes a match of a group and stops at a moment; it never learns that its lease is lost."""
        bucket = await self.js.key_value(TICKETS_BUCKET)
        tickets = _StoppingTickets(self.js, bucket, moment)
        plans = Plans(tickets, View(time.monotonic), self.host)
        running = asyncio.create_task(self._make(plans, tickets, group))
        await tickets.has_stopped.wait()
        return _Stopped(tickets, running)

    async def _make(self, plans: Plans, tickets: Tickets, group: tuple[Ticket, ...]) -> None:
        with suppress(ConflictError):
            await plans.promise(group, self.lease)
            head = await tickets.find(group[0].player_id)
            assert head is not None
            if head.plan:
                await plans.carry_out(head.plan, self.lease)

    @asynccontextmanager
    async def leading(self) -> AsyncIterator[View]:
        """The next leader at work."""
        view = View(time.monotonic)
        follower = Follower(
            self.nats, TICKETS_BUCKET, view.on_start, view.on_change, view.on_caught_up
        )
        leader = Leader(_queue(), self.tickets, view, self.host, 60)
        following = asyncio.create_task(follower.run())
        leading = asyncio.create_task(leader.lead(self.lease))
        try:
            await view.caught_up()
            yield view
            view.close()
            await leading
        finally:
            leading.cancel()
            following.cancel()
            await asyncio.wait((following, leading))

    async def closed(self) -> list[Ticket]:
        """All tickets once none is promised any longer and no three wait."""
        async with asyncio.timeout(10):
            while True:
                tickets = [await self.tickets.find(player_id) for player_id in PEOPLE]
                states = [ticket.state for ticket in tickets if ticket]
                if State.FORMING not in states and states.count(State.WAITING) < len(PEOPLE):
                    return [ticket for ticket in tickets if ticket]
                await asyncio.sleep(0.02)


@dataclass
class _Stopped:
    tickets: _StoppingTickets
    running: asyncio.Task[None]

    async def die(self) -> None:
        self.running.cancel()
        await asyncio.wait((self.running,))

    async def wake(self) -> None:
        self.tickets.go_on.set()
        await self.running


def _queue() -> Queue:
    game = hosted()[0]
    options = game.options.encode(game.game.check_options(game.game.default_options(), 3))
    return Queue(game.game.name, len(PEOPLE), wrap(options).SerializeToString(deterministic=True))


@pytest.fixture
async def stage(
    nats: Client, tokens: Tokens, room: StandInRoom, matches: Matches
) -> AsyncIterator[Stage]:
    js = nats.jetstream(timeout=2)
    roster, channels = Roster(), Channels()
    await roster.follow(nats)
    await roster.wait_for_any()
    assert room.beat.address
    host = Host(roster, channels, await Players.open(js, 1), tokens.service_metadata("matchmaking"))
    leases = await Leases.open(js, 1, "test")
    lease = Lease(leases._bucket, "test", b"")
    lease._trusted_until = math.inf
    yield Stage(js, nats, await Tickets.open(js, 1), host, lease, matches)
    await channels.close()


def _check_one_match_of_all(stage: Stage, tickets: list[Ticket]) -> None:
    assert [ticket.state for ticket in tickets] == [State.MATCHED] * len(PEOPLE)
    assert {ticket.match_id for ticket in tickets} == set(stage.matches.created)
    assert [player.player_id for player in stage.matches.only.players] == list(PEOPLE)
    assert [ticket.seat for ticket in tickets] == [2, 1, 0]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_leader_that_dies_leaves_one_match_to_the_next(stage: Stage, moment: int) -> None:
    ada, bea, cleo = [await stage.queue(player_id) for player_id in PEOPLE]
    stopped = await stage.stopping_leader((ada, bea, cleo), moment)
    await stopped.die()
    async with stage.leading():
        _check_one_match_of_all(stage, await stage.closed())


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_leader_that_wakes_up_late_changes_nothing(stage: Stage, moment: int) -> None:
    ada, bea, cleo = [await stage.queue(player_id) for player_id in PEOPLE]
    stopped = await stage.stopping_leader((ada, bea, cleo), moment)
    async with stage.leading():
        before = await stage.closed()
        await stopped.wake()
    _check_one_match_of_all(stage, before)
    assert await stage.closed() == before
    assert len(stage.matches.created) == 1


@pytest.mark.parametrize("leaver", range(len(PEOPLE)))
@pytest.mark.parametrize("moment", range(6))
async def test_nobody_who_left_in_time_is_in_a_match(
    stage: Stage, moment: int, leaver: int
) -> None:
    group = tuple([await stage.queue(player_id) for player_id in PEOPLE])
    stopped = await stage.stopping_leader(group, moment)
    ticket = await stage.tickets.find(PEOPLE[leaver])
    assert ticket is not None
    if ticket.state is State.WAITING:
        await stage.tickets.change(ticket, state=State.CANCELLED)
    async with stage.leading():
        await stage.closed()
        await stopped.wake()
        tickets = await stage.closed()
    if tickets[leaver].state is State.CANCELLED:
        assert not stage.matches.created
        others = [each.state for number, each in enumerate(tickets) if number != leaver]
        assert others == [State.WAITING] * 2
    else:
        _check_one_match_of_all(stage, tickets)


@pytest.mark.parametrize("moment", range(8, 12))
async def test_a_ticket_bought_anew_is_not_taken_for_the_old_one(stage: Stage, moment: int) -> None:
    """The first to hear of the match may queue again before the others have heard of it."""
    group = tuple([await stage.queue(player_id) for player_id in PEOPLE])
    stopped = await stage.stopping_leader(group, moment)
    await stopped.die()
    bea = await stage.tickets.find("p-bea")
    assert bea is not None
    assert bea.state is State.MATCHED
    anew = await stage.queue("p-bea")
    async with stage.leading():
        tickets = await stage.closed()
    assert len(stage.matches.created) == 1
    assert [ticket.state for ticket in tickets] == [State.MATCHED, State.WAITING, State.MATCHED]
    assert tickets[1].ticket_id == anew.ticket_id


async def test_those_sent_back_keep_their_place_in_the_queue(stage: Stage) -> None:
    group = tuple([await stage.queue(player_id) for player_id in PEOPLE])
    stopped = await stage.stopping_leader(group, 4)
    await stopped.die()
    ada = await stage.tickets.find("p-ada")
    assert ada is not None
    await stage.tickets.change(ada, state=State.CANCELLED)
    async with stage.leading():
        tickets = await stage.closed()
    assert [ticket.arrival for ticket in tickets] == [ticket.arrival for ticket in group]
