"""Writes snapshots of this room's matches, beside their play, and finds those that other rooms wrote."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.log import snapshot
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.fold import Fold
from arena_services.common.log.messages import last_message
from arena_services.common.log.snapshot import Restored, UnfitSnapshotError
from arena_services.room import metrics
from arena_services.room.updates import RECENT

#: Entries between two snapshots of a match.
EVERY = 64
_WRITE_SECONDS = 2.0

_log = logs.get()


class _Due(NamedTuple):
    fold: Fold
    stream_sequence: int


class Snapshots:
    """The snapshots of all matches. Nothing waits for one, and nothing fails for want of one."""

    def __init__(self, nats: Client) -> None:
        self._nats = nats
        self._ripening: dict[str, _Due] = {}
        self._due: dict[str, _Due] = {}
        self._is_due = asyncio.Event()

    def note(self, fold: Fold, stream_sequence: int) -> None:
        """Take in a match's fold at its newest entry, which nobody will change any more.

        What is written lies a few entries back, so that whoever goes on from it also reads the entries whose updates
        viewers may still lack.
        """
        if fold.is_over:
            self._ripening.pop(fold.match_id, None)
        elif fold.sequence % EVERY == 0:
            self._ripening[fold.match_id] = _Due(fold, stream_sequence)
        elif fold.sequence % EVERY == RECENT and (due := self._ripening.pop(fold.match_id, None)):
            self._due[fold.match_id] = due
            self._is_due.set()

    def forget(self, match_id: str) -> None:
        """Another room has the match, or nobody needs to."""
        self._ripening.pop(match_id, None)

    async def run(self) -> None:
        """Write for ever what is due, one after another."""
        while True:
            check_cancelled()
            await self._is_due.wait()
            self._is_due.clear()
            while self._due:
                check_cancelled()
                await self._write(*self._due.pop(next(iter(self._due))))

    async def _write(self, fold: Fold, stream_sequence: int) -> None:
        subject = snapshot.subject_of(fold.match_id)
        try:
            data = snapshot.write(fold, stream_sequence)
            await self._nats.request(subject, data, timeout=_WRITE_SECONDS)
        except (TimeoutError, NatsError, OSError) as error:
            _log.info("snapshot not written", match_id=fold.match_id, error=repr(error))
        except Exception as error:  # a game that cannot write its position can still be played
            _log.error("snapshot not written", match_id=fold.match_id, exc_info=error)
        else:
            metrics.SNAPSHOTS_WRITTEN.inc()

    async def find(self, match_id: str) -> Restored | None:
        """A match's newest snapshot, if there is one that can be read."""
        try:
            message = await last_message(self._nats, snapshot.STREAM, snapshot.subject_of(match_id))
            return None if message is None else snapshot.read(match_id, message.data)
        except LogUnavailableError as error:
            _log.info("snapshot not read", match_id=match_id, error=str(error))
        except Exception as error:  # whatever is wrong with it, the log is whole without it
            self.note_unfit(match_id, error)
        return None

    def note_unfit(self, match_id: str, error: Exception) -> None:
        """Tell operators of a snapshot that was passed over."""
        metrics.SNAPSHOTS_UNFIT.inc()
        cause = None if isinstance(error, UnfitSnapshotError) else error
        _log.warning("snapshot passed over", match_id=match_id, error=str(error), exc_info=cause)
