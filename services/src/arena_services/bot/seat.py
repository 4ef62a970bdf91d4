"""One seat that a bot plays: what it has seen, what it is deciding, what it has asked for. Pure: no I/O, no clock.

Each event gives back what to do next: a `Think`, a `Send`, a `Leave`, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1.room_service_pb2 import Act, Error, Update
from arena_services.common.pauses import growing

_FIRST_RETRY_SECONDS = 0.1
_LONGEST_RETRY_SECONDS = 3.0

#: The decision is not ours to make any more; an update says what is.
_CLOSED_REASONS = frozenset({"DECISION_CLOSED", "NOT_YOUR_TURN"})
#: The seat is not a bot's any more, or there is nothing left to do.
_GONE_REASONS = frozenset({"MATCH_FINISHED", "SEAT_HAS_PERSON", "NO_SUCH_SEAT"})
#: Whatever we asked for, it was not carried out and will not be as it stands.
_REFUSED_CODES = frozenset(
    code.value[0]
    for code in (
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.OUT_OF_RANGE,
    )
)
#: The seat, or the match, is not there for us.
_GONE_CODES = frozenset(
    code.value[0] for code in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED)
)


@dataclass(frozen=True)
class Think:
    """Decide, and then call `Seat.chosen`."""

    decision: int
    after_seconds: float = 0.0
    """Wait so long first, because something went wrong."""


@dataclass(frozen=True)
class Send:
    """Send this request, under the id of its key's counter."""

    act: Act
    after_seconds: float = 0.0
    """Wait so long first, because something went wrong."""


@dataclass(frozen=True)
class Leave:
    """There is nothing left to do for this seat."""


Step = Think | Send | Leave | None


@dataclass
class Seat:
    """A seat of a match that is attached to this process's stream."""

    match_id: str
    seat: int
    game: str
    rules_version: int
    attach_id: int = 0
    """Id of the request that attached it last."""
    latest: Update | None = None
    """The newest update."""
    pending: Act | None = None
    """What was sent and has no answer yet; kept, key and all, until it has one."""
    thinking: int | None = None
    """The decision that is being made."""
    _closed: int = 0
    """A decision that the room told us is closed, before an update did."""
    _acted_at: int = 0
    """Sequence of our last action: older updates do not know of it."""
    _failures: int = 0
    """How often in a row something was refused."""

    @property
    def sequence(self) -> int:
        """The last sequence seen."""
        return self.latest.sequence if self.latest else 0

    def updated(self, update: Update) -> Step:
        """The match moved on."""
        self.latest = update
        if update.HasField("outcome"):
            return Leave()
        if update.seats and not update.seats[self.seat].is_bot:
            return Leave()  # its person took it back
        return None if self.pending else self._consider()

    def chosen(self, decision: int, action: AnyMessage, key: RequestKey) -> Step:
        """A decision was made."""
        if self.thinking != decision:
            return None  # closed meanwhile
        self.thinking = None
        self.pending = Act(key=key, decision=decision, action=action)
        return Send(self.pending)

    def failed_to_choose(self, decision: int) -> Step:
        """No decision could be made, by a fault of ours."""
        if self.thinking != decision:
            return None
        return Think(decision, self._pause())

    def acted(self, request_id: int, sequence: int) -> Step:
        """The room stored our action."""
        if not self._is_pending(request_id):
            return None
        self.pending = None
        self._failures = 0
        self._acted_at = sequence
        return self._consider()

    def refused(self, request_id: int, error: Error) -> Step:
        """The room refused our action, or could not say."""
        if self.pending is None or not self._is_pending(request_id):
            return None
        if error.code in _GONE_CODES or error.reason in _GONE_REASONS:
            return Leave()
        if error.reason in _CLOSED_REASONS:
            self._closed, self.pending = self.pending.decision, None
            return self._consider()
        if error.code in _REFUSED_CODES:
            self.thinking, self.pending = self.pending.decision, None
            return Think(self.thinking, self._pause())
        # The outcome is not known: ask again under the same key.
        return Send(self.pending, self._pause())

    def not_attached(self, error: Error) -> float | None:
        """The room would not attach us: after how many seconds to try again, or None to leave."""
        if error.code in _GONE_CODES or error.code in _REFUSED_CODES:
            return None
        return self._pause()

    def _consider(self) -> Step:
        """Think about the open decision, if there is one that is not being made already."""
        if self.latest is None or self.latest.sequence < self._acted_at:
            return None
        opened = next((a.decision for a in self.latest.awaited if a.seat == self.seat), None)
        if opened is None or opened == self._closed:
            self.thinking = None
            return None
        if opened == self.thinking:
            return None
        self.thinking = opened
        return Think(opened)

    def _is_pending(self, request_id: int) -> bool:
        return self.pending is not None and self.pending.key.counter == request_id

    def _pause(self) -> float:
        self._failures += 1
        return growing(_FIRST_RETRY_SECONDS, _LONGEST_RETRY_SECONDS, self._failures - 1)
