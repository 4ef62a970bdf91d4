"""The rooms of the platform on this machine, as an operator reaches them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from arena.room.v1 import room_admin_service_pb2 as pb
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena_services.cli.errors import CliError, UsageError
from arena_services.common.auth import Metadata, Role, Tokens, bearer
from arena_services.common.channels import Channels
from arena_services.common.rpc import reason_of
from arena_services.local.data_folder import DataFolder
from arena_services.local.info import ProcessInfo, find_running

_CALL_SECONDS = 15.0
_DRAIN_SECONDS = 60.0
#: What is asked of one room after another until one answers.
_UNREACHABLE = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_TOKEN_SECONDS = 3600


class RefusedError(CliError):
    """A room answered, and not with what was asked."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


@dataclass(frozen=True)
class RoomAnswer:
    """What one room said of its matches, or why it said nothing."""

    room: ProcessInfo
    matches: Sequence[pb.MatchStatus]
    problem: str


class Rooms:
    """All rooms that run on a data folder; asked with a token that only who may read its key can make."""

    def __init__(
        self, processes: Sequence[ProcessInfo], channels: Channels, token: Metadata
    ) -> None:
        self._processes = processes
        self._channels = channels
        self._token = token

    async def list(self) -> list[RoomAnswer]:
        """Every room's matches."""
        answers = []
        for room in self._processes:
            try:
                said = await self._call(room, "ListMatches", pb.ListMatchesRequest(), _CALL_SECONDS)
            except RefusedError as error:
                answers.append(RoomAnswer(room, (), str(error)))
            else:
                answers.append(RoomAnswer(room, said.matches, ""))
        return answers

    async def inspect(self, match_id: str) -> pb.MatchStatus:
        """One match. Raises `RefusedError`."""
        said = await self._ask("InspectMatch", pb.InspectMatchRequest(match_id=match_id))
        status: pb.MatchStatus = said.match
        return status

    async def hand_over(self, match_id: str, room_id: str) -> str:
        """Move a match; returns the room that takes it over. Raises `RefusedError`."""
        request = pb.HandOverMatchRequest(match_id=match_id, room_id=room_id)
        return str((await self._ask("HandOverMatch", request)).room_id)

    async def void(self, match_id: str) -> int:
        """End a match; returns the sequence of its last entry. Raises `RefusedError`."""
        return int((await self._ask("VoidMatch", pb.VoidMatchRequest(match_id=match_id))).sequence)

    async def drain(self, room_id: str) -> int:
        """Empty a room; returns how many matches were handed over. Raises `CliError`."""
        room = next((each for each in self._processes if each.name == room_id), None)
        if room is None:
            known = ", ".join(each.name for each in self._processes)
            raise UsageError(f"There is no room {room_id!r}; this platform has {known}.")
        said = await self._call(room, "DrainRoom", pb.DrainRoomRequest(), _DRAIN_SECONDS)
        return int(said.matches)

    async def _ask(self, method: str, request: Any) -> Any:
        """The answer of the first room that has one; it finds the match wherever it is."""
        refusal: RefusedError | None = None
        for room in self._processes:
            try:
                return await self._call(room, method, request, _CALL_SECONDS)
            except RefusedError as error:
                # What a room says for itself tells more than that another one is not there.
                refusal = error if refusal is None or error.reason else refusal
                if error.code not in _UNREACHABLE:
                    break
        raise refusal or CliError("This platform has no rooms.")

    async def _call(self, room: ProcessInfo, method: str, request: Any, seconds: float) -> Any:
        stub: Any = RoomAdminServiceStub(self._channels.to(room.address))
        try:
            return await getattr(stub, method)(request, metadata=self._token, timeout=seconds)
        except grpc.aio.AioRpcError as error:
            reason = reason_of(error)
            text = error.details() if reason else None
            raise RefusedError(
                error.code(),
                reason,
                text
                or f"{room.name} does not answer at {room.address} ({error.code().name}); "
                f"its log is {room.log}.",
            ) from error


@asynccontextmanager
async def open_rooms(data_dir: Path) -> AsyncIterator[Rooms]:
    """The rooms of the platform that runs on a data folder. Raises `CliError` where none does."""
    running = find_running(data_dir)
    if running is None:
        raise CliError(
            f"No platform runs on {data_dir}; start one by `arena up`, or set ARENA_DATA_DIR to its folder."
        )
    key = DataFolder(data_dir).token_key()
    token, _ = Tokens(key).issue("operator", "operator", Role.OPERATOR, _TOKEN_SECONDS)
    channels = Channels()
    try:
        rooms = [process for process in running.processes if process.service == "room"]
        yield Rooms(rooms, channels, bearer(token))
    finally:
        await channels.close()
