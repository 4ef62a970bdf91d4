"""Metrics of the fleet service."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

ROOMS = Gauge("arena_fleet_rooms", "Rooms that beat, those that drain included.")
ROOMS_WANTED = Gauge("arena_fleet_rooms_wanted", "Rooms that the fleet has asked for.")
ROOMS_CEILING = Gauge("arena_fleet_rooms_ceiling", "Rooms that there may be at most.")
FREE_PLACES = Gauge(
    "arena_fleet_free_places",
    "Matches that rooms can still take; starting and draining ones aside.",
)
DRAINING = Gauge("arena_fleet_draining", "Rooms that hand their matches over.")
STUCK = Gauge("arena_fleet_stuck", "Rooms that drain and whose matches do not move.")
IS_LEADER = Gauge("arena_fleet_is_leader", "1 while this process is the one that acts.")
IS_BLIND = Gauge(
    "arena_fleet_is_blind", "1 while the cluster tells nothing and what was last known is kept."
)
SCALINGS = Counter("arena_fleet_scalings_total", "Changes of the number of rooms.", ["direction"])
ERRORS = Counter("arena_fleet_errors_total", "What the fleet could not do, by why.", ["kind"])
UNREAD = Counter(
    "arena_nats_unread_total", "Times that NATS did not tell what it stores, by what.", ["what"]
)

# Shown as 0 before the first time: a rate needs somewhere to rise from.
for _direction in ("up", "down"):
    SCALINGS.labels(_direction)
for _what in ("streams", "readers", "store"):
    UNREAD.labels(_what)
for _kind in (
    "forbidden",
    "not_found",
    "conflict",
    "expired",
    "throttled",
    "unreachable",
    "lease_lost",
    "not_drained",
    "other",
):
    ERRORS.labels(_kind)


def forget() -> None:
    """Show nothing of rooms: what a former leader knows of them grows old."""
    for gauge in (ROOMS, ROOMS_WANTED, FREE_PLACES, DRAINING, STUCK):
        gauge.set(0)
