"""From the door to a seat: sign-in and queues."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import grpc

from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from arena_services.client.errors import LASTING_CODES, RefusedError, UnreachableError
from arena_services.common import games
from arena_services.common.auth import bearer
from arena_services.common.channels import open_channel
from arena_services.common.pauses import Pauses

_CALL_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 1.0

_T = TypeVar("_T")


@dataclass(frozen=True)
class Account:
    """A signed-in guest."""

    player_id: str
    name: str
    token: str


@dataclass(frozen=True)
class Place:
    """A seat in a match, and the rooms that answer for it."""

    match_id: str
    seat: int
    rooms: tuple[str, ...]
    """host:port each; any will do."""


class Lobby:
    """The matchmaking service, as a player meets it."""

    def __init__(
        self,
        address: str,
        patience_seconds: float = 30.0,
        open_to: Callable[[str], grpc.aio.Channel] = open_channel,
    ) -> None:
        self.address = address
        self._patience_seconds = patience_seconds
        self._channel = open_to(address)
        self._stub: Any = MatchmakingServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def sign_in(self, name: str) -> Account:
        """Make a guest account. Raises `RefusedError` for an unfit name."""
        request = pb.SignInRequest(name=name)
        answer = await self._patiently(lambda: self._stub.SignIn(request, timeout=_CALL_SECONDS))
        return Account(answer.player_id, name, answer.token)

    async def queue(
        self,
        account: Account,
        game: games.HostedGame,
        players: int,
        options: Any,
        *,
        bot_wait_ms: int | None = None,
        on_wait: Callable[[pb.Ticket], None] | None = None,
    ) -> Place:
        """Queue until there is a match. Raises `RefusedError` for what the platform does not offer.

        Args:
            account: Who queues.
            game: The game.
            players: How many the match shall have.
            options: The game's options dataclass.
            bot_wait_ms: After so long bots fill the match; 0 at once, None for the platform's setting.
            on_wait: Called with the ticket at every change while it waits.
        """
        request = pb.CreateTicketRequest(
            request_id=secrets.token_hex(16),
            game=game.game.name,
            players=players,
            options=games.wrap(game.options.encode(options)),
            bot_wait_ms=bot_wait_ms,
        )
        metadata = bearer(account.token)
        created = await self._patiently(
            lambda: self._stub.CreateTicket(request, metadata=metadata, timeout=_CALL_SECONDS)
        )
        ticket_id = created.ticket.ticket_id
        try:
            return await self._patiently(lambda: self._follow(ticket_id, account, on_wait))
        except asyncio.CancelledError:
            await asyncio.shield(self._cancel(ticket_id, account))
            raise

    async def _follow(
        self, ticket_id: str, account: Account, on_wait: Callable[[pb.Ticket], None] | None
    ) -> Place:
        request = pb.WatchTicketRequest(ticket_id=ticket_id)
        async for response in self._stub.WatchTicket(request, metadata=bearer(account.token)):
            ticket = response.ticket
            if ticket.state == pb.Ticket.STATE_MATCHED:
                return Place(ticket.match_id, ticket.seat, tuple(ticket.room_addresses))
            if ticket.state != pb.Ticket.STATE_WAITING:
                reason = ticket.reason or pb.Ticket.State.Name(ticket.state)
                raise RefusedError(
                    grpc.StatusCode.ABORTED.value[0], reason, f"No match was made: {reason}."
                )
            if on_wait is not None:
                on_wait(ticket)
        raise _EndedEarlyError

    async def _cancel(self, ticket_id: str, account: Account) -> None:
        request = pb.CancelTicketRequest(ticket_id=ticket_id)
        try:
            await self._stub.CancelTicket(request, metadata=bearer(account.token), timeout=1.0)
        except grpc.aio.AioRpcError:
            return  # a ticket that nobody watches is cancelled by the platform all the same

    async def _patiently(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Call again while the service cannot be reached. All calls here are idempotent, or harmless twice."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience_seconds
        pauses = Pauses(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        while True:
            try:
                return await call()
            except _EndedEarlyError:
                trouble = "the ticket's stream ended"
            except grpc.aio.AioRpcError as error:
                if error.code() in LASTING_CODES:
                    raise RefusedError.from_rpc(error) from None
                trouble = error.details() or error.code().name
            if loop.time() >= deadline:
                raise UnreachableError(
                    f"Matchmaking at {self.address} did not answer for "
                    f"{self._patience_seconds:g} s ({trouble})."
                )
            await pauses.wait()


class _EndedEarlyError(Exception):
    """The ticket's stream ended before the ticket did."""
