"""Leads queues: for each that has tickets, one replica holds a lease and makes the matches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from arena_services.common import logs
from arena_services.common.cancellation import check_cancelled
from arena_services.common.clock import now_ms
from arena_services.common.errors import UnavailableError
from arena_services.common.lease import Lease, LeaseLostError, Leases
from arena_services.matchmaking import metrics
from arena_services.matchmaking.host import Host
from arena_services.matchmaking.plans import Plans
from arena_services.matchmaking.queues import bots_due_ms, groups
from arena_services.matchmaking.tickets import ConflictError, Plan, Queue, State, Ticket, Tickets
from arena_services.matchmaking.view import View

#: How long an empty queue keeps its leader.
_IDLE_SECONDS = 10.0
#: How often a leader looks for what nobody tells: rooms that came, owners that left.
_TICK_SECONDS = 0.5
_ROOMLESS_TICK_SECONDS = 0.1
NOT_WATCHED = "NOT_WATCHED"

_log = logs.get()


class Leader:
    """Leads one queue."""

    def __init__(
        self, queue: Queue, tickets: Tickets, view: View, host: Host, unwatched_seconds: float
    ) -> None:
        self._queue = queue
        self._tickets = tickets
        self._view = view
        self._host = host
        self._plans = Plans(tickets, view, host)
        self._unwatched_seconds = unwatched_seconds
        self._under_way: set[str] = set()

    async def lead(self, lease: Lease) -> None:
        """Make matches until the queue has been empty for a while, or the view is closed."""
        with self._view.listen(self._queue) as stirred, metrics.LEASES_HELD.track_inprogress():
            async with asyncio.TaskGroup() as tasks:
                last_used = time.monotonic()
                while not self._view.is_closed and time.monotonic() - last_used < _IDLE_SECONDS:
                    check_cancelled()
                    lease.check()
                    stirred.clear()
                    await self._look(lease, tasks)
                    if not self._view.is_empty(self._queue):
                        last_used = time.monotonic()
                    await _wait(stirred, self._pause_seconds())

    async def _look(self, lease: Lease, tasks: asyncio.TaskGroup) -> None:
        """Do what there is to do now."""
        try:
            self._take_up(lease, tasks)
            for ticket in self._waiting():
                if self._view.is_absent(ticket, self._unwatched_seconds):
                    await self._cancel(ticket, lease)
            if self._host.rooms(self._queue.game):
                for group in groups(self._waiting(), self._queue.players, now_ms()):
                    await self._plans.promise(group, lease)
                self._take_up(lease, tasks)
        except (ConflictError, UnavailableError) as error:
            _log.info("looking at the queue again", queue=self._queue.name, cause=str(error))

    def _take_up(self, lease: Lease, tasks: asyncio.TaskGroup) -> None:
        """Carry out what tickets are promised to, a former leader's promises included."""
        for ticket in self._view.tickets(self._queue, State.FORMING):
            plan = ticket.plan
            if plan and plan.match_id not in self._under_way:
                self._under_way.add(plan.match_id)
                tasks.create_task(self._carry_out(plan, lease), name=f"plan-{plan.match_id}")

    async def _carry_out(self, plan: Plan, lease: Lease) -> None:
        try:
            await self._plans.carry_out(plan, lease)
        except (ConflictError, UnavailableError) as error:
            _log.info("taking the match up again", match_id=plan.match_id, cause=str(error))
        finally:
            self._under_way.discard(plan.match_id)

    async def _cancel(self, ticket: Ticket, lease: Lease) -> None:
        """Cancel a ticket whose owner has gone, so that no match starts without them."""
        lease.check()
        _log.info("ticket not watched", ticket_id=ticket.ticket_id, player_id=ticket.player_id)
        self._view.take(
            await self._tickets.change(ticket, state=State.CANCELLED, reason=NOT_WATCHED)
        )

    def _waiting(self) -> list[Ticket]:
        return self._view.tickets(self._queue, State.WAITING)

    def _pause_seconds(self) -> float:
        """Until bots are due, at most a tick."""
        if not self._host.rooms(self._queue.game):
            return _ROOMLESS_TICK_SECONDS
        due_ms = bots_due_ms(self._waiting())
        if due_ms is None or due_ms <= (now := now_ms()):
            return _TICK_SECONDS
        return min(_TICK_SECONDS, (due_ms - now) / 1000)


class Leadership:
    """Takes part in leading every queue that has tickets."""

    def __init__(self, leases: Leases, view: View, make_leader: Callable[[Queue], Leader]) -> None:
        self._leases = leases
        self._view = view
        self._make_leader = make_leader
        self._tasks: dict[Queue, asyncio.Task[None]] = {}
        self._led: set[Queue] = set()

    async def run(self) -> None:
        """Lead until the view is closed; by then what is under way has been finished."""
        async with asyncio.TaskGroup() as tasks:
            while not self._view.is_closed:
                self._view.queues_changed.clear()
                for queue in self._view.queues():
                    if queue not in self._tasks:
                        name = f"queue-{queue.name}"
                        self._tasks[queue] = tasks.create_task(self._take_part(queue), name=name)
                await self._view.queues_changed.wait()
            for queue, task in self._tasks.items():
                if queue not in self._led:
                    task.cancel()

    async def _take_part(self, queue: Queue) -> None:
        try:
            while not self._view.is_empty(queue) and not self._view.is_closed:
                await self._lead(queue)
        finally:
            del self._tasks[queue]

    async def _lead(self, queue: Queue) -> None:
        leader = self._make_leader(queue)

        async def lead(lease: Lease) -> None:
            self._led.add(queue)
            await leader.lead(lease)

        try:
            await self._leases.hold(queue.name, lead)
        except LeaseLostError as error:
            _log.warning("no longer leading a queue", queue=queue.name, cause=str(error))
        finally:
            self._led.discard(queue)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
