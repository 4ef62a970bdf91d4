"""What may be answered to a hostile request, and what is noted where something else was."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import grpc

_REASON = re.compile(r"[A-Z][A-Z0-9_]*")
#: What no sentence for people holds: names of Python's own things, its ways of writing values, places in memory.
_PYTHON = re.compile(
    r"Traceback|\b\w*(?:Error|Exception|Warning)\b\(?|<class|<[\w.]+ object| at 0x|NoneType|\bNone\b|"
    r"\bb'|\bdict\b|\btuple\b|\bkwargs|__\w+__|_pb2|codec can't|is not a valid \w|\.py\b|lambda"
)
_OK = grpc.StatusCode.OK
_FAULTS = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
#: Beyond this the connection or the edge answers, without our words; so it does for what is routed nowhere.
_WITHOUT_REASON = {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNIMPLEMENTED}
_MOST_KEPT = 20


@dataclass
class Findings:
    """Counts of all answers, and the first of those that should not be."""

    asked: Counter[str] = field(default_factory=Counter)
    """Requests by kind."""
    answers: Counter[str] = field(default_factory=Counter)
    """By code and reason."""
    faults: list[str] = field(default_factory=list)
    fault_count: int = 0

    def answered(self, what: str, code: grpc.StatusCode, reason: str, message: str) -> None:
        """Judge one answer; `what` says in a few words what was asked."""
        self.answers[f"{code.name} {reason}".strip()] += 1
        said = f"{what}: {code.name} {reason}: {message[:300]}"
        if code is _OK:
            return
        if code in _FAULTS:
            self.fault(f"a fault of ours: {said}")
        elif not reason and code not in _WITHOUT_REASON:
            self.fault(f"no reason: {said}")
        elif reason and not _REASON.fullmatch(reason):
            self.fault(f"reason that is not for programs: {said}")
        elif reason and not message:
            self.fault(f"no sentence: {said}")
        elif reason and (found := _PYTHON.search(message)):
            self.fault(f"Python's words ({found[0]}): {said}")

    def fault(self, text: str) -> None:
        """Note what must not be."""
        self.fault_count += 1
        if len(self.faults) < _MOST_KEPT:
            self.faults.append(text)
