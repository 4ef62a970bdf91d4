"""What came of it: for programs as JSON, for people as a page, and in one line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.chaos.figures import Waits
from tests.chaos.schedule import Kind
from tests.chaos.stage import Hurt, Layout
from tests.witness.problems import Problem, Wrong

_ALWAYS_TOLD = (Wrong.LOST, Wrong.DOUBLED, Wrong.STUCK)
_COLUMNS = (
    *("faults", "takeovers", "takeover_p50_ms", "takeover_p99_ms", "takeover_max_ms"),
    *("takeovers_beside", "beside_p50_ms", "beside_p99_ms"),
    *("answers", "answer_p50_ms", "answer_p99_ms", "answer_max_ms"),
)


@dataclass(frozen=True)
class Report:
    """One run."""

    seed: int
    minutes: float
    layout: Layout
    counts: dict[str, int]
    """Matches, wishes, updates and the like."""
    refusals: dict[str, int]
    """Refused wishes by reason."""
    hurts: Sequence[Hurt]
    waits: dict[Kind, Waits]
    problems: Sequence[Problem]

    def verdict(self) -> str:
        """One line: `zero lost, zero doubled, zero stuck`, or how many of what."""
        found = Counter(problem.wrong for problem in self.problems)
        told = [f"{found[wrong] or 'zero'} {wrong}" for wrong in _ALWAYS_TOLD]
        told += [
            f"{found[wrong]} {wrong}"
            for wrong in Wrong
            if wrong not in _ALWAYS_TOLD and found[wrong]
        ]
        return ", ".join(told)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "seed": self.seed,
            "minutes": self.minutes,
            "layout": asdict(self.layout),
            "verdict": self.verdict(),
            "counts": self.counts,
            "refusals": self.refusals,
            "waits": {kind: waits.as_json() for kind, waits in self._by_kind()},
            "faults": [
                {**asdict(hurt.fault), "from_ms": hurt.from_ms, "until_ms": hurt.until_ms}
                for hurt in self.hurts
            ],
            "problems": [asdict(problem) for problem in self.problems],
        }

    def as_page(self) -> str:
        """The same as Markdown."""
        return "\n".join(
            [
                f"# Chaos, seed {self.seed}, {self.minutes:g} minutes",
                "",
                f"**{self.verdict()}**",
                "",
                f"{self.layout.rooms} rooms, {self.layout.nats} NATS servers, timer and bot. "
                + ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
                + ".",
                "",
                *self._waits_table(),
                "",
                "Takeovers count from the fault (where a room was drained: from when it let a match go) until a",
                "viewer saw the match go on elsewhere; beside: those into which a fault of NATS, or the time to get",
                "over one, fell as well. Answers are requests that were open while something was hurt.",
                "",
                *_table(("refused", "times"), sorted(self.refusals.items())),
                "",
                *self._faults_table(),
                *self._problems_list(),
                "",
            ]
        )

    def write(self, folder: Path) -> None:
        """Write `report.json` and `report.md`."""
        (folder / "report.json").write_text(json.dumps(self.as_json(), indent=1) + "\n")
        (folder / "report.md").write_text(self.as_page())

    def _by_kind(self) -> list[tuple[Kind, Waits]]:
        return [(kind, self.waits[kind]) for kind in Kind if kind in self.waits]

    def _waits_table(self) -> list[str]:
        rows: list[Sequence[object]] = []
        for kind, waits in self._by_kind():
            told = waits.as_json()
            rows.append([kind, *(told.get(column, "") for column in _COLUMNS)])
        return _table(("fault", *(column.replace("_", " ") for column in _COLUMNS)), rows)

    def _faults_table(self) -> list[str]:
        hurts = sorted(self.hurts, key=lambda hurt: hurt.fault.number)
        rows = [
            (
                *(hurt.fault.number, f"{hurt.fault.at_seconds:.1f}", hurt.fault.kind),
                *(hurt.fault.target, f"{(hurt.until_ms - hurt.from_ms) / 1000:.1f}"),
            )
            for hurt in hurts
        ]
        return _table(("", "at s", "fault", "target", "for s"), rows)

    def _problems_list(self) -> list[str]:
        if not self.problems:
            return []
        lines = [
            f"- {each.wrong}, match {each.match_id or '-'}: {each.text}" for each in self.problems
        ]
        return ["", "## What was wrong", "", *lines]


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A table in Markdown; nothing where there are no rows."""
    if not rows:
        return []
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]
