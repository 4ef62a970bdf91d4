"""For how long nobody could play a match, as whoever takes it over, or names who is to, works it out."""

from __future__ import annotations

from arena_services.common.log.reader import Stored
from arena_services.common.owners import Owner
from arena_services.room.heartbeat import Heartbeat
from arena_services.room.lives import Lives
from arena_services.room.pen import SLOW_APPEND_MS


async def lapse_ms(heartbeat: Heartbeat, tail: Stored, former: Owner | None, partition: int) -> int:
    """All time since a match's last entry throughout which no room is known to have had it, and to have worked at it.

    A room works at no match of a partition that keeps it waiting.

    By NATS' clock, in milliseconds. What is not known counts as lost: clocks rather get back too much than too little.
    Raises `LogUnavailableError`.
    """
    lives = await heartbeat.lives_of(former.room_id) if former else Lives()
    made_ms, now = min(tail.entry.time_ms, tail.stored_ms), heartbeat.nats_ms()
    return max(0, now - made_ms - _played_ms(tail, former, lives, made_ms, now, partition))


def _played_ms(
    tail: Stored, former: Owner | None, lives: Lives, made_ms: int, now: int, partition: int
) -> int:
    # What waited to be stored kept its match waiting until then.
    from_ms = tail.stored_ms if tail.stored_ms - made_ms > SLOW_APPEND_MS else made_ms
    if former is None:
        return 0
    if former.reign is None:
        return max(0, former.since_ms - from_ms)
    if former.reign.epoch != tail.entry.epoch:
        return 0  # somebody else has had it since
    return lives.worked(former.reign.life_ms, max(from_ms, former.since_ms), now, partition)
