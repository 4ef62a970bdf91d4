"""Which room has which match, as the KV bucket `owners` says. Only ever tells where to send; safety is the log's."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.follower import Change, Follower
from arena_services.common.owners import (
    OWNERS_BUCKET,
    Owner,
    find_owner,
    owner_subject,
    owner_value,
    room_in,
)

_WRITE_SECONDS = 2.0
#: How long it is remembered that a match needs no room any more; every room has long heard of it by then.
_GONE_SECONDS = 3600
_NOTHING_BEFORE = {"Nats-Expected-Last-Subject-Sequence": "0"}

_log = logs.get()


class Owners:
    """Every unfinished match's room, followed from the bucket."""

    def __init__(self, nats: Client) -> None:
        self.changed = asyncio.Event()
        """Set with each change; cleared by whoever waits for it."""
        self._nats = nats
        self._room_of: dict[str, str] = {}
        self._matches_of: defaultdict[str, set[str]] = defaultdict(set)
        self._follower = Follower(
            nats, OWNERS_BUCKET, self._forget_all, self._take, self.changed.set
        )

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
        return await find_owner(self._nats, match_id)

    async def propose(self, match_id: str, room_id: str, had_until_ms: int) -> bool:
        """Say who has a match of which nothing was said before; returns whether that was so."""
        if not await self._write(match_id, owner_value(room_id, had_until_ms), _NOTHING_BEFORE):
            return False
        self.note(match_id, room_id)
        return True

    async def put(self, match_id: str, room_id: str, had_until_ms: int) -> None:
        """Say who has a match, or is to have one, and until when one certainly had it, by NATS' clock.

        NATS may store that later than it was said. A failure costs others a detour.
        """
        self.note(match_id, room_id)
        await self._write(match_id, owner_value(room_id, had_until_ms), {})

    async def remove(self, match_id: str) -> None:
        """Say that a match needs no room any more."""
        self.note(match_id, None)
        gone = {"KV-Operation": "DEL", "Nats-TTL": str(_GONE_SECONDS)}
        await self._write(match_id, b"", gone)

    async def _write(self, match_id: str, value: bytes, headers: dict[str, str]) -> bool:
        """Whether it was stored."""
        try:
            reply = await self._nats.request(
                owner_subject(match_id), value, timeout=_WRITE_SECONDS, headers=headers
            )
        except (TimeoutError, NatsError, OSError) as error:
            _log.warning("owner not written", match_id=match_id, error=repr(error))
            return False
        return "error" not in json.loads(reply.data)

    def _forget_all(self) -> None:
        self._room_of.clear()
        self._matches_of.clear()

    def _take(self, change: Change) -> None:
        self.note(change.key, room_in(change.value) if change.value else None)
        self.changed.set()

    def note(self, match_id: str, room_id: str | None) -> None:
        """Know, here alone, who has a match; None: it needs no room any more."""
        former = self._room_of.pop(match_id, None)
        if former is not None:
            self._matches_of[former].discard(match_id)
        if room_id is not None:
            self._room_of[match_id] = room_id
            self._matches_of[room_id].add(match_id)
