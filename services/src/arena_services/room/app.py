"""Puts a room together."""

from __future__ import annotations

from functools import partial

from arena.room.v1.chat_service_pb2_grpc import add_ChatServiceServicer_to_server
from arena.room.v1.room_admin_service_pb2_grpc import add_RoomAdminServiceServicer_to_server
from arena.room.v1.room_control_service_pb2_grpc import add_RoomControlServiceServicer_to_server
from arena_services.common import games
from arena_services.common.limits import Gate
from arena_services.common.nats import once_answered
from arena_services.common.roster import Beat, Roster
from arena_services.common.service import Bindings
from arena_services.room import metrics
from arena_services.room.admin import RoomAdminServicer
from arena_services.room.archive_rounds import ArchiveRounds
from arena_services.room.archiver import Archiver
from arena_services.room.chat_servicer import ChatServicer
from arena_services.room.config import RoomSettings
from arena_services.room.control import RoomControlServicer
from arena_services.room.creation import draw_secret
from arena_services.room.forwarding import (
    ADMIN_SERVICE,
    CHAT_SERVICE,
    CONTROL_SERVICE,
    ROOM_SERVICE,
)
from arena_services.room.hall import Hall
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.library import Library
from arena_services.room.links import Peers
from arena_services.room.notices import Notices
from arena_services.room.pen import SLOW_APPEND_MS
from arena_services.room.servicer import RoomServicer
from arena_services.room.stores import Stores
from arena_services.room.sweep import Sweep
from arena_services.room.viewers import Outboxes


async def bind(bindings: Bindings[RoomSettings]) -> None:
    """Build a room on what every service has."""
    await build(bindings)


async def build(bindings: Bindings[RoomSettings]) -> Hall:
    """As `bind`; returns the room's matches."""
    settings, nats, tasks = bindings.settings, bindings.nats, bindings.tasks
    wait_seconds = settings.nats_wait_seconds
    stores = await once_answered(lambda: Stores.open(nats, settings), wait_seconds)
    roster, peers = Roster(lambda: hall.heartbeat.deaf_seconds), Peers(settings.tls)
    bindings.closers.push_async_callback(peers.channels.close)
    service = bindings.tokens.service_metadata("room")
    notices = Notices(settings.instance, roster, peers.channels, service, tasks)
    hall = Hall(settings, stores, roster, notices, tasks)

    def beat() -> Beat:
        return Beat(
            room_id=hall.room_id,
            address=bindings.address,
            public_address=settings.public_address or bindings.address,
            matches=hall.match_count,
            rules={hosted.game.name: [hosted.game.rules_version] for hosted in games.hosted()},
            is_draining=hall.is_draining,
            max_matches=settings.max_matches,
            newest=hall.reader.newest_places,
            began_ms=hall.heartbeat.began_ms,
        )

    _show(hall, settings.max_matches)
    hall.heartbeat = hall.succession.heartbeat = Heartbeat(
        nats, beat, hall.stood_still, lambda: hall.reader.kept_since(SLOW_APPEND_MS)
    )
    library = Library(stores.reader, stores.archive, stores.history, hall.names)
    archiving = ArchiveRounds(hall, Archiver(stores), roster, settings)
    gate = Gate(bindings.tokens, settings)
    outboxes = Outboxes()
    servicer = RoomServicer(hall, library, peers, gate, outboxes)
    servicer.add_to(bindings.server.raw)
    control = RoomControlServicer(
        hall,
        peers.channels,
        bindings.tokens,
        nats.jetstream(),
        settings.log_partitions,
        partial(draw_secret, settings.room_test_secrets),
    )
    add_RoomControlServiceServicer_to_server(control, bindings.server.raw)
    chat = ChatServicer(hall, stores.chat, peers.channels, gate)
    add_ChatServiceServicer_to_server(chat, bindings.server.raw)

    async def drain() -> None:
        try:
            await hall.drain()
        finally:
            servicer.end_streams()
            await bindings.server.set_ready(False)

    admin = RoomAdminServicer(hall, peers.channels, bindings.tokens, drain)
    add_RoomAdminServiceServicer_to_server(admin, bindings.server.raw)
    bindings.server.name(ROOM_SERVICE, CHAT_SERVICE, CONTROL_SERVICE, ADMIN_SERVICE)

    async def start() -> None:
        await roster.follow(nats)
        await once_answered(hall.heartbeat.begin, wait_seconds)
        tasks.create_task(stores.owners.run(), name="owners")
        tasks.create_task(hall.close_abandoned(), name="abandoned")
        tasks.create_task(stores.snapshots.run(), name="snapshots")
        tasks.create_task(hall.heartbeat.run(), name="heartbeat")
        tasks.create_task(hall.heartbeat.watch(), name="standstill")
        tasks.create_task(archiving.run(), name="archiving")
        tasks.create_task(outboxes.run(), name="outboxes")
        tasks.create_task(
            Sweep(hall, stores.owners, roster, peers, settings.claims_per_second).run(),
            name="sweep",
        )

    async def leave() -> None:
        await drain()
        await hall.heartbeat.leave()

    bindings.on_start.append(start)
    bindings.on_drain.append(leave)
    return hall


def _show(hall: Hall, max_matches: int) -> None:
    """Have the metrics read what they show from the room's matches."""
    metrics.MATCHES.set_function(lambda: hall.match_count)
    metrics.PLACES.set_function(lambda: 0 if hall.is_draining else max_matches)
    metrics.SEATS.labels("person").set_function(lambda: hall.seats(bots=False))
    metrics.SEATS.labels("bot").set_function(lambda: hall.seats(bots=True))
    metrics.MAILBOX.set_function(lambda: hall.waiting)
    metrics.MAILBOX_DEEPEST.set_function(lambda: hall.most_waiting)
