"""Holds what players were told against the log of their match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from arena.log.v1.entry_pb2 import Entry, RequestKey
from arena.room.v1.room_service_pb2 import Act
from arena_services.common.log.errors import CorruptLogError
from tests.witness.problems import Problem, Wrong
from tests.witness.record import Fate, MatchRecord, Shown, Viewer, Wish
from tests.witness.told import Told, fold_log

Found: TypeAlias = Iterator[tuple[Wrong, str]]


def _nothing(_: Told) -> Found:
    yield from ()


def check_match(
    record: MatchRecord,
    entries: Sequence[Entry],
    calm_ms: int,
    further: Callable[[Told], Found] = _nothing,
) -> list[Problem]:
    """All that is wrong with a match.

    Args:
        record: What its players were told.
        entries: Its log.
        calm_ms: When the last fault was over, milliseconds since the Unix epoch.
        further: Looks for more in the folded log.
    """
    try:
        told = fold_log(record, entries)
    except CorruptLogError as error:
        return [Problem(Wrong.CORRUPT, record.match_id, str(error))]
    found = [
        *_of_wishes(record.wishes, told),
        *_of_strangers(record.wishes, told),
        *(each for viewer in record.viewers for each in _of_viewer(viewer, told)),
        *_of_laggards(record),
        *_of_progress(told, calm_ms),
        *further(told),
        *((Wrong.TROUBLE, trouble) for trouble in record.troubles),
    ]
    return [Problem(wrong, record.match_id, text) for wrong, text in found]


def _of_wishes(wishes: Sequence[Wish], told: Told) -> Found:
    """Each acknowledged wish is in the log once, where its player was told; each refused one is not."""
    stored: dict[tuple[int, bytes, int], list[Entry]] = defaultdict(list)
    for step in told.steps:
        if (named := _key_of(step.entry)) is not None:
            stored[named].append(step.entry)
    for wish in wishes:
        found = stored[wish.seat, wish.session, wish.counter]
        name = f"seat {wish.seat}, request {wish.counter}"
        if len(found) > 1:
            yield Wrong.DOUBLED, f"{name}: entries {[entry.sequence for entry in found]}"
        if wish.fate is Fate.REFUSED and found:
            yield Wrong.REFUSED, f"{name}: {wish.reason}, yet entry {found[0].sequence}"
        if wish.fate is Fate.DONE and not any(_is_as_told(wish, entry) for entry in found):
            yield (
                Wrong.LOST,
                f"{name}: acknowledged as entry {wish.sequence}, which does not hold it",
            )


def _key_of(entry: Entry) -> tuple[int, bytes, int] | None:
    """Seat, session and counter of the request that an entry came with."""
    body: Any = getattr(entry, entry.WhichOneof("body") or "acted")
    key: RequestKey | None = getattr(body, "key", None)
    return None if key is None else (body.seat, key.session, key.counter)


def _is_as_told(wish: Wish, entry: Entry) -> bool:
    """Whether an entry is what was acknowledged, content included."""
    act = Act.FromString(wish.act)
    if entry.sequence != wish.sequence:
        return False
    if act.HasField("action"):
        return entry.acted.action == act.action and entry.acted.decision == act.decision
    return entry.HasField("seat_changed") and entry.seat_changed.is_bot == act.HasField("leave")


def _of_strangers(wishes: Sequence[Wish], told: Told) -> Found:
    """What is stored for a person was wished by that person."""
    asked = {(wish.seat, wish.session, wish.counter) for wish in wishes}
    for step in told.steps:
        named = _key_of(step.entry)
        if named is not None and named not in asked and not step.was_bots:
            yield Wrong.FOREIGN, f"entry {step.entry.sequence} of seat {named[0]}"


def _of_viewer(viewer: Viewer, told: Told) -> Found:
    """What a viewer saw is in the log, without gaps."""
    who, last = _named(viewer), 0
    for shown in viewer.shown:
        if not shown.is_reset and shown.sequence != last + 1:
            yield Wrong.GAP, f"{who}: {shown.sequence} after {last}"
        if shown.is_reset and shown.sequence < last:
            yield Wrong.GAP, f"{who}: back to {shown.sequence} after {last}"
        last = shown.sequence
        if (doubt := _doubt(shown, viewer.seat, told)) is not None:
            yield Wrong.UNFOUNDED, f"{who}: {doubt}"


def _of_laggards(record: MatchRecord) -> Found:
    for viewer in record.late_viewers():
        yield Wrong.BEHIND, f"{_named(viewer)}: saw {viewer.last_sequence} of {record.goal} entries"


def _named(viewer: Viewer) -> str:
    return "spectator" if viewer.seat is None else f"viewer of seat {viewer.seat}"


def _doubt(shown: Shown, seat: int | None, told: Told) -> str | None:
    """What about an update is not as the log has it."""
    if shown.sequence > len(told.steps):
        return f"{shown.sequence} shown, but the log ends with {len(told.steps)}"
    entry = told.steps[shown.sequence - 1].entry
    if shown.time_ms != entry.time_ms:
        return f"{shown.sequence} shown with time {shown.time_ms}, stored with {entry.time_ms}"
    if not shown.is_reset and shown.given_back_ms != entry.given_back_ms:
        return f"{shown.sequence} shown to give back {shown.given_back_ms} ms, stored {entry.given_back_ms}"
    if shown.digest != told.digests[shown.sequence, shown.is_reset, seat]:
        return f"the position of {shown.sequence} is not the one that was shown"
    return None


def _of_progress(told: Told, calm_ms: int) -> Found:
    """The match has ended, or moved on after the last fault."""
    last = told.steps[-1].entry
    if not told.is_over and last.time_ms <= calm_ms:
        waited = (calm_ms - last.time_ms) / 1000
        yield (
            Wrong.STUCK,
            f"nothing after entry {last.sequence}, {waited:.1f} s before all was calm",
        )
