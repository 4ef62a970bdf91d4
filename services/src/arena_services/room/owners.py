"""Which room has which match, as the KV bucket `owners` says. Only ever tells where to send; safety is the log's."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from typing import NamedTuple

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.follower import Change, Follower
from arena_services.common.owners import (
    OWNERS_BUCKET,
    Owner,
    Reign,
    find_owner,
    owner_subject,
    owner_value,
    reign_headers,
    reign_in,
    room_in,
)
from arena_services.common.roster import Beat

_WRITE_SECONDS = 2.0
#: Streams are led by different servers of NATS, each of which stores by its own clock.
_CLOCKS_DIFFER_MS = 500
#: How long it is remembered that a match needs no room any more; every room has long heard of it by then.
_GONE_SECONDS = 3600
_EXPECTED_LAST = "Nats-Expected-Last-Subject-Sequence"

#: Of what is about to be written.
_JUST_NOW = 1 << 62

_log = logs.get()


def leaves(room: Beat, written_ms: int, reign: Reign | None) -> bool:
    """Whether a living room leaves a match to others that it was said, at a time by NATS' clock, to have or to take.

    It has begun anew since; or it was named as its heir when it drained already, and takes it no more. Rooms of a build
    that does not say when they began do not say either what they have.
    """
    is_named_in_vain = room.is_draining and reign is None and room.began_ms > 0
    return is_of_former_life(room.began_ms, written_ms, reign) or is_named_in_vain


def is_of_former_life(began_ms: int, written_ms: int, reign: Reign | None) -> bool:
    """Whether a match was said to be a room's before its process that began then.

    As what a process has a match is told by the same beat as when it began. That it is to have one is told by the time
    of another stream alone: what is hardly older than the process is the process's, which takes up all of its name.
    """
    if reign is not None:
        return reign.life_ms < began_ms
    return written_ms + _CLOCKS_DIFFER_MS < began_ms


def _gone_headers() -> dict[str, str]:
    return {"KV-Operation": "DEL", "Nats-TTL": str(_GONE_SECONDS)}


class _Said(NamedTuple):
    room_id: str
    reign: Reign | None
    written_ms: int


class Owners:
    """Every unfinished match's room, followed from the bucket."""

    def __init__(self, nats: Client) -> None:
        self.changed = asyncio.Event()
        """Set with each change; cleared by whoever waits for it."""
        self._nats = nats
        self._said: dict[str, _Said] = {}
        self._matches_of: defaultdict[str, set[str]] = defaultdict(set)
        self._keeps_all: dict[str, int] = {}
        """Rooms that leave none of what was written before they began, and when that was."""
        self._not_heard_again: set[str] = set()
        """While the bucket is read anew: what it has not said again so far."""
        self._held: dict[str, tuple[str, Reign]] = {}
        self._contested: set[str] = set()
        self._follower = Follower(
            nats, OWNERS_BUCKET, self._begin_anew, self._take, self._caught_up
        )

    async def run(self) -> None:
        """Follow the bucket for ever."""
        await self._follower.run()

    def find(self, match_id: str) -> str | None:
        """The room that has a match, as far as is known here."""
        said = self._said.get(match_id)
        return said.room_id if said else None

    def is_said(self, match_id: str, room_id: str, reign: Reign) -> bool:
        """Whether a room is known here to have a match as what it has it."""
        said = self._said.get(match_id)
        return said is not None and (said.room_id, said.reign) == (room_id, reign)

    def hold(self, match_id: str, room_id: str, reign: Reign) -> None:
        """Have it seen to that a match of this process is said to be its own: see `contested`."""
        self._held[match_id] = room_id, reign
        self._compare(match_id)

    def let_go(self, match_id: str) -> None:
        """This process has a match no longer, or it needs no room."""
        self._held.pop(match_id, None)
        self._contested.discard(match_id)

    def contested(self) -> tuple[str, ...]:
        """The matches held here of which the bucket says that another room has them, or this one as something else.

        What is held may be an old copy: its room missed being replaced, and is now to have the match again.
        """
        return tuple(self._contested)

    def _compare(self, match_id: str) -> None:
        held = self._held.get(match_id)
        if held is None or self.is_said(match_id, *held):
            self._contested.discard(match_id)
        else:
            self._contested.add(match_id)

    def is_left_by(self, match_id: str, room: Beat) -> bool:
        """Whether a living room is known here to be said to have a match that it leaves to others."""
        said = self._said.get(match_id)
        return said is not None and leaves(room, said.written_ms, said.reign)

    def left_by(self, room: Beat) -> tuple[str, ...]:
        """The matches that a living room is known here to be said to have, and leaves to others.

        Asked some times a second about rooms that leave none, so that only what has changed is looked through.
        """
        if not room.is_draining and self._keeps_all.get(room.room_id) == room.began_ms:
            return ()
        left = tuple(each for each in self.matches_of(room.room_id) if self.is_left_by(each, room))
        if not left and not room.is_draining:
            self._keeps_all[room.room_id] = room.began_ms
        return left

    def rooms(self) -> tuple[str, ...]:
        """The rooms that have matches."""
        return tuple(room for room, matches in self._matches_of.items() if matches)

    def matches_of(self, room_id: str) -> tuple[str, ...]:
        """The matches that a room has."""
        return tuple(self._matches_of.get(room_id, ()))

    async def ask(self, match_id: str) -> Owner | None:
        """The room that has a match, by the bucket's own word. Raises `LogUnavailableError`."""
        return await find_owner(self._nats, match_id)

    async def propose(self, match_id: str, room_id: str, since_ms: int, reign: Reign) -> bool:
        """Say who has a match of which nothing was said before; returns whether that was so."""
        value = owner_value(room_id, since_ms)
        if not await self._write(match_id, value, {**reign_headers(reign), _EXPECTED_LAST: "0"}):
            return False
        self.note(match_id, room_id, reign)
        return True

    async def put(
        self, match_id: str, room_id: str, since_ms: int, reign: Reign | None = None
    ) -> bool:
        """Say since when a room has a match; without a reign: who is to have it, and since when nobody has.

        By NATS' clock; NATS may store that later than it was said. Returns whether it is certainly stored. Where it is
        not, what was known before counts again, so that whoever compares that with what is finds that it is to be said.
        """
        value = owner_value(room_id, since_ms)
        return await self._tell(match_id, _Said(room_id, reign, _JUST_NOW), value)

    async def pass_on(self, match_id: str, former: Owner, heir_id: str, since_ms: int) -> None:
        """Say which room is to have a match that nobody has, unless another one says something meanwhile."""
        behind = {_EXPECTED_LAST: str(former.revision)}
        if await self._write(match_id, owner_value(heir_id, since_ms), behind):
            self.note(match_id, heir_id)

    async def remove(self, match_id: str) -> None:
        """Say that a match needs no room any more. Where that fails, what was known before counts again."""
        await self._tell(match_id, None, b"")

    async def strike(self, match_id: str, former: Owner) -> None:
        """Say that a match needs no room, unless another one says something meanwhile."""
        behind = {**_gone_headers(), _EXPECTED_LAST: str(former.revision)}
        if await self._write(match_id, b"", behind):
            self.note(match_id, None)

    async def _tell(self, match_id: str, said: _Said | None, value: bytes) -> bool:
        """Know something, and say it; whether that was stored."""
        former = self._said.get(match_id)
        self._know(match_id, said)
        headers = _gone_headers() if said is None else reign_headers(said.reign)
        is_stored = await self._write(match_id, value, headers)
        if not is_stored and self._said.get(match_id) is said:
            self._know(match_id, former)
        return is_stored

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

    def _begin_anew(self) -> None:
        """All is about to be heard again. Until then what was known counts: nearly all of it is as it was."""
        self._not_heard_again = set(self._said)

    def _caught_up(self) -> None:
        for match_id in tuple(self._not_heard_again):
            self.note(match_id, None)
        self.changed.set()

    def _take(self, change: Change) -> None:
        room_id = room_in(change.value) if change.value else None
        self.note(change.key, room_id, reign_in(change.headers), change.stored_ms)
        self.changed.set()

    def note(
        self,
        match_id: str,
        room_id: str | None,
        reign: Reign | None = None,
        written_ms: int = _JUST_NOW,
    ) -> None:
        """Know, here alone, who has a match; None: it needs no room any more."""
        self._know(match_id, None if room_id is None else _Said(room_id, reign, written_ms))

    def _know(self, match_id: str, said: _Said | None) -> None:
        self._not_heard_again.discard(match_id)
        former = self._said.pop(match_id, None)
        if former is not None:
            self._matches_of[former.room_id].discard(match_id)
        if said is not None:
            self._said[match_id] = said
            self._matches_of[said.room_id].add(match_id)
            began_ms = self._keeps_all.get(said.room_id, 0)
            if is_of_former_life(began_ms, said.written_ms, said.reign):
                del self._keeps_all[said.room_id]
        self._compare(match_id)
