"""Where a match's log lies: its partition, stream and subject."""

from __future__ import annotations

import re
from hashlib import blake2b

from arena_services.common.ids import random_id

_MATCH_ID = re.compile(r"[a-z2-7]{26}")
_PREFIX = "match"


def new_match_id() -> str:
    """An id for a new match: 26 characters of a-z and 2-7. Never used twice."""
    return random_id()


def is_match_id(text: str) -> bool:
    """Whether this could be a match id."""
    return _MATCH_ID.fullmatch(text) is not None


def partition_of(match_id: str, partitions: int) -> int:
    """The partition of a match: a hash of its id, the same on every machine for ever."""
    digest = blake2b(match_id.encode(), digest_size=8, person=b"arena-partition").digest()
    return int.from_bytes(digest, "big") % partitions


def stream_of(partition: int) -> str:
    """The stream that holds a partition."""
    return f"MATCHES_{partition}"


def subject_of(match_id: str, partitions: int) -> str:
    """The subject of a match's log."""
    return subject_in(partition_of(match_id, partitions), match_id)


def subject_in(partition: int, match_id: str) -> str:
    """The subject of the log of a match that lies in a partition."""
    return f"{_PREFIX}.{partition}.{match_id}"


def subjects_of(partition: int) -> str:
    """All subjects of a partition, as a wildcard."""
    return f"{_PREFIX}.{partition}.*"


def match_of(subject: str) -> str:
    """The match whose log lies on a subject."""
    return subject.rpartition(".")[2]
