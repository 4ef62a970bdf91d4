"""A match with its players, and viewers that check what they are sent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any, Self

import grpc
import pytest

from arena.games.crowns.v1 import crowns_pb2
from arena.log.v1.entry_pb2 import Player, RequestKey
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common import games, rpc
from arena_services.common.auth import Metadata, Role, Tokens, bearer
from arena_services.common.log.subjects import new_match_id
from tests.services.running import TOKEN_KEY

CROWNS = games.find("crowns")
TOKENS = Tokens(TOKEN_KEY)
SERVICE = TOKENS.service_metadata("test")


def player(player_id: str, role: Role = Role.PLAYER) -> Metadata:
    """Metadata of somebody's calls."""
    token, _ = TOKENS.issue(player_id, player_id, role, 3600)
    return bearer(token)


def action(message: Any) -> pb.Act:
    """An act that takes an action, not yet keyed."""
    act = pb.Act()
    act.action.Pack(message)
    return act


RESIGN = action(crowns_pb2.Action(resign=crowns_pb2.Resign()))


class Table:
    """A match and those who play it."""

    def __init__(self, match_id: str, player_ids: list[str]) -> None:
        self.match_id = match_id
        self.player_ids = player_ids
        self.people = [player(player_id) for player_id in player_ids]
        self.session = secrets.token_bytes(16)
        self.reached = 0
        """The last sequence that was acknowledged."""
        self._counter = 0
        self._rng = Random(1)

    @classmethod
    async def make(cls, channel: grpc.aio.Channel, players: int = 2, **options: Any) -> Self:
        """Create a match of Crowns."""
        match_id = new_match_id()
        made = await RoomControlServiceStub(channel).CreateMatch(
            create_request(match_id, players, **options), metadata=SERVICE
        )
        return cls(match_id, list(made.player_ids))

    def key(self, counter: int = 0) -> RequestKey:
        """A new request key, or the one of a counter."""
        self._counter += not counter
        return RequestKey(session=self.session, counter=counter or self._counter)

    def choose(self, update: pb.Update, seat: int) -> pb.Act:
        """A legal act, drawn by lot, for a seat whose own update this is."""
        (mine,) = [each for each in update.awaited if each.seat == seat]
        common = games.unwrap(update.common, CROWNS.common, "common")
        own = games.unwrap(update.own, CROWNS.own, "own")
        state = CROWNS.game.resample(common, own, seat, self._rng)
        packed = self._rng.choice(list(state.legal_actions(seat)))
        act = action(CROWNS.action.encode(state.unpack(packed)))
        act.decision = mine.decision
        act.key.CopyFrom(self.key())
        return act

    def request(self, seat: int, act: pb.Act) -> pb.ActRequest:
        """An act as a unary request."""
        return pb.ActRequest(match_id=self.match_id, seat=seat, act=act)

    async def act(self, channel: grpc.aio.Channel, seat: int, act: pb.Act) -> pb.Acted:
        """Act by a unary call."""
        said = await RoomServiceStub(channel).Act(
            self.request(seat, act), metadata=self.people[seat], timeout=20
        )
        self.reached = max(self.reached, said.acted.sequence)
        return said.acted

    async def insist(self, channel: grpc.aio.Channel, seat: int, act: pb.Act) -> pb.Acted:
        """Act as a client does: again with the same key while the match is not to be had."""
        async with asyncio.timeout(60):
            while True:
                try:
                    return await self.act(channel, seat, act)
                except grpc.aio.AioRpcError as error:
                    assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017
                    await asyncio.sleep(0.1)


def create_request(
    match_id: str, players: int = 2, bots: int = 0, **options: Any
) -> control.CreateMatchRequest:
    """Ask for a match of Crowns."""
    request = control.CreateMatchRequest(
        match_id=match_id,
        game="crowns",
        players=[
            Player(player_id=f"player-{number}", is_bot=number < bots) for number in range(players)
        ],
    )
    request.options.Pack(crowns_pb2.Options(**options))
    return request


