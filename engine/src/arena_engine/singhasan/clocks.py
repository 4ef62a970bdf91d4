"""The clocks: how long each window is open at each speed, what stands still meanwhile, and the time bank.

All in milliseconds. `Position.deadline` is when the window under way closes, -1 where no clock runs. In the act step
it counts the time bank in as soon as its claimant has acted: the bank is then what is left beyond the act clock.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan.position import Position, with_value

# Windows.
CLAIM_CLOCK: Final = 0
COURT_CLOCK: Final = 1
ANSWER_CLOCK: Final = 2
ACT_CLOCK: Final = 3
REACTION_CLOCK: Final = 4
BANK: Final = 5
_WINDOWS: Final = 6

_UNHURRIED: Final = 3
_STANDARD: Final = [30_000, 8_000, 45_000, 120_000, 10_000, 120_000]
_SWIFT: Final = [ms // 2 for ms in _STANDARD]
#: By `kinds.Speed` from 1, in the order of the windows.
_LENGTHS: Final = vec[i64](_STANDARD + _SWIFT)


def length(p: Position, window: i64) -> i64:
    """How long a window is open; 0 in an Unhurried match, which has no clocks."""
    return 0 if p.speed == _UNHURRIED else _LENGTHS[(p.speed - 1) * _WINDOWS + window]


def start(p: Position, window: i64, now_ms: i64, extra_ms: i64 = 0) -> None:
    """Start the clock of a window."""
    if p.speed == _UNHURRIED:
        p.deadline = -1
    else:
        p.deadline = now_ms + length(p, window) + extra_ms


def left(p: Position, now_ms: i64) -> i64:
    """What is left of the running clock; 0 where none runs."""
    return p.deadline - now_ms if p.deadline > now_ms else 0


def pause(p: Position, now_ms: i64) -> None:
    """Let the running clock stand still."""
    p.act_ms = left(p, now_ms) if p.deadline >= 0 else -1
    p.deadline = -1


def resume(p: Position, now_ms: i64) -> None:
    """Let the clock go on that stood still."""
    p.deadline = now_ms + p.act_ms if p.act_ms >= 0 else -1
    p.act_ms = -1


def note_act(p: Position) -> None:
    """Note that the active claimant has acted: from now on its time bank stands behind the act clock."""
    if p.has_acted == 0:
        p.has_acted = 1
        clear_misses(p, p.turn)
        if p.deadline >= 0:
            p.deadline += p.bank_ms[p.turn]


def clear_misses(p: Position, seat: i64) -> None:
    """End a seat's run of misses: it has answered, acted, ended its turn by hand, or come back."""
    if p.missed_run[seat] != 0:
        p.missed_run = with_value(p.missed_run, seat, 0)


def stop_act(p: Position, now_ms: i64) -> None:
    """Stop the act clock at the end of a turn; what it took beyond itself is gone from the time bank."""
    if p.deadline >= 0 and p.has_acted != 0:
        rest = left(p, now_ms)
        if rest < p.bank_ms[p.turn]:
            p.bank_ms = with_value(p.bank_ms, p.turn, rest)
    p.deadline = -1
