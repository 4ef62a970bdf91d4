"""Snapshots: folds that are stored, so that a match of any length is taken over as fast as a short one.

One subject for each match, the newest snapshot on it. The log alone counts: a snapshot that is missing, damaged, of
another format or not of this very log is passed over, and the log is folded from its start.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from google.protobuf.message import DecodeError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from arena.log.v1.entry_pb2 import Created, Entry, RequestKey, Voted
from arena.log.v1.snapshot_pb2 import AnsweredRequest, Snapshot
from arena_engine.errors import EngineError
from arena_services.common import games
from arena_services.common.errors import ArenaError
from arena_services.common.log.fold import Fold

STREAM = "SNAPSHOTS"
#: Raised by every change after which an older build would misread a snapshot, or a newer one an old snapshot.
FORMAT = 2
_DIGEST_BYTES = 16
_KEPT_SECONDS = 7 * 24 * 3600.0


class UnfitSnapshotError(Exception):
    """A snapshot that cannot be gone on from; its text says why."""


@dataclass(frozen=True)
class Restored:
    """A fold as a snapshot holds it."""

    fold: Fold
    stream_sequence: int
    """Where its last entry stands in the log's stream."""
    state_hash: bytes

    def check(self, entry: Entry) -> None:
        """Raise `UnfitSnapshotError` unless it is the log's own fold at this entry, the one of its stream sequence."""
        if entry.sequence != self.fold.sequence or entry.state_hash != self.state_hash:
            raise UnfitSnapshotError(f"the log has another entry {self.fold.sequence}")


def subject_of(match_id: str) -> str:
    """The subject of a match's snapshots."""
    return f"snapshot.{match_id}"


async def ensure_stream(js: JetStreamContext, replicas: int) -> None:
    """Make the stream of snapshots where it is missing."""
    try:
        await js.stream_info(STREAM)
    except NotFoundError:
        await js.add_stream(
            StreamConfig(
                name=STREAM,
                subjects=[subject_of("*")],
                storage=StorageType.FILE,
                discard=DiscardPolicy.OLD,
                num_replicas=replicas,
                max_msgs_per_subject=1,
                max_age=_KEPT_SECONDS,
                allow_direct=False,
            )
        )


def write(fold: Fold, stream_sequence: int) -> bytes:
    """A fold as stored; `stream_sequence` is where its last entry stands."""
    snapshot = Snapshot(
        format=FORMAT,
        sequence=fold.sequence,
        stream_sequence=stream_sequence,
        time_ms=fold.time_ms,
        epoch=fold.epoch,
        state_hash=fold.state.state_hash(),
        created=Created(
            game=fold.hosted.game.name,
            rules_version=fold.hosted.game.rules_version,
            options=fold.options,
            players=fold.players,
        ),
        state=fold.state.to_text(),
        person_time_ms=fold.person_time_ms,
        votes=(Voted(seat=seat, absent_seat=absent) for seat, absent in sorted(fold.votes)),
        requests=(
            AnsweredRequest(
                seat=seat,
                key=RequestKey(session=session, counter=answered.counter),
                request_hash=answered.request_hash,
                sequence=answered.sequence,
            )
            for seat, session, answered in fold.requests.all()
        ),
    )
    body = snapshot.SerializeToString()
    return _digest(body) + body


def read(match_id: str, data: bytes) -> Restored:
    """A fold from its stored form. Raises `UnfitSnapshotError` for whatever is no such thing."""
    body = data[_DIGEST_BYTES:]
    if data[:_DIGEST_BYTES] != _digest(body):
        raise UnfitSnapshotError("it is damaged")
    try:
        snapshot = Snapshot.FromString(body)
        if snapshot.format != FORMAT:
            raise UnfitSnapshotError(f"its format is {snapshot.format}, ours {FORMAT}")
        return Restored(_fold(match_id, snapshot), snapshot.stream_sequence, snapshot.state_hash)
    except (DecodeError, EngineError, ArenaError, ValueError) as error:
        raise UnfitSnapshotError(str(error)) from error


def _fold(match_id: str, snapshot: Snapshot) -> Fold:
    created = snapshot.created
    hosted = games.find(created.game)
    if hosted.game.rules_version != created.rules_version:
        raise UnfitSnapshotError(f"it is of version {created.rules_version} of the rules")
    fold = Fold(match_id, hosted, created)
    fold.state = hosted.game.from_text(snapshot.state)
    if fold.state.state_hash() != snapshot.state_hash:
        raise UnfitSnapshotError("its position has another hash")
    fold.sequence, fold.time_ms, fold.epoch = snapshot.sequence, snapshot.time_ms, snapshot.epoch
    fold.person_time_ms = snapshot.person_time_ms
    fold.votes = frozenset((vote.seat, vote.absent_seat) for vote in snapshot.votes)
    for each in sorted(snapshot.requests, key=lambda request: request.sequence):
        fold.requests.note(each.seat, each.key, each.request_hash, each.sequence)
    return fold


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST_BYTES, person=b"arena-snapshot").digest()
