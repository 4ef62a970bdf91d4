"""Is anybody hurt, since when, and which part is it? The one to open first."""

from __future__ import annotations

from typing import Final

from tools.dashboards import promql
from tools.dashboards.model import Dashboard, Panel, Query, Row

_ACTS: Final = 'kind="act"'
_ALERTS: Final = promql.series("ALERTS", 'alertname=~"Arena.+",alertstate="firing"')
_MOVES: Final = promql.rate("arena_room_request_seconds_count", labels=_ACTS)
_FAULTS: Final = promql.rate("arena_room_request_seconds_count", labels=f"{_ACTS},{promql.FAULTS}")
_QUICK: Final = promql.rate("arena_room_request_seconds_bucket", labels=f'{_ACTS},le="0.25"')
_EDGE: Final = 'envoy_cluster_name=~"room|matchmaking"'
_EDGE_CALLS: Final = promql.rate("envoy_cluster_upstream_rq_completed", "envoy_cluster_name", _EDGE)
_EDGE_FAILED: Final = promql.rate(
    "envoy_cluster_upstream_rq_xx", "envoy_cluster_name", f'{_EDGE},envoy_response_code_class="5"'
)
_PLACES: Final = promql.series("arena_room_places")
_MATCHES: Final = promql.series("arena_room_matches")

