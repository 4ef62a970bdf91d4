"""A person's seat at a prompt, over a match that is played in memory."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Self

import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena_engine.game import Game
from arena_services.cli.menu import MOST_LISTED, beginning
from arena_services.cli.session import Session
from arena_services.client import Seat
from arena_services.common import games
from arena_services.common.games import HostedGame

MINE = 0
each_game = pytest.mark.parametrize("hosted", games.hosted(), ids=lambda hosted: hosted.game.name)


class Paper:
    """A prompt that keeps what is said."""

    is_terminal = False

    def __init__(self) -> None:
        self.text: Callable[[], str] = str
        self.said: list[str] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    def say(self, text: str) -> None:
        self.said.append(text)

    async def line(self) -> str | None:
        return None


class Desk:
    """A match in memory with one person's seat; the others play at random."""

    def __init__(self, hosted: HostedGame, seed: int = 1) -> None:
        self.hosted = hosted
        self.rng = Random(seed)
        game: Game = hosted.game
        bots = [seat != MINE for seat in range(game.min_players)]
        self.state, events = game.new(
            game.default_options(), bots, self.rng.randbytes(32), now_ms=0
        )
        self.sequence = 0
        self.acted: list[Any] = []
        self.paper = Paper()
        self.seat = Seat("m" * 26, MINE, b"session", self._ask)
        self.session = Session(self.seat, self.paper, self.rng)
        self._send(events, is_first=True)

    async def _ask(self, _: Seat, request: pb.PlayRequest) -> pb.PlayResponse:
        action = games.unwrap(request.act.action, self.hosted.action, "action")
        self.acted.append(action)
        self._send(self.state.apply(MINE, self.state.pack(action), 0))
        return pb.PlayResponse(acted=pb.Acted(sequence=self.sequence))

    def _send(self, events: list[Any], *, is_first: bool = False) -> None:
        self.sequence += 1
        outcome = self.state.outcome()
        update = pb.Update(
            sequence=self.sequence,
            reset=is_first,
            common=games.wrap(self.hosted.common.encode(self.state.common(events))),
            own=games.wrap(self.hosted.own.encode(self.state.own(MINE, events))),
            awaited=[pb.Awaited(seat=a.seat, decision=a.decision) for a in self.state.awaited()],
            outcome=None if outcome is None else pb.Outcome(how=outcome.how, places=outcome.places),
        )
        if is_first:
            update.game = self.hosted.game.name
            names = ["You", "Ben"]
            update.seats.extend(pb.SeatHolder(name=n, is_bot=n != "You") for n in names)
        self.seat.receive(update)

    async def read(self) -> None:
        """Let the person see all that has come."""
        steps = self.seat.steps()
        while not self.seat.is_up_to_date:
            await self.session.take_step(await anext(steps))

    async def until_asked(self, what: str = "") -> None:
        """Let the others play until the person is to decide, where something that begins so is legal."""
        await self.read()
        while self.state.outcome() is None:
            others = [a.seat for a in self.state.awaited() if a.seat != MINE]
            is_asked = self.session.wants_line
            if is_asked and (not what or beginning(self.session._choices(), what)):
                return
            seat = MINE if is_asked else self.rng.choice(others)
            legal = list(self.state.legal_actions(seat))
            self._send(self.state.apply(seat, self.rng.choice(legal), 0))
            await self.read()
        raise AssertionError(f"the match ended without {what!r}")

    async def type(self, text: str) -> str:
        """Type a line; returns what is said to it."""
        before = len(self.paper.said)
        await self.session.take_line(text)
        return "\n".join(self.paper.said[before:])


@each_game
async def test_open_decision_is_announced_once_with_what_is_legal(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.until_asked()
    assert sum("Your move:" in said for said in desk.paper.said) == 1


@each_game
async def test_number_of_a_list_acts(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.until_asked()
    wanted = desk.session._choices()[0].action
    await desk.type("1")
    assert desk.acted == [wanted]


@each_game
async def test_whole_notation_acts(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.until_asked()
    wanted = desk.session._choices()[-1]
    await desk.type(f"  {wanted.notation} ")
    assert desk.acted == [wanted.action]


@each_game
async def test_beginning_of_several_moves_lists_them_and_does_nothing(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.until_asked()
    first = desk.session._choices()[0].notation.split()[0]
    fitting = beginning(desk.session._choices(), first)
    assert len(fitting) > 1
    said = await desk.type(first)
    assert desk.acted == []
    assert first in said
    if len(fitting) <= MOST_LISTED:
        await desk.type("2")
        assert desk.acted == [fitting[1].action]


@each_game
async def test_what_is_no_move_is_said_to_be_none(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.until_asked()
    assert "is no action" in await desk.type("frobnicate")
    assert desk.acted == []


@each_game
async def test_auto_plays_to_the_end(hosted: HostedGame) -> None:
    desk = Desk(hosted)
    await desk.type("auto")
    while desk.state.outcome() is None:
        await desk.read()
        others = [a.seat for a in desk.state.awaited() if a.seat != MINE]
        if others:
            state = desk.state.clone()
            action = hosted.game.choose(state, others[0], desk.rng)
            desk._send(desk.state.apply(others[0], action, 0))
    await desk.read()
    assert desk.session.is_over
    assert desk.acted
    assert "1. " in desk.paper.said[-1]
