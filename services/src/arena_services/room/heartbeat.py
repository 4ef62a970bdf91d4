"""This room's sign of life, and what its answers tell about NATS: whether it is there, and what time it has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from nats.aio.client import Client
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.log.messages import RawMessage, last_message
from arena_services.common.roster import BEAT_SECONDS, ROOMS_BUCKET, Beat
from arena_services.room.clock import TICK_SECONDS, Outage
from arena_services.room.lives import Lives

#: Before that a room has not heard every other one beat.
_SETTLE_SECONDS = 1.5
#: A room that stood still for so long may not have heard of others that are alive.
_DEAF_MS = 1000
_TIME_EVERY = 10
#: What a room told so long ago is missing a beat at most: as much more is given back.
_FRESH_SECONDS = 0.5
#: NATS may take so long for a beat. Longer than the time between two: waiting is not yet an outage.
_ANSWER_SECONDS = 1.0
#: With a beat: see `Lives.told`; up to the last beat before it that was answered. That this one was sent, and even that
#: it was stored, does not show that its room can work: NATS may store it long after, or leave the room without answers.
_LIVES = "Arena-Lives"
#: With a beat: the partitions of the log that keep this room waiting, and since when, by NATS' clock. Nobody can play
#: their matches, while the room works.
_KEPT = "Arena-Kept"
#: The same for rooms of the version before: until when the room could work, by NATS' clock.
_WORKED_UNTIL = "Arena-Worked-Until"

_log = logs.get()


class Heartbeat:
    """Beats twice a second into the bucket `rooms`.

    `stood_still` is called with start and end of every stretch in which this room, or NATS, was away.
    """

    def __init__(
        self,
        nats: Client,
        beat: Callable[[], Beat],
        stood_still: Callable[[int, int], None],
        kept_since: Callable[[], Mapping[int, int]] = dict,
    ) -> None:
        """`kept_since`: the partitions of the log that keep this room waiting, and since when, by its own clock."""
        self.outage = Outage()
        self.outage.answered(now_ms())
        self.began_ms = 0
        """When this process first beat, by NATS' clock."""
        self._nats = nats
        self._beat = beat
        self._stood_still = stood_still
        self._kept_since = kept_since
        self._lives: Lives | None = None
        self._lives_of: dict[str, tuple[float, Lives]] = {}
        """What other rooms told, by id, and when they were asked."""
        self._loop = asyncio.get_running_loop()
        self._since: float | None = None
        self._has_left = False
        self._sent_ms = 0
        self._offset_ms = 0

    @property
    def is_settled(self) -> bool:
        """Whether beats have been answered for long enough to know who else is alive.

        Not so for a room that has just slept: what others said meanwhile it may still have to hear.
        """
        if self._since is None or self.outage.began_ms() is not None:
            return False
        return self._loop.time() - self._since >= _SETTLE_SECONDS

    @property
    def deaf_seconds(self) -> float:
        """For how long NATS has left this room without answers, or the room has stood still; 0 while neither is so."""
        began_ms = self.outage.began_ms()
        return 0.0 if began_ms is None else max(0, now_ms() - began_ms) / 1000

    def nats_ms(self) -> int:
        """The time by NATS' clock, as nearly as a round trip tells."""
        return now_ms() + self._offset_ms

    async def lives_of(self, room_id: str) -> Lives:
        """When a room could work, as far as it had told a moment ago at least. Raises `LogUnavailableError`.

        Asked for every match of a room that died, all at once.
        """
        if room_id == self._beat().room_id and self._lives is not None:
            return self._lives
        asked, lives = self._lives_of.get(room_id, (0.0, None))
        if lives is None or self._loop.time() - asked > _FRESH_SECONDS:
            asked = self._loop.time()
            lives = _lives_in(await self._last_beat(room_id))
            self._lives_of[room_id] = (asked, lives)
        return lives

    async def begin(self) -> None:
        """Learn what former processes of this room told, and beat for the first time. Raises `LogUnavailableError`."""
        room_id = self._beat().room_id
        if self._lives is None:
            self._lives = _lives_in(await self._last_beat(room_id))
        await self.send()
        first = await self._last_beat(room_id)
        if first is None or self.outage.since_ms is not None:
            raise LogUnavailableError("the first beat")
        self._learn_time(first)
        self.began_ms = first.stored_ms
        self._lives.begin(self.began_ms)
        await self.send()

    async def run(self) -> None:
        """Beat until this room leaves."""
        count = 0
        while not self._has_left:
            check_cancelled()
            await self.send()
            if count % _TIME_EVERY == 0:
                await self._compare_clocks()
            count += 1
            await asyncio.sleep(BEAT_SECONDS)

    async def watch(self) -> None:
        """Watch for ever whether this room stands still."""
        while True:
            now = now_ms()
            began_ms = self.outage.tick(now)
            if began_ms is not None:
                _log.warning("this room stood still", away_ms=now - began_ms)
                self._was_away(began_ms, now)
                if now - began_ms > _DEAF_MS:
                    self._since = None
            await asyncio.sleep(TICK_SECONDS)

    async def send(self) -> None:
        """Beat once."""
        beat = self._beat()
        self._sent_ms = now_ms()
        try:
            await self._nats.request(
                _subject(beat.room_id),
                beat.to_bytes(),
                timeout=_ANSWER_SECONDS,
                headers=self._told(),
            )
        except (TimeoutError, NatsError, OSError) as error:
            self._unanswered(error)
        else:
            self._answered()

    async def leave(self) -> None:
        """Tell everybody that this room has gone, and beat no more."""
        self._has_left = True
        headers = {**self._told(), "KV-Operation": "DEL"}
        try:
            await self._nats.request(
                _subject(self._beat().room_id), timeout=_ANSWER_SECONDS, headers=headers
            )
        except (TimeoutError, NatsError, OSError) as error:
            _log.info("left without goodbye", error=repr(error))

    def _told(self) -> dict[str, str]:
        """What goes with a beat."""
        away_ms = self.outage.began_ms()
        sure_ms = self.outage.answered_ms if away_ms is None else away_ms
        if self._lives is None or sure_ms is None:
            return {}
        until_ms = sure_ms + self._offset_ms
        kept = {each: ms + self._offset_ms for each, ms in self._kept_since().items()}
        told = {_LIVES: self._lives.told(until_ms), _WORKED_UNTIL: str(until_ms)}
        return {**told, _KEPT: text} if (text := self._lives.told_kept(kept)) else told

    def _answered(self) -> None:
        now = now_ms()
        if self.outage.since_ms is not None:
            _log.info("NATS answers again", away_ms=now - self.outage.since_ms)
            self._was_away(self.outage.since_ms, now)
        if self._since is None:
            self._since = self._loop.time()
        self.outage.answered(now)

    def _unanswered(self, error: Exception) -> None:
        self._since = None
        if self.outage.since_ms is None:
            self.outage.since_ms = self.outage.answered_ms
            _log.warning("NATS does not answer", error=repr(error))

    def _was_away(self, began_ms: int, ended_ms: int) -> None:
        if self._lives is not None:
            self._lives.interrupt(began_ms + self._offset_ms, ended_ms + self._offset_ms)
        self._stood_still(began_ms, ended_ms)

    async def _last_beat(self, room_id: str) -> RawMessage | None:
        return await last_message(self._nats, f"KV_{ROOMS_BUCKET}", _subject(room_id))

    async def _compare_clocks(self) -> None:
        try:
            message = await self._last_beat(self._beat().room_id)
        except LogUnavailableError:
            return
        if message is not None and self.outage.since_ms is None:
            self._learn_time(message)

    def _learn_time(self, beat: RawMessage) -> None:
        """What NATS' clock shows, by this room's last beat, which it stored between its sending and its answer.

        A beat that took long says little, and changes nothing that it does not contradict.
        """
        latest, earliest = (
            beat.stored_ms - self._sent_ms,
            beat.stored_ms - (self.outage.answered_ms or now_ms()),
        )
        self._offset_ms = min(max(self._offset_ms, earliest), latest)


def _lives_in(beat: RawMessage | None) -> Lives:
    """What a beat, or a farewell, tells of its room; nothing for one of a build that does not say."""
    if beat is None:
        return Lives()
    return Lives.read(beat.headers.get(_LIVES, ""), beat.headers.get(_KEPT, ""))


def _subject(room_id: str) -> str:
    return f"$KV.{ROOMS_BUCKET}.{room_id}"
