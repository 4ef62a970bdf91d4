"""Oaths of provinces: sworn and broken the moment a count crosses the number a province swears at."""

from __future__ import annotations

from mypy_extensions import i64

from arena_engine.singhasan.ending import check_end
from arena_engine.singhasan.events import ProvinceBroke, ProvinceSworn
from arena_engine.singhasan.position import FACT_SWORN, Position


def settle(p: Position, province: i64) -> None:
    """Check a province after any change in it: first it breaks, then it swears, then the end is looked for."""
    swears = p.board.swears[province]
    holder = p.sworn[province]
    if holder >= 0 and p.followers(holder, province) < swears:
        p.sworn[province] = -1
        if p.log is not None:
            p.log.append(ProvinceBroke(holder, province))
    if p.sworn[province] < 0:
        _swear(p, province, swears)
    check_end(p)


def _swear(p: Position, province: i64, swears: i64) -> None:
    for seat in range(p.board.players):
        if p.followers(seat, province) >= swears:
            p.sworn[province] = seat
            p.facts[FACT_SWORN * p.board.players + seat] += 1
            if p.log is not None:
                p.log.append(ProvinceSworn(seat, province))
            return
