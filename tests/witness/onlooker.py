"""A spectator who follows a match by a `Watch` stream, as browsers do, and opens the next one behind what was seen."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import grpc

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.client.errors import LASTING_CODES, RefusedError
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.pauses import Pauses
from tests.witness.record import MatchRecord, Viewer


class Onlooker:
    """`await Onlooker(...).watch(record)` until the match has ended."""

    def __init__(self, rooms: Sequence[str], channels: Channels, metadata: Metadata) -> None:
        """`rooms`: addresses to ask in turns."""
        self._rooms = itertools.cycle(rooms)
        self._channels = channels
        self._metadata = metadata

    async def watch(self, record: MatchRecord) -> None:
        """Follow a match, all of it written down. Raises `RefusedError` where it may not be followed."""
        viewer = Viewer(None)
        record.viewers.append(viewer)
        pauses = Pauses(0.05, 1.0)
        while True:
            try:
                if await self._follow(record.match_id, viewer, pauses):
                    return
            except grpc.aio.AioRpcError as error:
                if error.code() in LASTING_CODES:
                    raise RefusedError.from_rpc(error) from None
            await pauses.wait()

    async def _follow(self, match_id: str, viewer: Viewer, pauses: Pauses) -> bool:
        """One stream, from the last sequence on; whether the match has ended."""
        request = pb.WatchRequest(match_id=match_id, after_sequence=viewer.last_sequence)
        stub = RoomServiceStub(self._channels.to(next(self._rooms)))
        async for response in stub.Watch(request, metadata=self._metadata):
            pauses.reset()
            if response.HasField("update"):
                viewer.take(response.update, now_ms())
            elif response.HasField("detached"):
                return response.detached.reason == "FINISHED"
        return False
