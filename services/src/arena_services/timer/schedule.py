"""Which match's clock runs out when: a heap with one live alarm for each match. Pure: times come in as arguments.

Times are seconds on one monotonic base of the caller's choice. A match that moves on mostly gets a later deadline, so
its item in the heap stays where it is and is put off only when it comes up: that keeps about one item a match.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alarm:
    """A decision whose clock has run out by our reckoning."""

    match_id: str
    decision: int
    """The lowest open decision, as the log's headers gave it."""
    due: float
    """When it was to ring."""
    attempts: int
    """How often it rang before."""
    cause: str = ""
    """Traceparent of what set it, where that is traced."""


@dataclass(slots=True)
class _Entry:
    decision: int
    due: float
    queued: float | None
    """Time of the heap item that stands for this entry; None once it has rung."""
    attempts: int = 0
    cause: str = ""


class Schedule:
    """The alarms of all matches."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._heap: list[tuple[float, str]] = []

    def __len__(self) -> int:
        """How many matches have an alarm, those that rang and are not settled included."""
        return len(self._entries)

    def arm(self, match_id: str, decision: int, due: float, cause: str = "") -> None:
        """Set a match's alarm, in place of the one it had."""
        entry = self._entries.get(match_id)
        if entry is None:
            entry = self._entries[match_id] = _Entry(decision, due, None)
        else:
            entry.decision, entry.due, entry.attempts = decision, due, 0
        entry.cause = cause
        self._queue(match_id, entry)

    def disarm(self, match_id: str) -> None:
        """No clock of this match runs now."""
        self._entries.pop(match_id, None)

    def ring_again(self, alarm: Alarm, due: float, *, is_failure: bool) -> None:
        """Set an alarm that rang once more, unless its match has moved on meanwhile."""
        entry = self._entry_of(alarm)
        if entry is not None:
            entry.due = due
            entry.attempts = alarm.attempts + 1 if is_failure else 0
            self._queue(alarm.match_id, entry)

    def settle(self, alarm: Alarm) -> None:
        """Forget an alarm that rang and was heard, unless its match has moved on meanwhile."""
        if self._entry_of(alarm) is not None:
            del self._entries[alarm.match_id]

    def is_current(self, alarm: Alarm) -> bool:
        """Whether the match of an alarm that rang is still where it was."""
        return self._entry_of(alarm) is not None

    def next_due(self) -> float | None:
        """When to look again: no alarm rings before; None while there is none."""
        return self._heap[0][0] if self._heap else None

    def pop_due(self, now: float, at_most: int) -> list[Alarm]:
        """Let the alarms that are due ring, the earliest first."""
        rung: list[Alarm] = []
        while self._heap and self._heap[0][0] <= now and len(rung) < at_most:
            queued, match_id = heapq.heappop(self._heap)
            entry = self._entries.get(match_id)
            if entry is None or entry.queued != queued:
                continue  # disarmed, or a later item stands for it
            entry.queued = None
            if entry.due > now:
                self._queue(match_id, entry)
            else:
                rung.append(Alarm(match_id, entry.decision, entry.due, entry.attempts, entry.cause))
        return rung

    def _queue(self, match_id: str, entry: _Entry) -> None:
        if entry.queued is None or entry.due < entry.queued:
            entry.queued = entry.due
            heapq.heappush(self._heap, (entry.due, match_id))

    def _entry_of(self, alarm: Alarm) -> _Entry | None:
        """The entry of an alarm that rang, while it is neither replaced nor disarmed."""
        entry = self._entries.get(alarm.match_id)
        if entry is None or entry.queued is not None or entry.decision != alarm.decision:
            return None
        return entry
