"""How several tickets become one match, whoever crashes when.

Tickets change by compare-and-set on one key at a time, so one of them decides: the head, that of whoever came first.
A leader promises the other tickets to a plan, and the head last: from then on the plan stands, and whoever leads asks
rooms for exactly that match until the outcome is known. Then the others are closed, and the head last, so that the head
says what is to become of a ticket for as long as any is promised.

A plan whose head is not promised never stood. The head is rewritten, so that a former leader that wakes up can no
longer promise it, and then the others go back to waiting.
"""

from __future__ import annotations

from typing import Any

from arena_services.common import logs, tracing
from arena_services.common.clock import now_ms
from arena_services.common.lease import Lease
from arena_services.common.log.subjects import new_match_id
from arena_services.matchmaking import metrics
from arena_services.matchmaking.host import Host, Hosted, RefusedError
from arena_services.matchmaking.names import new_bots
from arena_services.matchmaking.queues import Group, level_of
from arena_services.matchmaking.tickets import ConflictError, Plan, Queue, State, Ticket, Tickets
from arena_services.matchmaking.view import View

_log = logs.get()


class Plans:
    """Carries plans out, step by stored step; each step may be repeated, and by somebody else.

    Tickets are stored one after another: a stream that is written through to the disk is no faster for several at once.
    All calls may raise `UnavailableError` or `ConflictError`: look again, and take up what is promised.
    """

    def __init__(self, tickets: Tickets, view: View, host: Host) -> None:
        self._tickets = tickets
        self._view = view
        self._host = host

    async def promise(self, group: Group, lease: Lease) -> None:
        """Promise a group's tickets to a new plan, or none of them where one has changed meanwhile."""
        head, *others = group
        plan = Plan(
            match_id=new_match_id(),
            people=tuple(ticket.player_id for ticket in group),
            bots=new_bots(head.queue.players - len(group)),
            bot_level=level_of(group),
        )
        try:
            for ticket in (*others, head):
                lease.check()
                await self._change(ticket, state=State.FORMING, plan=plan)
        except ConflictError:
            await self._abandon(plan)

    async def carry_out(self, plan: Plan, lease: Lease) -> None:
        """Bring a plan that some ticket is promised to to its end. May raise `LeaseLostError`."""
        head = await self._tickets.find(plan.head)
        if head is None or not head.is_promised_to(plan):
            await self._abandon(plan)
            return
        outcome = await self._outcome(plan, head, lease)
        for player_id in (*plan.people[1:], plan.head):
            ticket = await self._tickets.find(player_id)
            if ticket and ticket.is_promised_to(plan):
                closed = await self._change(ticket, **outcome[player_id])
                if closed.state is State.MATCHED:
                    waited_ms = now_ms() - closed.create_time_ms
                    metrics.WAIT_SECONDS.labels(closed.queue.game).observe(waited_ms / 1000)

    async def _outcome(self, plan: Plan, head: Ticket, lease: Lease) -> dict[str, dict[str, Any]]:
        """What becomes of each ticket of a plan that stands, by player."""
        if not head.reason:
            try:
                with tracing.begin("host", parent=head.traceparent, match_id=plan.match_id):
                    hosted = await self._host.create(head.queue, plan, lease)
            except RefusedError as refused:
                _log.error("match refused", match_id=plan.match_id, error=str(refused))
                # Stored before anybody is told, so that a later leader does not try again after some have been.
                head = await self._change(head, reason=refused.reason)
            else:
                return _matched(plan, head.queue, hosted)
        failed = {"state": State.FAILED, "reason": head.reason}
        return dict.fromkeys(plan.people, failed)

    async def _abandon(self, plan: Plan) -> None:
        """Send a plan's tickets back to waiting, unless the plan stands after all."""
        head = await self._tickets.find(plan.head)
        if head and head.is_promised_to(plan):
            return
        if head and head.state is State.WAITING:
            await self._change(head)
        for player_id in plan.people[1:]:
            ticket = await self._tickets.find(player_id)
            if ticket and ticket.is_promised_to(plan):
                await self._change(ticket, state=State.WAITING, plan=None)
        _log.info("match abandoned", match_id=plan.match_id)

    async def _change(self, ticket: Ticket, **changes: Any) -> Ticket:
        changed = await self._tickets.change(ticket, **changes)
        self._view.take(changed)
        return changed


def _matched(plan: Plan, queue: Queue, hosted: Hosted) -> dict[str, dict[str, Any]]:
    people, bots = len(plan.people), len(plan.bots)
    _log.info(
        "match formed", match_id=plan.match_id, room_id=hosted.room_id, people=people, bots=bots
    )
    metrics.MATCHES.labels(queue.game, people, bots).inc()
    return {
        player_id: {
            "state": State.MATCHED,
            "seat": hosted.seats[player_id],
            "room_id": hosted.room_id,
        }
        for player_id in plan.people
    }
