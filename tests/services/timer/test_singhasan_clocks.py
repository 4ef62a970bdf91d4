"""Singhasan's clocks, closed by the timer service on time for everybody: windows, Shields, turns of who is away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from arena.games.singhasan.v1 import singhasan_pb2 as singhasan
from arena.log.v1.entry_pb2 import Player
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common import games
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from arena_services.timer.app import bind
from arena_services.timer.config import TimerSettings
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import SERVICE, Table, Viewer, action
from tests.services.running import TOKEN_KEY, running

_GAME = games.find("singhasan").game
_COURT_MS, _REACTION_MS = 8_000, 10_000
#: How late a clock may close on a machine with much else to do.
_LATE_MS = 1_500
_SEATS = (0, 1, 2, None)


class Match:
    """A match of three whose room and timer run here, followed by every seat and a spectator."""

    def __init__(self, room: RoomHere, channel: grpc.aio.Channel, table: Table) -> None:
        self.table = table
        self.viewers = [Viewer(channel, table, seat) for seat in _SEATS]
        self._room = room
        self._channel = channel

    @property
    def view(self) -> Any:
        """What everybody sees now."""
        common = singhasan.Common()
        self.viewers[-1].newest.common.Unpack(common)
        return common.view

    def put(self, *lines: str) -> None:
        """Go on from another position, which the next entry tells the timer of."""
        match = self._room.hall.find(self.table.match_id)
        assert match is not None
        text = "\n".join(("singhasan 1", "players: 3", "decision: 9", *lines))
        match._fold.state = _GAME.from_text(text)

    async def wish(self, seat: int, **wish: Any) -> None:
        """Leave, or take back."""
        await self._act(seat, pb.Act(key=self.table.key(), **wish))

    async def act(self, seat: int, **what: Any) -> None:
        """Take an action in the open decision."""
        act = action(singhasan.Action(**what))
        act.key.CopyFrom(self.table.key())
        match = self._room.hall.find(self.table.match_id)
        assert match is not None
        act.decision = dict(match._fold.state.awaited())[seat]
        await self._act(seat, act)

    async def _act(self, seat: int, act: pb.Act) -> None:
        await self.table.act(self._channel, seat, act)

    async def closed(self, kind: str, seconds: float) -> int:
        """Wait until everybody is told of an event; returns its time in milliseconds."""
        times = {(await each.until(_has(kind), seconds)).time_ms for each in self.viewers}
        assert len(times) == 1
        return times.pop()


def _has(kind: str) -> Callable[[pb.Update], bool]:
    def has(update: pb.Update) -> bool:
        common: Any = singhasan.Common()
        update.common.Unpack(common)
        return any(event.HasField(kind) for event in common.events)

    return has


def _is_to_be_answered(update: pb.Update) -> bool:
    common = singhasan.Common()
    update.common.Unpack(common)
    return common.view.phase == singhasan.PHASE_ANSWER


@asynccontextmanager
async def hosted(folder: Path) -> AsyncIterator[Match]:
    """A match, and all that it needs, while the block runs."""
    async with AsyncExitStack() as stack:
        nats = await stack.enter_async_context(NatsServer(folder / "nats", sync_always=False))
        room = await stack.enter_async_context(room_here(nats.url))
        channel = await stack.enter_async_context(open_channel(room.address))
        timer = TimerSettings(nats_url=nats.url, token_key=TOKEN_KEY, instance="timer-1")
        await stack.enter_async_context(running(bind, timer))
        made = Match(room, channel, await _table(channel))
        for viewer in made.viewers:
            await stack.enter_async_context(viewer)
            await viewer.until()
        yield made


async def _table(channel: grpc.aio.Channel) -> Table:
    match_id = new_match_id()
    players = [Player(player_id=f"player-{number}") for number in range(3)]
    request = control.CreateMatchRequest(match_id=match_id, game="singhasan", players=players)
    made = await RoomControlServiceStub(channel).CreateMatch(request, metadata=SERVICE)
    return Table(match_id, list(made.player_ids))


async def test_a_court_window_closes_on_time_for_everybody(tmp_path: Path) -> None:
    async with hosted(tmp_path) as match:
        for seat in range(3):
            looks: Any = seat + 1
            resources = singhasan.Resources(gold=(0, 3, 6)[seat])
            claim = singhasan.ClaimSeat(colour=looks, sigil=looks, resources=resources)
            await match.act(seat, claim_seat=claim)
        began_ms = await match.closed("turn_began", 5)
        await match.act(1, **{"pass": singhasan.Pass()})
        for viewer in match.viewers:
            await viewer.until(_is_to_be_answered, seconds=12)
        closed_ms = match.viewers[-1].newest.time_ms
        assert _COURT_MS <= closed_ms - began_ms < _COURT_MS + _LATE_MS


async def test_the_act_clock_stands_still_while_a_shield_is_asked_for(tmp_path: Path) -> None:
    async with hosted(tmp_path) as match:
        deadline_ms = now_ms() + 60_000
        match.put(
            "phase: act",
            "done: answered",
            f"deadline: {deadline_ms}",
            "seat 0: bank=0",
            "seat 1: answers=0/0/0/3 stock=0/0/0/2",
            "at capital: s0=3 s1=2",
        )
        await match.act(0, march=singhasan.March(from_province=0, to_province=1, owner=1))
        asked_ms = await match.closed("shield_asked", 5)
        answered_ms = await match.closed("shield_answered", 15)
        waited_ms = answered_ms - asked_ms
        assert _REACTION_MS <= waited_ms < _REACTION_MS + _LATE_MS
        assert match.view.phase == singhasan.PHASE_ACT
        given_back_ms = match.view.deadline_ms - deadline_ms - waited_ms
        assert 0 <= given_back_ms < _LATE_MS, "beside the wait, what a slow store gives back"


async def test_who_is_away_is_replaced_by_a_bot_and_comes_back(tmp_path: Path) -> None:
    async with hosted(tmp_path) as match:
        match.put(
            "phase: act",
            f"deadline: {now_ms() + 1_500}",
            "seat 0: missed=1/1",
        )
        await match.wish(1, leave=pb.Leave())  # an entry that tells the timer of the clock
        await match.closed("turn_missed", 6)
        assert match.view.seats[0].is_bot
        assert match.view.seats[0].missed_in_all == 2
        await match.wish(0, take_back=pb.TakeBack())
        await match.closed("seat_handed_over", 5)
        assert not match.view.seats[0].is_bot
        assert (match.view.seats[0].missed_in_a_row, match.view.seats[0].missed_in_all) == (0, 2)
