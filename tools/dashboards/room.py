"""Rooms: which one is busy, slow or does not hand over, and how the fleet and the clocks fare."""

from __future__ import annotations

from typing import Final

from tools.dashboards import promql
from tools.dashboards.model import Dashboard, Panel, Query, Row

_ROOM: Final = "arena_room_places"
_EACH: Final = "{{instance}}"


def _rate(metric: str, by: str = "", labels: str = "") -> str:
    return promql.rate(metric, by, labels, promql.CHOSEN)


_LOAD = Row(
    "Load",
    (
        Panel(
            title="Matches of each room",
            good="Below the room's places, and alike after a while: new matches go to the emptiest room.",
            unit="short",
            queries=(Query(promql.series("arena_room_matches", where=promql.CHOSEN), _EACH),),
        ),
        Panel(
            title="Processor",
            good="Below 0.7 of a core. A room uses one core at most: at 1 everything in it waits.",
            unit="none",
            queries=(Query(promql.cpu(_ROOM), _EACH),),
            limits=(0.7, 0.9),
        ),
        Panel(
            title="Memory",
            good="Level, in step with matches, below the limit of the pod (room.resources). Growth with the same "
            "matches for hours is a leak.",
            unit="bytes",
            queries=(Query(promql.memory(_ROOM), _EACH),),
        ),
        Panel(
            title="Fullest mailbox",
            good="A handful. From 1,024 on a match refuses requests as TOO_BUSY.",
            unit="short",
            queries=(
                Query(promql.series("arena_room_mailbox_deepest", where=promql.CHOSEN), _EACH),
            ),
            limits=(256, 1024),
        ),
        Panel(
            title="Slowest hundredth of moves",
            good="Below 250 ms in each room. One room alone: it is busy, drain it. All alike: NATS.",
            unit="s",
            queries=(
                Query(
                    promql.quantile(
                        0.99,
                        "arena_room_request_seconds",
                        by="instance",
                        labels='kind="act"',
                        where=promql.CHOSEN,
                    ),
                    _EACH,
                ),
            ),
            limits=(0.25,),
        ),
        Panel(
            title="Viewers cut off each minute",
            good="Below 2 %: those who read too slowly. By the dozen it is the edge or the network to it.",
            unit="percentunit",
            queries=(
                Query(
                    promql.share(
                        f"60 * {_rate('arena_room_viewers_cut_total', by='instance')}",
                        promql.total("arena_room_viewers", "instance", where=promql.CHOSEN),
                    ),
                    _EACH,
                ),
            ),
            limits=(0.02,),
        ),
    ),
)
_LOG = Row(
    "The log",
    (
        Panel(
            title="Entries by kind",
            good="Mostly acted. Many claimed: matches wander between rooms. Many expired: people cannot move.",
            unit="cps",
            queries=(Query(_rate("arena_room_entries_total", by="kind"), "{{kind}}"),),
        ),
        Panel(
            title="Appends that are not plain",
            good="0. found and resent: NATS left them unanswered. fenced: another room has the match. refused: a "
            "stream is full, act now.",
            unit="cps",
            queries=(
                Query(
                    _rate("arena_room_appends_resolved_total", by="resolution"), "{{resolution}}"
                ),
                Query(_rate("arena_room_appends_refused_total"), "refused"),
            ),
        ),
        Panel(
            title="Takeovers",
            good="0 but for upgrades, drains and deaths of rooms; then each match once, within a second.",
            unit="cps",
            queries=(Query(_rate("arena_room_claims_total", by="outcome"), "{{outcome}}"),),
        ),
        Panel(
            title="Matches set aside within an hour",
            good="0. Each is a match whose log does not fold with this build: roll back or void it.",
            unit="short",
            queries=(
                Query(
                    promql.rise(
                        "arena_room_set_aside_total", "1h", "instance", where=promql.CHOSEN
                    ),
                    _EACH,
                ),
            ),
            limits=(1,),
        ),
        Panel(
            title="Time given back to clocks, of the time played",
            good="Below 1 %. So long the platform kept people waiting: slow appends, takeovers, NATS away.",
            unit="percentunit",
            queries=(Query(promql.given_back(), "given back"),),
            limits=(0.01, 0.05),
        ),
        Panel(
            title="Archive: longest wait",
            good="Minutes. It grows where finished matches cannot be archived; their logs stay and fill NATS.",
            unit="s",
            queries=(
                Query(
                    f"max by (instance) ({promql.series('arena_archive_backlog_seconds', where=promql.CHOSEN)})",
                    _EACH,
                ),
            ),
            limits=(3600,),
        ),
    ),
)
_AROUND = Row(
    "Fleet and clocks",
    (
        Panel(
            title="Rooms that leave",
            good="0 but for upgrades and quiet hours. Stuck: its matches find no other room that can play them.",
            unit="short",
            queries=(
                Query(f"max ({promql.series('arena_fleet_draining')})", "draining"),
                Query(f"max ({promql.series('arena_fleet_stuck')})", "stuck"),
            ),
        ),
        Panel(
            title="What the fleet could not do, within ten minutes",
            good="0. forbidden: its Role. unreachable, throttled: the API server. not_drained: the rooms.",
            unit="short",
            queries=(Query(promql.rise("arena_fleet_errors_total", "10m", "kind"), "{{kind}}"),),
        ),
        Panel(
            title="Clocks that ran out",
            good="expired, and few of anything else. given_up: no room took the call, a match stands still.",
            unit="cps",
            queries=(
                Query(promql.rate("arena_timer_expiries_total", by="verdict"), "{{verdict}}"),
            ),
        ),
    ),
)

DASHBOARD: Final = Dashboard(
    name="room",
    title="Rooms",
    description="Which room is busy, slow or does not hand over; the log as rooms see it; fleet and clocks.",
    rows=(_LOAD, _LOG, _AROUND),
    instances=_ROOM,
)
