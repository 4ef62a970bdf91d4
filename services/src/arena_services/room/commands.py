"""What can be asked of a match: the messages in its mailbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1.room_control_service_pb2 import ExpireResponse
from arena.room.v1.room_service_pb2 import Act as ActMessage
from arena.room.v1.room_service_pb2 import Acted, Targets
from arena_services.common.auth import Caller
from arena_services.common.clock import now_ms
from arena_services.common.errors import ArenaError, InvalidArgumentError
from arena_services.room.viewers import Viewer

_SHORTEST_SESSION = 8
_LONGEST_SESSION = 64

#: What a command is answered with; never an exception, so that an answer nobody waits for is no accident.
Answer: TypeAlias = "Acted | Targets | ExpireResponse | ArenaError | None"
Ended: TypeAlias = "Callable[[Viewer, str], None]"


def _answer() -> asyncio.Future[Answer]:
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True)
class Act:
    """A seat's wish. `arrived_ms` is when the owner got it: what clocks are judged by."""

    caller: Caller
    seat: int
    key: RequestKey
    request_hash: bytes
    wish: ActMessage
    arrived_ms: int
    answer: asyncio.Future[Answer] = field(default_factory=_answer)

    @classmethod
    def of(cls, caller: Caller, seat: int, wish: ActMessage, arrived_ms: int) -> Act:
        """Read a wish. Raises `InvalidArgumentError` for one without a usable key or without content."""
        check_key(wish.key)
        if wish.WhichOneof("wish") is None:
            raise InvalidArgumentError(
                "EMPTY_WISH", "The act holds none of action, leave, take_back, replace_absent."
            )
        return cls(caller, seat, wish.key, _hash(wish), wish, arrived_ms)

    def again(self) -> Act:
        """The same wish, to be asked elsewhere; it arrives anew there."""
        return replace(self, arrived_ms=now_ms(), answer=_answer())


@dataclass(frozen=True)
class Expire:
    """A deadline seems to have passed."""

    decision: int
    arrived_ms: int
    answer: asyncio.Future[Answer] = field(default_factory=_answer)


@dataclass(frozen=True)
class SelectTargets:
    """What can be done with a selection?"""

    caller: Caller
    seat: int
    selection: AnyMessage
    answer: asyncio.Future[Answer] = field(default_factory=_answer)

    def again(self) -> SelectTargets:
        """The same question, to be asked elsewhere."""
        return replace(self, answer=_answer())


@dataclass(frozen=True)
class Attach:
    """A viewer wants updates; `ended` is called once when there will be no more, and why."""

    caller: Caller
    viewer: Viewer
    ended: Ended
    answer: asyncio.Future[Answer] = field(default_factory=_answer)


@dataclass(frozen=True)
class Abandon:
    """The match is to be closed, if no person has acted for so long."""

    after_ms: int
    answer: asyncio.Future[Answer] = field(default_factory=_answer)


@dataclass(frozen=True)
class Void:
    """An operator ends the match."""

    answer: asyncio.Future[Answer] = field(default_factory=_answer)


@dataclass(frozen=True)
class Release:
    """The room gives the match up; answered when its last entry is stored."""

    answer: asyncio.Future[Answer] = field(default_factory=_answer)


Command: TypeAlias = "Act | Expire | SelectTargets | Attach | Abandon | Void | Release"


def check_key(key: RequestKey) -> None:
    """Raise `InvalidArgumentError` for a key that cannot name a request."""
    if not _SHORTEST_SESSION <= len(key.session) <= _LONGEST_SESSION or not key.counter:
        raise InvalidArgumentError(
            "BAD_REQUEST_KEY",
            f"A request key needs a session of {_SHORTEST_SESSION} to {_LONGEST_SESSION} random bytes (here "
            f"{len(key.session)}) and a counter from 1 (here {key.counter}).",
        )


def _hash(wish: ActMessage) -> bytes:
    """16 bytes that tell one request's content from another's, whatever its key."""
    content = blake2b(digest_size=16, person=b"arena-request")
    content.update(wish.decision.to_bytes(8, "big"))
    kind = wish.WhichOneof("wish") or ""
    content.update(kind.encode() + b"\0")
    if kind == "action":
        content.update(wish.action.type_url.rpartition("/")[2].encode() + b"\0" + wish.action.value)
    if kind == "replace_absent":
        content.update(wish.replace_absent.seat.to_bytes(4, "big"))
    return content.digest()