class Viewer:
    """A Watch stream that checks that nothing is left out or comes twice."""

    def __init__(
        self, channel: grpc.aio.Channel, table: Table, seat: int | None, after_sequence: int = 0
    ) -> None:
        self.updates: list[pb.Update] = []
        self.detached = ""
        request = pb.WatchRequest(match_id=table.match_id, seat=seat, after_sequence=after_sequence)
        who = player("somebody") if seat is None else table.people[seat]
        self._last = after_sequence
        self._news = asyncio.Event()
        self._stream = RoomServiceStub(channel).Watch(request, metadata=who)
        self._reading = asyncio.create_task(self._read(), name="viewer")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stream.cancel()
        self._reading.cancel()
        await asyncio.wait((self._reading,))

    @property
    def newest(self) -> pb.Update:
        """The newest update."""
        return self.updates[-1]

    async def until(
        self, is_it: Callable[[pb.Update], bool] = lambda _: True, seconds: float = 15
    ) -> pb.Update:
        """The newest update, once it is as asked for."""
        async with asyncio.timeout(seconds):
            while not (self.updates and is_it(self.newest)):
                await self._wait()
        return self.newest

    async def until_sequence(self, sequence: int, seconds: float = 15) -> pb.Update:
        """The newest update, once this sequence has been reached."""
        return await self.until(lambda update: update.sequence >= sequence, seconds)

    async def end(self, seconds: float = 15) -> str:
        """Wait until the stream has ended; returns why."""
        async with asyncio.timeout(seconds):
            await asyncio.wait((self._reading,))
        self._reading.result()
        return self.detached

    async def _wait(self) -> None:
        if self._reading.done():
            self._reading.result()
            raise AssertionError(f"the stream ended: {self.detached}")
        self._news.clear()
        await self._news.wait()

    async def _read(self) -> None:
        try:
            async for response in self._stream:
                if response.HasField("update"):
                    self._take(response.update)
                self.detached = response.detached.reason
        finally:
            self._news.set()

    def _take(self, update: pb.Update) -> None:
        if not update.reset:
            assert update.sequence == self._last + 1, f"{update.sequence} after {self._last}"
        self._last = update.sequence
        self.updates.append(update)
        self._news.set()


class Play:
    """A Play stream."""

    def __init__(self, channel: grpc.aio.Channel, who: Metadata) -> None:
        self._requests: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        self._stream = RoomServiceStub(channel).Play(self._outgoing(), metadata=who)
        self._responses = aiter(self._stream)

    async def _outgoing(self) -> AsyncIterator[pb.PlayRequest]:
        while (request := await self._requests.get()) is not None:
            yield request

    def send(self, request: pb.PlayRequest) -> None:
        self._requests.put_nowait(request)

    async def next(self, seconds: float = 5) -> pb.PlayResponse:
        async with asyncio.timeout(seconds):
            return await anext(self._responses)

    async def end(self) -> None:
        self._requests.put_nowait(None)
        async with asyncio.timeout(5):
            async for _ in self._responses:
                pass


async def play_on(
    table: Table,
    channel: grpc.aio.Channel,
    viewers: list[Viewer],
    acts: int,
    *,
    insists: bool = False,
) -> int:
    """Have the seats that are awaited act so many times; returns the last acknowledged sequence.

    `insists`: where an outage may last longer than a room waits for it.
    """
    act = table.insist if insists else table.act
    for _ in range(acts):
        update = await viewers[0].until_sequence(table.reached)
        if not update.awaited:
            break
        seat = update.awaited[0].seat
        mine = await viewers[seat].until_sequence(update.sequence)
        await act(channel, seat, table.choose(mine, seat))
    return table.reached


async def reason_of(call: Awaitable[object]) -> tuple[str, str]:
    """The code and the reason that a call fails with."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    assert failed.value.details(), "a failure needs a sentence"
    return failed.value.code().name, rpc.reason_of(failed.value)
