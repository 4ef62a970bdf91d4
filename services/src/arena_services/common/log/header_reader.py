"""Follows the headers of every match's newest entry, on all partitions; for services that may not read entries.

Readers may not make consumers, so any room makes one on request. A consumer gives the newest entry of every match first
and each new one as it is stored. Whenever anything was missed (a gap, silence, a consumer gone or standing still, NATS
restarted) a fresh one is asked for, which starts with the newest entry of every match again: nothing has to be kept to
resume from.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

import grpc
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from arena.room.v1.room_control_service_pb2 import OpenHeaderReaderRequest, OpenHeaderReaderResponse
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common import logs
from arena_services.common.auth import Metadata
from arena_services.common.cancellation import check_cancelled
from arena_services.common.channels import Channels
from arena_services.common.log.headers import EntryHeaders
from arena_services.common.log.pull import Pull
from arena_services.common.log.subjects import match_of
from arena_services.common.metrics import HEADER_READERS_LOST, HEADERS_READ
from arena_services.common.roster import Roster

_OPEN_SECONDS = 5.0
_RETRY_SECONDS = 0.3
#: What rooms take as a reader's name, less what is drawn anew for each reading.
_LONGEST_NAME = 55

#: Called with a match id and the headers of its newest entry.
Deliver = Callable[[str, EntryHeaders], None]

_log = logs.get()


class HeaderReader:
    """One process's reading of all headers.

    What it delivers of a match goes forward only: never a sequence at or below one delivered before. Entries between
    two delivered ones may be missing, the newest never is for long. A match's last entry, the one with its result,
    may come again.
    """

    def __init__(
        self,
        nats: Client,
        rooms: Roster,
        channels: Channels,
        metadata: Metadata,
        *,
        name: str,
        partitions: int,
        deliver: Deliver,
    ) -> None:
        """`name`: says which process reads, in lower-case letters, digits and hyphens, such as timer-1."""
        self._nats = nats
        self._rooms = rooms
        self._channels = channels
        self._metadata = metadata
        self._name = name
        self._partitions = partitions
        self._deliver = deliver
        self._delivered: dict[str, int] = {}

    async def run(self) -> None:
        """Follow all partitions for ever."""
        async with asyncio.TaskGroup() as tasks:
            for partition in range(self._partitions):
                tasks.create_task(self._follow(partition), name=f"headers-{partition}")

    async def _follow(self, partition: int) -> None:
        while True:
            check_cancelled()
            try:
                opened = await self._open(partition)
                why = await Pull(
                    self._nats,
                    opened.stream,
                    opened.consumer,
                    self._take,
                    lambda: self._rooms.newest_place(partition),
                ).run()
            except (grpc.aio.AioRpcError, NatsError, OSError) as error:
                why = repr(error)
            HEADER_READERS_LOST.inc()
            _log.info("reading headers anew", partition=partition, why=why)
            await asyncio.sleep(_RETRY_SECONDS)

    async def _open(self, partition: int) -> OpenHeaderReaderResponse:
        """Have any room make a fresh consumer."""
        room = await self._rooms.picked()
        stub = RoomControlServiceStub(self._channels.to(room.address))
        reader = f"{self._name[:_LONGEST_NAME]}-{secrets.token_hex(4)}"
        request = OpenHeaderReaderRequest(reader=reader, partition=partition)
        return await stub.OpenHeaderReader(request, metadata=self._metadata, timeout=_OPEN_SECONDS)

    def _take(self, message: Msg) -> None:
        match_id = match_of(message.subject)
        try:
            headers = EntryHeaders.from_nats(message.headers or {})
        except (KeyError, ValueError) as error:
            _log.error("headers do not read", match_id=match_id, error=repr(error))
            return
        HEADERS_READ.inc()
        if headers.sequence <= self._delivered.get(match_id, 0):
            return
        if headers.result:
            # Nothing comes after it: finished matches cost no memory.
            self._delivered.pop(match_id, None)
        else:
            self._delivered[match_id] = headers.sequence
        self._deliver(match_id, headers)
