"""Takes matches over: reads a match's log and fences whoever wrote it before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from arena.log.v1.entry_pb2 import Claimed, Entry
from arena_services.common import logs, tracing
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import CorruptLogError, LogUnavailableError
from arena_services.common.log.fold import Fold, fold_entry
from arena_services.common.log.reader import LogReader, Stored
from arena_services.common.log.snapshot import Restored, UnfitSnapshotError
from arena_services.common.log.writer import LogWriter
from arena_services.room import metrics
from arena_services.room.snapshots import EVERY, Snapshots
from arena_services.room.updates import RECENT, Feed, Recalled

_FOLDED_AT_ONCE = 100

_log = logs.get()


@dataclass(frozen=True)
class Loaded:
    """A match as its log tells it, with the updates that viewers may resume from."""

    fold: Fold
    feed: Feed


async def load(reader: LogReader, snapshots: Snapshots, tail: Stored, match_id: str) -> Loaded:
    """Read and fold a match up to its tail, from its newest snapshot on where that can be gone on from.

    Raises `LogUnavailableError`, `CorruptLogError`.
    """
    if tail.entry.sequence > EVERY and (restored := await snapshots.find(match_id)) is not None:
        try:
            return await _load_behind(reader, restored, tail, match_id)
        except LogUnavailableError:
            raise
        except Exception as error:  # whatever is wrong with it, the log is whole without it
            snapshots.note_unfit(match_id, error)
    return await _fold(match_id, None, await reader.read(match_id, tail.stream_sequence), tail)


async def _load_behind(
    reader: LogReader, restored: Restored, tail: Stored, match_id: str
) -> Loaded:
    """As `load`, from a snapshot on. Raises `UnfitSnapshotError` where it is none of this log, too."""
    if restored.stream_sequence > tail.stream_sequence:
        raise UnfitSnapshotError("the log does not reach it")
    entries = await reader.read(match_id, tail.stream_sequence, restored.stream_sequence)
    restored.check(entries[0].entry)
    return await _fold(match_id, restored.fold, entries[1:], tail)


async def _fold(
    match_id: str, fold: Fold | None, entries: Sequence[Stored], tail: Stored
) -> Loaded:
    """Fold entries up to the log's tail, in place where something is folded already."""
    feed = Feed()
    for index, stored in enumerate(entries):
        entry = stored.entry
        fold, events = fold_entry(match_id, fold, entry)
        if index >= len(entries) - RECENT:
            feed.recall(Recalled(fold.clone(), events, entry.given_back_ms))
        if index % _FOLDED_AT_ONCE == _FOLDED_AT_ONCE - 1:
            await asyncio.sleep(0)  # a long log must not keep other matches waiting
    if fold is None:
        raise CorruptLogError(match_id, "it is empty")
    fold.verify(tail.entry)
    metrics.FOLDED_ENTRIES.observe(len(entries))
    return Loaded(fold, feed)


async def claim(
    reader: LogReader,
    room_id: str,
    loaded: Loaded,
    tail: Stored,
    outage_ms: Callable[[], Awaitable[int]],
) -> LogWriter:
    """Take a match over that was last written at `tail`, and loaded up to there; what is loaded moves on by the claim.

    Nothing may be served before this returns. The claim is appended behind exactly what was read, so an append of the
    former owner in between makes this raise `FencedError`; every later one is refused. Raises `LogUnavailableError`.
    """
    fold = loaded.fold
    entry = Entry(
        sequence=fold.sequence + 1,
        time_ms=max(fold.time_ms, now_ms()),
        epoch=fold.epoch + 1,
        append_id=os.urandom(16),
        given_back_ms=await outage_ms(),
        claimed=Claimed(room_id=room_id),
    )
    match_id = fold.match_id
    events = fold.advance(entry)
    entry.state_hash = fold.state.state_hash()
    writer = LogWriter(reader, match_id, tail.stream_sequence)
    with tracing.begin(
        "claim",
        tracing.Kind.PRODUCER,
        parent=tracing.traceparent(),
        links=(tail.headers.traceparent,),
        match_id=match_id,
        sequence=entry.sequence,
    ):
        await writer.append(
            entry.SerializeToString(), fold.headers(entry).to_nats(), entry.epoch, entry.append_id
        )
    # Its update is made when the names of the players are known.
    loaded.feed.recall(Recalled(fold.clone(), events, entry.given_back_ms))
    metrics.ENTRIES.labels("claimed").inc()
    metrics.GIVEN_BACK_SECONDS.inc(entry.given_back_ms / 1000)
    _log.info("claimed", match_id=match_id, epoch=entry.epoch, given_back_ms=entry.given_back_ms)
    return writer
