"""Which of several rooms takes an orphaned match: the same answer wherever it is asked, without talking."""

from __future__ import annotations

from collections.abc import Iterable

from arena_services.common.rendezvous import weight
from arena_services.common.roster import Beat


def choose(match_id: str, rooms: Iterable[Beat]) -> Beat | None:
    """The room that hashing names for a match; None among none. A room that comes or goes moves only its own share."""
    return max(rooms, key=lambda room: weight(match_id, room.room_id), default=None)
