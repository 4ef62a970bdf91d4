"""What may turn out to be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Wrong(StrEnum):
    """In what way. The first three are always told of, the others where there are any."""

    LOST = "lost"
    """Acknowledged, and not in the log as it was acknowledged."""
    DOUBLED = "doubled"
    """In the log more than once."""
    STUCK = "stuck"
    """A match that did not go on once nothing was hurt any more."""
    UNFOUNDED = "shown unfounded"
    """Shown to somebody, and not what the log says."""
    GAP = "gaps"
    """Updates left out, repeated or out of order."""
    BEHIND = "left behind"
    """A viewer who was not shown the end of what happened."""
    CHARGED = "clocks charged"
    """An outage that was not given back."""
    REFUSED = "refused yet stored"
    FOREIGN = "stored unasked"
    """In the log for a person, and wished by nobody."""
    CORRUPT = "logs that do not replay"
    TROUBLE = "troubles"
    """What a player, or whoever watches over processes, should never meet."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    wrong: Wrong
    match_id: str
    """Empty where it belongs to none."""
    text: str
