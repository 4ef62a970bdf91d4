"""Serves `arena.room.v1.RoomAdminService`: what operators ask of rooms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from arena.room.v1.room_admin_service_pb2 import (
    DrainRoomRequest,
    DrainRoomResponse,
    HandOverMatchRequest,
    HandOverMatchResponse,
    InspectMatchRequest,
    InspectMatchResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    MatchStatus,
    VoidMatchRequest,
    VoidMatchResponse,
)
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceServicer
from arena.room.v1.room_service_pb2 import Acted
from arena_services.common import logs
from arena_services.common.auth import Role, Tokens
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.errors import FailedPreconditionError
from arena_services.common.log.errors import CorruptLogError
from arena_services.common.roster import Beat
from arena_services.room.commands import Void
from arena_services.room.errors import MatchFinishedError, MatchSetAsideError
from arena_services.room.forwarding import ADMIN_SERVICE, forward, is_forwarded, onward
from arena_services.room.hall import Hall
from arena_services.room.match import Match
from arena_services.room.routing import answer, ask
from arena_services.room.waits import status_of

_log = logs.get()


class RoomAdminServicer(RoomAdminServiceServicer):
    """Looking into a room and setting it right."""

    def __init__(
        self,
        hall: Hall,
        channels: Channels,
        tokens: Tokens,
        drain: Callable[[], Awaitable[None]],
    ) -> None:
        """`drain`: hands everything over, ends the streams and has nothing more sent here."""
        self._hall = hall
        self._channels = channels
        self._tokens = tokens
        self._drain = drain

    async def ListMatches(self, request: ListMatchesRequest, context: Any) -> ListMatchesResponse:
        """See the proto."""
        self._check(context)
        matches = [self._status(match) for match in self._hall.owned()]
        matches.sort(key=lambda status: status.update_time_ms)
        return ListMatchesResponse(matches=matches)

    async def InspectMatch(
        self, request: InspectMatchRequest, context: Any
    ) -> InspectMatchResponse:
        """See the proto."""

        async def here(match: Match) -> InspectMatchResponse:
            return InspectMatchResponse(match=self._status(match))

        said = await self._ask(here, "InspectMatch", request, InspectMatchResponse, context)
        return cast(InspectMatchResponse, said)

    async def HandOverMatch(
        self, request: HandOverMatchRequest, context: Any
    ) -> HandOverMatchResponse:
        """See the proto."""

        async def here(match: Match) -> HandOverMatchResponse:
            if match.is_over:
                raise MatchFinishedError(match.match_id)
            heir = self._hall.find_heir(match, request.room_id)
            if heir is None:
                raise self._no_heir(request.room_id)
            _log.warning("match handed over", match_id=match.match_id, room_id=heir.room_id)
            await self._hall.hand_over(match, heir)
            return HandOverMatchResponse(room_id=heir.room_id)

        said = await self._ask(here, "HandOverMatch", request, HandOverMatchResponse, context)
        return cast(HandOverMatchResponse, said)

    def _no_heir(self, room_id: str) -> FailedPreconditionError:
        if room_id == self._hall.room_id:
            return FailedPreconditionError("NO_SUCH_ROOM", f"{room_id} has the match already.")
        if room_id:
            return FailedPreconditionError(
                "NO_SUCH_ROOM", f"There is no room {room_id!r} that serves and can play this match."
            )
        return FailedPreconditionError(
            "NO_OTHER_ROOM", "No other room is there that can take the match; start one first."
        )

    async def VoidMatch(self, request: VoidMatchRequest, context: Any) -> VoidMatchResponse:
        """See the proto."""

        async def here(match: Match) -> VoidMatchResponse:
            said = cast(Acted, await answer(match, Void()))
            return VoidMatchResponse(sequence=said.sequence)

        try:
            said = await self._ask(here, "VoidMatch", request, VoidMatchResponse, context)
        except (CorruptLogError, MatchSetAsideError):
            return VoidMatchResponse(sequence=await self._hall.void_unread(request.match_id))
        return cast(VoidMatchResponse, said)

    async def DrainRoom(self, request: DrainRoomRequest, context: Any) -> DrainRoomResponse:
        """See the proto."""
        self._check(context)
        matches = self._hall.match_count
        stuck = sum(self._hall.find_heir(match) is None for match in self._hall.owned())
        if stuck:
            raise FailedPreconditionError(
                "NO_OTHER_ROOM",
                f"No other room is there that can take {stuck} of the {matches} matches of {self._hall.room_id}; "
                "start one first.",
            )
        _log.warning("drained by an operator", matches=matches)
        await self._drain()
        return DrainRoomResponse(matches=matches)

    def _check(self, context: Any) -> None:
        self._tokens.caller(context).require(Role.OPERATOR)

    def _status(self, match: Match) -> MatchStatus:
        outage = self._hall.heartbeat.outage
        return status_of(match, self._hall.room_id, now_ms(), outage.since_ms)

    async def _ask(
        self,
        here: Callable[[Match], Awaitable[Any]],
        method: str,
        request: Any,
        response: Any,
        context: Any,
    ) -> Any:
        self._check(context)
        metadata = onward(context)

        async def there(room: Beat) -> Any:
            return await forward(
                self._channels, room, ADMIN_SERVICE, method, request, response, metadata
            )

        return await ask(
            self._hall, request.match_id, here, there, is_forwarded=is_forwarded(context)
        )
