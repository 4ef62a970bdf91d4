"""What is kept of finished matches for good: the bucket `archive`, from which they are told without rules.

Two values for each match, each written whole or not at all: the facts, for lists and for those who look at how it
ended, and the replay. Once both have been read back, the log goes, all but its last entry. That one stays as the mark
of a match that was: its id cannot be used again, headers still say how it ended, and whoever slept while all this
happened finds by it that the match is over.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import blake2b

from google.protobuf.message import DecodeError
from nats.errors import Error as NatsError

from arena.log.v1.archive_pb2 import ArchivedFacts, ArchivedReplay, ArchivedStep
from arena.log.v1.entry_pb2 import Created
from arena_services.common import logs
from arena_services.common.encoding import length_tag, varint
from arena_services.common.log.errors import FULL_CODES, CorruptLogError, LogUnavailableError
from arena_services.common.log.fold import Fold
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import LogReader, Stored
from arena_services.room import metrics
from arena_services.room.errors import (
    ArchiveDamagedError,
    ArchiveFormatError,
    ArchiveFullError,
    ArchiveTooLargeError,
)
from arena_services.room.replay import folds
from arena_services.room.updates import Moment, bare

ARCHIVE_BUCKET = "archive"
#: Raised by every change after which an older build would misread what is archived. What is there stays as it is.
FORMAT = 1
_DIGEST_BYTES = 16
_WRITE_SECONDS = 5.0
#: What NATS adds to a value counts as part of its message.
_ENVELOPE_BYTES = 4096
_FACTS, _REPLAY = "facts", "replay"
_STEP_TAG = length_tag(ArchivedReplay.STEPS_FIELD_NUMBER)

_log = logs.get()


@dataclass(frozen=True)
class Origin:
    """How a match began, whatever is left of its log."""

    created: Created
    """Without the secret where that is gone."""
    time_ms: int
    """When it was made."""
    is_log_whole: bool
    """The log begins with this."""


@dataclass(frozen=True)
class Record:
    """What is to be archived of a match."""

    facts: bytes
    replay: bytes


class Archive:
    """The archive of one platform's matches. All calls may raise `LogUnavailableError`."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self._nats = reader.nats

    async def origin(self, match_id: str) -> Origin | None:
        """How a match began, from its log or the archive; None where it does not exist.

        Raises `ArchiveDamagedError`.
        """
        head = await self._reader.head(match_id)
        if head is None:
            return None
        if is_first(head):
            return Origin(head.entry.created, head.entry.time_ms, is_log_whole=True)
        facts = await self.facts(match_id)
        return Origin(facts.created, facts.create_time_ms, is_log_whole=False)

    async def has(self, match_id: str) -> bool:
        """Whether a match is archived, in whatever state."""
        return await self._read(match_id, _FACTS) is not None

    async def facts(self, match_id: str) -> ArchivedFacts:
        """A match in brief. Raises `ArchiveDamagedError`."""
        body = _unsealed(match_id, await self._wanted(match_id, _FACTS))
        try:
            facts = ArchivedFacts.FromString(body)
        except DecodeError as error:
            raise ArchiveDamagedError(match_id, "its facts do not read") from error
        if facts.format != FORMAT:
            raise ArchiveFormatError(match_id, facts.format, FORMAT)
        return facts

    async def end(self, match_id: str) -> tuple[Created, Moment]:
        """How a match began, and the bare update of its last position. Raises `ArchiveDamagedError`."""
        facts = await self.facts(match_id)
        return facts.created, _moment(facts.end)

    async def replay(self, match_id: str) -> list[Moment]:
        """The bare updates of a match, from its first entry. Raises `ArchiveDamagedError`."""
        await self.facts(match_id)  # they alone say in which format the replay is
        body = _unsealed(match_id, await self._wanted(match_id, _REPLAY))
        try:
            return [_moment(step) for step in ArchivedReplay.FromString(body).steps]
        except DecodeError as error:
            raise ArchiveDamagedError(match_id, "its replay does not read") from error

    async def keep(self, match_id: str, record: Record) -> None:
        """Have a match archived: when this returns, what is stored has been read back and is what was given.

        Raises `ArchiveDamagedError` where something else was read back, `ArchiveTooLargeError`, `ArchiveFullError`.
        """
        # The facts come last: where they are, there is a replay.
        await self._keep(match_id, _REPLAY, record.replay)
        await self._keep(match_id, _FACTS, record.facts)

    async def _keep(self, match_id: str, part: str, wanted: bytes) -> None:
        stored, last = await self._last(match_id, part)
        if stored is not None and _is_same(match_id, stored, wanted):
            return
        if stored is not None:
            # Written by another build, or damaged. The log is whole still, so it is put right.
            metrics.ARCHIVE_FAILURES.labels("ARCHIVE_DAMAGED").inc()
            _log.error("archive differs from the log", match_id=match_id, part=part)
        await self._write(match_id, part, wanted, last)
        stored, _ = await self._last(match_id, part)
        if stored is None:
            raise LogUnavailableError(f"archiving match {match_id}")
        if not _is_same(match_id, stored, wanted):
            raise ArchiveDamagedError(match_id, f"its {part} reads back as something else")

    async def _write(self, match_id: str, part: str, value: bytes, last: int) -> None:
        """Store a value unless another one has come since. Whether it was stored is found out by reading."""
        most = self._nats.max_payload - _ENVELOPE_BYTES
        if len(value) > most:
            raise ArchiveTooLargeError(match_id, len(value), most)
        headers = {"Nats-Expected-Last-Subject-Sequence": str(last)}
        subject = _subject(match_id, part)
        try:
            answer = await self._nats.request(
                subject, value, timeout=_WRITE_SECONDS, headers=headers
            )
            error = json.loads(answer.data).get("error", {})
        except (TimeoutError, NatsError, OSError, ValueError) as failure:
            _log.warning("archived without an answer", match_id=match_id, error=repr(failure))
            return
        if error.get("err_code") in FULL_CODES:
            raise ArchiveFullError
        if error:
            _log.info("not archived", match_id=match_id, part=part, error=error)

    async def _wanted(self, match_id: str, part: str) -> bytes:
        value = await self._read(match_id, part)
        if value is None:
            raise ArchiveDamagedError(match_id, f"its {part} is missing")
        return value

    async def _read(self, match_id: str, part: str) -> bytes | None:
        value, _ = await self._last(match_id, part)
        return value

    async def _last(self, match_id: str, part: str) -> tuple[bytes | None, int]:
        """What is stored, and where that stands in its stream."""
        message = await last_message(self._nats, f"KV_{ARCHIVE_BUCKET}", _subject(match_id, part))
        return (None, 0) if message is None else (message.data, message.stream_sequence)


