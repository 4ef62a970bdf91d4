"""What the people of one match say to each other, as the match's owner takes it: numbered, paced, stored.

Beside the match and its mailbox: nothing that is said makes a move wait.
"""

from __future__ import annotations

import asyncio
import time
import unicodedata

from arena.log.v1.chat_pb2 import ChatLine, ChatMute
from arena.log.v1.entry_pb2 import RequestKey
from arena_services.common.clock import now_ms
from arena_services.common.errors import InvalidArgumentError, ResourceExhaustedError
from arena_services.common.pace import Pace
from arena_services.room import metrics
from arena_services.room.chat_store import ChatConflictError, ChatStore, Talk

LONGEST_TEXT = 280
_BURST = 5
_PER_SECOND = 0.5
#: Another room may have the match as well, for a moment.
_TRIES = 3
#: Categories of characters that show nothing, or turn others around; joiners are let through, scripts need them.
_UNFIT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")


class Chat:
    """The chat of a match that is here. Nothing is read from the store before somebody says something."""

    __slots__ = (
        "_match_id",
        "_one_by_one",
        "_paces",
        "_store",
        "_talk",
    )

    def __init__(self, store: ChatStore, match_id: str) -> None:
        self._store = store
        self._match_id = match_id
        self._talk: Talk | None = None
        self._paces: dict[int, Pace] = {}
        self._one_by_one = asyncio.Lock()

    async def say(self, seat: int, key: RequestKey, text: str) -> tuple[ChatLine, bool]:
        """Store what a seat says; returns the line, and whether it is a new one rather than a repeat.

        Raises `InvalidArgumentError`, `ResourceExhaustedError`, `UnavailableError`.
        """
        text = check_text(text)
        async with self._one_by_one:
            for _ in range(_TRIES):
                talk = await self._read()
                if (said := _find(talk, seat, key)) is not None:
                    return said, False
                self._check_pace(seat)
                line = ChatLine(
                    number=talk.lines[-1].number + 1 if talk.lines else 1,
                    time_ms=now_ms(),
                    seat=seat,
                    text=text,
                    key=key,
                )
                if await self._append(talk, line):
                    metrics.CHAT_LINES.inc()
                    return line, True
        raise ResourceExhaustedError("TOO_BUSY", "Others keep talking; try again.")

    async def mute(self, seat: int, muted_seat: int, *, is_muted: bool) -> None:
        """Store whom a seat does not want to read. Raises `UnavailableError`, `ResourceExhaustedError`."""
        async with self._one_by_one:
            talk = await self._read()
            if ((seat, muted_seat) in talk.muted) != is_muted:
                self._check_pace(seat)
                mute = ChatMute(seat=seat, muted_seat=muted_seat, is_muted=is_muted)
                await self._store.mute(self._match_id, mute)
                talk.change(mute)

    def reads(self, seat: int, other: int) -> bool:
        """Whether a seat wants to read another one."""
        return self._talk is None or (seat, other) not in self._talk.muted

    async def _read(self) -> Talk:
        if self._talk is None:
            self._talk = await self._store.read(self._match_id)
        return self._talk

    async def _append(self, talk: Talk, line: ChatLine) -> bool:
        """Whether it is stored. Where that is not certain, the store is read again before anything else is said."""
        self._talk = None
        try:
            place = await self._store.append(self._match_id, line, talk.last)
        except ChatConflictError:
            return False
        talk.add(line, place)
        self._talk = talk
        return True

    def _check_pace(self, seat: int) -> None:
        now = time.monotonic()
        pace = self._paces.setdefault(seat, Pace(_BURST, now))
        if not pace.take(_PER_SECOND, _BURST, now):
            raise ResourceExhaustedError(
                "CHAT_TOO_FAST", f"{_BURST} lines in a row are enough; wait a few seconds."
            )


def check_text(text: str, shortest: int = 1) -> str:
    """The text as it will be shown. Raises `InvalidArgumentError`."""
    tidy = unicodedata.normalize("NFC", text.strip())
    if not shortest <= len(tidy) <= LONGEST_TEXT:
        raise InvalidArgumentError(
            "BAD_TEXT",
            f"The text has {len(tidy)} characters; {shortest} to {LONGEST_TEXT} will do.",
        )
    for character in tidy:
        if unicodedata.category(character) in _UNFIT and character not in _JOINERS:
            raise InvalidArgumentError(
                "BAD_TEXT",
                f"The text contains U+{ord(character):04X}, which is not shown everywhere; leave it out.",
            )
    return tidy


def _find(talk: Talk, seat: int, key: RequestKey) -> ChatLine | None:
    """What was said by an earlier request of this name."""
    return next((line for line in talk.lines if line.seat == seat and line.key == key), None)
