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

_USED: Final = "arena_nats_store_bytes{where} / arena_nats_store_limit_bytes{where}".format(
    where=f"{{{promql.NAMESPACE}}}"
)
_FULL = Row(
    "How full is it?",
    (
        Panel(
            title="Store used, by server",
            good="Below 70 %. When it is full nobody can move; match logs are never thrown away to make room.",
            unit="percentunit",
            queries=(Query(f"max by (server) ({_USED})", "{{server}}"),),
            limits=(0.7, 0.9),
            most=1,
        ),
        Panel(
            title="Store used in three days, at the pace of the last six hours",
            good="Below 100 %. A step when a burst of matches begins is usual, a slope over days is not.",
            unit="percentunit",
            queries=(
                Query(
                    f"predict_linear({promql.series('arena:store_used:ratio')}[6h], 3 * 86400)",
                    "fullest server",
                ),
            ),
            limits=(0.9, 1),
        ),
        Panel(
            title="The five largest streams",
            good="MATCHES alike, and level: they shrink as matches are archived. KV_archive grows for ever.",
            unit="bytes",
            queries=(
                Query(
                    f"topk(5, max by (stream) ({promql.series('arena_stream_bytes')}))",
                    "{{stream}}",
                ),
            ),
        ),
        Panel(
            title="Copies of streams",
            good="All current. behind: it copies what it missed, wait. away: a server is down; touch no other one.",
            unit="short",
            queries=(
                Query(
                    f"sum by (state) (max by (stream, state) ({promql.series('arena_stream_replicas')}))",
                    "{{state}}",
                ),
            ),
        ),
        Panel(
            title="Headers that readers have not been given",
            good="Near 0. In the thousands bots and clocks are late: a reader has no processor, or just started.",
            unit="short",
            queries=(
                Query(f"max by (stream) ({promql.series('arena_consumer_pending')})", "{{stream}}"),
            ),
            limits=(1000, 10000),
        ),
        Panel(
            title="Times that NATS did not tell, within ten minutes",
            good="0. While it tells nothing, no figure above is shown and no capacity alarm speaks.",
            unit="short",
            queries=(Query(promql.rise("arena_nats_unread_total", "10m", "what"), "{{what}}"),),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="nats",
    title="NATS",
    description="Whether the log answers, how quickly, and how full it is.",
    rows=(_ANSWERS, _FULL),
)
