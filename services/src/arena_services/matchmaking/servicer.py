"""MatchmakingService as clients call it. Any replica answers: what counts is in the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceServicer
from arena_services.common import games, logs
from arena_services.common.auth import PLAYER_TOKEN_SECONDS, Caller, Role, Tokens
from arena_services.common.clock import now_ms
from arena_services.common.limits import Gate
from arena_services.common.players import Players
from arena_services.matchmaking import metrics, wishes
from arena_services.matchmaking.desk import Desk, Standing
from arena_services.matchmaking.host import Host
from arena_services.matchmaking.names import check_name, new_player_id
from arena_services.matchmaking.tickets import State

#: How long a ticket that says where to play waits for a room's beat, on a replica that has just started.
_ROOMS_SECONDS = 3.0

#: To its owner a promised ticket still waits.
_STATES = {
    State.WAITING: pb.Ticket.STATE_WAITING,
    State.FORMING: pb.Ticket.STATE_WAITING,
    State.MATCHED: pb.Ticket.STATE_MATCHED,
    State.CANCELLED: pb.Ticket.STATE_CANCELLED,
    State.FAILED: pb.Ticket.STATE_FAILED,
}

_log = logs.get()


class Servicer(MatchmakingServiceServicer):
    """Sign-in, games, tickets."""

    def __init__(
        self,
        tokens: Tokens,
        gate: Gate,
        players: Players,
        desk: Desk,
        host: Host,
        default_bot_wait_ms: int,
    ) -> None:
        self._tokens = tokens
        self._gate = gate
        self._players = players
        self._desk = desk
        self._host = host
        self._default_bot_wait_ms = default_bot_wait_ms

    async def SignIn(self, request: pb.SignInRequest, context: Any) -> pb.SignInResponse:
        """Makes a guest account and signs it in."""
        name, player_id = check_name(request.name), new_player_id()
        await self._players.store({player_id: name})
        token, caller = self._tokens.issue(player_id, name, Role.PLAYER, PLAYER_TOKEN_SECONDS)
        metrics.SIGN_INS.inc()
        _log.info("guest signed in", player_id=player_id)
        return pb.SignInResponse(
            player_id=player_id, token=token, expire_time_ms=caller.expire_time_ms
        )

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:
        """The games on offer."""
        return pb.ListGamesResponse(games=[_game_info(hosted) for hosted in games.hosted()])

    async def CreateTicket(
        self, request: pb.CreateTicketRequest, context: Any
    ) -> pb.CreateTicketResponse:
        """Joins a queue."""
        player_id = self._player(context)
        seated = self._desk.find_table(request.table) if request.table else None
        wish = wishes.read(request, self._default_bot_wait_ms, seated)
        standing = await self._desk.create(player_id, wish)
        return pb.CreateTicketResponse(ticket=await self._ticket(standing))

    async def WatchTicket(
        self, request: pb.WatchTicketRequest, context: Any
    ) -> AsyncIterator[pb.WatchTicketResponse]:
        """Follows a ticket."""
        caller = self._caller(context)
        with self._gate.limits.stream(caller):
            async for standing in self._desk.follow(caller.player_id, request.ticket_id):
                yield pb.WatchTicketResponse(ticket=await self._ticket(standing))

    async def CancelTicket(
        self, request: pb.CancelTicketRequest, context: Any
    ) -> pb.CancelTicketResponse:
        """Leaves the queue."""
        standing = await self._desk.cancel(self._player(context), request.ticket_id)
        return pb.CancelTicketResponse(ticket=await self._ticket(standing))

    async def FillWithBots(
        self, request: pb.FillWithBotsRequest, context: Any
    ) -> pb.FillWithBotsResponse:
        """Has bots come now."""
        standing = await self._desk.fill(self._player(context), request.ticket_id)
        return pb.FillWithBotsResponse(ticket=await self._ticket(standing))

    def _player(self, context: Any) -> str:
        return self._caller(context).player_id

    def _caller(self, context: Any) -> Caller:
        return self._gate.admit(context).require(Role.PLAYER)

    async def _ticket(self, standing: Standing) -> pb.Ticket:
        ticket = standing.ticket
        message = pb.Ticket(
            ticket_id=ticket.ticket_id,
            state=_STATES[ticket.state],
            create_time_ms=ticket.create_time_ms,
            people_waiting=standing.people_waiting,
            bots_in_ms=max(0, standing.bots_due_ms - now_ms()) if standing.bots_due_ms else 0,
            table=ticket.queue.table,
            game=ticket.queue.game,
            players=ticket.queue.players,
            options=AnyMessage.FromString(ticket.queue.options),
        )
        names = await self._players.names(standing.people)
        message.people.extend(
            pb.TicketPerson(player_id=player_id, name=names[player_id])
            for player_id in standing.people
        )
        if ticket.state is State.MATCHED:
            message.match_id = ticket.match_id
            message.seat = ticket.seat
            message.room_addresses.extend(await self._room_addresses(ticket.room_id))
        elif not ticket.state.is_open:
            message.reason = ticket.reason
        return message

    async def _room_addresses(self, room_id: str) -> list[str]:
        """Where to play, the room that was asked to host first."""
        try:
            async with asyncio.timeout(_ROOMS_SECONDS):
                return await self._host.addresses(room_id)
        except TimeoutError:
            return []


def _game_info(hosted: games.HostedGame) -> pb.GameInfo:
    game = hosted.game
    return pb.GameInfo(
        name=game.name,
        title=game.title,
        min_players=game.min_players,
        max_players=game.max_players,
        default_options=games.wrap(hosted.options.encode(game.default_options())),
        catalogue=games.wrap(hosted.catalogue.encode(game.catalogue())),
    )
