"""What an entry says in its NATS headers, for services that may not read entries: whose turn it is and until when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

#: One header with short keys: NATS clients parse headers line by line, and readers read one for every move.
_HEADER = "Arena"
_TRACEPARENT = "traceparent"
#: Stands in the result of a match that was closed without one.
NO_PLACES = "-"


class EntryHeaders(NamedTuple):
    """The position after an entry, as far as timer, bots and ratings need it."""

    sequence: int
    """The match's sequence of this entry."""
    time_ms: int
    """The entry's time."""
    epoch: int
    """The writer's epoch."""
    append_id: str
    """The append's id, in hex."""
    game: str
    """The game's registered name."""
    decision: int = 0
    """The lowest open decision; 0 when none is."""
    deadline_ms: int | None = None
    """When its clock runs out, on the log's time base; None while no clock runs."""
    awaited: tuple[int, ...] = ()
    """Seats that may act now."""
    bots: tuple[int, ...] = ()
    """Those of them that bots play now."""
    result: str = ""
    """Once the match has ended: how, and each seat's place, as `escape 1,2,2,4`."""
    rules_version: int = 0
    """The version of the rules it is played by, which tells which rooms may take the match over."""
    traceparent: str = ""
    """The span that wrote it, where that is traced. A header of its own, which whoever appends adds."""

    @property
    def how(self) -> str:
        """How the match ended; empty while it goes on."""
        return self.result.partition(" ")[0]

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place once the match has ended with a result; otherwise empty."""
        places = self.result.partition(" ")[2]
        return () if places == NO_PLACES else _numbers(places)

    def to_nats(self) -> dict[str, str]:
        """As NATS headers."""
        parts = [
            f"seq={self.sequence};time={self.time_ms};epoch={self.epoch};append={self.append_id}",
            f"game={self.game};rules={self.rules_version}",
        ]
        if self.decision:
            parts.append(f"decision={self.decision}")
        if self.deadline_ms is not None:
            parts.append(f"deadline={self.deadline_ms}")
        if self.awaited:
            parts.append(f"awaited={_joined(self.awaited)}")
        if self.bots:
            parts.append(f"bots={_joined(self.bots)}")
        if self.result:
            parts.append(f"result={self.result}")
        return {_HEADER: ";".join(parts)}

    @classmethod
    def from_nats(cls, headers: Mapping[str, str]) -> EntryHeaders:
        """From NATS headers; keys of later builds are passed over. Raises KeyError or ValueError for something else."""
        said = dict(part.split("=", 1) for part in headers[_HEADER].split(";"))
        deadline = said.get("deadline")
        return cls(
            sequence=int(said["seq"]),
            time_ms=int(said["time"]),
            epoch=int(said["epoch"]),
            append_id=said["append"],
            game=said["game"],
            decision=int(said.get("decision", 0)),
            deadline_ms=None if deadline is None else int(deadline),
            awaited=_numbers(said.get("awaited", "")),
            bots=_numbers(said.get("bots", "")),
            result=said.get("result", ""),
            rules_version=int(said["rules"]),
            traceparent=headers.get(_TRACEPARENT, ""),
        )


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",")) if text else ()
