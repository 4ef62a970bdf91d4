"""Ends matches that no room can play on, since their logs do not fold."""

from __future__ import annotations

import os

from arena.log.v1.entry_pb2 import Closed, Entry
from arena_services.common.clock import now_ms
from arena_services.common.log.headers import NO_PLACES, EntryHeaders
from arena_services.common.log.reader import LogReader
from arena_services.common.log.writer import LogWriter
from arena_services.room import metrics
from arena_services.room.errors import MatchFinishedError, MatchNotFoundError
from arena_services.room.match import VOIDED


async def void_unread(reader: LogReader, match_id: str) -> int:
    """Close a match for an operator behind its last entry, whatever it folds to; returns the sequence that says so.

    Raises `MatchNotFoundError`, `MatchFinishedError`, `FencedError` where somebody writes it after all, and what the
    log raises.
    """
    tail = await reader.tail(match_id)
    if tail is None:
        raise MatchNotFoundError(match_id)
    last, said = tail.entry, tail.headers
    if said.how == VOIDED:
        return last.sequence
    if said.result:
        raise MatchFinishedError(match_id)
    entry = Entry(
        sequence=last.sequence + 1,
        time_ms=max(last.time_ms, now_ms()),
        epoch=last.epoch + 1,
        append_id=os.urandom(16),
        # Closing changes no position: a build to which the log does fold finds this to hold.
        state_hash=last.state_hash,
        closed=Closed(reason=VOIDED),
    )
    headers = EntryHeaders(
        sequence=entry.sequence,
        time_ms=entry.time_ms,
        epoch=entry.epoch,
        append_id=entry.append_id.hex(),
        game=said.game,
        rules_version=said.rules_version,
        result=f"{VOIDED} {NO_PLACES}",
    )
    writer = LogWriter(reader, match_id, tail.stream_sequence)
    await writer.append(entry.SerializeToString(), headers.to_nats(), entry.epoch, entry.append_id)
    metrics.ENTRIES.labels("closed").inc()
    return entry.sequence
