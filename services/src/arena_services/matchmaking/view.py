"""What a replica knows of all open tickets, by following their bucket: who waits with whom, and who is still there.

It may lag behind the store by the way of a message, so it only ever suggests: whoever acts on it does so by
compare-and-set.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from arena_services.common.follower import Change
from arena_services.matchmaking import metrics
from arena_services.matchmaking.tickets import Queue, State, Ticket


class View:
    """All open tickets. Its clock is this process's own, in seconds from anywhere."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        #: By player. A ticket that this process closed stays until the follower has told of it too, lest an older
        #: state of it, still on its way, bring it back.
        self._tickets: dict[str, Ticket] = {}
        self._queues: defaultdict[Queue, dict[str, Ticket]] = defaultdict(dict)
        self._listeners: defaultdict[Queue, set[asyncio.Event]] = defaultdict(set)
        self._watchers: Counter[str] = Counter()
        self._last_seen: dict[str, float] = {}
        self._listening_since = clock()
        self._read: set[str] = set()
        self._is_caught_up = asyncio.Event()
        self.is_closed = False
        self.queues_changed = asyncio.Event()
        """Set when a queue gets its first ticket, and by `close`."""

    # Reading

    def find(self, player_id: str) -> Ticket | None:
        """A player's open ticket."""
        ticket = self._tickets.get(player_id)
        return ticket if ticket and ticket.state.is_open else None

    def queues(self) -> tuple[Queue, ...]:
        """The queues that have open tickets."""
        return tuple(self._queues)

    def find_table(self, code: str) -> Queue | None:
        """What those who sit at a private table wait for; None where nobody does."""
        return next((queue for queue in self._queues if queue.table == code), None)

    def tickets(self, queue: Queue, state: State) -> list[Ticket]:
        """A queue's tickets in one of the open states."""
        return [ticket for ticket in self._queues.get(queue, {}).values() if ticket.state is state]

    def is_empty(self, queue: Queue) -> bool:
        """Whether a queue has no open tickets."""
        return queue not in self._queues

    def watched_here(self) -> tuple[str, ...]:
        """The players whose tickets are watched through this replica."""
        return tuple(self._watchers)

    def is_absent(self, ticket: Ticket, seconds: float) -> bool:
        """Whether nobody has watched a ticket for so long, as far as this replica could have heard."""
        seen = max(self._last_seen.get(ticket.player_id, 0.0), self._listening_since)
        return self._clock() - seen > seconds

    async def caught_up(self) -> None:
        """Wait until everything stored has been read."""
        await self._is_caught_up.wait()

    # Following

    @contextmanager
    def listen(self, queue: Queue) -> Iterator[asyncio.Event]:
        """An event that is set at every change within a queue."""
        event = asyncio.Event()
        self._listeners[queue].add(event)
        try:
            yield event
        finally:
            self._listeners[queue].discard(event)
            if not self._listeners[queue]:
                del self._listeners[queue]

    @contextmanager
    def watching(self, player_id: str) -> Iterator[None]:
        """While it lasts, the player is there."""
        self._watchers[player_id] += 1
        try:
            yield
        finally:
            self._watchers[player_id] -= 1
            if not self._watchers[player_id]:
                del self._watchers[player_id]

    # Telling

    def take(self, ticket: Ticket) -> None:
        """Take a ticket as it was just stored or read, unless something later is known of it."""
        known = self._tickets.get(ticket.player_id)
        if known is None and not ticket.state.is_open:
            return
        if known is None or known.revision < ticket.revision:
            self._put(ticket)

    def heard_of(self, player_ids: Iterable[str]) -> None:
        """These players' tickets are being watched, here or through another replica."""
        now = self._clock()
        for player_id in player_ids:
            if player_id in self._last_seen:
                self._last_seen[player_id] = now

    def close(self) -> None:
        """End whatever listens."""
        self.is_closed = True
        self.queues_changed.set()
        for queue in tuple(self._listeners):
            self._stir(queue)

    # What the follower tells

    def on_start(self) -> None:
        """Everything will be read anew. Nobody was heard meanwhile, so nobody is absent for that."""
        self._read = set()
        self._listening_since = self._clock()

    def on_change(self, change: Change) -> None:
        """A ticket was stored or deleted."""
        self._read.add(change.key)
        if change.value is not None:
            self.take(Ticket.from_bytes(change.value, change.revision))
        known = self._tickets.get(change.key)
        is_over = change.value is None or not (known and known.state.is_open)
        if known and is_over and known.revision <= change.revision:
            self._forget(change.key)

    def on_caught_up(self) -> None:
        """Everything was read: what did not come is gone."""
        for player_id in self._tickets.keys() - self._read:
            self._forget(player_id)
        self._listening_since = self._clock()
        self._is_caught_up.set()

    # Within

    def _put(self, ticket: Ticket) -> None:
        """Put a ticket in the place of the player's former one."""
        known = self._tickets.get(ticket.player_id)
        if known is None or known.ticket_id != ticket.ticket_id:
            self._last_seen[ticket.player_id] = self._clock()
        self._drop_from_queue(known)
        self._tickets[ticket.player_id] = ticket
        if ticket.state.is_open:
            if ticket.queue not in self._queues:
                self.queues_changed.set()
            self._queues[ticket.queue][ticket.player_id] = ticket
            _count(ticket, +1)
        self._stir(ticket.queue)

    def _forget(self, player_id: str) -> None:
        """No such ticket any longer."""
        self._drop_from_queue(self._tickets.pop(player_id, None))
        self._last_seen.pop(player_id, None)

    def _drop_from_queue(self, ticket: Ticket | None) -> None:
        if ticket is None or not ticket.state.is_open:
            return
        pool = self._queues[ticket.queue]
        del pool[ticket.player_id]
        if not pool:
            del self._queues[ticket.queue]
        _count(ticket, -1)
        self._stir(ticket.queue)

    def _stir(self, queue: Queue) -> None:
        for event in self._listeners.get(queue, ()):
            event.set()


def _count(ticket: Ticket, change: int) -> None:
    metrics.TICKETS_OPEN.labels(ticket.queue.game, ticket.state).inc(change)
    if ticket.state is State.WAITING:
        metrics.PEOPLE_WAITING.labels(ticket.queue.game, ticket.queue.players).inc(change)
