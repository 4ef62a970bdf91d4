"""Who goes into a match together: the rules of a queue, without a clock or a store.

- People go by order of arrival. As soon as there are enough, they make a match.
- Bots fill a match when the first of those waiting has waited for as long as it wished to. All who wait by then are in
  it, for people would rather meet.
- Whoever waits without end goes along when bots come for somebody else: at a private table one asks for all.
- Whoever wished for bots at once did not come to meet anybody, and takes nobody along into a match of bots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_services.matchmaking.tickets import Ticket

Group = tuple[Ticket, ...]


def order(tickets: Sequence[Ticket]) -> list[Ticket]:
    """By arrival."""
    return sorted(tickets, key=lambda ticket: ticket.arrival)


def groups(waiting: Sequence[Ticket], players: int, now_ms: int) -> Iterator[Group]:
    """The people of each match that is due, by order of arrival; bots take the seats that are left.

    Args:
        waiting: the tickets of one queue that wait.
        players: how many players a match of this queue has.
        now_ms: wall clock, milliseconds since the Unix epoch.
    """
    people = order(waiting)
    while len(people) >= players:
        yield tuple(people[:players])
        people = people[players:]
    for ticket in people:
        if ticket.bot_wait_ms == 0:
            yield (ticket,)
    patient = tuple(ticket for ticket in people if ticket.bot_wait_ms != 0)
    due_ms = bots_due_ms(patient)
    if due_ms is not None and due_ms <= now_ms:
        yield patient


def bots_due_ms(waiting: Sequence[Ticket]) -> int | None:
    """When bots fill the match of those waiting, milliseconds since the Unix epoch; None where no bots come."""
    due = (it.create_time_ms + it.bot_wait_ms for it in waiting if it.bot_wait_ms is not None)
    return min(due, default=None)


def level_of(group: Group) -> str:
    """The level of the bots that fill a group's match: the first one's wish who has any, empty for the default."""
    return next((ticket.bot_level for ticket in group if ticket.bot_level), "")
