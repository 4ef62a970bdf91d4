"""What lives long in a room and then ends leaves no circle of references: it would wait long to be collected."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import grpc

from arena.room.v1 import room_service_pb2 as pb
from tests.services.room.harness import RoomHere
from tests.services.room.table import RESIGN, Play, Table, Viewer, play_on


@contextmanager
def what_is_left() -> Iterator[Counter[str]]:
    """Types of our own that only a collector would have freed, once the block has ended."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        names = (f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.garbage)
        found.update(name for name in names if name.startswith("arena_services"))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


async def test_streams_and_matches_that_end_leave_no_circles(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    await one_match(room, channel)  # what libraries build at their first use is not meant
    with what_is_left() as left:
        for _ in range(5):
            await one_match(room, channel)
    assert not left


async def one_match(room: RoomHere, channel: grpc.aio.Channel) -> None:
    """Create one, follow it in every way, act well and badly, end it, and have the room release it."""
    table = await Table.make(channel)
    play = Play(channel, table.people[0])
    play.send(pb.PlayRequest(match_id=table.match_id, seat=0, attach=pb.Attach()))
    await play.next()
    play.send(pb.PlayRequest(match_id=table.match_id, seat=0, act=pb.Act()))
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        async with Viewer(channel, table, None):
            last = await play_on(table, channel, [first, second], 4)
        await first.until_sequence(last)
        act = pb.Act()
        act.CopyFrom(RESIGN)
        act.decision = first.newest.awaited[0].decision
        act.key.CopyFrom(table.key())
        await table.act(channel, first.newest.awaited[0].seat, act)
    await play.end()
    del play, first, second
    match = room.hall.find(table.match_id)
    assert match is not None
    while match.seats_here:
        await asyncio.sleep(0.01)
    room.hall.match_lost(match)
    await asyncio.sleep(0.1)


def test_a_circle_is_found_when_young_or_when_memory_has_grown() -> None:
    lines = (
        "import asyncio, gc, weakref",
        "from arena_services.common import garbage",
        "garbage._EVERY_SECONDS = 0.01",
        "class Knot:",
        "    def __init__(self): self.itself = self",
        "async def gone(knot):",
        "    async with asyncio.timeout(20):",
        "        while knot(): await asyncio.sleep(0.005)",
        "async def main():",
        "    tending = asyncio.create_task(garbage.tend())",
        "    await asyncio.sleep(0.05)",
        "    await gone(weakref.ref(Knot()))",
        "    old = Knot()",
        "    await asyncio.sleep(0.1)  # set aside by now",
        "    seen = weakref.ref(old)",
        "    del old",
        "    await asyncio.sleep(0.3)",
        "    assert seen(), 'all objects were looked at without need'",
        "    kept = [str(n) for n in range(1_000_000)]",
        "    await gone(seen)",
        "asyncio.run(main())",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], env=environment, check=False, timeout=60
    )
    assert done.returncode == 0
