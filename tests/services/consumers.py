"""What can befall the consumers of a stream on the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nats.aio.client import Client


async def pause_all(nats: Client, stream: str) -> None:
    """Have the consumers of a stream stand still, as an operator may: their heartbeats go on."""
    js = nats.jetstream()
    until = datetime.now(UTC) + timedelta(hours=1)
    for consumer in await js.consumers_info(stream):
        await js.pause_consumer(stream, consumer.name, until.isoformat().replace("+00:00", "Z"))


async def delete_all(nats: Client, stream: str) -> None:
    """Delete the consumers of a stream."""
    js = nats.jetstream()
    for consumer in await js.consumers_info(stream):
        await js.delete_consumer(stream, consumer.name)
