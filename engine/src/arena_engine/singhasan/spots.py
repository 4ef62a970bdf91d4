"""Single targets: a spot that something can be aimed at, and the verdict on aiming it there."""

from __future__ import annotations

from dataclasses import replace

from arena_engine.singhasan.actions import unpack
from arena_engine.singhasan.explain import explain
from arena_engine.singhasan.kinds import Ideology
from arena_engine.singhasan.messages import Target
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.previews import preview


def spot(
    province: int | None = None,
    *,
    rival: int | None = None,
    kind: Ideology = Ideology.UNSPECIFIED,
    count: int = 0,
    reason: str = "",
) -> Target:
    """A target without an action: not legal for a reason, or (without one) with more to be chosen."""
    return Target(province, rival, kind, count, None, reason, None)


def judged(p: Position, seat: int, target: Target, action: int) -> Target:
    """A spot with the action that goes there and its preview, or with the reason why there is none."""
    if reason := explain(p, seat, action):
        return replace(target, reason=reason)
    return replace(target, action=unpack(action), preview=preview(p, seat, action))
