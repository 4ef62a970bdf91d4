"""All that rooms keep in NATS, made where it is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from nats.aio.client import Client

from arena_services.common.history import HISTORY_BUCKET, HISTORY_SECONDS, History
from arena_services.common.log import snapshot
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import ensure_bucket, ensure_streams
from arena_services.common.owners import OWNERS_BUCKET
from arena_services.common.players import Players
from arena_services.common.roster import KEPT_SECONDS, ROOMS_BUCKET
from arena_services.room import chat_store
from arena_services.room.archive import ARCHIVE_BUCKET, Archive
from arena_services.room.chat_store import ChatStore
from arena_services.room.config import RoomSettings
from arena_services.room.owners import Owners
from arena_services.room.snapshots import Snapshots


@dataclass(frozen=True)
class Stores:
    """What one room reads and writes."""

    reader: LogReader
    archive: Archive
    owners: Owners
    players: Players
    snapshots: Snapshots
    history: History
    chat: ChatStore

    @classmethod
    async def open(cls, nats: Client, settings: RoomSettings) -> Self:
        """Make what is missing. Raises `PartitionsChangedError`."""
        js, replicas = nats.jetstream(), settings.log_replicas
        await ensure_streams(js, settings.log_partitions, replicas)
        await snapshot.ensure_stream(js, replicas)
        await chat_store.ensure_streams(js, replicas)
        await ensure_bucket(js, ROOMS_BUCKET, replicas, ttl_seconds=KEPT_SECONDS)
        await ensure_bucket(js, OWNERS_BUCKET, replicas)
        await ensure_bucket(js, HISTORY_BUCKET, replicas, ttl_seconds=HISTORY_SECONDS)
        await ensure_bucket(js, ARCHIVE_BUCKET, replicas)
        reader = LogReader(nats, settings.log_partitions)
        return cls(
            reader=reader,
            archive=Archive(reader),
            owners=Owners(nats),
            players=await Players.open(js, replicas),
            snapshots=Snapshots(nats),
            history=History(nats),
            chat=ChatStore(nats),
        )
