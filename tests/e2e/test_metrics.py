"""What operators see: a real Prometheus scrapes a platform on which a match is played, and its room killed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

from arena_services.client import Lobby, PlayClient, Seat
from arena_services.common import games
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.e2e.program import ROOT
from tests.e2e.prometheus import Prometheus, scraping

_GAME = games.find("crowns")
_ROW = re.compile(r"^\| `(arena_\w+)` \| (\w+) \|", re.MULTILINE)
_SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
#: Series that begin with a fault, which a sound platform need not have.
_ONLY_AFTER_FAULTS = {"arena_bot_errors_total", "arena_bot_failed_decisions_total"}
#: What one match, one room killed and one clock run out leave behind.
_NOT_ZERO = (
    'arena_rpc_seconds_count{method="SignIn",code="OK"}',
    'arena_rpc_seconds_count{method="CreateMatch",code="OK"}',
    'arena_rpc_streams_open{method="Play"}',
    'arena_rpc_stream_messages_total{method="Play"}',
    'arena_rpc_stream_seconds_count{method="WatchTicket",code="OK"}',
    "arena_ready",
    "arena_nats_connected",
    "arena_log_headers_read_total",
    "arena_room_matches",
    "arena_room_places",
    'arena_room_seats{player="person"}',
    'arena_room_seats{player="bot"}',
    'arena_room_viewers{kind="seat"}',
    'arena_room_request_seconds_count{kind="act",code="OK"}',
    "arena_room_updates_total",
    "arena_room_fan_out_seconds_count",
    'arena_room_entries_total{kind="acted"}',
    "arena_room_append_seconds_count",
    'arena_room_claims_total{outcome="claimed"}',
    "arena_room_claim_seconds_count",
    "arena_room_given_back_seconds_total",
    "arena_timer_armed",
    "arena_matchmaking_sign_ins_total",
    "arena_matchmaking_matches_total",
    "arena_bot_seats",
    "arena_bot_actions_total",
    "arena_fleet_is_leader",
    "arena_fleet_rooms",
    "arena_fleet_free_places",
    "arena_nats_store_bytes",
    "arena_stream_messages",
)


async def test_every_metric_has_data_after_a_match(tmp_path: Path) -> None:
    settings = PlatformSettings(data_dir=tmp_path / "data", ports="auto", edge=False, rooms="2..3")
    environment = {"ARENA_BOT_THINK_MS": "0", "ARENA_TIMER_CALLS": "8"}
    async with (
        Platform(settings, environment=environment) as platform,
        scraping(platform, tmp_path) as prometheus,
        Lobby(platform.matchmaking_address) as lobby,
    ):
        account = await lobby.sign_in("Ada")
        options = _GAME.game.check_options(_GAME.game.types.options(turn_seconds=30), 2)
        place = await lobby.queue(account, _GAME, 2, options, bot_wait_ms=0)
        async with PlayClient(place.rooms, account.token) as client:
            seat = await client.join(place.match_id, place.seat)
            await _act(seat, 3)
            await _kill_owner(platform, prometheus)
            await _act(seat, 1)
            for query in _NOT_ZERO:
                # At any time: a room that was killed begins at 0 again.
                await prometheus.until(f"max_over_time({query}[10m])")
            await prometheus.until("arena_timer_lateness_seconds_count", seconds=45)
            await prometheus.until('arena_timer_expiries_total{verdict="expired"}')
            found = await prometheus.names()
    assert found == _documented() | found & _ONLY_AFTER_FAULTS


def _documented() -> set[str]:
    """All series that docs/metrics.md names, but those that faults alone begin."""
    rows = _ROW.findall((ROOT / "docs/metrics.md").read_text())
    return {
        name + suffix
        for name, kind in rows
        for suffix in _SUFFIXES[kind]
        if name not in _ONLY_AFTER_FAULTS
    }


async def _act(seat: Seat, acts: int) -> None:
    """Act so many times in decisions of the person's own."""
    rng = Random(1)
    async for step in seat.steps():
        if seat.decision is None or not seat.is_up_to_date:
            continue
        if not acts:
            return
        acts -= 1
        state = seat.game.game.resample(step.common, step.own, seat.number, rng)
        await seat.act(state.unpack(next(iter(state.legal_actions(seat.number)))))


async def _kill_owner(platform: Platform, prometheus: Prometheus) -> None:
    """Kill the room that has the match, and wait until another has it."""
    rooms = list(platform.rooms)
    await prometheus.until("arena_room_matches")
    owned = {
        room: await prometheus.total(f'arena_room_matches{{instance="{_metrics(platform, room)}"}}')
        for room in rooms
    }
    await platform.kill(max(owned, key=owned.__getitem__))
    async with asyncio.timeout(15):
        await prometheus.until('arena_room_claims_total{outcome="claimed"}')


def _metrics(platform: Platform, room: str) -> str:
    return platform.processes[room].metrics.removeprefix("http://").removesuffix("/metrics")
