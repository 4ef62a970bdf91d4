"""When Python looks for garbage that reference counts do not free: a little all the time, everything hardly ever.

By itself CPython looks through all objects whenever a quarter of them is new. A room whose matches replace their
positions with every move so stands still every few seconds, for 0.8 s with a thousand matches, and finds nothing. Here
objects are looked at once, while they are young, and then set aside; all of them are only looked at when memory has
grown so much that something must have been left behind. What lives long and ends often, such as a stream, therefore
takes care to leave no circle of references. See docs/adr/0021.
"""

from __future__ import annotations

import asyncio
import gc
import sys

#: New objects that are looked through at a time: some milliseconds.
_YOUNG = 5_000
_NEVER = 1_000_000_000
#: Python counts what is new less what is freed: where each new object takes an old one's place, time has to tell.
_EVERY_SECONDS = 0.25
#: How much memory may grow before all objects are looked at, and how often that is asked.
_GROWTH = 1.5
_LOOKS = 40


async def tend() -> None:
    """Look after garbage for as long as the process runs."""
    gc.set_threshold(_YOUNG, _NEVER, _NEVER)
    blocks = _collect_all()
    look = 0
    while True:
        await asyncio.sleep(_EVERY_SECONDS)
        gc.collect(0)
        gc.freeze()
        look = (look + 1) % _LOOKS
        if look == 0:
            now = sys.getallocatedblocks()
            blocks = min(blocks, now)
            if now > blocks * _GROWTH:
                blocks = _collect_all()


def _collect_all() -> int:
    """Look at all objects, then set aside those that are in use; how many blocks of memory they take."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return sys.getallocatedblocks()
