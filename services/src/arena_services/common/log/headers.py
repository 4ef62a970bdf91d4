"""What an entry says in its NATS headers, for services that may not read entries: whose turn it is and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SEQUENCE = "Arena-Sequence"
_TIME = "Arena-Time"
_EPOCH = "Arena-Epoch"
_APPEND = "Arena-Append"
_GAME = "Arena-Game"
_RULES = "Arena-Rules"
_DECISION = "Arena-Decision"
_DEADLINE = "Arena-Deadline"
_AWAITED = "Arena-Awaited"
_BOTS = "Arena-Bots"
_RESULT = "Arena-Result"


@dataclass(frozen=True)
class EntryHeaders:
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

    def to_nats(self) -> dict[str, str]:
        """As NATS headers."""
        headers = {
            _SEQUENCE: str(self.sequence),
            _TIME: str(self.time_ms),
            _EPOCH: str(self.epoch),
            _APPEND: self.append_id,
            _GAME: self.game,
            _RULES: str(self.rules_version),
        }
        if self.decision:
            headers[_DECISION] = str(self.decision)
        if self.deadline_ms is not None:
            headers[_DEADLINE] = str(self.deadline_ms)
        if self.awaited:
            headers[_AWAITED] = _joined(self.awaited)
        if self.bots:
            headers[_BOTS] = _joined(self.bots)
        if self.result:
            headers[_RESULT] = self.result
        return headers

    @classmethod
    def from_nats(cls, headers: Mapping[str, str]) -> EntryHeaders:
        """From NATS headers. Raises KeyError or ValueError for those of something else."""
        deadline = headers.get(_DEADLINE)
        return cls(
            sequence=int(headers[_SEQUENCE]),
            time_ms=int(headers[_TIME]),
            epoch=int(headers[_EPOCH]),
            append_id=headers[_APPEND],
            game=headers[_GAME],
            decision=int(headers.get(_DECISION, 0)),
            deadline_ms=None if deadline is None else int(deadline),
            awaited=_numbers(headers.get(_AWAITED, "")),
            bots=_numbers(headers.get(_BOTS, "")),
            result=headers.get(_RESULT, ""),
            rules_version=int(headers.get(_RULES, 0)),
        )


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",")) if text else ()
