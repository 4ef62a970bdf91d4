"""Serves `arena.room.v1.ChatService`: what changes a match's chat goes to its owner, the rest any room reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from arena.log.v1.chat_pb2 import ChatReport
from arena.log.v1.entry_pb2 import Player
from arena.room.v1.chat_service_pb2 import (
    ListLinesRequest,
    ListLinesResponse,
    MuteRequest,
    MuteResponse,
    ReportRequest,
    ReportResponse,
    SayRequest,
    SayResponse,
)
from arena.room.v1.chat_service_pb2_grpc import ChatServiceServicer
from arena_services.common.auth import Caller, Role
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.errors import NotFoundError
from arena_services.common.limits import Gate
from arena_services.common.log.subjects import is_match_id
from arena_services.common.roster import Beat
from arena_services.room import metrics
from arena_services.room.chat import check_text
from arena_services.room.chat_store import ChatStore
from arena_services.room.commands import check_key
from arena_services.room.errors import MatchNotFoundError
from arena_services.room.forwarding import CHAT_SERVICE, forward, is_forwarded, onward
from arena_services.room.hall import Hall
from arena_services.room.match import Match
from arena_services.room.routing import ask
from arena_services.room.seats import check_person
from arena_services.room.viewers import shown_line

#: What was said before a line that is reported goes with it.
_BEFORE = 20
#: Reading what was said costs as much as so many moves.
_READING_WEIGHT = 5.0


class ChatServicer(ChatServiceServicer):
    """Talking at matches."""

    def __init__(self, hall: Hall, store: ChatStore, channels: Channels, gate: Gate) -> None:
        self._hall = hall
        self._store = store
        self._channels = channels
        self._gate = gate

    async def Say(self, request: SayRequest, context: Any) -> SayResponse:
        """See the proto."""
        caller = self._caller(context)
        check_key(request.key)

        async def here(match: Match) -> SayResponse:
            line = await match.say(caller, request.seat, request.key, request.text)
            return SayResponse(line=shown_line(line))

        said: SayResponse = await self._ask(here, "Say", request, SayResponse, context)
        return said

    async def Mute(self, request: MuteRequest, context: Any) -> MuteResponse:
        """See the proto."""
        caller = self._caller(context)

        async def here(match: Match) -> MuteResponse:
            await match.mute(caller, request.seat, request.muted_seat, is_muted=request.is_muted)
            return MuteResponse()

        said: MuteResponse = await self._ask(here, "Mute", request, MuteResponse, context)
        return said

    async def ListLines(self, request: ListLinesRequest, context: Any) -> ListLinesResponse:
        """See the proto."""
        caller = self._caller(context, _READING_WEIGHT)
        await self._players(request.match_id, caller, request.seat)
        talk = await self._store.read(request.match_id)
        muted = talk.muted_by(request.seat)
        return ListLinesResponse(
            lines=(
                shown_line(line)
                for line in talk.lines
                if line.number > request.after_number and line.seat not in muted
            ),
            muted_seats=muted,
        )

    async def Report(self, request: ReportRequest, context: Any) -> ReportResponse:
        """See the proto."""
        caller = self._caller(context, _READING_WEIGHT)
        comment = check_text(request.comment, shortest=0)
        players = await self._players(request.match_id, caller, request.seat)
        lines = (await self._store.read(request.match_id)).lines
        at = next((at for at, line in enumerate(lines) if line.number == request.number), None)
        if at is None:
            raise NotFoundError(
                "NO_SUCH_LINE",
                f"There is no line {request.number}; the last {len(lines)} of the match are kept.",
            )
        await self._store.report(
            ChatReport(
                match_id=request.match_id,
                seat=request.seat,
                player_id=caller.player_id,
                comment=comment,
                line=lines[at],
                line_player_id=players[lines[at].seat].player_id,
                before=lines[max(0, at - _BEFORE) : at],
                time_ms=now_ms(),
            )
        )
        metrics.CHAT_REPORTS.inc()
        return ReportResponse()

    def _caller(self, context: Any, weight: float = 1) -> Caller:
        return self._gate.admit(context, weight).require(Role.PLAYER)

    async def _players(self, match_id: str, caller: Caller, seat: int) -> tuple[Player, ...]:
        """Who plays a match, if the seat is the caller's."""
        origin = await self._hall.archive.origin(match_id) if is_match_id(match_id) else None
        if origin is None:
            raise MatchNotFoundError(match_id)
        players = tuple(origin.created.players)
        check_person(players, caller, seat)
        return players

    async def _ask(
        self,
        here: Callable[[Match], Awaitable[Any]],
        method: str,
        request: Any,
        response: Any,
        context: Any,
    ) -> Any:
        metadata = onward(context)

        async def there(room: Beat) -> Any:
            return await forward(
                self._channels, room, CHAT_SERVICE, method, request, response, metadata
            )

        return await ask(
            self._hall, request.match_id, here, there, is_forwarded=is_forwarded(context)
        )
