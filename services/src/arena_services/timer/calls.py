"""The call that a timer makes: any room is asked, the match's owner judges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import grpc

from arena.room.v1.room_control_service_pb2 import ExpireRequest, ExpireResponse
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena_services.common import logs
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.roster import Roster
from arena_services.common.rpc import reason_of
from arena_services.timer.schedule import Alarm

_CALL_SECONDS = 5.0

#: Nothing that a repeat of the call could mend.
_FINAL = frozenset(
    {
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
    }
)

_log = logs.get()


class Verdict(Enum):
    """What came of a call; the value is its label in metrics."""

    EXPIRED = "expired"
    EARLY = "early"
    STALE = "stale"
    RETRIED = "retried"
    GIVEN_UP = "given_up"


@dataclass(frozen=True)
class Answer:
    """A room's answer."""

    verdict: Verdict
    remaining_seconds: float = 0.0
    """With EARLY: what is left by the owner's clock."""


_VERDICTS = {
    ExpireResponse.VERDICT_EXPIRED: Verdict.EXPIRED,
    ExpireResponse.VERDICT_EARLY: Verdict.EARLY,
    ExpireResponse.VERDICT_STALE: Verdict.STALE,
}


class RoomCaller:
    """Calls rooms, and after a failure another one."""

    def __init__(self, rooms: Roster, channels: Channels, metadata: Metadata) -> None:
        self._rooms = rooms
        self._channels = channels
        self._metadata = metadata
        self._failed: str = ""

    async def expire(self, alarm: Alarm) -> Answer:
        """Say that an alarm rang. Never raises for what a room or the network does."""
        room = self._rooms.pick(avoid=(self._failed,))
        if room is None:
            return Answer(Verdict.RETRIED)
        stub = RoomControlServiceStub(self._channels.to(room.address))
        request = ExpireRequest(match_id=alarm.match_id, decision=alarm.decision)
        try:
            response = await stub.Expire(request, metadata=self._metadata, timeout=_CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            return self._failure(alarm, room.room_id, error)
        return Answer(
            _VERDICTS.get(response.verdict, Verdict.RETRIED), response.remaining_ms / 1000
        )

    def _failure(self, alarm: Alarm, room_id: str, error: grpc.aio.AioRpcError) -> Answer:
        is_final = error.code() in _FINAL
        if not is_final:
            self._failed = room_id
        _log.warning(
            "a room did not take an expiry",
            match_id=alarm.match_id,
            decision=alarm.decision,
            room_id=room_id,
            code=error.code().name,
            reason=reason_of(error),
            error=error.details(),
            attempts=alarm.attempts,
        )
        return Answer(Verdict.GIVEN_UP if is_final else Verdict.RETRIED)
