"""Players as a process of their own: each signs in, queues, plays random legal moves on its own Play stream, and again.

Prints `ready` once all its players have moved, measures when told to by a line on standard input, prints one JSON
object. A player thinks for no time: its next move goes out as soon as it knows that it is to move.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from random import Random

import uvloop

from arena_services.client import Account, Lobby, PlayClient, RefusedError, Seat
from arena_services.common import games
from arena_services.common.games import HostedGame

#: Longer than any run: matches are made of these players alone.
_NEVER_BOTS_MS = 3_600_000
_OVERTAKEN = frozenset({"DECISION_CLOSED", "NOT_YOUR_TURN", "MATCH_FINISHED"})
_SIGN_INS_AT_ONCE = 16


@dataclass
class Record:
    """What was measured, while it was."""

    is_open: bool = False
    latencies: list[float] = field(default_factory=list)
    """Seconds from sending a move to knowing that it is stored."""
    matches: int = 0
    moved: set[str] = field(default_factory=set)
    """Players who have moved at least once."""


class Player:
    """One account that plays match after match."""

    def __init__(self, lobby: Lobby, account: Account, game: HostedGame, record: Record) -> None:
        self._lobby = lobby
        self._account = account
        self._game = game
        self._record = record
        self._rng = Random(account.player_id)

    async def run(self, players: int) -> None:
        """Play until cancelled."""
        options = self._game.game.default_options()
        while True:
            place = await self._lobby.queue(
                self._account, self._game, players, options, bot_wait_ms=_NEVER_BOTS_MS
            )
            async with PlayClient(place.rooms, self._account.token) as client:
                await self._play(await client.join(place.match_id, place.seat))
            self._record.matches += self._record.is_open

    async def _play(self, seat: Seat) -> None:
        async for _ in seat.steps():
            if seat.is_up_to_date and seat.decision is not None and seat.outcome is None:
                await self._move(seat)

    async def _move(self, seat: Seat) -> None:
        latest = seat.latest
        state = self._game.game.resample(latest.common, latest.own, seat.number, self._rng)
        legal = list(state.legal_actions(seat.number))
        action = state.unpack(self._rng.choice(legal))
        start = time.perf_counter()
        try:
            await seat.act(action)
        except RefusedError as error:
            if error.reason not in _OVERTAKEN:
                raise
            return
        self._record.moved.add(self._account.player_id)
        if self._record.is_open:
            self._record.latencies.append(time.perf_counter() - start)


async def _run(address: str, game: HostedGame, people: int, players: int, name: str) -> None:
    record = Record()
    async with Lobby(address) as lobby, asyncio.TaskGroup() as tasks:
        gate = asyncio.Semaphore(_SIGN_INS_AT_ONCE)

        async def enter(number: int) -> None:
            async with gate:
                account = await lobby.sign_in(f"{name}-{number}")
            await Player(lobby, account, game, record).run(players)

        crowd = [tasks.create_task(enter(n), name=f"player-{n}") for n in range(people)]
        while len(record.moved) < people:
            await asyncio.sleep(0.05)
        print("ready", flush=True)
        seconds = float(await asyncio.to_thread(sys.stdin.readline))
        record.is_open, start = True, time.perf_counter()
        await asyncio.sleep(seconds)
        record.is_open, elapsed = False, time.perf_counter() - start
        for player in crowd:
            player.cancel()
    print(
        json.dumps(
            {"seconds": elapsed, "latencies": record.latencies, "seats_finished": record.matches}
        ),
        flush=True,
    )


def main() -> None:
    """Run the players that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load", description=__doc__)
    parser.add_argument("address", help="of matchmaking")
    parser.add_argument("game")
    parser.add_argument("people", type=int, help="how many in this process")
    parser.add_argument("players", type=int, help="in each match")
    parser.add_argument("name", help="what their names begin with")
    given = parser.parse_args()
    uvloop.run(_run(given.address, games.find(given.game), given.people, given.players, given.name))


if __name__ == "__main__":
    main()
