"""Reads what was stored of the matches that were recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from arena.log.v1.entry_pb2 import Entry
from arena_services.common.log.reader import LogReader
from tests.witness.record import MatchRecord

_READS_AT_ONCE = 20


async def note_goals(reader: LogReader, records: Sequence[MatchRecord]) -> None:
    """Note how far each match has come."""

    async def note(record: MatchRecord) -> None:
        tail = await reader.tail(record.match_id)
        record.goal = tail.entry.sequence if tail else 0

    await _for_each(records, note)


async def read_logs(
    reader: LogReader, records: Sequence[MatchRecord]
) -> dict[str, Sequence[Entry]]:
    """The log of every match, by id; empty where there is none."""
    logs: dict[str, Sequence[Entry]] = {}

    async def read(record: MatchRecord) -> None:
        tail = await reader.tail(record.match_id)
        stored = await reader.read(record.match_id, tail.stream_sequence) if tail else []
        logs[record.match_id] = [each.entry for each in stored]

    await _for_each(records, read)
    return logs


async def _for_each(
    records: Sequence[MatchRecord], call: Callable[[MatchRecord], Awaitable[None]]
) -> None:
    """Call for every match, some at a time."""
    gate = asyncio.Semaphore(_READS_AT_ONCE)

    async def one(record: MatchRecord) -> None:
        async with gate:
            await call(record)

    async with asyncio.TaskGroup() as tasks:
        for record in records:
            tasks.create_task(one(record), name=f"read-{record.match_id}")


async def wait_for_viewers(records: Sequence[MatchRecord], seconds: float) -> None:
    """Give all viewers time to see how far their matches have come."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while any(record.late_viewers() for record in records):
                await asyncio.sleep(0.2)
