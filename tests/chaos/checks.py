"""Holds what players were told against the log of their match, and their clocks against what was hurt."""

from __future__ import annotations

from collections.abc import Sequence

from arena.log.v1.entry_pb2 import Entry
from tests.chaos.clocks import charges, outages
from tests.chaos.stage import Hurt
from tests.witness import checks
from tests.witness.checks import Found
from tests.witness.problems import Problem, Wrong
from tests.witness.record import MatchRecord
from tests.witness.told import Told


def check_match(
    record: MatchRecord, entries: Sequence[Entry], hurts: Sequence[Hurt], calm_ms: int
) -> list[Problem]:
    """All that is wrong with a match; `calm_ms`: when the last fault was over."""

    def clocks(told: Told) -> Found:
        """No clock paid for an outage."""
        for charge in charges(told.steps, outages(record.room, entries, hurts)):
            yield Wrong.CHARGED, charge

    return checks.check_match(record, entries, calm_ms, clocks)
