"""Matches of any game that have ended, stored as a room would have stored them; much faster than playing them."""

from __future__ import annotations

import os
from random import Random

from arena.log.v1.entry_pb2 import Acted, Closed, Created, Entry, Player, RequestKey, SeatChanged
from arena_services.common import games
from arena_services.common.log.fold import Fold
from arena_services.common.log.reader import LogReader
from arena_services.common.log.subjects import new_match_id
from arena_services.common.log.writer import LogWriter

PLAYERS = 3
_SESSION = b"short-match-session"
_START_MS = 1_750_000_000_000


class ShortMatch:
    """A match that is played by lot for some entries, during which a seat goes to a bot and back, and then closed."""

    def __init__(self, reader: LogReader, game: str = "crowns", seed: int = 1) -> None:
        self.match_id = new_match_id()
        self.player_ids = [f"{self.match_id[:6]}-{seat}" for seat in range(PLAYERS)]
        self.fold: Fold
        self.writer = LogWriter(reader, self.match_id, 0)
        self._hosted = games.find(game)
        self._rng = Random(seed)

    async def play(self, entries: int = 30) -> None:
        """Store so many entries."""
        await self.begin()
        while self.fold.sequence < entries - 1:
            if self.fold.sequence in {entries // 3, entries // 2}:
                is_bot = self.fold.sequence == entries // 3
                change = SeatChanged(seat=1, is_bot=is_bot, key=self._key())
                await self.go_on(Entry(seat_changed=change, given_back_ms=70))
            else:
                await self._move()
        await self.go_on(Entry(closed=Closed(reason="ABANDONED")))

    async def begin(self) -> None:
        """Store the first entry."""
        game = self._hosted.game
        options = game.check_options(game.default_options(), PLAYERS)
        created = Created(
            game=game.name,
            rules_version=game.rules_version,
            options=games.wrap(self._hosted.options.encode(options)),
            players=[Player(player_id=each) for each in self.player_ids],
            secret=self._rng.randbytes(32),
        )
        entry = Entry(
            sequence=1, time_ms=_START_MS, epoch=1, append_id=os.urandom(16), created=created
        )
        fold, _ = Fold.begin(self.match_id, entry)
        await self._store(entry, fold)

    async def _move(self) -> None:
        state = self.fold.state
        seat, decision = self._rng.choice(state.awaited())
        action = state.unpack(self._rng.choice(list(state.legal_actions(seat))))
        packed = games.wrap(self._hosted.action.encode(action))
        acted = Acted(seat=seat, decision=decision, action=packed, key=self._key())
        await self.go_on(Entry(acted=acted))

    async def go_on(self, entry: Entry) -> None:
        """Store a next entry."""
        fold = self.fold.clone()
        entry.sequence = fold.sequence + 1
        entry.time_ms = fold.time_ms + 1000
        entry.epoch = 1
        entry.append_id = os.urandom(16)
        fold.advance(entry)
        await self._store(entry, fold)

    async def _store(self, entry: Entry, fold: Fold) -> None:
        entry.state_hash = entry.state_hash or fold.state.state_hash()
        headers = fold.headers(entry).to_nats()
        await self.writer.append(entry.SerializeToString(), headers, entry.epoch, entry.append_id)
        self.fold = fold

    def _key(self) -> RequestKey:
        return RequestKey(session=_SESSION, counter=self.fold.sequence)
