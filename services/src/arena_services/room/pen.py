"""Writes one match's entries, and notes how long the match was kept waiting for that."""

from __future__ import annotations

import time
from functools import cache

from arena.log.v1.entry_pb2 import Entry
from arena_services.common import tracing
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import LogFullError
from arena_services.common.log.fold import Fold
from arena_services.common.log.writer import LogWriter, Resolution
from arena_services.room import metrics
from arena_services.room.clock import Standstill

#: An acknowledgement later than this has kept the match waiting: the time is given back.
SLOW_APPEND_MS = 100
#: Kept once found: looking a label up costs more than counting.
_entries = cache(metrics.ENTRIES.labels)


class Pen:
    """A match's writer, with its measurements."""

    __slots__ = (
        "_standstill",
        "_writer",
    )

    def __init__(self, writer: LogWriter, standstill: Standstill) -> None:
        self._writer = writer
        self._standstill = standstill

    async def append(self, entry: Entry, fold: Fold) -> int:
        """Append the last entry of a fold; returns its place in the stream once it is certainly stored.

        Raises `FencedError`, `LogFullError`.
        """
        start, began_ms = time.perf_counter(), now_ms()
        try:
            with tracing.span("append", fold, tracing.Kind.PRODUCER):
                appended = await self._writer.append(
                    entry.SerializeToString(),
                    fold.headers(entry).to_nats(),
                    entry.epoch,
                    entry.append_id,
                )
        except LogFullError:
            metrics.APPENDS_REFUSED.inc()
            raise
        metrics.APPEND_SECONDS.observe(time.perf_counter() - start)
        _entries(entry.WhichOneof("body")).inc()
        self._standstill.settle(entry.time_ms)
        if entry.given_back_ms:
            metrics.GIVEN_BACK_SECONDS.inc(entry.given_back_ms / 1000)
        self._note(appended.resolution, began_ms, now_ms())
        return appended.stream_sequence

    def _note(self, resolution: Resolution, began_ms: int, ended_ms: int) -> None:
        if resolution is not Resolution.ACKNOWLEDGED:
            metrics.APPENDS_RESOLVED.labels(resolution.name.lower()).inc()
            self._standstill.add(began_ms, ended_ms)
        elif ended_ms - began_ms > SLOW_APPEND_MS:
            self._standstill.add(began_ms, ended_ms)
