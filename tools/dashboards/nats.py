"""NATS: whether it answers, how quickly, and what it means to those who live on it."""

from __future__ import annotations

from typing import Final

from tools.dashboards import promql
from tools.dashboards.model import Dashboard, Panel, Query, Row

_APPENDS: Final = promql.rate("arena_room_append_seconds_count")
_EACH: Final = "{{instance}}"

_ANSWERS = Row(
    "Does it answer?",
    (
        Panel(
            title="Processes with and without it",
            good="None without. One alone: restart it. All: NATS is down or has no leader.",
            unit="short",
            queries=(
                Query(promql.total("arena_nats_connected"), "with"),
                Query(promql.count(f"{promql.series('arena_nats_connected')} == 0"), "without"),
            ),
        ),
        Panel(
            title="How long an append takes",
            good="p99 below 100 ms: three servers that write through to good disks take a few milliseconds. A step up "
            "for all: a slow disk, or a server that lags.",
            unit="s",
            queries=(
                Query(promql.quantile(0.99, "arena_room_append_seconds"), "p99"),
                Query(promql.quantile(0.5, "arena_room_append_seconds"), "p50"),
            ),
            limits=(0.1, 0.25),
        ),
        Panel(
            title="Appends without a clear answer",
            good="0. Above 1 % streams lose their leaders or servers come and go. No move is lost by it.",
            unit="percentunit",
            queries=(
                Query(
                    promql.share(
                        promql.rate(
                            "arena_room_appends_resolved_total",
                            labels='resolution=~"found|resent"',
                        ),
                        _APPENDS,
                    ),
                    "unclear",
                ),
            ),
            limits=(0.001, 0.01),
        ),
        Panel(
            title="Entries appended",
            good="In step with moves; compare with what one set of servers takes (docs/operating.md).",
            unit="cps",
            queries=(Query(_APPENDS, "appends"),),
        ),
        Panel(
            title="Headers read by bots and timers",
            good="In step with entries: each of these processes reads each header once.",
            unit="cps",
            queries=(Query(promql.rate("arena_log_headers_read_total", by="instance"), _EACH),),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="nats",
    title="NATS",
    description="Whether the log answers, how quickly, and how full it is.",
    rows=(_ANSWERS,),
)
