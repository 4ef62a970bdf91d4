"""Which matches a person was seated in: the KV bucket `history`, a key for each person and match.

It only points: what a match is and how it ended is said by its log. Written before a match's first entry, so that none
is ever left out; a pointer to a match that was not made after all leads nowhere and is passed over.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.log.messages import RawMessage, all_messages, last_message

HISTORY_BUCKET = "history"
HISTORY_SECONDS = 90 * 24 * 3600.0
_WRITE_SECONDS = 2.0
_RUNNING, _OVER = "running", "over"
_NOTHING_BEFORE = {"Nats-Expected-Last-Subject-Sequence": "0"}
#: What can be part of a key. Player ids of this platform are.
_FIT = re.compile(r"[A-Za-z0-9_=-]+")

_log = logs.get()


@dataclass(frozen=True)
class End:
    """How far a match went: what its log must hold to be whole."""

    sequence: int
    """Of its last entry."""
    state_hash: str
    """Of its last position, in hex."""


@dataclass(frozen=True)
class Pointer:
    """A match that a person was seated in."""

    match_id: str
    end: End | None
    """None while it goes on, and until its end has been noted."""
    order: int
    """Higher is later: when it was made, or has ended."""


class History:
    """The matches of all people. Writing never fails a match; what was not written is not listed."""

    def __init__(self, nats: Client) -> None:
        self._nats = nats

    async def begin(self, match_id: str, player_ids: Iterable[str]) -> None:
        """Note a match that is about to be made."""
        await self._write_all(match_id, player_ids, _RUNNING, _NOTHING_BEFORE)

    async def end(self, match_id: str, player_ids: Iterable[str], end: End) -> None:
        """Note that a match has ended."""
        value = f"{_OVER} {end.sequence} {end.state_hash}"
        await self._write_all(match_id, player_ids, value, {})

    async def find(self, match_id: str, player_id: str) -> Pointer | None:
        """What is noted of one match of a person. Raises `LogUnavailableError`."""
        if not (_FIT.fullmatch(player_id) and _FIT.fullmatch(match_id)):
            return None
        subject = _subject(player_id, match_id)
        message = await last_message(self._nats, f"KV_{HISTORY_BUCKET}", subject)
        return _pointer(message) if message is not None and message.data else None

    async def of(self, player_id: str) -> list[Pointer]:
        """A person's matches, the latest first. Raises `LogUnavailableError`."""
        if not _FIT.fullmatch(player_id):
            return []
        subject = _subject(player_id, "*")
        found = await all_messages(self._nats, f"KV_{HISTORY_BUCKET}", subject, is_last=True)
        return [_pointer(message) for message in reversed(found) if message.data]

    async def _write_all(
        self, match_id: str, player_ids: Iterable[str], value: str, headers: dict[str, str]
    ) -> None:
        subjects = [
            _subject(each, match_id)
            for each in player_ids
            if _FIT.fullmatch(each) and _FIT.fullmatch(match_id)
        ]
        await asyncio.gather(*(self._write(subject, value, headers) for subject in subjects))

    async def _write(self, subject: str, value: str, headers: dict[str, str]) -> None:
        data = value.encode()
        try:
            await self._nats.request(subject, data, timeout=_WRITE_SECONDS, headers=headers)
        except (TimeoutError, NatsError, OSError) as error:
            _log.warning("history not written", subject=subject, error=repr(error))


def _pointer(message: RawMessage) -> Pointer:
    match_id = message.subject.rpartition(".")[2]
    kind, *end = message.data.decode().split()
    known = End(int(end[0]), end[1]) if kind == _OVER else None
    return Pointer(match_id, known, message.stream_sequence)


def _subject(player_id: str, match_id: str) -> str:
    return f"$KV.{HISTORY_BUCKET}.{player_id}.{match_id}"
