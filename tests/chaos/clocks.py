"""Whether players' clocks were charged for what they could not help: each outage has to be given back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.log.v1.entry_pb2 import Entry
from tests.chaos.schedule import Kind
from tests.chaos.stage import Hurt
from tests.witness.told import Step

#: Between the moment that a fault is noted and the one at which it takes effect, on a machine that is busy. Rooms know
#: the beginning of an outage only to a beat, and take the earlier end: nothing is allowed for that.
TOLERANCE_MS = 300
#: In these the room cannot store anything, and wakes up or is connected again when it is mended.
_ROOM_AWAY = frozenset({Kind.ROOM_PAUSED, Kind.ROOM_CUT_OFF, Kind.ROOM_UNANSWERED})


class Outage(NamedTuple):
    """A stretch in which a match could not go on for certain, milliseconds since the Unix epoch."""

    from_ms: int
    until_ms: int
    kind: Kind


class Reign(NamedTuple):
    """Which room had a match, and from when to when."""

    room: str | None
    """None where that is not known."""
    from_ms: int
    until_ms: int | None
    """When another one, or the same anew, took it over; None for the last."""


def reigns(first_room: str | None, entries: Sequence[Entry]) -> list[Reign]:
    """The rooms that had a match, as its log tells."""
    starts = [(first_room, entries[0].time_ms)]
    starts += [
        (entry.claimed.room_id, entry.time_ms) for entry in entries if entry.HasField("claimed")
    ]
    ends = [start for _, start in starts[1:]]
    return [
        Reign(room, start, end) for (room, start), end in zip(starts, [*ends, None], strict=True)
    ]


def outages(
    first_room: str | None, entries: Sequence[Entry], hurts: Sequence[Hurt]
) -> list[Outage]:
    """When a match could not go on, as far as that is certain."""
    had = reigns(first_room, entries)
    return [outage for hurt in hurts for outage in _outages_of(hurt, had)]


def _outages_of(hurt: Hurt, had: Sequence[Reign]) -> Iterator[Outage]:
    fault = hurt.fault
    if fault.kind is Kind.NATS_ALL_KILLED:
        yield Outage(hurt.from_ms, hurt.from_ms + int(1000 * fault.for_seconds), fault.kind)
    for reign in had:
        is_hit = (
            reign.room == fault.target
            and reign.from_ms <= hurt.from_ms
            and (reign.until_ms is None or hurt.from_ms < reign.until_ms)
        )
        if is_hit and fault.kind is Kind.ROOM_KILLED and reign.until_ms is not None:
            yield Outage(hurt.from_ms, reign.until_ms, fault.kind)
        elif is_hit and fault.kind in _ROOM_AWAY:
            mended_ms = hurt.from_ms + int(1000 * fault.for_seconds)
            yield Outage(hurt.from_ms, min(mended_ms, reign.until_ms or mended_ms), fault.kind)


def charges(steps: Sequence[Step], found: Sequence[Outage]) -> Iterator[str]:
    """The outages that a running clock was not given back; several before one entry have to be given back together."""
    before_entry: dict[int, list[Outage]] = defaultdict(list)
    for outage in found:
        index = sum(step.entry.time_ms < outage.until_ms for step in steps)
        if 0 < index < len(steps) and steps[index - 1].deadline_ms is not None:
            # Whatever was stored meanwhile shows that the match went on until then.
            began_ms = max(outage.from_ms, steps[index - 1].entry.time_ms)
            before_entry[index].append(outage._replace(from_ms=began_ms))
    for index, before in sorted(before_entry.items()):
        lasted_ms, entry = _lasted_ms(before), steps[index].entry
        if entry.given_back_ms < lasted_ms - TOLERANCE_MS:
            kinds = ", ".join(dict.fromkeys(outage.kind for outage in before))
            yield (
                f"{kinds}: {lasted_ms} ms before entry {entry.sequence}, "
                f"which gives back {entry.given_back_ms}"
            )


def _lasted_ms(found: Sequence[Outage]) -> int:
    """How long outages lasted together, each moment counted once."""
    total_ms = reached_ms = 0
    for outage in sorted(found):
        total_ms += max(0, outage.until_ms - max(outage.from_ms, reached_ms))
        reached_ms = max(reached_ms, outage.until_ms)
    return total_ms
