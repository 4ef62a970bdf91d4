"""What is hidden makes no difference to what is sent: with other cards in its place a client is sent the same bytes.

A match is stopped again and again. Each time all that is hidden from one viewer is drawn anew, in the room itself, and
what that viewer is sent before and after is compared byte for byte: whole positions, targets, refusals.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import grpc
import pytest

from arena_engine.errors import MalformedActionError
from arena_engine.game import State
from arena_engine.singhasan.kinds import Speed
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.games import HostedGame
from arena_services.local.nats_server import NatsServer
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.redaction import probes
from tests.services.room.redaction.course import Course
from tests.services.room.redaction.ears import WatchEar
from tests.services.room.redaction.test_whole_matches import curiously, each_game
from tests.services.room.table import player

_PLAYERS = 3
_FEWEST_SWAPS = 16
_MOST_MATCHES = 5
_WISHES = 12


class Swapping(Course):
    """A course with stops at which everything is asked twice."""

    asked = 0.12

    def __init__(
        self, room: RoomHere, channel: grpc.aio.Channel, hosted: HostedGame, rng: Random
    ) -> None:
        super().__init__(channel, hosted, rng)
        self.swaps = 0
        """Comparisons with a position that differed from the true one."""
        self._room = room

    async def _ask_around(self) -> None:
        """Compare for a spectator and for each seat."""
        for seat in (None, *range(_PLAYERS)):
            await self._compare(seat)

    async def _compare(self, seat: int | None) -> None:
        match = self._room.hall.find(self.match_id)
        assert match is not None
        true, other = match._fold, match._fold.clone()
        other.state = self._drawn_anew(seat)
        wishes = [] if seat is None else self._refused(seat, true.state, other.state)
        seed = self._rng.random()
        try:
            with _time_at(now_ms()):
                before = await self._look(seat, wishes, Random(seed))
                match._fold, match._feed._snapshot = other, None
                after = await self._look(seat, wishes, Random(seed))
        finally:
            match._fold, match._feed._snapshot = true, None
        assert before == after
        self.swaps += true.state.state_hash() != other.state.state_hash()

    def _drawn_anew(self, seat: int | None) -> State:
        """A position that differs from the true one in what is hidden from a viewer alone."""
        common, own = self.knows(seat or 0)
        if seat is None:
            return self.hosted.game.resample(common, None, -1, self._rng)
        return self.hosted.game.resample(common, own, seat, self._rng)

    def _refused(self, seat: int, true: State, other: State) -> list[Any]:
        """Wishes that a seat may not have; what is hidden from it has no say in that."""
        wishes = [probes.wish(self.hosted, _PLAYERS, self._rng) for _ in range(_WISHES)]
        reasons = [(_why_not(true, seat, each), _why_not(other, seat, each)) for each in wishes]
        assert all(one == another for one, another in reasons)
        return [each for each, (why, _) in zip(wishes, reasons, strict=True) if why is not None]

    async def _look(self, seat: int | None, wishes: list[Any], rng: Random) -> list[bytes]:
        """All that a viewer is sent who looks anew, picks up what there is, and wishes for what is refused."""
        first = len(self.ears.heard)
        if seat is None:
            ear = WatchEar(self.ears, player("another"), self.match_id, None)
            await ear.updates.get()
            await ear.close()
        else:
            await self._sit_anew(seat)
            await self._ask_targets(seat, rng, most=100)
            for each in wishes:
                await self._act(seat, each)
        return [each.data for each in self.ears.heard[first:]]


def _time_at(now: int) -> AbstractContextManager[Any]:
    """Have matches read one time throughout: what remains of a duel's clock is not hidden, but differs at each look."""
    return patch("arena_services.room.match.now_ms", lambda: now)


def _why_not(state: State, seat: int, action: Any) -> str | None:
    """Why a seat may not act so; None where it may."""
    try:
        return state.explain(seat, state.pack(action))
    except MalformedActionError as error:
        return str(error)


def unhurried(hosted: HostedGame) -> Any:
    """Options without a clock but a duel's: a match with many stops must not run out of time."""
    options = hosted.game.default_options()
    is_timed = hosted.game.name == "singhasan"
    return replace(options, speed=Speed.UNHURRIED) if is_timed else options


@each_game
@pytest.mark.timeout(240)
async def test_hidden_cards_make_no_difference_to_what_is_sent(
    nats: NatsServer, hosted: HostedGame
) -> None:
    async with (
        room_here(nats.url, requests_per_second=0) as room,
        open_channel(room.address) as channel,
    ):
        swaps = 0
        for seed in range(3, 3 + _MOST_MATCHES):  # some matches end before there is much to hide
            course = Swapping(room, channel, hosted, Random(seed))
            await course.begin(_PLAYERS, unhurried(hosted))
            await course.play(curiously(hosted))
            await course.end()
            swaps += course.swaps
            if swaps >= _FEWEST_SWAPS:
                return
    raise AssertionError(f"{_MOST_MATCHES} matches had only {swaps} stops with something to hide")
