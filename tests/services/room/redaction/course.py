"""A whole match in a room, every seat played by its own eyes, with all that clients can ask asked on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import grpc

from arena.log.v1.entry_pb2 import Player, RequestKey
from arena.room.v1 import chat_service_pb2 as chat
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_engine.game import State
from arena_services.common import games
from arena_services.common.games import HostedGame
from arena_services.common.log.subjects import new_match_id
from tests.services.room.redaction import probes
from tests.services.room.redaction.ears import CHAT, ROOM, Ears, PlayEar, WatchEar
from tests.services.room.table import SERVICE, player

#: Chooses a packed action for a seat.
Choose: TypeAlias = Callable[[State, int, Random], int]
_STRANGER = player("stranger")
_SESSION = bytes(16)
_SECONDS = 30


class Course:
    """Those who play and watch one match. Even seats are on Play streams, odd ones on Watch."""

    asked = 0.15
    """Of all positions, the part at which something is asked."""

    def __init__(self, channel: grpc.aio.Channel, hosted: HostedGame, rng: Random) -> None:
        self.match_id = new_match_id()
        self.ears = Ears(channel)
        self.hosted = hosted
        self.acts = 0
        self._channel = channel
        self._rng = rng
        self._people: list[Any] = []
        self._streams: list[PlayEar | WatchEar] = []
        self._newest: list[pb.Update] = []
        self._counter = 0

    async def begin(self, players: int, options: Any = None) -> None:
        """Make the match and sit down."""
        options = options or self.hosted.game.default_options()
        request = control.CreateMatchRequest(
            match_id=self.match_id,
            game=self.hosted.game.name,
            options=games.wrap(self.hosted.options.encode(options)),
            players=[Player(player_id=f"player-{number}") for number in range(players)],
        )
        made = await RoomControlServiceStub(self._channel).CreateMatch(request, metadata=SERVICE)
        self._people = [player(player_id) for player_id in made.player_ids]
        self._streams = [self._sit(seat) for seat in range(players)]
        self._streams += [
            WatchEar(self.ears, _STRANGER, self.match_id, None),
            self._attached(PlayEar(self.ears, self._channel, _STRANGER), None),
        ]
        self._newest = [pb.Update() for _ in self._streams]

    async def play(self, choose: Choose) -> pb.Outcome:
        """Play to the end; returns how it ended."""
        async with asyncio.timeout(_SECONDS * 10):
            while not (await self._settle()).HasField("outcome"):
                if self._rng.random() < self.asked:
                    await self._ask_around()
                seat = self._rng.choice(self._newest[0].awaited).seat
                if not await self._act(seat, self._chosen(choose, seat)):
                    await asyncio.sleep(0.02)  # what closed its decision is on its way
        return self._newest[0].outcome

    async def end(self) -> None:
        """Go."""
        for stream in self._streams:
            await stream.close()

    def knows(self, seat: int) -> tuple[Any, Any]:
        """What a seat was sent last, decoded."""
        update = self._newest[seat]
        common = games.unwrap(update.common, self.hosted.common, "common")
        return common, games.unwrap(update.own, self.hosted.own, "own")

    def _sit(self, seat: int) -> PlayEar | WatchEar:
        who = self._people[seat]
        if seat % 2:
            return WatchEar(self.ears, who, self.match_id, seat)
        return self._attached(PlayEar(self.ears, self._channel, who), seat)

    def _attached(self, ear: PlayEar, seat: int | None) -> PlayEar:
        ear.tell(self._request(seat, attach=pb.Attach()))
        return ear

    def _request(self, seat: int | None, **request: Any) -> pb.PlayRequest:
        return pb.PlayRequest(
            match_id=self.match_id, seat=seat or 0, spectate=seat is None, **request
        )

    async def _settle(self) -> pb.Update:
        """Wait until everybody has seen the newest position; returns it."""
        async with asyncio.timeout(_SECONDS):
            for place, stream in enumerate(self._streams):
                while self._newest[place].sequence < self.ears.sequence or stream.updates.qsize():
                    self._newest[place] = await stream.updates.get()
        newest = max(update.sequence for update in self._newest)
        if newest > self.ears.sequence:  # a clock ran out before an act
            self.ears.sequence = newest
            return await self._settle()
        return self._newest[0]

    def _chosen(self, choose: Choose, seat: int) -> Any:
        state = self.hosted.game.resample(*self.knows(seat), seat, self._rng)
        return state.unpack(choose(state, seat, self._rng))

    async def _act(self, seat: int, action: Any) -> bool:
        """Act for a seat, legally or not; whether its decision was open still."""
        self.acts += 1
        self._counter += 1
        decisions = {each.seat: each.decision for each in self._newest[seat].awaited}
        act = pb.Act(
            key=RequestKey(session=_SESSION, counter=self._counter),
            decision=decisions.get(seat, 0),
            action=games.wrap(self.hosted.action.encode(action)),
        )
        stream = self._streams[seat]
        if isinstance(stream, PlayEar):
            said: Any = await stream.ask(self._request(seat, act=act), act)
        else:
            request = pb.ActRequest(match_id=self.match_id, seat=seat, act=act)
            said = await self._ask("Act", seat, request, pb.ActResponse, act)
        if said is not None and said.HasField("acted"):
            self.ears.sequence = said.acted.sequence
            return True
        return said is not None and said.error.reason != "DECISION_CLOSED"

    async def _ask(
        self, method: str, seat: int | None, request: Any, kind: Any, asked: Any = None
    ) -> Any:
        who = _STRANGER if seat is None else self._people[seat]
        return await self.ears.ask(ROOM + method, who, seat, request, kind, asked)

    async def _ask_around(self) -> None:
        """Ask what can be asked here, as one seat and as a stranger."""
        seat = self._rng.randrange(len(self._people))
        await self._ask_targets(seat, self._rng, most=4)
        await self._ask_others_things(seat)
        await self._talk(seat)
        await self._sit_anew(self._rng.randrange(len(self._people)))
        await self._act(seat, probes.wish(self.hosted, len(self._people), self._rng))
        await self._settle()

    async def _ask_targets(self, seat: int, rng: Random, most: int) -> None:
        """Pick up some of what can be picked up."""
        every = probes.selections(self.hosted, *self.knows(seat), seat, rng)
        for selection in rng.sample(every, min(most, len(every))):
            packed = games.wrap(self.hosted.selection.encode(selection))
            select = pb.SelectTargets(selection=packed)
            stream = self._streams[seat]
            if isinstance(stream, PlayEar):
                await stream.ask(self._request(seat, targets=select), select)
            else:
                request = pb.TargetsRequest(match_id=self.match_id, seat=seat, select=select)
                await self._ask("Targets", seat, request, pb.TargetsResponse, select)

    async def _ask_others_things(self, seat: int) -> None:
        """Ask for the list, for a replay, and as a stranger for what is a seat's."""
        await self._ask("ListMyMatches", seat, pb.ListMyMatchesRequest(), pb.ListMyMatchesResponse)
        replay = pb.ReplayRequest(match_id=self.match_id, seat=(seat + 1) % len(self._people))
        await self._hear_out("Replay", seat, replay, pb.ReplayResponse)
        watch = pb.WatchRequest(match_id=self.match_id, seat=seat)
        await self._hear_out("Watch", None, watch, pb.WatchResponse)
        select = pb.TargetsRequest(match_id=self.match_id, seat=seat)
        await self._ask("Targets", None, select, pb.TargetsResponse)

    async def _hear_out(self, method: str, seat: int | None, request: Any, kind: Any) -> None:
        who = _STRANGER if seat is None else self._people[seat]
        async for _ in self.ears.listen(ROOM + method, who, seat, request, kind):
            raise AssertionError(f"{method} was to be refused")

    async def _talk(self, seat: int) -> None:
        key = RequestKey(session=_SESSION, counter=self._counter + 1)
        say = chat.SayRequest(match_id=self.match_id, seat=seat, key=key, text="Your move.")
        who = self._people[seat]
        await self.ears.ask(CHAT + "Say", who, seat, say, chat.SayResponse)
        lines = chat.ListLinesRequest(match_id=self.match_id, seat=seat)
        await self.ears.ask(CHAT + "ListLines", who, seat, lines, chat.ListLinesResponse)

    async def _sit_anew(self, seat: int) -> None:
        """Open a seat's stream again: from nothing, it is sent a whole position."""
        await self._streams[seat].close()
        self._streams[seat] = self._sit(seat)
        self._newest[seat] = pb.Update()
        await self._settle()
