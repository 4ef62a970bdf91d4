"""A person who plays, any legal way."""

from __future__ import annotations

import asyncio
from random import Random

from arena_services.client import Seat


async def act(seat: Seat, acts: int, *, every_seconds: float = 0) -> None:
    """Act so many times in decisions of the person's own; returns when the next one is open, or the match over."""
    rng = Random(1)
    steps = seat.steps()
    while True:
        while not seat.sequence or seat.decision is None or not seat.is_up_to_date:
            if seat.sequence and seat.outcome:
                return
            await anext(steps)
        if not acts:
            return
        acts -= 1
        step = seat.latest
        state = seat.game.game.resample(step.common, step.own, seat.number, rng)
        await seat.act(state.unpack(next(iter(state.legal_actions(seat.number)))))
        await asyncio.sleep(every_seconds)
