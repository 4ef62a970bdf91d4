"""Headlines that are turned up: the end of a turn brings them, `effects` carries them out."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan.effects import begin, run
from arena_engine.singhasan.events import HeadlineTurned
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.programs import HEADLINE


def start_headline(p: Position, seat: i64, headline: i64) -> None:
    """Turn up a Headline that a seat called, and carry it out as far as it goes without somebody's choice."""
    if p.log is not None:
        p.log.append(HeadlineTurned(seat, headline))
    begin(p, HEADLINE + headline, seat, 0)
    run(p)
