"""Wires the fleet service."""

from __future__ import annotations

from prometheus_client import REGISTRY

from arena_services.common.auth import Role
from arena_services.common.channels import Channels
from arena_services.common.roster import Roster
from arena_services.common.service import Bindings
from arena_services.fleet.config import FleetSettings
from arena_services.fleet.drain import Drainer
from arena_services.fleet.keeper import Keeper, Leader
from arena_services.fleet.machine import Alone, Machine
from arena_services.fleet.planner import Bounds
from arena_services.fleet.rooms import Rooms
from arena_services.fleet.storage_metrics import Storage


async def bind(bindings: Bindings[FleetSettings]) -> None:
    """Follow the rooms, and scale them while this process leads."""
    settings = bindings.settings
    roster = Roster()
    await roster.follow(bindings.nats)
    storage = Storage(bindings.nats, settings.fleet_nats_pages)
    REGISTRY.register(storage)
    bindings.closers.callback(REGISTRY.unregister, storage)
    bindings.tasks.create_task(storage.run(), name="storage")
    channels = Channels(settings.tls)
    bindings.closers.push_async_callback(channels.close)
    drain = Drainer(channels, bindings.tokens.service_metadata("fleet", Role.OPERATOR)).drain
    rooms, leader = _on_this_machine(settings) or _in_a_cluster(bindings)
    keeper = Keeper(bounds_of(settings), roster, rooms, drain, leader)
    bindings.tasks.create_task(keeper.run(), name="keeper")


def _on_this_machine(settings: FleetSettings) -> tuple[Rooms, Leader] | None:
    if settings.fleet_machine is None:
        return None
    return Machine(settings.fleet_machine, settings.fleet_machine_key.get_secret_value()), Alone()


def _in_a_cluster(bindings: Bindings[FleetSettings]) -> tuple[Rooms, Leader]:
    # The client of Kubernetes is slow to import and large: not on machines that need none.
    from arena_services.fleet.cluster import Cluster, Deployment, known_cluster  # noqa: PLC0415
    from arena_services.fleet.leadership import Leadership  # noqa: PLC0415

    settings = bindings.settings
    cluster = Cluster(known_cluster(), settings.fleet_namespace)
    leadership = Leadership(cluster, settings.fleet_lease, settings.instance)
    bindings.tasks.create_task(leadership.run(), name="leadership")
    bindings.on_drain.append(leadership.release)
    return Deployment(cluster, settings.fleet_deployment, settings.fleet_selector), leadership


def bounds_of(settings: FleetSettings) -> Bounds:
    """How many rooms there may be, by the settings."""
    return Bounds(
        floor=settings.fleet_floor,
        ceiling=settings.fleet_ceiling,
        free=settings.fleet_free,
        patience_seconds=settings.fleet_patience_seconds,
        retry_seconds=settings.fleet_retry_seconds,
    )
