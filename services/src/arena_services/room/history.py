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
from arena_services.common.log.messages import RawMessage, all_messages

BUCKET = "history"
KEPT_SECONDS = 90 * 24 * 3600.0
_WRITE_SECONDS = 2.0
_RUNNING, _OVER = b"running", b"over"
_NOTHING_BEFORE = {"Nats-Expected-Last-Subject-Sequence": "0"}
#: What can be part of a key. Player ids of this platform are.
_FIT = re.compile(r"[A-Za-z0-9_=-]+")

_log = logs.get()


@dataclass(frozen=True)
class Pointer:
    """A match that a person was seated in."""

    match_id: str
    is_over: bool
    """It has ended; until that has been noted: False."""
    order: int
    """Higher is later: when it was made, or has ended."""


class History:
    """The matches of all people. Writing never fails a match; what was not written is not listed."""

    def __init__(self, nats: Client) -> None:
        self._nats = nats

    async def begin(self, match_id: str, player_ids: Iterable[str]) -> None:
        """Note a match that is about to be made."""
        await self._write_all(match_id, player_ids, _RUNNING, _NOTHING_BEFORE)

    async def end(self, match_id: str, player_ids: Iterable[str]) -> None:
        """Note that a match has ended."""
        await self._write_all(match_id, player_ids, _OVER, {})

    async def of(self, player_id: str) -> list[Pointer]:
        """A person's matches, the latest first. Raises `LogUnavailableError`."""
        if not _FIT.fullmatch(player_id):
            return []
        subject = _subject(player_id, "*")
        found = await all_messages(self._nats, f"KV_{BUCKET}", subject, is_last=True)
        return [_pointer(message) for message in reversed(found) if message.data]

    async def _write_all(
        self, match_id: str, player_ids: Iterable[str], value: bytes, headers: dict[str, str]
    ) -> None:
        subjects = [
            _subject(each, match_id)
            for each in player_ids
            if _FIT.fullmatch(each) and _FIT.fullmatch(match_id)
        ]
        await asyncio.gather(*(self._write(subject, value, headers) for subject in subjects))

    async def _write(self, subject: str, value: bytes, headers: dict[str, str]) -> None:
        try:
            await self._nats.request(subject, value, timeout=_WRITE_SECONDS, headers=headers)
        except (TimeoutError, NatsError, OSError) as error:
            _log.warning("history not written", subject=subject, error=repr(error))


def _pointer(message: RawMessage) -> Pointer:
    match_id = message.subject.rpartition(".")[2]
    return Pointer(match_id, message.data == _OVER, message.stream_sequence)


def _subject(player_id: str, match_id: str) -> str:
    return f"$KV.{BUCKET}.{player_id}.{match_id}"
