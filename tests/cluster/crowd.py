"""Guests who come by the front door: sign in, queue, play, and queue again. All they are told is recorded."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import cast

import grpc

from arena_services.client import Lobby, RefusedError, UnreachableError
from arena_services.client.lobby import Account, Place
from arena_services.common import games
from arena_services.common.channels import CLIENT_OPTIONS
from tests.witness.players import PATIENCE_SECONDS, Player, RecordingClient
from tests.witness.record import Fate, MatchRecord

_MOST_PLAYERS = 3
_BOT_WAITS_MS = (0, 0, 3000)
_PAUSE_SECONDS = 0.5
_POLL_SECONDS = 0.1


class Crowd:
    """Guests at one address. `grow` to have some come, `stop` to have everybody finish."""

    def __init__(self, address: str, think_seconds: float, seed: int) -> None:
        self.records: dict[str, MatchRecord] = {}
        """By match id."""
        self.troubles: list[str] = []
        """What went wrong that belongs to no match."""
        self.refusals: Counter[str] = Counter()
        """Queueing that was refused, by reason."""
        self._address = address
        self._think_seconds = think_seconds
        self._seed = seed
        self._guests: list[asyncio.Task[None]] = []
        self._players: set[Player] = set()
        self._queueing: set[asyncio.Task[None]] = set()
        self._busy: set[int] = set()
        """Guests who have not come to rest."""
        self._is_ending = False

    @property
    def acknowledged(self) -> int:
        """How many requests have been acknowledged by now."""
        return sum(
            wish.fate is Fate.DONE for record in self.records.values() for wish in record.wishes
        )

    @property
    def guests(self) -> int:
        """How many have come."""
        return len(self._guests)

    def grow(self, to: int) -> None:
        """Have guests come until there are so many."""
        for number in range(len(self._guests), to):
            guest = asyncio.create_task(self._live(number), name=f"guest-{number}")
            self._guests.append(guest)

    def finish(self) -> None:
        """Begin no more matches, and keep none waiting."""
        self._is_ending = True
        for player in self._players:
            player.be_earnest()

    async def stop(self, seconds: float) -> None:
        """Have everybody finish what was begun; who has not after so long is a trouble."""
        self.finish()
        for player in self._players:
            player.stop()
        for guest in self._queueing:
            guest.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._busy:
                    await asyncio.sleep(_POLL_SECONDS)
        self.troubles += [f"guest {number} did not come to rest" for number in self._busy]

    async def close(self) -> None:
        """Have everybody leave at once. Until then they see what happens, also those who have stopped."""
        for guest in self._guests:
            guest.cancel()
        if self._guests:
            await asyncio.wait(self._guests)

    async def _live(self, number: int) -> None:
        rng = Random(f"guest {self._seed} {number}")
        # Not all at once.
        await asyncio.sleep(rng.random() * self._think_seconds)
        self._busy.add(number)
        try:
            async with Lobby(self._address, PATIENCE_SECONDS, _open) as lobby:
                account = await lobby.sign_in(f"Guest {number}")
                async with RecordingClient([self._address], account.token, _open) as client:
                    while not self._is_ending:
                        if (found := await self._queue(lobby, account, rng)) is not None:
                            await self._sit(client, *found, rng)
                    self._busy.discard(number)
                    await asyncio.Event().wait()
        except (RefusedError, UnreachableError) as error:
            self.troubles.append(f"guest {number}: {error}")
        finally:
            self._busy.discard(number)

    async def _queue(
        self, lobby: Lobby, account: Account, rng: Random
    ) -> tuple[Place, MatchRecord] | None:
        """Find a match; None where there is none to be had."""
        hosted = rng.choice(games.hosted())
        game = hosted.game
        players = rng.randint(game.min_players, max(game.min_players, _MOST_PLAYERS))
        options = game.check_options(game.default_options(), players)
        guest = cast("asyncio.Task[None]", asyncio.current_task())
        self._queueing.add(guest)
        try:
            place = await lobby.queue(
                account, hosted, players, options, bot_wait_ms=rng.choice(_BOT_WAITS_MS)
            )
        except RefusedError as error:
            self.refusals[error.reason] += 1
            await asyncio.sleep(_PAUSE_SECONDS)
            return None
        finally:
            self._queueing.discard(guest)
        fresh = MatchRecord(place.match_id, game.name, None)
        return place, self.records.setdefault(place.match_id, fresh)

    async def _sit(
        self, client: RecordingClient, place: Place, record: MatchRecord, rng: Random
    ) -> None:
        """Play a match to its end."""
        seat = await client.follow(record, place.seat)
        player = Player(record, seat, self._think_seconds, rng)
        self._players.add(player)
        if self._is_ending:
            player.be_earnest()
        try:
            await player.play()
        finally:
            self._players.discard(player)


def _open(address: str) -> grpc.aio.Channel:
    """A connection of one's own: guests do not share theirs."""
    own = ("grpc.use_local_subchannel_pool", 1)
    return grpc.aio.insecure_channel(address, options=(*CLIENT_OPTIONS, own))
