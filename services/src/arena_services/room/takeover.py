"""Takes matches over: reads a match's log and fences whoever wrote it before."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from arena.log.v1.entry_pb2 import Claimed, Entry
from arena_services.common import logs
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.log.fold import Fold, fold_entry
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.writer import LogWriter
from arena_services.room import metrics
from arena_services.room.clock import now_ms
from arena_services.room.updates import RECALLED, Feed, Recalled

_log = logs.get()


@dataclass(frozen=True)
class Loaded:
    """A match as its log tells it, with the updates that viewers may resume from."""

    fold: Fold
    feed: Feed


async def load(reader: LogReader, tail: Stored, match_id: str) -> Loaded:
    """Read and fold a match up to its tail. Raises `LogUnavailableError`, `CorruptLogError`."""
    entries = [stored.entry for stored in await reader.read(match_id, tail.stream_sequence)]
    feed = Feed()
    fold: Fold | None = None
    for index, entry in enumerate(entries):
        fold, events = fold_entry(match_id, fold, entry)
        if index >= len(entries) - RECALLED:
            feed.recall(Recalled(fold.clone(), events, entry.given_back_ms))
    if fold is None:
        raise CorruptLogError(match_id, "it is empty")
    fold.verify(entries[-1])
    return Loaded(fold, feed)


async def claim(
    reader: LogReader,
    room_id: str,
    match_id: str,
    tail: Stored,
    outage_ms: Callable[[], Awaitable[int]],
) -> tuple[Loaded, LogWriter]:
    """Take a match over that was last written at `tail`. Nothing may be served before this returns.

    The log is read first and the claim appended behind exactly what was read, so an append of the former owner in
    between makes this raise `FencedError`; every later one is refused. Raises `LogUnavailableError`, `CorruptLogError`.
    """
    loaded = await load(reader, tail, match_id)
    fold = loaded.fold
    entry = Entry(
        sequence=fold.sequence + 1,
        time_ms=max(fold.time_ms, now_ms()),
        epoch=fold.epoch + 1,
        append_id=os.urandom(16),
        given_back_ms=await outage_ms(),
        claimed=Claimed(room_id=room_id),
    )
    events = fold.advance(entry)
    entry.state_hash = fold.state.state_hash()
    writer = LogWriter(reader, match_id, tail.stream_sequence)
    await writer.append(
        entry.SerializeToString(), fold.headers(entry).to_nats(), entry.epoch, entry.append_id
    )
    # Its update is made when the names of the players are known.
    loaded.feed.recall(Recalled(fold.clone(), events, entry.given_back_ms))
    metrics.ENTRIES.labels("claimed").inc()
    metrics.GIVEN_BACK_SECONDS.inc(entry.given_back_ms / 1000)
    _log.info("claimed", match_id=match_id, epoch=entry.epoch, given_back_ms=entry.given_back_ms)
    return loaded, writer
