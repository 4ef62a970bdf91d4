"""This room's sign of life, and what its answers tell about NATS: whether it is there, and what time it has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.messages import RawMessage, last_message
from arena_services.common.roster import BEAT_SECONDS, ROOMS_BUCKET, Beat
from arena_services.room.clock import Outage

#: Before that a room has not heard every other one beat.
_SETTLE_SECONDS = 1.5
_TIME_EVERY = 5
#: With a beat: until when its room could work, by NATS' clock. NATS may store a beat long after it was sent, even
#: when its room is dead. Milliseconds since the Unix epoch.
_WORKED_UNTIL = "Arena-Worked-Until"

_log = logs.get()


class Heartbeat:
    """Beats once a second into the bucket `rooms`.

    `stood_still` is called with start and end of every stretch in which this room, or NATS, was away.
    """

    def __init__(
        self, nats: Client, beat: Callable[[], Beat], stood_still: Callable[[int, int], None]
    ) -> None:
        self.outage = Outage()
        self.outage.answered(now_ms())
        self.former_ms: int | None = None
        """When this room's name last beat before this process, by NATS' clock."""
        self.began_ms = 0
        """When this process first beat, by NATS' clock."""
        self._nats = nats
        self._beat = beat
        self._stood_still = stood_still
        self._loop = asyncio.get_running_loop()
        self._since: float | None = None
        self._has_left = False
        self._offset_ms = 0

    @property
    def is_settled(self) -> bool:
        """Whether beats have been answered for long enough to know who else is alive."""
        return self._since is not None and self._loop.time() - self._since >= _SETTLE_SECONDS

    def nats_ms(self) -> int:
        """The time by NATS' clock, as nearly as a round trip tells."""
        return now_ms() + self._offset_ms

    async def last_beat_ms(self, room_id: str) -> int | None:
        """When a room last beat and could work, by NATS' clock. For this room's own name: before this process."""
        if room_id == self._beat().room_id:
            return self.former_ms
        message = await last_message(self._nats, f"KV_{ROOMS_BUCKET}", _subject(room_id))
        return _worked_ms(message)

    async def begin(self) -> None:
        """Remember the former process's last beat, and beat for the first time."""
        message = await last_message(
            self._nats, f"KV_{ROOMS_BUCKET}", _subject(self._beat().room_id)
        )
        self.former_ms = _worked_ms(message)
        await self.send()
        self.began_ms = self.nats_ms()

    async def run(self) -> None:
        """Beat until this room leaves."""
        count = 0
        while not self._has_left:
            await self.send()
            if count % _TIME_EVERY == 0:
                await self._compare_clocks()
            count += 1
            await asyncio.sleep(BEAT_SECONDS)

    async def send(self) -> None:
        """Beat once."""
        beat, away_ms = self._beat(), self.outage.began_ms()
        worked_ms = self.nats_ms() if away_ms is None else away_ms + self._offset_ms
        headers = {_WORKED_UNTIL: str(worked_ms)}
        try:
            await self._nats.request(
                _subject(beat.room_id), beat.to_bytes(), timeout=BEAT_SECONDS, headers=headers
            )
        except (TimeoutError, NatsError, OSError) as error:
            self._unanswered(error)
        else:
            self._answered()

    async def leave(self) -> None:
        """Tell everybody that this room has gone, and beat no more."""
        self._has_left = True
        subject = _subject(self._beat().room_id)
        try:
            await self._nats.request(subject, timeout=BEAT_SECONDS, headers={"KV-Operation": "DEL"})
        except (TimeoutError, NatsError, OSError) as error:
            _log.info("left without goodbye", error=repr(error))

    def _answered(self) -> None:
        now, began_ms = now_ms(), self.outage.began_ms()
        if began_ms is not None:
            if self.outage.since_ms is not None:
                _log.info("NATS answers again", away_ms=now - began_ms)
            else:
                _log.warning("this room stood still", away_ms=now - began_ms)
                self._since = None
            self._stood_still(began_ms, now)
        if self._since is None:
            self._since = self._loop.time()
        self.outage.answered(now)

    def _unanswered(self, error: Exception) -> None:
        self._since = None
        if self.outage.since_ms is None:
            self.outage.since_ms = self.outage.answered_ms
            _log.warning("NATS does not answer", error=repr(error))

    async def _compare_clocks(self) -> None:
        try:
            message = await last_message(
                self._nats, f"KV_{ROOMS_BUCKET}", _subject(self._beat().room_id)
            )
        except LogUnavailableError:
            return
        if message is not None:
            self._offset_ms = message.stored_ms - (self.outage.answered_ms or now_ms())


def _worked_ms(beat: RawMessage | None) -> int | None:
    """Until when the room of a beat could work; None where there is none."""
    if beat is None:
        return None
    return min(beat.stored_ms, int(beat.headers.get(_WORKED_UNTIL, beat.stored_ms)))


def _subject(room_id: str) -> str:
    return f"$KV.{ROOMS_BUCKET}.{room_id}"
