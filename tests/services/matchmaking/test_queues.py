"""Who goes into a match together."""

from __future__ import annotations

from arena_services.matchmaking.queues import bots_due_ms, groups, level_of
from arena_services.matchmaking.tickets import Queue, Ticket

QUEUE = Queue("crowns", 4, b"")


def _ticket(arrival: int, created: int = 0, wait: int = 10_000, level: str = "") -> Ticket:
    return Ticket(
        ticket_id=f"t{arrival}",
        player_id=f"p{arrival}",
        request_id="r",
        request_hash="h",
        queue=QUEUE,
        bot_wait_ms=wait,
        bot_level=level,
        create_time_ms=created,
        arrival=arrival,
    )


def _arrivals(waiting: list[Ticket], now_ms: int) -> list[list[int]]:
    return [[ticket.arrival for ticket in group] for group in groups(waiting, 4, now_ms)]


def test_enough_people_make_a_match_by_order_of_arrival() -> None:
    waiting = [_ticket(arrival) for arrival in (5, 3, 1, 4, 2)]
    assert _arrivals(waiting, 0) == [[1, 2, 3, 4]]


def test_many_people_make_many_matches() -> None:
    waiting = [_ticket(arrival) for arrival in range(1, 10)]
    assert _arrivals(waiting, 0) == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_too_few_wait_until_the_first_has_waited_enough() -> None:
    waiting = [_ticket(1, created=0), _ticket(2, created=9_000)]
    assert _arrivals(waiting, 9_999) == []
    assert _arrivals(waiting, 10_000) == [[1, 2]]


def test_the_least_patient_one_decides_when_bots_come() -> None:
    waiting = [_ticket(1, created=0, wait=60_000), _ticket(2, created=1_000, wait=2_000)]
    assert bots_due_ms(waiting) == 3_000
    assert _arrivals(waiting, 2_999) == []
    assert _arrivals(waiting, 3_000) == [[1, 2]]


def test_bots_at_once_take_nobody_along() -> None:
    waiting = [_ticket(1), _ticket(2, wait=0), _ticket(3, wait=0)]
    assert _arrivals(waiting, 5_000) == [[2], [3]]
    assert _arrivals(waiting, 10_000) == [[2], [3], [1]]


def test_bots_at_once_give_way_to_enough_people() -> None:
    waiting = [_ticket(1), _ticket(2), _ticket(3), _ticket(4, wait=0)]
    assert _arrivals(waiting, 0) == [[1, 2, 3, 4]]


def test_nobody_waits_for_bots_in_an_empty_queue() -> None:
    assert bots_due_ms([]) is None
    assert _arrivals([], 10**12) == []


def test_the_first_wish_for_a_level_counts() -> None:
    assert level_of((_ticket(1), _ticket(2, level="hard"), _ticket(3, level="easy"))) == "hard"
    assert level_of((_ticket(1),)) == ""