def is_first(stored: Stored) -> bool:
    """Whether this is a match's first entry: nothing of its log has been purged then."""
    return stored.entry.HasField("created")


async def record(
    match_id: str, head: Stored, entries: AsyncGenerator[Stored, None], tail: Stored
) -> Record:
    """What is to be archived of a match, by its log from the first entry, `head`, to the last.

    Raises `CorruptLogError`, and what reading does.
    """
    replay = _Seal()
    fold: Fold | None = None
    async with aclosing(folds(match_id, entries)) as folded:
        async for each in folded:
            fold = each.fold
            step = _step(bare(*each)).SerializeToString(deterministic=True)
            replay.add(_STEP_TAG + varint(len(step)) + step)
    if fold is None or fold.sequence != tail.entry.sequence or not fold.is_over:
        raise CorruptLogError(match_id, "its end is missing")
    facts = ArchivedFacts(
        format=FORMAT,
        match_id=match_id,
        created=head.entry.created,
        create_time_ms=head.entry.time_ms,
        state_hash=tail.entry.state_hash,
        end=_step(bare(fold, (), 0)),
    )
    facts.created.ClearField("secret")
    return Record(_sealed(facts.SerializeToString(deterministic=True)), replay.finish())


def _step(moment: Moment) -> ArchivedStep:
    return ArchivedStep(
        sequence=moment.sequence,
        common=moment.common,
        own=moment.own,
        is_bot=(is_bot for _, is_bot in moment.seating),
    )


def _moment(step: ArchivedStep) -> Moment:
    seating = tuple(("", is_bot) for is_bot in step.is_bot)
    return Moment(step.sequence, seating, step.common, tuple(step.own))


def _subject(match_id: str, part: str) -> str:
    return f"$KV.{ARCHIVE_BUCKET}.{match_id}.{part}"


class _Seal:
    """Makes a stored value of a body that comes bit by bit: its digest, then the whole compressed."""

    def __init__(self) -> None:
        self._digest = _new_digest()
        self._compressor = zlib.compressobj()
        self._parts: list[bytes] = []

    def add(self, part: bytes) -> None:
        """Go on by a part."""
        self._digest.update(part)
        self._parts.append(self._compressor.compress(part))

    def finish(self) -> bytes:
        """The value."""
        return b"".join((self._digest.digest(), *self._parts, self._compressor.flush()))


def _new_digest() -> blake2b:
    return blake2b(digest_size=_DIGEST_BYTES, person=b"arena-archive")


def _sealed(body: bytes) -> bytes:
    seal = _Seal()
    seal.add(body)
    return seal.finish()


def _unsealed(match_id: str, value: bytes) -> bytes:
    """The body of a stored value. Raises `ArchiveDamagedError`."""
    try:
        body = zlib.decompress(value[_DIGEST_BYTES:])
    except zlib.error as error:
        raise ArchiveDamagedError(match_id, "it does not unpack") from error
    digest = _new_digest()
    digest.update(body)
    if digest.digest() != value[:_DIGEST_BYTES]:
        raise ArchiveDamagedError(match_id, "its digest does not fit")
    return body


def _is_same(match_id: str, stored: bytes, wanted: bytes) -> bool:
    """Whether a stored value is whole and has the content of another one. Compression may differ."""
    try:
        _unsealed(match_id, stored)
    except ArchiveDamagedError:
        return False
    return stored[:_DIGEST_BYTES] == wanted[:_DIGEST_BYTES]
