"""How much one player may ask of one process: requests a second, streams at once. Services and bots are not limited.

A request that another process sent on counts in both: who passes it on cannot be told from who says so.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from arena_services.common.auth import Caller, Role, Tokens
from arena_services.common.config import ServiceSettings
from arena_services.common.errors import ResourceExhaustedError
from arena_services.common.metrics import LIMITED
from arena_services.common.pace import Pace

#: Requests that may come at once, as seconds of the pace: a client that comes back attaches to all it had.
_BURST_SECONDS = 2.0
#: Paces that are remembered before those are dropped that say nothing any more.
_MOST_PACES = 10_000


class _Stream:
    """A stream while it is open. A generator would take five times as much of each."""

    __slots__ = ("_caller", "_limits")

    def __init__(self, limits: Limits, caller: Caller) -> None:
        self._limits = limits
        self._caller = caller

    def __enter__(self) -> None:
        self._limits.open_stream(self._caller)

    def __exit__(self, *_: object) -> None:
        self._limits.close_stream(self._caller)


class Limits:
    """Counts what each player asks."""

    def __init__(self, per_second: float, streams: int) -> None:
        """`per_second`: requests, 0 for any number; `streams`: open at once."""
        self._per_second = per_second
        self._burst = max(1.0, per_second * _BURST_SECONDS)
        self._most_streams = streams
        self._paces: dict[str, Pace] = {}
        self._streams: Counter[str] = Counter()

    def admit(self, caller: Caller, weight: float = 1) -> None:
        """Count a request, a heavy one as several. Raises `ResourceExhaustedError` for one too many."""
        if caller.role is not Role.PLAYER or not self._per_second:
            return
        now = time.monotonic()
        pace = self._paces.get(caller.player_id)
        if pace is None:
            self._forget_idle(now)
            pace = self._paces[caller.player_id] = Pace(self._burst, now)
        if not pace.take(self._per_second, self._burst, now, weight):
            LIMITED.labels("TOO_MANY_REQUESTS").inc()
            raise ResourceExhaustedError(
                "TOO_MANY_REQUESTS",
                f"More than {self._per_second:g} requests a second; slow down and try again.",
            )

    def stream(self, caller: Caller) -> _Stream:
        """A block in which a stream is counted. Entering raises `ResourceExhaustedError` for one too many."""
        return _Stream(self, caller)

    def open_stream(self, caller: Caller) -> None:
        """A stream is opened: see `stream`."""
        if caller.role is not Role.PLAYER:
            return
        if self._streams[caller.player_id] >= self._most_streams:
            LIMITED.labels("TOO_MANY_STREAMS").inc()
            raise ResourceExhaustedError(
                "TOO_MANY_STREAMS",
                f"You have {self._most_streams} streams open here; close one, or follow several seats on one.",
            )
        self._streams[caller.player_id] += 1

    def close_stream(self, caller: Caller) -> None:
        """A stream that was opened has ended."""
        if caller.role is Role.PLAYER:
            self._streams[caller.player_id] -= 1
            if not self._streams[caller.player_id]:
                del self._streams[caller.player_id]

    def _forget_idle(self, now: float) -> None:
        if len(self._paces) >= _MOST_PACES:
            self._paces = {
                player_id: pace
                for player_id, pace in self._paces.items()
                if not pace.is_full(self._per_second, self._burst, now)
            }


class Gate:
    """Who calls, and whether that is not too often."""

    def __init__(self, tokens: Tokens, settings: ServiceSettings) -> None:
        self.limits = Limits(settings.requests_per_second, settings.streams_per_player)
        self._tokens = tokens

    def admit(self, context: Any, weight: float = 1) -> Caller:
        """The caller of a call, a heavy one counted as several.

        Raises `UnauthenticatedError`, `ResourceExhaustedError`.
        """
        caller = self._tokens.caller(context)
        self.limits.admit(caller, weight)
        return caller
