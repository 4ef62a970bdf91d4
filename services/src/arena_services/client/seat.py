"""One match as one viewer sees it: the newest position, the steps that led there, the clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1 import room_service_pb2 as pb
from arena_services.client.errors import ClientError
from arena_services.common import games
from arena_services.common.games import HostedGame

SPECTATOR = -1

_Ask = Callable[["Seat", pb.PlayRequest], Coroutine[Any, Any, pb.PlayResponse]]


@dataclass(frozen=True)
class Step:
    """One update of a match. What it says of the game is decoded when it is first looked at."""

    game: HostedGame
    update: pb.Update

    @property
    def sequence(self) -> int:
        """The match's sequence after it."""
        return self.update.sequence

    @property
    def is_reset(self) -> bool:
        """Not the successor of the step before: steps between were missed."""
        return self.update.reset

    @cached_property
    def common(self) -> Any:
        """The game's `Common` dataclass: what everybody sees."""
        return games.unwrap(self.update.common, self.game.common, "common part")

    @cached_property
    def own(self) -> Any | None:
        """The game's `Own` dataclass: what this seat sees beyond that; None for spectators."""
        if not self.update.HasField("own"):
            return None
        return games.unwrap(self.update.own, self.game.own, "own part")

    @cached_property
    def events(self) -> tuple[Any, ...]:
        """What happened, in order, each as this viewer may know it."""
        by_index = {event.index: event for event in self.common.events}
        if self.own is not None:
            by_index.update({event.index: event for event in self.own.events})
        return tuple(by_index[index] for index in sorted(by_index))


class Seat:
    """A seat of a match, or a spectator's place at it. Made by `PlayClient.join` and `spectate`."""

    def __init__(self, match_id: str, number: int, session: bytes, ask: _Ask) -> None:
        self.match_id = match_id
        self.number = number
        """The seat's number, or `SPECTATOR`."""
        self.holders: tuple[pb.SeatHolder, ...] = ()
        """Who plays each seat now."""
        self.options: Any = None
        """The game's options dataclass."""
        self._game: HostedGame | None = None
        self._latest: Step | None = None
        self._deadline: float | None = None
        self._session = session
        self._counter = 0
        self._ask = ask
        self._one_wish = asyncio.Lock()
        self._steps: asyncio.Queue[Step | ClientError] = asyncio.Queue()

    @property
    def game(self) -> HostedGame:
        """The match's game."""
        return self.latest.game

    @property
    def latest(self) -> Step:
        """The newest step."""
        if self._latest is None:
            raise RuntimeError("the seat has not joined its match yet")
        return self._latest

    @property
    def sequence(self) -> int:
        """The newest sequence seen; 0 before the first."""
        return self._latest.sequence if self._latest else 0

    @property
    def decision(self) -> int | None:
        """The decision that is open for this seat."""
        for awaited in self.latest.update.awaited:
            if awaited.seat == self.number:
                return awaited.decision
        return None

    @property
    def outcome(self) -> pb.Outcome | None:
        """How the match ended; None while it goes on."""
        update = self.latest.update
        return update.outcome if update.HasField("outcome") else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names to show, by seat."""
        return tuple(holder.name for holder in self.holders)

    def remaining_ms(self) -> int | None:
        """Milliseconds left of the open decisions' clock; None while none runs."""
        if self._deadline is None:
            return None
        return max(0, round((self._deadline - time.monotonic()) * 1000))

    async def steps(self) -> AsyncIterator[Step]:
        """Every step from the first snapshot to the one that ends the match. For one reader.

        Raises `RefusedError` or `UnreachableError` when no more can come.
        """
        while True:
            step = await self._steps.get()
            if isinstance(step, ClientError):
                raise step
            yield step
            if step.update.HasField("outcome"):
                return

    @property
    def is_up_to_date(self) -> bool:
        """Whether `steps` has handed out all that has come."""
        return self._steps.empty()

    async def act(self, action: Any) -> pb.Acted:
        """Take an action (dataclass) in the open decision, or at any time where the rules allow it.

        Returns once it is stored. Raises `RefusedError`, or `UnreachableError` when its fate is unknown.
        """
        wish = games.wrap(self.game.action.encode(action))
        return await self._wish(pb.Act(decision=self.decision or 0, action=wish))

    async def leave(self) -> pb.Acted:
        """Leave the seat to a bot."""
        return await self._wish(pb.Act(leave=pb.Leave()))

    async def take_back(self) -> pb.Acted:
        """Take the seat back from its bot."""
        return await self._wish(pb.Act(take_back=pb.TakeBack()))

    async def targets(self, selection: Any) -> Any:
        """The game's `Targets` dataclass of a selection dataclass. Raises `RefusedError`."""
        picked = pb.SelectTargets(selection=games.wrap(self.game.selection.encode(selection)))
        answer = await self._ask(self, pb.PlayRequest(targets=picked))
        return games.unwrap(answer.targets.targets, self.game.targets, "targets")

    async def _wish(self, act: pb.Act) -> pb.Acted:
        async with self._one_wish:  # an older counter behind a newer one would be refused
            self._counter += 1
            act.key.CopyFrom(RequestKey(session=self._session, counter=self._counter))
            return (await self._ask(self, pb.PlayRequest(act=act))).acted

    def receive(self, update: pb.Update) -> None:
        """Take an update in; for the stream that this seat hangs on."""
        if update.sequence <= self.sequence and not update.reset:
            return
        if self._game is None:
            self._game = games.find(update.game)
        if update.HasField("options"):
            self.options = games.unwrap(update.options, self._game.options, "options")
        if update.seats:
            self.holders = tuple(update.seats)
        remaining = update.remaining_ms if update.HasField("remaining_ms") else None
        self._deadline = None if remaining is None else time.monotonic() + remaining / 1000
        self._latest = Step(self._game, update)
        self._steps.put_nowait(self._latest)

    def fail(self, error: ClientError) -> None:
        """End the steps with an error; for the stream that this seat hangs on."""
        self._steps.put_nowait(error)
