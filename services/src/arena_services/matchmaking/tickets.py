"""Tickets as they are stored: one key of the bucket `tickets` for each player, changed by compare-and-set alone.

A player's key holds the latest ticket, so that one player never has two open ones, whichever replicas are asked.

    waiting ──▶ forming ──▶ matched
       │ ▲         │ │
       │ └─────────┘ └────▶ failed
       └──▶ cancelled

How several tickets go into one match together is told in `plans`.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from typing import Any, Self

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import KeyWrongLastSequenceError, NotFoundError
from nats.js.kv import KeyValue

from arena_services.common.errors import store_unavailable
from arena_services.common.log.streams import ensure_bucket
from arena_services.matchmaking import metrics
from arena_services.matchmaking.names import Bot

TICKETS_BUCKET = "tickets"
#: Longer than a ticket can be open. A closed ticket is remembered for as long, for repeats of the request for it.
KEPT_SECONDS = 24 * 3600.0


class State(StrEnum):
    """Where a ticket stands."""

    WAITING = "waiting"
    FORMING = "forming"
    """Promised to a match that a room is being asked to host."""
    MATCHED = "matched"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def is_open(self) -> bool:
        """Whether the ticket may still lead to a match."""
        return self in {State.WAITING, State.FORMING}


@dataclass(frozen=True)
class Queue:
    """Wishes that may meet: the same game, number of players and options."""

    game: str
    players: int
    options: bytes
    """The game's options message with defaults filled in, serialized as an Any."""
    table: str = ""
    """Code of a private table: a queue for those alone who know it. Empty: open to everybody."""

    @cached_property
    def name(self) -> str:
        """Short and the same on every replica."""
        data = self.options + self.table.encode()
        digest = blake2b(data, digest_size=8, person=b"arena-queue").hexdigest()
        return f"{self.game}-{self.players}-{digest}"

    def to_json(self) -> dict[str, Any]:
        """Its stored form."""
        return {
            "game": self.game,
            "players": self.players,
            "options": b64encode(self.options).decode(),
            "table": self.table,
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """From its stored form."""
        options = b64decode(data["options"])
        return cls(data["game"], data["players"], options, data.get("table", ""))


@dataclass(frozen=True)
class Plan:
    """A match to be: all that a room is told, so that whoever comes later asks for the very same."""

    match_id: str
    people: tuple[str, ...]
    """Player ids by order of arrival. The first one's ticket is the head: it alone says whether the plan stands."""
    bots: tuple[Bot, ...]
    bot_level: str

    @property
    def head(self) -> str:
        """The player whose ticket decides."""
        return self.people[0]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """From its stored form."""
        bots = tuple(Bot(**bot) for bot in data["bots"])
        return cls(data["match_id"], tuple(data["people"]), bots, data["bot_level"])


@dataclass(frozen=True)
class Ticket:
    """One player's place in a queue, as stored."""

    ticket_id: str
    player_id: str
    request_id: str
    request_hash: str
    """Hash of what was asked for, by which another wish under the same request id is noticed."""
    queue: Queue
    bot_wait_ms: int | None
    """How long it waits for people before bots come; None: until somebody asks for bots."""
    bot_level: str
    create_time_ms: int
    state: State = State.WAITING
    arrival: int = 0
    """Revision of the ticket's first storing: NATS's own order of arrival. 0 in that storing itself."""
    plan: Plan | None = None
    seat: int = 0
    room_id: str = ""
    """The room that was asked to host the match."""
    reason: str = ""
    """Why it failed or was cancelled by the platform. While forming: that it will fail."""
    traceparent: str = ""
    """The call that opened it, where that is traced. Otherwise left out of the stored form, which older builds read."""
    revision: int = 0
    """What the next change must follow on. Not part of the stored form."""

    @property
    def match_id(self) -> str:
        """The match it is promised to or in; empty before."""
        return self.plan.match_id if self.plan else ""

    def is_promised_to(self, plan: Plan) -> bool:
        """Whether it is in the making of that match."""
        return self.state is State.FORMING and self.match_id == plan.match_id

    def to_bytes(self) -> bytes:
        """As stored."""
        data = asdict(self)
        del data["revision"]
        if not self.traceparent:
            del data["traceparent"]
        data["queue"] = self.queue.to_json()
        return json.dumps(data, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, value: bytes, revision: int) -> Self:
        """As stored."""
        data = json.loads(value)
        data["queue"] = Queue.from_json(data["queue"])
        data["state"] = State(data["state"])
        data["plan"] = Plan.from_json(data["plan"]) if data["plan"] else None
        data["arrival"] = data["arrival"] or revision
        return cls(**data, revision=revision)


class ConflictError(Exception):
    """The ticket was changed by somebody else first: look again."""


class Tickets:
    """The stored tickets."""

    def __init__(self, js: JetStreamContext, bucket: KeyValue) -> None:
        self._js = js
        self._bucket = bucket

    @classmethod
    async def open(cls, js: JetStreamContext, replicas: int) -> Tickets:
        """The platform's tickets."""
        return cls(js, await ensure_bucket(js, TICKETS_BUCKET, replicas, ttl_seconds=KEPT_SECONDS))

    async def find(self, player_id: str) -> Ticket | None:
        """A player's latest ticket, as the stream's leader has it. Raises `UnavailableError`."""
        try:
            # Not `KeyValue.get`: a bucket may let any replica answer that, and one may lag behind.
            message = await self._js.get_msg(
                f"KV_{TICKETS_BUCKET}", subject=f"$KV.{TICKETS_BUCKET}.{player_id}", direct=False
            )
        except NotFoundError:
            return None
        except (NatsError, TimeoutError) as error:
            raise store_unavailable(error) from error
        if not message.data or message.seq is None:
            return None
        return Ticket.from_bytes(message.data, message.seq)

    async def add(self, ticket: Ticket, last: int) -> Ticket:
        """Store a new ticket over the player's former one of revision `last`, or 0.

        Raises `ConflictError` or `UnavailableError`; after the latter it may have been stored all the same.
        """
        return await self._store(ticket, last)

    async def change(self, ticket: Ticket, **changes: Any) -> Ticket:
        """Store changes of a ticket that nobody has changed since; returns it as it is now.

        Raises `ConflictError` or `UnavailableError`; after the latter it may have been stored all the same.
        """
        return await self._store(replace(ticket, **changes), ticket.revision)

    async def _store(self, ticket: Ticket, last: int) -> Ticket:
        key, value = ticket.player_id, ticket.to_bytes()
        try:
            # `create` also takes the place of a key that an operator deleted.
            writing = (
                self._bucket.update(key, value, last) if last else self._bucket.create(key, value)
            )
            revision = await writing
        except KeyWrongLastSequenceError as error:
            raise ConflictError(f"ticket {ticket.ticket_id} has moved on") from error
        except (NatsError, TimeoutError) as error:
            raise store_unavailable(error) from error
        metrics.TICKETS_STORED.labels(ticket.queue.game, ticket.state).inc()
        return replace(ticket, revision=revision, arrival=ticket.arrival or revision)
