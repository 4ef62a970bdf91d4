"""Wires the timer service."""

from __future__ import annotations

from arena_services.common.channels import Channels
from arena_services.common.log.header_reader import HeaderReader
from arena_services.common.roster import Roster
from arena_services.common.service import Bindings
from arena_services.timer.calls import RoomCaller
from arena_services.timer.config import TimerSettings
from arena_services.timer.timer import Timer


async def bind(bindings: Bindings[TimerSettings]) -> None:
    """Follow the rooms and the log's headers, and call when clocks run out."""
    settings = bindings.settings
    metadata = bindings.tokens.service_metadata("timer")
    rooms = Roster()
    await rooms.follow(bindings.nats)
    channels = Channels(settings.tls)
    bindings.closers.push_async_callback(channels.close)

    timer = Timer(
        RoomCaller(rooms, channels, metadata).expire,
        delay_seconds=settings.timer_delay_ms / 1000,
        calls=settings.timer_calls,
    )
    reader = HeaderReader(
        bindings.nats,
        rooms,
        channels,
        metadata,
        name=f"timer-{settings.instance}",
        partitions=settings.log_partitions,
        deliver=timer.take,
    )
    bindings.tasks.create_task(timer.run(), name="timer")
    bindings.tasks.create_task(reader.run(), name="headers")
