"""A short match of Crowns with an honest record of it, for tests to falsify."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

from arena.log.v1.entry_pb2 import Acted, Claimed, Created, Entry, Expired, Player, RequestKey
from arena.room.v1.room_service_pb2 import Act, Awaited, Update
from arena_services.common import games
from arena_services.common.log.fold import Fold
from tests.witness.record import Fate, MatchRecord, Viewer, Wish

START_MS = 1_750_000_000_000
MATCH_ID = "a" * 26
_CROWNS = games.find("crowns")
_SESSION = b"a player's session"


class Tale:
    """Grows by one entry at a time; `record` says what its players and a spectator were told of each."""

    def __init__(self, turn_seconds: int = 30, first_room: str | None = "room-1") -> None:
        options = _CROWNS.options.message(turn_seconds=turn_seconds)
        created = Created(
            game="crowns",
            rules_version=_CROWNS.game.rules_version,
            options=games.wrap(options),
            players=[Player(player_id=f"player-{seat}") for seat in (0, 1)],
            secret=bytes(32),
        )
        first = Entry(sequence=1, time_ms=START_MS, epoch=1, created=created)
        self.record = MatchRecord(MATCH_ID, "crowns", first_room)
        self.record.viewers = [Viewer(0), Viewer(1), Viewer(None)]
        self.entries: list[Entry] = []
        self._fold, events = Fold.begin(MATCH_ID, first)
        self._rng = Random(1)
        self._counters = itertools.count(1)
        self._tell(first, events, is_reset=True)

    @property
    def now_ms(self) -> int:
        """The time of the last entry."""
        return self._fold.time_ms

    def act(self, after_ms: int = 1000) -> Wish:
        """Whoever is awaited moves and is told so."""
        state = self._fold.state
        seat, decision = state.awaited()[0]
        action = state.unpack(self._rng.choice(list(state.legal_actions(seat))))
        packed = games.wrap(_CROWNS.action.encode(action))
        key = RequestKey(session=_SESSION, counter=next(self._counters))
        self._store(after_ms, 0, acted=Acted(seat=seat, decision=decision, action=packed, key=key))
        wish = Wish(
            seat,
            key.session,
            key.counter,
            Act(key=key, decision=decision, action=packed).SerializeToString(),
            sent_ms=self.now_ms - 5,
            answered_ms=self.now_ms + 5,
            fate=Fate.DONE,
            sequence=self._fold.sequence,
        )
        self.record.wishes.append(wish)
        return wish

    def claim(self, room: str, after_ms: int, given_back_ms: int) -> None:
        """A room takes the match over."""
        self._store(after_ms, given_back_ms, claimed=Claimed(room_id=room))

    def expire(self) -> None:
        """The clock of the open decision runs out."""
        decision = self._fold.state.awaited()[0].decision
        after_ms = (self._fold.deadline_ms or 0) - self.now_ms
        self._store(after_ms, 0, expired=Expired(decision=decision))

    def _store(self, after_ms: int, given_back_ms: int, **body: Any) -> None:
        entry = Entry(
            sequence=self._fold.sequence + 1,
            time_ms=self.now_ms + after_ms,
            epoch=self._fold.epoch + ("claimed" in body),
            given_back_ms=given_back_ms,
            **body,
        )
        events = self._fold.advance(entry)
        self._tell(entry, events, is_reset=False)

    def _tell(self, entry: Entry, events: list[Any], *, is_reset: bool) -> None:
        fold = self._fold
        entry.state_hash = fold.state.state_hash()
        self.entries.append(entry)
        self.record.goal = entry.sequence
        for viewer in self.record.viewers:
            shown = () if is_reset else events
            update = Update(
                sequence=entry.sequence,
                reset=is_reset,
                time_ms=entry.time_ms,
                given_back_ms=0 if is_reset else entry.given_back_ms,
                common=games.wrap(_CROWNS.common.encode(fold.state.common(shown))),
                awaited=[Awaited(seat=s, decision=d) for s, d in fold.state.awaited()],
            )
            if viewer.seat is not None:
                update.own.CopyFrom(
                    games.wrap(_CROWNS.own.encode(fold.state.own(viewer.seat, shown)))
                )
            viewer.take(update, entry.time_ms + 10)
