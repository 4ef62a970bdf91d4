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
from arena_services.common.auth import PLAYER_TOKEN_SECONDS, Role, Tokens
from arena_services.common.rpc import reason_of
from tests.chaos.maker import Made, Maker, Wanted
from tests.chaos.players import Player, RecordingClient
from tests.chaos.record import MatchRecord
from tests.services.running import TOKEN_KEY

#: Connections that share all seats: each has a dozen or more, as a busy client would.
_PEOPLE = 12
_WATCHED = 0.3


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
        self._maker = Maker(rooms)
        self._people: dict[str, RecordingClient] = {}
        self._stack = AsyncExitStack()
        self._players: set[Player] = set()
        self._tables: list[asyncio.Task[None]] = []
        self._is_ending = False
        self._is_stopped = False

    async def __aenter__(self) -> Self:
        """Have everybody come."""
        tokens = Tokens(TOKEN_KEY)
        addresses = list(self._rooms.values())
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._maker.close)
            for number in range(_PEOPLE):
                name = f"person-{number}"
                token, _ = tokens.issue(name, name, Role.PLAYER, PLAYER_TOKEN_SECONDS)
                first = number % len(addresses)
                client = RecordingClient([*addresses[first:], *addresses[:first]], token)
                self._people[name] = await stack.enter_async_context(client)
            self._stack = stack.pop_all()
        self._tables = [
            asyncio.create_task(self._keep_going(number), name=f"table-{number}")
            for number in range(self._matches)
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Have everybody leave."""
        for table in self._tables:
            table.cancel()
        if self._tables:
            await asyncio.wait(self._tables)
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
                if rng.random() < _WATCHED:
                    watcher = self._people[rng.choice(list(self._people))]
                    tasks.create_task(_watch(watcher, record), name=f"watch-{record.match_id}")
                for player_id, seat in made.seats.items():
                    client, lot = self._people[player_id], Random(rng.random())
                    tasks.create_task(
                        self._sit(client, record, seat, lot), name=f"seat-{record.match_id}-{seat}"
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


async def _watch(client: RecordingClient, record: MatchRecord) -> None:
    """Attach as a spectator; what comes is written down by the client."""
    await client.follow(record, SPECTATOR)
