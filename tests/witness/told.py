"""A match as its log tells it: every entry folded, every hash compared, and what viewers may have been shown of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.log.v1.entry_pb2 import Entry
from arena.room.v1.room_service_pb2 import Awaited, Update
from arena_services.common.log.fold import Fold, fold_entry
from tests.witness.record import MatchRecord, digest_of


class Step(NamedTuple):
    """An entry, and what was so before and after it."""

    entry: Entry
    was_bots: bool
    """A seat acted that a bot had."""
    deadline_ms: int | None
    """Of the clock that runs after it."""


@dataclass(frozen=True)
class Told:
    """A whole log, folded."""

    steps: Sequence[Step]
    is_over: bool
    digests: dict[tuple[int, bool, int | None], bytes]
    """What viewers are shown, as far as any was: by sequence, whether it is a reset, and seat."""


def fold_log(record: MatchRecord, entries: Sequence[Entry]) -> Told:
    """Fold a log with every hash compared. Raises `CorruptLogError`."""
    wanted: dict[int, set[tuple[bool, int | None]]] = defaultdict(set)
    for viewer in record.viewers:
        for shown in viewer.shown:
            wanted[shown.sequence].add((shown.is_reset, viewer.seat))
    fold: Fold | None = None
    steps: list[Step] = []
    digests: dict[tuple[int, bool, int | None], bytes] = {}
    for entry in entries:
        was_bots = (
            fold is not None and entry.HasField("acted") and fold.state.is_bot(entry.acted.seat)
        )
        fold, events = fold_entry(record.match_id, fold, entry)
        fold.verify(entry)
        steps.append(Step(entry, was_bots, fold.deadline_ms))
        for is_reset, seat in wanted.get(entry.sequence, ()):
            position = _position(fold, () if is_reset else events, seat)
            digests[entry.sequence, is_reset, seat] = digest_of(position)
    return Told(steps, fold is not None and fold.is_over, digests)


def _position(fold: Fold, events: Sequence[Any], seat: int | None) -> Update:
    """What a viewer is shown of a position."""
    update = Update()
    update.common.value = fold.hosted.common.write(fold.state.common(events))
    if seat is not None:
        update.own.value = fold.hosted.own.write(fold.state.own(seat, events))
    if not fold.is_over:
        update.awaited.extend(
            Awaited(seat=each.seat, decision=each.decision) for each in fold.state.awaited()
        )
    return update
