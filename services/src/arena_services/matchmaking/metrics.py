"""Metrics of matchmaking. What is said about all tickets is the same on every replica: do not add it up."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

SIGN_INS = Counter("arena_matchmaking_sign_ins_total", "Guest accounts made.")
TICKETS_OPEN = Gauge(
    "arena_matchmaking_tickets_open",
    "Open tickets of the whole platform, by state (waiting, forming).",
    ["game", "state"],
)
TICKETS_STORED = Counter(
    "arena_matchmaking_tickets_stored_total",
    "Tickets as this replica stored them, at their creation and at each change, by state.",
    ["game", "state"],
)
PEOPLE_WAITING = Gauge(
    "arena_matchmaking_people_waiting",
    "People who wait on the whole platform, by the size of match they want.",
    ["game", "players"],
)
WAIT_SECONDS = Histogram(
    "arena_matchmaking_wait_seconds",
    "From joining the queue to the match, for each person.",
    ["game"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600),
)
MATCHES = Counter(
    "arena_matchmaking_matches_total",
    "Matches formed by this replica, by number of people and of bots in them.",
    ["game", "people", "bots"],
)
HOST_CALLS = Counter(
    "arena_matchmaking_host_calls_total",
    "Rooms asked to host a match, by the canonical code of the answer.",
    ["code"],
)
LEASES_HELD = Gauge("arena_matchmaking_leases_held", "Queues that this replica leads.")
