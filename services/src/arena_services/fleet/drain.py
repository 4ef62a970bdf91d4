"""Asks rooms, as an operator does, to hand their matches over."""

from __future__ import annotations

import grpc

from arena.room.v1.room_admin_service_pb2 import DrainRoomRequest
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.roster import Beat
from arena_services.common.rpc import reason_of
from arena_services.fleet.errors import NotDrainedError

_DRAIN_SECONDS = 60.0


class Drainer:
    """Calls rooms with an operator's token."""

    def __init__(self, channels: Channels, metadata: Metadata) -> None:
        self._channels = channels
        self._metadata = metadata

    async def drain(self, room: Beat) -> None:
        """Have a room hand its matches over. Raises `NotDrainedError`."""
        stub = RoomAdminServiceStub(self._channels.to(room.address))
        try:
            await stub.DrainRoom(
                DrainRoomRequest(), metadata=self._metadata, timeout=_DRAIN_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            why = reason_of(error) or error.code().name
            raise NotDrainedError(
                f"{room.room_id} did not hand its matches over ({why}: {error.details()})"
            ) from error
