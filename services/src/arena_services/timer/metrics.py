"""Metrics of the timer service."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

ARMED = Gauge("arena_timer_armed", "Matches whose clock is watched.")
LATENESS_SECONDS = Histogram(
    "arena_timer_lateness_seconds",
    "From when a call was due until it was made.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
VERDICTS = Counter(
    "arena_timer_expiries_total",
    "Calls to rooms by what came of them: expired, early, stale, retried or given_up.",
    ["verdict"],
)

for _verdict in ("expired", "early", "stale", "retried", "given_up"):
    VERDICTS.labels(
        _verdict
    )  # shown as 0 before the first time: a rate needs somewhere to rise from
