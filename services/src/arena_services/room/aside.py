"""Matches whose logs do not fold: left alone for a while and tried again, the later the more often that failed.

What keeps a log from being folded may go away: another room wrote it on, an operator mended it.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from arena_services.common.log.errors import CorruptLogError
from arena_services.common.pauses import growing
from arena_services.room.errors import MatchSetAsideError

_FIRST_PAUSE_SECONDS = 30.0
_LONGEST_PAUSE_SECONDS = 600.0


class _Aside(NamedTuple):
    error: CorruptLogError
    tries: int
    until: float
    """By `time.monotonic`."""


class Aside:
    """The matches that one room leaves alone."""

    def __init__(self) -> None:
        self._matches: dict[str, _Aside] = {}

    def put(self, match_id: str, error: CorruptLogError) -> bool:
        """Leave a match alone for a while; whether that had not been tried before."""
        tries = self._matches[match_id].tries + 1 if match_id in self._matches else 0
        pause = growing(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS, tries)
        self._matches[match_id] = _Aside(error, tries, time.monotonic() + pause)
        return tries == 0

    def take_back(self, match_id: str) -> None:
        """A match's log has been read well, or is another room's."""
        self._matches.pop(match_id, None)

    def holds(self, match_id: str) -> bool:
        """Whether a match is to be left alone now."""
        aside = self._matches.get(match_id)
        return aside is not None and time.monotonic() < aside.until

    def check(self, match_id: str) -> None:
        """Raise `MatchSetAsideError` for a match that is to be left alone now."""
        aside = self._matches.get(match_id)
        if aside is not None and (left := aside.until - time.monotonic()) > 0:
            raise MatchSetAsideError(aside.error, left)
