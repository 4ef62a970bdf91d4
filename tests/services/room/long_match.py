"""Matches of any length, stored as a room would have stored them."""

from __future__ import annotations

import os
from random import Random

from arena.log.v1.entry_pb2 import Acted, Created, Entry, Player, RequestKey, SeatChanged
from arena_services.common import games
from arena_services.common.log.fold import Fold
from arena_services.common.log.reader import LogReader
from arena_services.common.log.subjects import new_match_id
from arena_services.common.log.writer import LogWriter

PLAYERS = 4
_GAME = games.find("crowns")
_SESSION = b"long-match-session"


class LongMatch:
    """A match that goes on and on: moves by lot, none of which ends it, and people who leave and come back.

    `fold` is what its stored entries come to.
    """

    def __init__(self, reader: LogReader) -> None:
        self.match_id = new_match_id()
        self.fold: Fold
        self._writer = LogWriter(reader, self.match_id, 0)
        self._rng = Random(7)

    @property
    def place(self) -> int:
        """Where its last entry stands in the stream."""
        return self._writer.last

    async def begin(self) -> None:
        """Store its first entry."""
        options = _GAME.game.check_options(_GAME.game.default_options(), PLAYERS)
        entry = Entry(
            sequence=1,
            time_ms=1_750_000_000_000,
            epoch=1,
            append_id=os.urandom(16),
            created=Created(
                game=_GAME.game.name,
                rules_version=_GAME.game.rules_version,
                options=games.wrap(_GAME.options.encode(options)),
                players=[Player(player_id=f"player-{number}") for number in range(PLAYERS)],
                secret=bytes(32),
            ),
        )
        self.fold, _ = Fold.begin(self.match_id, entry)
        await self._store(entry, self.fold)

    async def grow(self, entries: int) -> None:
        """Store entries until there are so many."""
        while self.fold.sequence < entries:
            fold, entry = self._move() if self.fold.sequence % 3 else self._change()
            if fold.is_over:
                fold, entry = self._change()
            await self._store(entry, fold)

    def _move(self) -> tuple[Fold, Entry]:
        fold = self.fold.clone()
        seat, decision = fold.state.awaited()[0]
        action = self._rng.choice(list(fold.state.legal_actions(seat)))
        packed = games.wrap(_GAME.action.encode(fold.state.unpack(action)))
        entry = self._entry(
            acted=Acted(seat=seat, decision=decision, action=packed, key=self._key())
        )
        fold.advance(entry, action)
        return fold, entry

    def _change(self) -> tuple[Fold, Entry]:
        fold = self.fold.clone()
        seat = fold.state.awaited()[0].seat
        is_bot = not fold.state.is_bot(seat)
        entry = self._entry(seat_changed=SeatChanged(seat=seat, is_bot=is_bot, key=self._key()))
        fold.advance(entry)
        return fold, entry

    def _entry(self, **body: Acted | SeatChanged) -> Entry:
        return Entry(
            sequence=self.fold.sequence + 1,
            time_ms=self.fold.time_ms + 1000,
            epoch=1,
            append_id=os.urandom(16),
            **body,  # type: ignore[arg-type]
        )

    def _key(self) -> RequestKey:
        return RequestKey(session=_SESSION, counter=self.fold.sequence)

    async def _store(self, entry: Entry, fold: Fold) -> None:
        entry.state_hash = fold.state.state_hash()
        headers = fold.headers(entry).to_nats()
        await self._writer.append(entry.SerializeToString(), headers, entry.epoch, entry.append_id)
        self.fold = fold
