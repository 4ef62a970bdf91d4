"""The streams and buckets of a platform, made by the first room that starts."""

from __future__ import annotations

import asyncio

from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, KeyValueConfig, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import BadRequestError, KeyWrongLastSequenceError, NotFoundError
from nats.js.kv import KeyValue

from arena_services.common.log.subjects import stream_of, subjects_of

PLATFORM_BUCKET = "platform"
_PARTITIONS_KEY = "log_partitions"


class PartitionsChangedError(Exception):
    """The number of partitions differs from the one that stored matches were spread by."""


async def ensure_streams(js: JetStreamContext, partitions: int, replicas: int) -> None:
    """Make what is missing. Raises `PartitionsChangedError` where stored matches would no longer be found."""
    await _check_partitions(js, partitions, replicas)
    async with asyncio.TaskGroup() as group:
        for partition in range(partitions):
            group.create_task(_ensure(js, partition, replicas), name=f"stream-{partition}")


async def stored_partitions(js: JetStreamContext) -> int | None:
    """The number of partitions that stored matches are spread by; None where no room ever started."""
    try:
        bucket = await js.key_value(PLATFORM_BUCKET)
        return int((await bucket.get(_PARTITIONS_KEY)).value or b"0")
    except NotFoundError:
        return None


async def ensure_bucket(
    js: JetStreamContext, name: str, replicas: int, ttl_seconds: float | None = None
) -> KeyValue:
    """A KV bucket, made where it is missing."""
    try:
        return await js.key_value(name)
    except NotFoundError:
        config = KeyValueConfig(bucket=name, ttl=ttl_seconds, replicas=replicas, history=1)
        try:
            return await js.create_key_value(config)
        except BadRequestError:
            return await js.key_value(name)


async def _ensure(js: JetStreamContext, partition: int, replicas: int) -> None:
    name = stream_of(partition)
    try:
        config = (await js.stream_info(name)).config
        if not config.allow_direct:  # of an older build
            await js.update_stream(config, allow_direct=True)
    except NotFoundError:
        await js.add_stream(
            StreamConfig(
                name=name,
                subjects=[subjects_of(partition)],
                retention=RetentionPolicy.LIMITS,
                storage=StorageType.FILE,
                discard=DiscardPolicy.NEW,
                num_replicas=replicas,
                max_age=0,
                allow_direct=True,
                deny_delete=True,
            )
        )


async def _check_partitions(js: JetStreamContext, partitions: int, replicas: int) -> None:
    bucket = await ensure_bucket(js, PLATFORM_BUCKET, replicas)
    try:
        await bucket.create(_PARTITIONS_KEY, str(partitions).encode())
    except KeyWrongLastSequenceError:
        stored = int((await bucket.get(_PARTITIONS_KEY)).value or b"0")
        if stored != partitions:
            raise PartitionsChangedError(
                f"ARENA_LOG_PARTITIONS is {partitions}, but this platform's matches are stored in "
                f"{stored} partitions; set it back to {stored}."
            ) from None