_HURT = Row(
    "",
    (
        Panel(
            title="Alerts that fire",
            good="0. Each has a runbook page; the table below names them.",
            unit="none",
            queries=(Query(promql.count(_ALERTS)),),
            limits=(1, 5),
            kind="stat",
            width=3,
            height=4,
        ),
        Panel(
            title="Moves that fail by our fault",
            good="Below 0.1 %, the goal. At 1.44 % what is allowed in 30 days is gone in two.",
            unit="percentunit",
            queries=(Query(promql.share(_FAULTS, _MOVES)),),
            limits=(0.001, 0.0144),
            kind="stat",
            width=3,
            height=4,
            none="no moves",
        ),
        Panel(
            title="Moves slower than 250 ms",
            good="Below 1 %, the goal. At 14 % what is allowed in 30 days is gone in two.",
            unit="percentunit",
            queries=(Query(f"1 - {promql.share(_QUICK, _MOVES)}"),),
            limits=(0.01, 0.144),
            kind="stat",
            width=3,
            height=4,
            none="no moves",
        ),
        Panel(
            title="Matches under way",
            good="As at this hour on other days. A sudden fall means that people cannot get in, or were thrown out.",
            unit="short",
            queries=(Query(promql.total("arena_room_matches")),),
            kind="stat",
            width=3,
            height=4,
        ),
        Panel(
            title="People at the board",
            good="As at this hour on other days. Seats that people hold; bots are not counted.",
            unit="short",
            queries=(Query(promql.total("arena_room_seats", labels='player="person"')),),
            kind="stat",
            width=3,
            height=4,
        ),
        Panel(
            title="Free places",
            good="A tenth of all places and more. With 0 nobody can begin a match; those under way go on.",
            unit="percentunit",
            queries=(
                Query(
                    promql.share(
                        f"sum (clamp_min({_PLACES} - {_MATCHES}, 0))",
                        promql.total("arena_room_places"),
                    )
                ),
            ),
            limits=(0.02, 0.1),
            falls=True,
            kind="stat",
            width=3,
            height=4,
            none="no places",
        ),
        Panel(
            title="Without NATS",
            good="0 processes. One alone: restart it. All of them: NATS is the patient, see its dashboard.",
            unit="none",
            queries=(Query(promql.count(f"{promql.series('arena_nats_connected')} == 0")),),
            limits=(1,),
            kind="stat",
            width=3,
            height=4,
        ),
        Panel(
            title="Fullest NATS store",
            good="Below 70 %. When it is full nobody can move; give it more disk long before (docs/operating.md).",
            unit="percentunit",
            queries=(
                Query(
                    f"max ({promql.series('arena_nats_store_bytes')} / "
                    f"{promql.series('arena_nats_store_limit_bytes')})"
                ),
            ),
            limits=(0.7, 0.9),
            kind="stat",
            width=3,
            height=4,
            none="not told",
        ),
    ),
)
_MOVE = Row(
    "Moves",
    (
        Panel(
            title="Alerts by name",
            good="Empty. Read the page of each: docs/runbooks/NAME.md. Critical is for now, warning for today.",
            unit="none",
            queries=(Query(f"count by (severity, alertname) ({_ALERTS})"),),
            kind="table",
            none="none",
        ),
        Panel(
            title="Moves by outcome",
            good="OK and what clients did wrong (INVALID_ARGUMENT, FAILED_PRECONDITION ...). UNAVAILABLE, INTERNAL, "
            "UNKNOWN, DEADLINE_EXCEEDED and DATA_LOSS are ours.",
            unit="reqps",
            queries=(
                Query(
                    promql.rate("arena_room_request_seconds_count", by="code", labels=_ACTS),
                    "{{code}}",
                ),
            ),
        ),
        Panel(
            title="How long a move takes",
            good="The slowest hundredth below 250 ms. If appends are as slow as moves it is NATS (its disks); if only "
            "moves are, rooms are busy.",
            unit="s",
            queries=(
                Query(
                    promql.quantile(0.99, "arena_room_request_seconds", labels=_ACTS), "move, p99"
                ),
                Query(promql.quantile(0.99, "arena_room_append_seconds"), "append to the log, p99"),
                Query(
                    promql.quantile(0.5, "arena_room_request_seconds", labels=_ACTS), "move, p50"
                ),
            ),
            limits=(0.25,),
        ),
    ),
)
_PARTS = Row(
    "Parts",
    (
        Panel(
            title="Processes that are ready",
            good="As many of each job as are meant to run. A step down that does not come back within a minute is a "
            "process that does not start.",
            unit="short",
            queries=(Query(promql.total("arena_ready", by="job"), "{{job}}"),),
        ),
        Panel(
            title="Rooms",
            good="Running is what is wanted, below the ceiling. At the ceiling nothing is added when places run out.",
            unit="short",
            queries=(
                Query(f"count({_PLACES})", "running"),
                Query(f"max ({promql.series('arena_fleet_rooms_wanted')})", "wanted"),
                Query(f"max ({promql.series('arena_fleet_rooms_ceiling')})", "ceiling"),
            ),
        ),
        Panel(
            title="Matches and places",
            good="Matches stay well below places. Places fall while rooms drain, as in an upgrade.",
            unit="short",
            queries=(
                Query(promql.total("arena_room_matches"), "matches"),
                Query(promql.total("arena_room_places"), "places"),
            ),
        ),
        Panel(
            title="How long people wait for a match",
            good="The middle one 10 s or less, when bots fill a match; longer only at tables for friends.",
            unit="s",
            queries=(
                Query(
                    promql.quantile(0.5, "arena_matchmaking_wait_seconds", by="game"),
                    "{{game}}, p50",
                ),
            ),
            limits=(30,),
        ),
        Panel(
            title="Time given back to clocks, of the time played",
            good="Below 1 %. So long the platform kept people waiting: unclear appends, takeovers, NATS away.",
            unit="percentunit",
            queries=(Query(promql.given_back(), "given back"),),
            limits=(0.01, 0.05),
        ),
        Panel(
            title="Edge: calls that fail",
            good="Below 5 %, by whom calls are meant for: Envoy cannot pass them on. See whether these processes are "
            "ready, then names and network policies between them and the edge.",
            unit="percentunit",
            queries=(Query(promql.share(_EDGE_FAILED, _EDGE_CALLS), "{{envoy_cluster_name}}"),),
            limits=(0.05,),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="overview",
    title="Overview",
    description="Is anybody hurt, since when, and which part is it?",
    rows=(_HURT, _MOVE, _PARTS),
)
