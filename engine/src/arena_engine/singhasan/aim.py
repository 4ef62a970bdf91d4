"""Acts that may be aimed at rivals: paid for at once, then a window for those who can raise the Shield of Troy.

Marches, powers and Conspiracies go this way, those that are aimed at nobody straight through.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from arena_engine.singhasan.cards import aims_at, finish_play, pay_play
from arena_engine.singhasan.events import ShieldAnswered, ShieldAsked
from arena_engine.singhasan.interrupts import interrupt
from arena_engine.singhasan.legends import HECTOR, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.march import finish_march, march_aims, pay_march
from arena_engine.singhasan.packing import FIRST, MARCH, PLAY, SHIELD, field, kind_of
from arena_engine.singhasan.phases import SHIELD as SHIELD_PHASE
from arena_engine.singhasan.position import FACT_POWERS, KINDS, USED_SHIELD, Position
from arena_engine.singhasan.powers import finish_power, pay_power, power_aims
from arena_engine.singhasan.stock import BY_POWER, OATH, lose

#: What the Shield of Troy costs, in Oath.
SHIELD_OATH: Final = 1


def aims_of(p: Position, seat: i64, action: i64) -> i64:
    """Bits of the rivals that a packed act is aimed at."""
    kind = kind_of(action)
    if kind == MARCH:
        aims = march_aims(seat, action)
    elif kind == PLAY:
        aims = aims_at(p, seat, action)
    else:
        aims = power_aims(action)
    return aims & ~(i64(1) << seat)


def can_raise(p: Position, seat: i64) -> bool:
    """Whether a seat could raise the Shield of Troy now."""
    return (
        level(p, seat, HECTOR) > 0
        and p.used[seat] & USED_SHIELD == 0
        and p.stock[seat * KINDS + OATH] >= SHIELD_OATH
    )


def start(p: Position, seat: i64, action: i64, now_ms: i64) -> None:
    """Pay for an act; let it happen, unless somebody it is aimed at can raise the Shield and has to be asked first."""
    p.pending = action
    p.pending_seat = seat
    p.aimed = aims_of(p, seat, action)
    p.shielded = 0
    p.asked = 0
    for rival in range(p.board.players):
        if p.aimed >> rival & 1 and can_raise(p, rival):
            p.asked |= i64(1) << rival
    _pay(p, seat, action)
    if p.asked == 0:
        resolve(p)
        return
    interrupt(p, SHIELD_PHASE, now_ms)
    if p.log is not None:
        for rival in range(p.board.players):
            if p.asked >> rival & 1:
                p.log.append(ShieldAsked(rival))


def _pay(p: Position, seat: i64, action: i64) -> None:
    kind = kind_of(action)
    if kind == MARCH:
        pay_march(p, action)
    elif kind == PLAY:
        pay_play(p, seat, action)
    else:
        pay_power(p, seat, action)


def fill_shield(out: ActionList) -> None:
    """Append raising the Shield, and not."""
    out.add(SHIELD | (1 << FIRST))
    out.add(SHIELD)


def do_shield(p: Position, seat: i64, action: i64) -> None:
    """Take one answer; with the last one, what is left of the act happens."""
    is_raised = field(action, FIRST) != 0
    p.asked &= ~(i64(1) << seat)
    if p.log is not None:
        p.log.append(ShieldAnswered(seat, is_raised))
    if is_raised:
        p.shielded |= i64(1) << seat
        p.used[seat] |= USED_SHIELD
        p.facts[FACT_POWERS * p.board.players + seat] += 1
        lose(p, seat, OATH, SHIELD_OATH, BY_POWER)
    if p.asked == 0:
        resolve(p)


def expire_shield(p: Position) -> None:
    """Let the window close: who has not answered does not raise the Shield."""
    for rival in range(p.board.players):
        if p.asked >> rival & 1 and p.log is not None:
            p.log.append(ShieldAnswered(rival, is_raised=False))
    p.asked = 0
    resolve(p)


def resolve(p: Position) -> None:
    """Let the pending act happen, but for those who raised the Shield."""
    action = p.pending
    seat = p.pending_seat
    shielded = p.shielded
    p.pending = 0
    p.pending_seat = -1
    p.aimed = 0
    p.shielded = 0
    kind = kind_of(action)
    if kind == MARCH:
        finish_march(p, seat, action, shielded)
    elif kind == PLAY:
        finish_play(p, seat, action, shielded)
    else:
        finish_power(p, seat, action, shielded)
