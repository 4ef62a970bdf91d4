"""A match as its spectators see it where they are kept behind, so that nobody can tell players what they saw."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from arena_services.common.clock import now_ms
from arena_services.common.log.fold import Fold
from arena_services.room.updates import Feed, Moment


class _Held(NamedTuple):
    fold: Fold
    moment: Moment | None
    """None for the position that this room began with."""
    remaining_ms: int | None


class DelayedSight:
    """Everything that happens, so many seconds later; once the match has ended nothing is held back any more."""

    def __init__(
        self,
        seconds: float,
        feed: Feed,
        fold: Fold,
        show: Callable[[Moment | None, int | None], None],
    ) -> None:
        """`show` is called for each entry when its time has come, with None where it is the first one here."""
        self.feed = feed
        self.fold: Fold | None = None
        """The position that is shown; None while the first one is held back."""
        self._seconds = seconds
        self._show = show
        self._held = deque([_Held(fold, None, None)])
        self._loop = asyncio.get_running_loop()
        age_seconds = (now_ms() - fold.time_ms) / 1000
        if fold.is_over or age_seconds >= seconds:
            self._show_next()
        else:
            self._loop.call_later(seconds - age_seconds, self._show_next)

    def take(self, fold: Fold, moment: Moment, remaining_ms: int | None) -> None:
        """Hold an entry back for its time."""
        self._held.append(_Held(fold, moment, remaining_ms))
        if fold.is_over:
            while self._held:
                self._show_next()
        else:
            self._loop.call_later(self._seconds, self._show_next)

    def _show_next(self) -> None:
        if not self._held:
            return  # the match has ended meanwhile
        fold, moment, remaining_ms = self._held.popleft()
        self.fold = fold
        if moment is not None:
            self.feed.keep(moment)
        self._show(moment, remaining_ms)
