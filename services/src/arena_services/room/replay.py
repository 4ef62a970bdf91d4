"""Tells finished matches anew, entry by entry, from their logs or from what was archived of them.

What an entry came to is the same for ever. What is added when it is told is not kept anywhere: who asks, from where on,
and what the players are called by now.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

from arena.log.v1.entry_pb2 import Created
from arena.room.v1.room_service_pb2 import Update
from arena_services.common.log.fold import Fold, fold_entry
from arena_services.common.log.reader import Stored
from arena_services.room.updates import Moment, Recalled, Seating, holders, stand_in


async def folds(
    match_id: str, entries: AsyncGenerator[Stored, None]
) -> AsyncGenerator[Recalled, None]:
    """Fold a match entry by entry, every hash compared. Each fold becomes the next one: look at it before that.

    Raises `CorruptLogError`, also in its midst, and what reading does.
    """
    fold: Fold | None = None
    async for stored in entries:
        fold, events = fold_entry(match_id, fold, stored.entry)
        fold.verify(stored.entry)
        await asyncio.sleep(0)  # a long log must not keep matches waiting
        yield Recalled(fold, events, stored.entry.given_back_ms)


class Teller:
    """Makes a viewer's updates of bare ones: the first is whole, and who sits where comes whenever that changes."""

    def __init__(self, created: Created, names: Mapping[str, str]) -> None:
        """`names` by player id, as far as they are known."""
        self._created = created
        self._names = [
            names.get(player.player_id) or stand_in(created.players, seat)
            for seat, player in enumerate(created.players)
        ]
        self._shown: Seating | None = None

    def tell(self, bare: Moment) -> Moment:
        """The next update."""
        bots = (is_bot for _, is_bot in bare.seating)
        seating: Seating = tuple(zip(self._names, bots, strict=True))
        added = Update()
        if self._shown is None:
            added.reset = True
            added.game = self._created.game
            added.options.CopyFrom(self._created.options)
        if seating != self._shown:
            added.seats.extend(holders(self._created.players, seating))
        self._shown = seating
        return Moment(bare.sequence, seating, bare.common + added.SerializeToString(), bare.own)
