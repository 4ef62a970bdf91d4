"""How long what was hurt kept players waiting, by kind of fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.log.v1.entry_pb2 import Entry
from tests.bench.windows import percentile
from tests.chaos.clocks import reigns
from tests.chaos.schedule import Kind
from tests.chaos.stage import Hurt
from tests.witness.record import MatchRecord

#: A room that takes a match over later than this does so for another reason.
_LATEST_MS = 20_000


@dataclass
class Waits:
    """What one kind of fault did, in milliseconds."""

    faults: int = 0
    takeovers: list[float] = field(default_factory=list)
    """From the fault until a viewer saw the match go on in another room; of a drained room: from when it let it go."""
    takeovers_beside: list[float] = field(default_factory=list)
    """The same, where a fault of NATS, or what it takes to get over one, fell into that time: both are waited for."""
    answers: list[float] = field(default_factory=list)
    """How long requests took that were open while something was hurt."""

    def as_json(self) -> dict[str, float]:
        """Counts, and p50, p99 and the longest in milliseconds."""
        told: dict[str, float] = {"faults": self.faults}
        lists = (
            ("takeovers", "takeover", self.takeovers),
            ("takeovers_beside", "beside", self.takeovers_beside),
            ("answers", "answer", self.answers),
        )
        for count, name, values in lists:
            told[count] = len(values)
            if values:
                told[f"{name}_p50_ms"] = round(percentile(values, 0.5))
                told[f"{name}_p99_ms"] = round(percentile(values, 0.99))
                told[f"{name}_max_ms"] = round(max(values))
        return told


class Tally:
    """All waits, by kind of fault."""

    def __init__(self, hurts: Sequence[Hurt]) -> None:
        self.waits: dict[Kind, Waits] = defaultdict(Waits)
        self._hurts = hurts
        for hurt in hurts:
            self.waits[hurt.fault.kind].faults += 1

    def add(self, record: MatchRecord, entries: Sequence[Entry]) -> None:
        """Count a match in."""
        for hurt, began_ms, seen_ms in self._takeovers(record, entries):
            waits = self.waits[hurt.fault.kind]
            is_beside = self._is_nats_hurt_beside(hurt, began_ms, seen_ms)
            (waits.takeovers_beside if is_beside else waits.takeovers).append(seen_ms - began_ms)
        for hurt in self._hurts:
            self.waits[hurt.fault.kind].answers += [
                wish.answered_ms - wish.sent_ms
                for wish in record.wishes
                if wish.sent_ms <= hurt.until_ms and wish.answered_ms >= hurt.from_ms
            ]

    def _takeovers(
        self, record: MatchRecord, entries: Sequence[Entry]
    ) -> Iterator[tuple[Hurt, float, float]]:
        """What each was for, when it began, and when a viewer saw it."""
        claims = [entry for entry in entries if entry.HasField("claimed")]
        for reign, claim in zip(reigns(record.room, entries), claims, strict=False):
            hurt = self._find(reign.room, claim.time_ms)
            if hurt is None:
                continue
            began_ms = hurt.from_ms
            if hurt.fault.kind is Kind.ROOM_DRAINED:
                # What is given back may hold an earlier outage, behind which nobody has acted yet.
                began_ms = max(began_ms, claim.time_ms - claim.given_back_ms)
            for viewer in record.viewers:
                seen = (each.seen_ms for each in viewer.shown if each.sequence >= claim.sequence)
                if (first := next(seen, None)) is not None:
                    yield hurt, began_ms, first

    def _is_nats_hurt_beside(self, own: Hurt, began_ms: float, seen_ms: float) -> bool:
        return any(
            hurt.fault.part == "nats"
            and hurt.from_ms <= seen_ms
            and began_ms <= hurt.until_ms + hurt.fault.rest_seconds * 1000
            for hurt in self._hurts
            if hurt is not own
        )

    def _find(self, room: str | None, claimed_ms: int) -> Hurt | None:
        """The fault for which a room lost a match: the last one of its own, otherwise of NATS."""
        before = [
            hurt for hurt in self._hurts if hurt.from_ms <= claimed_ms <= hurt.until_ms + _LATEST_MS
        ]
        of_room = [hurt for hurt in before if hurt.fault.target == room]
        of_nats = [hurt for hurt in before if hurt.fault.target.startswith("nats")]
        return max(of_room or of_nats, key=lambda hurt: hurt.from_ms, default=None)
