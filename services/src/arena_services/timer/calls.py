"""The calls that a timer makes: any room is asked, for many matches at once, and the matches' owners judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import grpc

from arena.room.v1.room_control_service_pb2 import (
    ExpireManyRequest,
    ExpireRequest,
    ExpireResponse,
)
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2 import Error
from arena_services.common import logs, tracing
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.roster import Roster
from arena_services.common.rpc import reason_of
from arena_services.timer.schedule import Alarm

_CALL_SECONDS = 5.0

#: Nothing that a repeat of the call could mend.
_FINAL = frozenset(
    {
        grpc.StatusCode.NOT_FOUND.value[0],
        grpc.StatusCode.INVALID_ARGUMENT.value[0],
        grpc.StatusCode.FAILED_PRECONDITION.value[0],
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

    async def expire(self, alarms: Sequence[Alarm]) -> list[Answer]:
        """Say that alarms rang; an answer for each. Never raises for what a room or the network does."""
        room = self._rooms.pick(avoid=(self._failed,))
        if room is None:
            return [Answer(Verdict.RETRIED)] * len(alarms)
        stub = RoomControlServiceStub(self._channels.to(room.address))
        request = ExpireManyRequest(expiries=map(_request, alarms))
        try:
            with tracing.begin(
                "expire",
                tracing.Kind.CLIENT,
                links=(alarm.cause for alarm in alarms),
                room_id=room.room_id,
                expiries=len(alarms),
            ):
                metadata = tracing.carried(self._metadata)
                said = await stub.ExpireMany(request, metadata=metadata, timeout=_CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:  # a room of an older build
                singly = (self._expire_one(alarm, stub, room.room_id) for alarm in alarms)
                return await asyncio.gather(*singly)
            failure = _failure_of(error)
            return [self._fail(alarm, room.room_id, failure) for alarm in alarms]
        return [
            self._fail(alarm, room.room_id, result.error)
            if result.HasField("error")
            else _answer(result.response)
            for alarm, result in zip(alarms, said.results, strict=True)
        ]

    async def _expire_one(self, alarm: Alarm, stub: Any, room_id: str) -> Answer:
        try:
            return _answer(
                await stub.Expire(_request(alarm), metadata=self._metadata, timeout=_CALL_SECONDS)
            )
        except grpc.aio.AioRpcError as error:
            return self._fail(alarm, room_id, _failure_of(error))

    def _fail(self, alarm: Alarm, room_id: str, error: Error) -> Answer:
        is_final = error.code in _FINAL
        if not is_final:
            self._failed = room_id
        _log.warning(
            "a room did not take an expiry",
            match_id=alarm.match_id,
            decision=alarm.decision,
            room_id=room_id,
            code=error.code,
            reason=error.reason,
            error=error.message,
            attempts=alarm.attempts,
        )
        return Answer(Verdict.GIVEN_UP if is_final else Verdict.RETRIED)


def _request(alarm: Alarm) -> ExpireRequest:
    return ExpireRequest(match_id=alarm.match_id, decision=alarm.decision)


def _answer(response: ExpireResponse) -> Answer:
    verdict = _VERDICTS.get(response.verdict, Verdict.RETRIED)
    return Answer(verdict, response.remaining_ms / 1000)


def _failure_of(error: grpc.aio.AioRpcError) -> Error:
    """A call's failure as a message, like those that come one by one."""
    code: int = error.code().value[0]
    return Error(code=code, reason=reason_of(error), message=error.details() or "")
