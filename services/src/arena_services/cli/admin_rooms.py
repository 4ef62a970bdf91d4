"""The rooms of a platform, on this machine or elsewhere, as an operator reaches them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from arena.room.v1 import room_admin_service_pb2 as pb
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena_services.cli import elsewhere
from arena_services.cli.elsewhere import RoomsAccessSettings
from arena_services.cli.errors import CliError, UsageError
from arena_services.common import config
from arena_services.common.auth import Metadata, Role, Tokens, bearer
from arena_services.common.channels import Channels
from arena_services.common.roster import Beat
from arena_services.common.rpc import reason_of
from arena_services.local.data_folder import DataFolder
from arena_services.local.info import State, find_running
from arena_services.local.settings import PlatformSettings

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
class Room:
    """One room."""

    name: str
    address: str
    """Where it serves operators, host:port."""
    state: str
    """In a word."""
    hint: str
    """What to look at where it does not answer, as the end of a sentence."""


@dataclass(frozen=True)
class RoomAnswer:
    """What one room said of its matches, or why it said nothing."""

    room: Room
    matches: Sequence[pb.MatchStatus]
    problem: str


class Rooms:
    """All rooms of a platform; asked with a token that only who has the platform's key can make."""

    def __init__(
        self, rooms: Sequence[Room], channels: Channels, token: Metadata, key_from: str
    ) -> None:
        """`key_from`: where the key was found, for messages."""
        self._rooms = rooms
        self._channels = channels
        self._token = token
        self._key_from = key_from

    async def list(self) -> list[RoomAnswer]:
        """Every room's matches."""
        answers = []
        for room in self._rooms:
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
        room = next((each for each in self._rooms if each.name == room_id), None)
        if room is None:
            known = ", ".join(each.name for each in self._rooms)
            raise UsageError(f"There is no room {room_id!r}; this platform has {known}.")
        said = await self._call(room, "DrainRoom", pb.DrainRoomRequest(), _DRAIN_SECONDS)
        return int(said.matches)

    async def _ask(self, method: str, request: Any) -> Any:
        """The answer of the first room that has one; it finds the match wherever it is."""
        refusal: RefusedError | None = None
        for room in self._rooms:
            try:
                return await self._call(room, method, request, _CALL_SECONDS)
            except RefusedError as error:
                # What a room says for itself tells more than that another one is not there.
                refusal = error if refusal is None or error.reason else refusal
                if error.code not in _UNREACHABLE:
                    break
        raise refusal or CliError("This platform has no rooms.")

    async def _call(self, room: Room, method: str, request: Any, seconds: float) -> Any:
        stub: Any = RoomAdminServiceStub(self._channels.to(room.address))
        try:
            return await getattr(stub, method)(request, metadata=self._token, timeout=seconds)
        except grpc.aio.AioRpcError as error:
            raise self._refused(room, error) from error

    def _refused(self, room: Room, error: grpc.aio.AioRpcError) -> RefusedError:
        code, reason = error.code(), reason_of(error)
        said = (error.details() or "") if reason else ""
        if code is grpc.StatusCode.UNAUTHENTICATED:
            said = (
                f"{room.name} takes no token that was signed with {self._key_from}: that is not the key of its "
                "platform."
            )
        silence = f"{room.name} does not answer at {room.address} ({code.name}); {room.hint}."
        return RefusedError(code, reason, said or silence)


@asynccontextmanager
async def open_rooms() -> AsyncIterator[Rooms]:
    """The rooms of the platform that the environment names, or else of the one that runs on the data folder.

    Raises `CliError` where there is none.
    """
    access = elsewhere.find_rooms()
    if access is None:
        async with open_rooms_of(config.load(PlatformSettings).data_dir) as rooms:
            yield rooms
        return
    beats = await elsewhere.rooms_of(access)
    found = [Room(beat.room_id, beat.address, _state(beat), _hint(access)) for beat in beats]
    key = access.token_key.get_secret_value()
    async with _asked(found, Channels(access.tls), key, "ARENA_TOKEN_KEY") as rooms:
        yield rooms


@asynccontextmanager
async def open_rooms_of(data_dir: Path) -> AsyncIterator[Rooms]:
    """The rooms of the platform that runs on a data folder. Raises `CliError` where none does."""
    running = find_running(data_dir)
    if running is None:
        raise CliError(
            f"No platform runs on {data_dir}; start one by `arena up`, or set ARENA_DATA_DIR to its folder. One that "
            "runs elsewhere is named by ARENA_NATS_URL and ARENA_TOKEN_KEY; on a cluster its rooms have them set."
        )
    found = [
        Room(each.name, each.address, each.state.value, f"its log is {each.log}")
        for each in running.processes
        if each.service == "room"
    ]
    key = DataFolder(data_dir).token_key()
    async with _asked(found, Channels(), key, str(data_dir / "token.key")) as rooms:
        yield rooms


@asynccontextmanager
async def _asked(
    rooms: Sequence[Room], channels: Channels, key: str, key_from: str
) -> AsyncIterator[Rooms]:
    token, _ = Tokens(key).issue("operator", "operator", Role.OPERATOR, _TOKEN_SECONDS)
    try:
        yield Rooms(rooms, channels, bearer(token), key_from)
    finally:
        await channels.close()


def _state(beat: Beat) -> str:
    return "draining" if beat.is_draining else State.READY.value


def _hint(access: RoomsAccessSettings) -> str:
    """Why a room that beats may be out of reach."""
    why = (
        "it asks for TLS (ARENA_TLS_CERT_FILE, ARENA_TLS_KEY_FILE and ARENA_TLS_CA_FILE are not set)"
        if access.tls is None
        else "it trusts another authority than ARENA_TLS_CA_FILE, or speaks no TLS"
    )
    return f"it hangs, or may not be reached from here, or {why}"
