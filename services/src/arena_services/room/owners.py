"""Which room has which match, as the KV bucket `owners` says. Only ever tells where to send; safety is the log's."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from dataclasses import dataclass

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.follower import Change, Follower
from arena_services.common.log.messages import last_message

BUCKET = "owners"
_WRITE_SECONDS = 2.0
_NOTHING_BEFORE = {"Nats-Expected-Last-Subject-Sequence": "0"}

_log = logs.get()


@dataclass(frozen=True)
class Owner:
    """A room that has a match."""

    room_id: str
    written_ms: int
    """When that was written, by NATS' clock."""
    had_until_ms: int
    """Until when a room certainly had the match: when this was written, or what was known by then."""

    @classmethod
    def from_stored(cls, value: str, written_ms: int) -> Owner:
        """As stored: the room's id, with @ and a time behind it where nobody had the match when it was written."""
        room_id, _, had_until_ms = value.partition("@")
        return cls(room_id, written_ms, int(had_until_ms or written_ms))


class Owners:
    """Every unfinished match's room, followed from the bucket."""

    def __init__(self, nats: Client) -> None:
        self.changed = asyncio.Event()
        """Set with each change; cleared by whoever waits for it."""
        self._nats = nats
        self._room_of: dict[str, str] = {}
        self._matches_of: defaultdict[str, set[str]] = defaultdict(set)
        self._follower = Follower(nats, BUCKET, self._forget_all, self._take, self.changed.set)

    async def run(self) -> None:
        """Follow the bucket for ever."""
        await self._follower.run()

    def find(self, match_id: str) -> str | None:
        """The room that has a match, as far as is known here."""
        return self._room_of.get(match_id)

    def rooms(self) -> tuple[str, ...]:
        """The rooms that have matches."""
        return tuple(room for room, matches in self._matches_of.items() if matches)

    def matches_of(self, room_id: str) -> tuple[str, ...]:
        """The matches that a room has."""
        return tuple(self._matches_of.get(room_id, ()))

    async def ask(self, match_id: str) -> Owner | None:
        """The room that has a match, by the bucket's own word. Raises `LogUnavailableError`."""
        message = await last_message(self._nats, f"KV_{BUCKET}", _subject(match_id))
        if message is None or not message.data:
            return None
        return Owner.from_stored(message.data.decode(), message.stored_ms)

    async def propose(self, match_id: str, room_id: str) -> bool:
        """Say who has a match of which nothing was said before; returns whether that was so."""
        if not await self._write(match_id, room_id.encode(), _NOTHING_BEFORE):
            return False
        self._note(match_id, room_id)
        return True

    async def put(self, match_id: str, room_id: str, had_until_ms: int | None = None) -> None:
        """Say who has a match, or is to have one that nobody had since a time. A failure costs others a detour."""
        self._note(match_id, room_id)
        value = room_id if had_until_ms is None else f"{room_id}@{had_until_ms}"
        await self._write(match_id, value.encode(), {})

    async def remove(self, match_id: str) -> None:
        """Say that a match needs no room any more."""
        self._note(match_id, None)
        await self._write(match_id, b"", {"KV-Operation": "DEL"})

    async def _write(self, match_id: str, value: bytes, headers: dict[str, str]) -> bool:
        """Whether it was stored."""
        try:
            reply = await self._nats.request(
                _subject(match_id), value, timeout=_WRITE_SECONDS, headers=headers
            )
        except (TimeoutError, NatsError, OSError) as error:
            _log.warning("owner not written", match_id=match_id, error=repr(error))
            return False
        return "error" not in json.loads(reply.data)

    def _forget_all(self) -> None:
        self._room_of.clear()
        self._matches_of.clear()

    def _take(self, change: Change) -> None:
        self._note(change.key, change.value.decode().partition("@")[0] if change.value else None)
        self.changed.set()

    def _note(self, match_id: str, room_id: str | None) -> None:
        former = self._room_of.pop(match_id, None)
        if former is not None:
            self._matches_of[former].discard(match_id)
        if room_id is not None:
            self._room_of[match_id] = room_id
            self._matches_of[room_id].add(match_id)


def _subject(match_id: str) -> str:
    return f"$KV.{BUCKET}.{match_id}"
