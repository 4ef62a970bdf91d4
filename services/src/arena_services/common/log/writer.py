"""Appends to one match's log, and finds out what became of an append that got no clear answer.

Every append is checked by the stream against the last entry its writer knows of, so two writers of one match cannot
both go on. An append that is refused or times out proves nothing: it may have been stored all the same, be on its way
still, or have been overtaken. So the writer asks the stream's leader for the last entry. Its own (by epoch and append
id): stored. Another's: fenced. As before: the same bytes are sent again, which the check makes harmless. It goes on
until one of these is certain. `Nats-Msg-Id` is of no use here: its memory spans the whole stream and is short.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from nats.errors import Error as NatsError

from arena_services.common import logs, tracing
from arena_services.common.log.errors import (
    FULL_CODES,
    FencedError,
    LogFullError,
    LogUnavailableError,
)
from arena_services.common.log.reader import LogReader
from arena_services.common.log.subjects import stream_of, subject_in
from arena_services.common.pauses import Pauses

_EXPECTED_LAST = "Nats-Expected-Last-Subject-Sequence"
_ACK_SECONDS = 2.0
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 0.5

_log = logs.get()


class Resolution(Enum):
    """How it became certain that an append is stored."""

    ACKNOWLEDGED = auto()
    """At the first attempt."""
    FOUND = auto()
    """Its entry was found at the log's end."""
    RESENT = auto()
    """Sent again and acknowledged."""


@dataclass(frozen=True)
class Appended:
    """An append that is stored."""

    stream_sequence: int
    resolution: Resolution


class _Verdict(Enum):
    STORED = auto()
    FULL = auto()
    UNKNOWN = auto()


class LogWriter:
    """Appends to one match's log as one epoch's writer; one append at a time.

    `last` is the stream sequence of the match's last entry, 0 for a match that does not exist yet.
    """

    __slots__ = (
        "_match_id",
        "_nats",
        "_partition",
        "_reader",
        "_stream",
        "_subject",
        "last",
    )

    def __init__(self, reader: LogReader, match_id: str, last: int) -> None:
        self._reader = reader
        self._nats = reader.nats
        self._match_id = match_id
        self._partition = reader.partition(match_id)
        self._stream = stream_of(self._partition)
        self._subject = subject_in(self._partition, match_id)
        self.last = last

    async def append(
        self, body: bytes, headers: Mapping[str, str], epoch: int, append_id: bytes
    ) -> Appended:
        """Append an entry that carries this epoch and append id; returns only once it is certainly stored.

        Raises `FencedError` when another writer was first, `LogFullError` when the stream certainly did not take it.
        Takes as long as NATS is away; whoever waits for the answer sets the limit to that, not to this.
        """
        self._reader.note_pending(self._partition, self)
        try:
            return await self._append(body, headers, epoch, append_id)
        finally:
            self._reader.note_settled(self._partition, self)

    async def _append(
        self, body: bytes, headers: Mapping[str, str], epoch: int, append_id: bytes
    ) -> Appended:
        sent = {**headers, **tracing.headers(), _EXPECTED_LAST: str(self.last)}
        verdict, place = await self._send(body, sent)
        if verdict is _Verdict.STORED:
            return self._done(place, Resolution.ACKNOWLEDGED)
        if verdict is _Verdict.FULL and await self._is_unchanged():
            raise LogFullError(self._stream)
        _log.warning(
            "append without clear answer", match_id=self._match_id, expected_last=self.last
        )
        return await self._resolve(body, sent, epoch, append_id)

    async def _resolve(
        self, body: bytes, sent: dict[str, str], epoch: int, append_id: bytes
    ) -> Appended:
        pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        while True:
            try:
                tail = await self._reader.tail(self._match_id, self.last)
            except LogUnavailableError as error:
                _log.debug("tail unreadable", match_id=self._match_id, error=str(error))
            else:
                place = tail.stream_sequence if tail else 0
                if tail and tail.entry.epoch == epoch and tail.entry.append_id == append_id:
                    return self._done(place, Resolution.FOUND)
                if place > self.last:
                    raise FencedError(self._match_id)
                verdict, place = await self._send(body, sent)
                if verdict is _Verdict.STORED:
                    return self._done(place, Resolution.RESENT)
            await pauses.wait()

    async def _is_unchanged(self) -> bool:
        try:
            tail = await self._reader.tail(self._match_id, self.last)
        except LogUnavailableError:
            return False
        return (tail.stream_sequence if tail else 0) == self.last

    def _done(self, place: int, resolution: Resolution) -> Appended:
        self.last = place
        self._reader.note_stored(self._partition, place)
        return Appended(place, resolution)

    async def _send(self, body: bytes, headers: dict[str, str]) -> tuple[_Verdict, int]:
        """One attempt. FULL is a clear answer for this attempt alone."""
        try:
            answer = await self._nats.request(
                self._subject, body, timeout=_ACK_SECONDS, headers=headers
            )
            said = json.loads(answer.data)
        except (TimeoutError, NatsError, OSError, ValueError):
            return _Verdict.UNKNOWN, 0
        if error := said.get("error"):
            return (_Verdict.FULL if error.get("err_code") in FULL_CODES else _Verdict.UNKNOWN), 0
        return _Verdict.STORED, int(said["seq"])
