"""Puts the matchmaking service together."""

from __future__ import annotations

import asyncio
import time

from nats.js import JetStreamContext

from arena.matchmaking.v1.matchmaking_service_pb2 import DESCRIPTOR
from arena.matchmaking.v1.matchmaking_service_pb2_grpc import (
    add_MatchmakingServiceServicer_to_server,
)
from arena_services.common.channels import Channels
from arena_services.common.follower import Follower
from arena_services.common.lease import Leases
from arena_services.common.limits import Gate
from arena_services.common.nats import once_answered
from arena_services.common.players import Players
from arena_services.common.roster import Roster
from arena_services.common.service import Bindings
from arena_services.matchmaking.config import MatchmakingSettings
from arena_services.matchmaking.desk import Desk
from arena_services.matchmaking.host import Host
from arena_services.matchmaking.leader import Leader, Leadership
from arena_services.matchmaking.servicer import Servicer
from arena_services.matchmaking.tickets import TICKETS_BUCKET, Queue, Tickets
from arena_services.matchmaking.view import View
from arena_services.matchmaking.watchers import Watchers

_STORE_SECONDS = 2.0


async def bind(bindings: Bindings[MatchmakingSettings]) -> None:
    """Build the service on what every service has."""
    settings, nats = bindings.settings, bindings.nats
    js = nats.jetstream(timeout=_STORE_SECONDS)
    tickets, players, leases = await once_answered(
        lambda: _open_stores(js, settings), settings.nats_wait_seconds
    )
    roster, channels, view = Roster(), Channels(settings.tls), View(time.monotonic)
    bindings.closers.push_async_callback(channels.close)
    host = Host(roster, channels, players, bindings.tokens.service_metadata("matchmaking"))
    watchers = Watchers(nats, view, settings.unwatched_seconds)
    await roster.follow(nats)
    await watchers.follow()

    def make_leader(queue: Queue) -> Leader:
        return Leader(queue, tickets, view, host, settings.unwatched_seconds)

    follower = Follower(nats, TICKETS_BUCKET, view.on_start, view.on_change, view.on_caught_up)
    leadership = Leadership(leases, view, make_leader)
    bindings.tasks.create_task(follower.run(), name="tickets")
    bindings.tasks.create_task(watchers.run(), name="watchers")
    leading = bindings.tasks.create_task(leadership.run(), name="leadership")

    gate = Gate(bindings.tokens, settings)
    desk = Desk(tickets, view)
    servicer = Servicer(bindings.tokens, gate, players, desk, host, settings.bot_wait_ms)
    add_MatchmakingServiceServicer_to_server(servicer, bindings.server.raw)
    bindings.server.name(DESCRIPTOR.services_by_name["MatchmakingService"].full_name)

    async def drain() -> None:
        view.close()
        await asyncio.wait((leading,))

    bindings.on_start.append(view.caught_up)
    bindings.on_drain.append(drain)


async def _open_stores(
    js: JetStreamContext, settings: MatchmakingSettings
) -> tuple[Tickets, Players, Leases]:
    """All that matchmaking keeps in NATS, made where it is missing."""
    replicas = settings.log_replicas
    return (
        await Tickets.open(js, replicas),
        await Players.open(js, replicas),
        await Leases.open(js, replicas, settings.instance),
    )
