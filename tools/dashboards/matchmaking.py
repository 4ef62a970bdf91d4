"""Matchmaking: who waits, for how long, and why no match comes of it."""

from __future__ import annotations

from typing import Final

from tools.dashboards import promql
from tools.dashboards.model import Dashboard, Panel, Query, Row

_PART: Final = "arena_matchmaking_leases_held"
_EACH: Final = "{{instance}}"
#: What is said of all tickets is the same on every replica.
_SAID_BY_EACH: Final = "max by (game, {}) ({})"

_PEOPLE = Row(
    "People",
    (
        Panel(
            title="People who wait",
            good="A few for each size of match, never for long. A rising line: matches are not made or rooms refuse.",
            unit="short",
            queries=(
                Query(
                    _SAID_BY_EACH.format(
                        "players", promql.series("arena_matchmaking_people_waiting")
                    ),
                    "{{game}}, {{players}} players",
                ),
            ),
        ),
        Panel(
            title="How long they waited",
            good="The middle one 10 s or less: then bots fill the match (matchmaking.settings.botWaitMs).",
            unit="s",
            queries=(
                Query(
                    promql.quantile(0.5, "arena_matchmaking_wait_seconds", by="game"),
                    "{{game}}, p50",
                ),
                Query(
                    promql.quantile(0.95, "arena_matchmaking_wait_seconds", by="game"),
                    "{{game}}, p95",
                ),
            ),
            limits=(30,),
        ),
        Panel(
            title="Matches made",
            good="As at this hour on other days. 0 while people wait is an outage.",
            unit="cps",
            queries=(Query(promql.rate("arena_matchmaking_matches_total", by="game"), "{{game}}"),),
        ),
    ),
)
_WHY = Row(
    "Why no match comes of it",
    (
        Panel(
            title="Rooms asked to host",
            good="OK alone. RESOURCE_EXHAUSTED: no places, add rooms. UNAVAILABLE: rooms are not reached.",
            unit="reqps",
            queries=(
                Query(promql.rate("arena_matchmaking_host_calls_total", by="code"), "{{code}}"),
            ),
        ),
        Panel(
            title="Queues that each replica leads",
            good="Together as many as there are queues with people; 0 on all replicas while people wait is an outage.",
            unit="short",
            queries=(Query(promql.series(_PART, where=promql.CHOSEN), _EACH),),
        ),
        Panel(
            title="Open tickets by state",
            good="Mostly matched, of matches under way. Many queued: see who waits.",
            unit="short",
            queries=(
                Query(
                    _SAID_BY_EACH.format("state", promql.series("arena_matchmaking_tickets_open")),
                    "{{game}}, {{state}}",
                ),
            ),
        ),
    ),
)
_LOAD = Row(
    "Load",
    (
        Panel(
            title="Sign-ins",
            good="As at this hour on other days. A burst from nowhere: look at the edge and at limits.",
            unit="reqps",
            queries=(Query(promql.rate("arena_matchmaking_sign_ins_total"), "sign-ins"),),
        ),
        Panel(
            title="Refused: a player had too many",
            good="0. A client in a loop, or somebody who tries; rooms and matchmaking together.",
            unit="reqps",
            queries=(Query(promql.rate("arena_limited_total", by="reason"), "{{reason}}"),),
        ),
        Panel(
            title="Processor",
            good="Below 0.7 of a core each; a replica uses one at most.",
            unit="none",
            queries=(Query(promql.cpu(_PART), _EACH),),
            limits=(0.7, 0.9),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="matchmaking",
    title="Matchmaking",
    description="Who waits, for how long, and why no match comes of it.",
    rows=(_PEOPLE, _WHY, _LOAD),
    instances=_PART,
)
