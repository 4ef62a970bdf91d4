"""What a replica knows of open tickets, told in all orders."""

from __future__ import annotations

from dataclasses import replace

from prometheus_client import REGISTRY

from arena_services.common.follower import Change
from arena_services.matchmaking.tickets import Queue, State, Ticket
from arena_services.matchmaking.view import View

QUEUE = Queue("crowns", 3, b"")


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _ticket(revision: int, state: State = State.WAITING, ticket_id: str = "t") -> Ticket:
    return Ticket(
        ticket_id=ticket_id,
        player_id="p",
        request_id="r",
        request_hash="h",
        queue=QUEUE,
        bot_wait_ms=1,
        bot_level="",
        create_time_ms=0,
        state=state,
        arrival=1,
        revision=revision,
    )


def _told(ticket: Ticket) -> Change:
    return Change(ticket.player_id, ticket.revision, ticket.to_bytes())


def _caught_up_view(clock: _Clock | None = None) -> View:
    view = View(clock or _Clock())
    view.on_start()
    view.on_caught_up()
    return view


def test_a_ticket_survives_its_stored_form() -> None:
    ticket = _ticket(7)
    assert Ticket.from_bytes(ticket.to_bytes(), 7) == ticket


def test_the_first_revision_is_the_place_in_the_queue() -> None:
    ticket = Ticket.from_bytes(replace(_ticket(0), arrival=0).to_bytes(), 7)
    assert (ticket.arrival, ticket.revision) == (7, 7)


def test_an_open_ticket_is_in_its_queue_until_it_closes() -> None:
    view = _caught_up_view()
    view.on_change(_told(_ticket(1)))
    assert view.queues() == (QUEUE,)
    assert view.tickets(QUEUE, State.WAITING) == [view.find("p")]
    view.on_change(_told(_ticket(2, State.FORMING)))
    assert not view.tickets(QUEUE, State.WAITING)
    assert view.tickets(QUEUE, State.FORMING) == [view.find("p")]
    view.on_change(_told(_ticket(3, State.MATCHED)))
    assert view.is_empty(QUEUE)
    assert view.find("p") is None


def test_an_older_state_does_not_bring_a_closed_ticket_back() -> None:
    view = _caught_up_view()
    for own_write in (_ticket(1), _ticket(2, State.FORMING), _ticket(3, State.MATCHED)):
        view.take(own_write)
    for late in (_ticket(1), _ticket(2, State.FORMING)):
        view.on_change(_told(late))
        assert view.is_empty(QUEUE)
    view.on_change(_told(_ticket(3, State.MATCHED)))
    view.on_change(_told(_ticket(4, ticket_id="next")))
    assert view.queues() == (QUEUE,)


def test_what_is_no_longer_stored_is_forgotten() -> None:
    view = _caught_up_view()
    view.on_change(_told(_ticket(1)))
    view.on_change(Change("p", 2, None))
    assert view.is_empty(QUEUE)
    view.on_change(_told(_ticket(3)))
    view.on_start()
    assert view.find("p")
    view.on_caught_up()
    assert view.is_empty(QUEUE)


def test_listeners_hear_of_their_queue_alone() -> None:
    view = _caught_up_view()
    with view.listen(QUEUE) as here, view.listen(Queue("crowns", 2, b"")) as elsewhere:
        view.take(_ticket(1))
        assert here.is_set()
        assert not elsewhere.is_set()


def test_a_ticket_that_nobody_watches_is_absent_after_a_while() -> None:
    clock = _Clock()
    view = _caught_up_view(clock)
    view.take(ticket := _ticket(1))
    clock.now += 29
    assert not view.is_absent(ticket, 30)
    view.heard_of(["p", "somebody-else"])
    clock.now += 29
    assert not view.is_absent(ticket, 30)
    clock.now += 2
    assert view.is_absent(ticket, 30)


def test_nobody_is_absent_for_what_a_deaf_replica_missed() -> None:
    clock = _Clock()
    view = _caught_up_view(clock)
    view.take(ticket := _ticket(1))
    clock.now += 100
    view.on_start()
    view.on_caught_up()
    assert not view.is_absent(ticket, 30)


def test_a_new_ticket_of_one_who_was_away_is_not_absent() -> None:
    clock = _Clock()
    view = _caught_up_view(clock)
    view.take(_ticket(1))
    view.take(_ticket(2, State.CANCELLED))
    clock.now += 100
    view.take(ticket := _ticket(3, ticket_id="next"))
    assert not view.is_absent(ticket, 30)


def test_two_watchers_of_one_ticket_count_until_both_have_gone() -> None:
    view = _caught_up_view()
    with view.watching("p"):
        with view.watching("p"):
            assert view.watched_here() == ("p",)
        assert view.watched_here() == ("p",)
    assert view.watched_here() == ()


def test_metrics_follow_the_tickets() -> None:
    def people() -> float:
        labels = {"game": "crowns", "players": "3"}
        return REGISTRY.get_sample_value("arena_matchmaking_people_waiting", labels) or 0.0

    view = _caught_up_view()
    before = people()
    view.take(_ticket(1))
    assert people() == before + 1
    view.take(_ticket(2, State.FORMING))
    assert people() == before
    view.take(_ticket(3))
    view.on_change(Change("p", 4, None))
    assert people() == before
