"""Takes tickets in, shows and cancels them; between the calls of clients and the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from arena_services.common import logs, tracing
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    UnavailableError,
)
from arena_services.common.ids import random_id
from arena_services.matchmaking.queues import bots_due_ms, order
from arena_services.matchmaking.tickets import ConflictError, Queue, State, Ticket, Tickets
from arena_services.matchmaking.view import View
from arena_services.matchmaking.wishes import Wish

#: A ticket is told again after this long without a change, as a sign of life.
_HEARTBEAT_SECONDS = 15.0
#: A crowded queue changes faster than anybody reads.
_PACE_SECONDS = 0.05
#: How long a cancellation waits for a match that is being made.
_FORMING_SECONDS = 3.0
#: One player's own calls alone compete for a ticket, apart from its queue's leader.
_TRIES = 5

_log = logs.get()


@dataclass(frozen=True)
class Standing:
    """A ticket and what it shares with its queue."""

    ticket: Ticket
    people_waiting: int
    bots_due_ms: int | None
    """When bots fill the match, milliseconds since the Unix epoch; None where no bots are waited for."""
    people: tuple[str, ...] = ()
    """Who waits at a private table, by order of arrival."""


class Desk:
    """Tickets, by their owners' wishes. All calls may raise `UnavailableError`."""

    def __init__(self, tickets: Tickets, view: View) -> None:
        self._tickets = tickets
        self._view = view

    def find_table(self, code: str) -> Queue | None:
        """What those who sit at a private table wait for; None where nobody does."""
        return self._view.find_table(code)

    async def create(self, player_id: str, wish: Wish) -> Standing:
        """The player's ticket for this wish, a new one or that of an earlier request.

        Raises `FailedPreconditionError` where the player has another open ticket, `InvalidArgumentError` where the
        request id was used for another wish.
        """
        for _ in range(_TRIES):
            known = await self._tickets.find(player_id)
            if known and known.request_id == wish.request_id:
                return self._standing(_same(known, wish))
            if known and known.state.is_open:
                raise FailedPreconditionError(
                    "ALREADY_QUEUED",
                    f"You are waiting for a match of {known.queue.game} already, with ticket "
                    f"{known.ticket_id}; cancel that first.",
                )
            try:
                ticket = await self._tickets.add(
                    _new(player_id, wish), known.revision if known else 0
                )
            except ConflictError:
                continue
            _log.info("ticket opened", ticket_id=ticket.ticket_id, queue=ticket.queue.name)
            self._view.take(ticket)
            return self._standing(ticket)
        raise _busy(player_id)

    async def follow(self, player_id: str, ticket_id: str) -> AsyncIterator[Standing]:
        """A ticket as it stands now, at every change and now and then, to its end. Raises `NotFoundError`."""
        ticket = await self._find(player_id, ticket_id)
        shown: Standing | None = None
        with self._view.listen(ticket.queue) as stirred, self._view.watching(player_id):
            while True:
                check_cancelled()
                stirred.clear()
                standing = self._standing(await self._latest(ticket))
                if standing != shown:
                    yield standing
                if not standing.ticket.state.is_open:
                    return
                shown = standing
                try:
                    async with asyncio.timeout(_HEARTBEAT_SECONDS):
                        await stirred.wait()
                except TimeoutError:
                    shown = None
                if self._view.is_closed:
                    raise UnavailableError(
                        "DRAINING", "This server is being stopped; watch the ticket again."
                    )
                await asyncio.sleep(_PACE_SECONDS)

    async def cancel(self, player_id: str, ticket_id: str) -> Standing:
        """Close a ticket; again does no harm. Raises `NotFoundError`, `FailedPreconditionError`."""
        for _ in range(_TRIES):
            ticket = await self._settled(await self._find(player_id, ticket_id))
            match ticket.state:
                case State.CANCELLED | State.FAILED:
                    return self._standing(ticket)
                case State.MATCHED:
                    raise FailedPreconditionError(
                        "ALREADY_MATCHED",
                        f"Too late: match {ticket.match_id} has been made; leave it there.",
                    )
                case State.FORMING:
                    raise UnavailableError(
                        "MATCH_FORMING", "A match is being made for this ticket; watch it."
                    )
            try:
                ticket = await self._tickets.change(ticket, state=State.CANCELLED)
            except ConflictError:
                continue
            _log.info("ticket cancelled", ticket_id=ticket.ticket_id)
            self._view.take(ticket)
            return self._standing(ticket)
        raise _busy(player_id)

    async def fill(self, player_id: str, ticket_id: str) -> Standing:
        """Have bots come now for all who wait with a ticket; again does no harm. Raises `NotFoundError`."""
        for _ in range(_TRIES):
            ticket = await self._find(player_id, ticket_id)
            if ticket.state is not State.WAITING:
                return self._standing(ticket)
            # Not 0: that would mean bots for this one ticket alone.
            waited_ms = max(1, now_ms() - ticket.create_time_ms)
            try:
                ticket = await self._tickets.change(ticket, bot_wait_ms=waited_ms)
            except ConflictError:
                continue
            self._view.take(ticket)
            return self._standing(ticket)
        raise _busy(player_id)

    async def _settled(self, ticket: Ticket) -> Ticket:
        """A ticket once no match is being made for it, or as it is when that takes long."""
        if ticket.state is not State.FORMING:
            return ticket
        with self._view.listen(ticket.queue) as stirred, suppress(TimeoutError):
            async with asyncio.timeout(_FORMING_SECONDS):
                while True:
                    ticket = await self._find(ticket.player_id, ticket.ticket_id)
                    if ticket.state is not State.FORMING:
                        break
                    await stirred.wait()
                    stirred.clear()
        return ticket

    async def _latest(self, ticket: Ticket) -> Ticket:
        """A ticket by the view where that has it open, otherwise by the store."""
        seen = self._view.find(ticket.player_id)
        if seen and seen.ticket_id == ticket.ticket_id:
            return seen
        return await self._find(ticket.player_id, ticket.ticket_id)

    async def _find(self, player_id: str, ticket_id: str) -> Ticket:
        ticket = await self._tickets.find(player_id)
        if ticket is None or ticket.ticket_id != ticket_id:
            raise NotFoundError(
                "NO_SUCH_TICKET",
                f"You have no ticket {ticket_id[:40]!r}; only your latest one is remembered, for a day.",
            )
        return ticket

    def _standing(self, ticket: Ticket) -> Standing:
        if not ticket.state.is_open:
            return Standing(ticket, 0, None)
        if ticket.plan:
            return Standing(ticket, len(ticket.plan.people), None)
        waiting = order(self._view.tickets(ticket.queue, State.WAITING))
        people = tuple(it.player_id for it in waiting) if ticket.queue.table else ()
        return Standing(ticket, len(waiting), bots_due_ms(waiting), people)


def _new(player_id: str, wish: Wish) -> Ticket:
    return Ticket(
        ticket_id=random_id(),
        player_id=player_id,
        request_id=wish.request_id,
        request_hash=wish.request_hash,
        queue=wish.queue,
        bot_wait_ms=wish.bot_wait_ms,
        bot_level=wish.bot_level,
        create_time_ms=now_ms(),
        traceparent=tracing.traceparent(),
    )


def _same(ticket: Ticket, wish: Wish) -> Ticket:
    """The ticket, if the wish is the one it was made for."""
    if ticket.request_hash != wish.request_hash:
        raise InvalidArgumentError(
            "REQUEST_ID_REUSED",
            f"The request_id {wish.request_id!r} came with another wish before; choose a new one.",
        )
    return ticket


def _busy(player_id: str) -> UnavailableError:
    return UnavailableError(
        "TICKET_BUSY", f"The ticket of {player_id} keeps changing; try again in a moment."
    )
