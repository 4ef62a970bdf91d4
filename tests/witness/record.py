"""What players did and what they were told: all that the log is held against afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from arena.room.v1.room_service_pb2 import Update

_DIGEST_BYTES = 8


class Fate(StrEnum):
    """What became of a wish, as far as its player was told."""

    OPEN = "open"
    """No answer: anything may have happened."""
    DONE = "done"
    REFUSED = "refused"


@dataclass
class Wish:
    """Something that a player wanted done. Times are milliseconds since the Unix epoch."""

    seat: int
    session: bytes
    counter: int
    act: bytes
    """The `Act` as it was sent."""
    sent_ms: int
    answered_ms: int = 0
    fate: Fate = Fate.OPEN
    sequence: int = 0
    """Where it was stored, if it is done."""
    reason: str = ""
    """Why it was refused."""


class Shown(NamedTuple):
    """One update as it came over the wire."""

    sequence: int
    is_reset: bool
    time_ms: int
    given_back_ms: int
    digest: bytes
    """Of the position; see `digest_of`."""
    seen_ms: int
    """When it came, milliseconds since the Unix epoch."""


@dataclass
class Viewer:
    """All that one viewer of a match was shown, in the order it came."""

    seat: int | None
    """None for a spectator."""
    shown: list[Shown] = field(default_factory=list)

    @property
    def last_sequence(self) -> int:
        """Of what was shown last; 0 where nothing was."""
        return self.shown[-1].sequence if self.shown else 0

    def take(self, update: Update, seen_ms: int) -> None:
        """Note an update."""
        self.shown.append(
            Shown(
                update.sequence,
                update.reset,
                update.time_ms,
                update.given_back_ms,
                digest_of(update),
                seen_ms,
            )
        )


@dataclass
class MatchRecord:
    """One match as its players and spectators know it."""

    match_id: str
    game: str
    room: str | None
    """The room that it was made in; None where several were asked."""
    viewers: list[Viewer] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """What a player should never hear."""
    goal: int = 0
    """The sequence that all its viewers are to see."""

    def late_viewers(self) -> list[Viewer]:
        """Those who have not seen it yet."""
        return [viewer for viewer in self.viewers if viewer.last_sequence < self.goal]


def digest_of(update: Update) -> bytes:
    """A short digest of what an update shows: the game's messages, and who may act."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    awaited = [(each.seat, each.decision) for each in update.awaited]
    for part in (update.common.value, update.own.value, repr(awaited).encode()):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()
