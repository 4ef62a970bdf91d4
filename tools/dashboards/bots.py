"""Bots: whether they keep up, fail or are refused."""

from __future__ import annotations

from typing import Final

from tools.dashboards import promql
from tools.dashboards.model import Dashboard, Panel, Query, Row

_PART: Final = "arena_bot_seats"
_EACH: Final = "{{instance}}"
_ACTIONS: Final = promql.rate("arena_bot_actions_total")

_KEEP_UP = Row(
    "Do they keep up?",
    (
        Panel(
            title="From an update to the answer",
            good="19 of 20 within a second, on top of the pause that bots make. Longer: more replicas or workers.",
            unit="s",
            queries=(
                Query(promql.quantile(0.95, "arena_bot_update_to_act_seconds"), "p95"),
                Query(promql.quantile(0.5, "arena_bot_update_to_act_seconds"), "p50"),
            ),
            limits=(1,),
        ),
        Panel(
            title="Computing time of a decision, p95",
            good="inline: milliseconds, it holds up all other seats of the process. Decisions that take long belong to "
            "workers.",
            unit="s",
            queries=(
                Query(
                    promql.quantile(0.95, "arena_bot_decide_seconds", by="game, place"),
                    "{{game}}, {{place}}",
                ),
            ),
        ),
        Panel(
            title="Processor",
            good="Below 0.7 of a core, workers apart: the process itself uses one at most.",
            unit="none",
            queries=(Query(promql.cpu(_PART), _EACH),),
            limits=(0.7, 0.9),
        ),
        Panel(
            title="Seats of each process",
            good="Shared evenly by hashing. A step to 0 on one: it is gone, and the others have its seats.",
            unit="short",
            queries=(Query(promql.series(_PART, where=promql.CHOSEN), _EACH),),
        ),
        Panel(
            title="Stream to a room",
            good="1 for each process. 0 for a minute: its seats miss their turns, restart it.",
            unit="short",
            queries=(Query(promql.series("arena_bot_link_up", where=promql.CHOSEN), _EACH),),
            limits=(1,),
            falls=True,
            most=1,
        ),
        Panel(
            title="Partitions of the log read anew, within ten minutes",
            good="0 but for restarts of NATS. Over and over: turns and clocks are noticed late, of timers as of bots.",
            unit="short",
            queries=(
                Query(promql.rise("arena_log_header_readers_lost_total", "10m", "instance"), _EACH),
            ),
        ),
    ),
)
_RIGHT = Row(
    "Do they play right?",
    (
        Panel(
            title="Actions that rooms stored",
            good="In step with matches that bots are in.",
            unit="cps",
            queries=(Query(promql.rate("arena_bot_actions_total", by="game"), "{{game}}"),),
        ),
        Panel(
            title="Requests that rooms refuse, for each action stored",
            good="Below 5 %: a turn that ended meanwhile. More: bots of another build than the rooms.",
            unit="percentunit",
            queries=(
                Query(
                    promql.share(promql.rate("arena_bot_errors_total"), _ACTIONS),
                    "refused",
                ),
            ),
            limits=(0.05,),
        ),
        Panel(
            title="Decisions that failed, within an hour",
            good="0. A fault of ours in the bot or in the rules: the log of the bot names the match.",
            unit="short",
            queries=(
                Query(
                    promql.none_is_zero(promql.rise("arena_bot_failed_decisions_total", "1h")),
                    "failed",
                ),
            ),
            limits=(1,),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="bots",
    title="Bots",
    description="Whether bots keep up with the matches that they play in, fail or are refused.",
    rows=(_KEEP_UP, _RIGHT),
    instances=_PART,
)
