"""Metrics of the bot service."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from arena_services.common.metrics import LATENCY_BUCKETS

SEATS = Gauge("arena_bot_seats", "Seats that this process plays.")
PEERS = Gauge("arena_bot_peers", "Bot processes that share the seats, this one included.")
LINK_UP = Gauge("arena_bot_link_up", "1 while the Play stream is open.")
ACTIONS = Counter("arena_bot_actions_total", "Actions that rooms stored.", ["game"])
ERRORS = Counter("arena_bot_errors_total", "Requests that rooms refused, by reason.", ["reason"])
FAILED_DECISIONS = Counter(
    "arena_bot_failed_decisions_total",
    "Decisions that could not be made: faults of ours.",
    ["game"],
)
DECIDE_SECONDS = Histogram(
    "arena_bot_decide_seconds",
    "Computing time of a decision, by where it was made: inline or worker.",
    ["game", "place"],
    buckets=LATENCY_BUCKETS,
)
UPDATE_TO_ACT_SECONDS = Histogram(
    "arena_bot_update_to_act_seconds",
    "From the update that opened a decision until its action was sent, without the pause.",
    buckets=LATENCY_BUCKETS,
)
