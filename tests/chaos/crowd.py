"""Keeps a number of matches going: seats people and spectators, and begins anew what has ended."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from contextlib import AsyncExitStack
from random import Random
from typing import Self

import grpc

from arena_services.client import RefusedError, UnreachableError
from arena_services.client.seat import SPECTATOR
from arena_services.common.auth import PLAYER_TOKEN_SECONDS, Role, Tokens, bearer
from arena_services.common.channels import Channels
from arena_services.common.rpc import reason_of
from tests.chaos.maker import Made, Maker, Wanted
from tests.services.running import TOKEN_KEY
from tests.witness.onlooker import Onlooker
from tests.witness.players import Player, RecordingClient
from tests.witness.record import MatchRecord

#: Connections that share all seats: each has a dozen or more, as a busy client would.
_PEOPLE = 12
#: Shares of matches that somebody watches by Play, and by Watch.
_WATCHED = 0.2
_LOOKED_AT = 0.2


class Crowd:
    """`async with Crowd(...) as crowd`: matches go on until `stop`, or the end of the block."""

    def __init__(
        self, rooms: Mapping[str, str], matches: int, think_seconds: float, seed: int
    ) -> None:
        """`rooms`: addresses by name; `matches`: how many go on at once."""
        self.records: list[MatchRecord] = []
        self.troubles: list[str] = []
        """What went wrong that belongs to no match."""
        self._rooms = rooms
        self._matches = matches
        self._think_seconds = think_seconds
        self._seed = seed
        self._channels = Channels()
        self._maker = Maker(rooms, self._channels)
        self._people: dict[str, RecordingClient] = {}
        self._stack = AsyncExitStack()
        self._players: set[Player] = set()
        self._tables: list[asyncio.Task[None]] = []
        self._looking: set[asyncio.Task[None]] = set()
        self._is_ending = False
        self._is_stopped = False

    async def __aenter__(self) -> Self:
        """Have everybody come."""
        addresses = list(self._rooms.values())
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._channels.close)
            for number in range(_PEOPLE):
                name = f"person-{number}"
                first = number % len(addresses)
                client = RecordingClient([*addresses[first:], *addresses[:first]], _token(name))
                self._people[name] = await stack.enter_async_context(client)
            self._stack = stack.pop_all()
        self._tables = [
            asyncio.create_task(self._keep_going(number), name=f"table-{number}")
            for number in range(self._matches)
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Have everybody leave."""
        there = [*self._tables, *self._looking]
        for task in there:
            task.cancel()
        if there:
            await asyncio.wait(there)
        await self._stack.aclose()

    def finish(self) -> None:
        """Begin no more matches, and keep none waiting."""
        self._is_ending = True
        for player in self._players:
            player.be_earnest()

    async def stop(self, seconds: float) -> None:
        """Have everybody finish what was begun; who has not after so long is a finding."""
        self.finish()
        self._is_stopped = True
        for player in self._players:
            player.stop()
        _, late = await asyncio.wait(self._tables, timeout=seconds)
        self.troubles += [f"{table.get_name()} did not come to rest" for table in late]

    async def _keep_going(self, table: int) -> None:
        """One match after another."""
        # Not all at once at the start.
        await asyncio.sleep(self._think_seconds * table / max(1, self._matches))
        for count in itertools.count():
            if self._is_ending:
                return
            rng = Random(f"match {self._seed} {table} {count}")
            wanted = Wanted.draw(list(self._people), rng)
            try:
                await self._play(await self._maker.make(wanted, rng), rng)
            except grpc.aio.AioRpcError as error:
                self.troubles.append(f"match not made: {reason_of(error)} {error.details()}")

    async def _play(self, made: Made, rng: Random) -> None:
        """One match, until all its players have done with it."""
        record = made.record
        self.records.append(record)
        try:
            async with asyncio.TaskGroup() as tasks:
                lot = rng.random()
                if lot < _WATCHED:
                    watcher = self._people[rng.choice(list(self._people))]
                    tasks.create_task(_watch(watcher, record), name=f"watch-{record.match_id}")
                elif lot < _WATCHED + _LOOKED_AT:
                    self._look_on(record)
                for player_id, seat in made.seats.items():
                    client, own = self._people[player_id], Random(rng.random())
                    tasks.create_task(
                        self._sit(client, record, seat, own), name=f"seat-{record.match_id}-{seat}"
                    )
        except* (RefusedError, UnreachableError) as group:
            record.troubles += [f"not let in: {error}" for error in group.exceptions]

    async def _sit(
        self, client: RecordingClient, record: MatchRecord, seat: int, rng: Random
    ) -> None:
        player = Player(record, await client.follow(record, seat), self._think_seconds, rng)
        self._players.add(player)
        if self._is_ending:
            player.be_earnest()
        if self._is_stopped:
            player.stop()
        try:
            await player.play()
        finally:
            self._players.discard(player)

    def _look_on(self, record: MatchRecord) -> None:
        """Have an onlooker follow a match, also once its players have been told to stop."""
        who = bearer(_token(f"onlooker-{record.match_id}"))
        onlooker = Onlooker(list(self._rooms.values()), self._channels, who)
        looking = asyncio.create_task(onlooker.watch(record), name=f"look-on-{record.match_id}")
        self._looking.add(looking)

        def done(task: asyncio.Task[None]) -> None:
            self._looking.discard(task)
            if not task.cancelled() and (error := task.exception()):
                record.troubles.append(f"onlooker: {error}")

        looking.add_done_callback(done)


async def _watch(client: RecordingClient, record: MatchRecord) -> None:
    """Attach as a spectator; what comes is written down by the client."""
    await client.follow(record, SPECTATOR)


def _token(player_id: str) -> str:
    token, _ = Tokens(TOKEN_KEY).issue(player_id, player_id, Role.PLAYER, PLAYER_TOKEN_SECONDS)
    return token
