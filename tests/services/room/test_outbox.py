"""What waits for a client that does not read stays bounded, whatever it asks for."""

from __future__ import annotations

from arena_services.room.updates import Moment
from arena_services.room.viewers import MOST_WAITING, TOO_SLOW, Outbox, PlayFraming, Viewer


def viewer_of(outbox: Outbox) -> Viewer:
    return Viewer(outbox, PlayFraming(), "match", None, 0)


def push(viewer: Viewer, count: int, first: int = 1) -> None:
    for sequence in range(first, first + count):
        assert viewer.push(Moment(sequence, (), b"", ()), b"")


async def taken(outbox: Outbox) -> list[bytes]:
    outbox.close()
    messages = []
    while (message := await outbox.take()) is not None:
        messages.append(message)
    return messages


async def test_a_seat_attached_again_and_again_unread_costs_no_more_than_a_few_times() -> None:
    outbox = Outbox(PlayFraming())
    for _ in range(1000):
        viewer = viewer_of(outbox)
        push(viewer, 50)
        assert outbox.size <= 3 * MOST_WAITING
        viewer.withdraw()
    last = viewer_of(outbox)
    push(last, 2)
    assert len(await taken(outbox)) == 2


async def test_of_a_viewer_that_has_left_nothing_is_sent_and_of_others_everything() -> None:
    outbox = Outbox(PlayFraming())
    stays, leaves = viewer_of(outbox), viewer_of(outbox)
    push(stays, 3)
    push(leaves, 5)
    outbox.put(b"answer")
    leaves.withdraw()
    push(stays, 2, first=4)

    assert len(await taken(outbox)) == 6
    assert stays.waiting == 0
    assert outbox.replies == 0


async def test_who_is_too_slow_reads_of_that_alone() -> None:
    outbox = Outbox(PlayFraming())
    viewer = viewer_of(outbox)
    push(viewer, MOST_WAITING)
    assert not viewer.push(Moment(MOST_WAITING + 1, (), b"", ()), b"")
    viewer.say_detached(TOO_SLOW)

    (message,) = await taken(outbox)
    assert TOO_SLOW.encode() in message
