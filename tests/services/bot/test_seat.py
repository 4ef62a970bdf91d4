"""One bot's seat: what it does next after each thing that can happen to it."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1.room_service_pb2 import Awaited, Error, Outcome, SeatHolder, Update
from arena_services.bot.seat import Leave, Seat, Send, Think

ACTION = AnyMessage(type_url="type.googleapis.com/some.Action", value=b"move")


def _update(sequence: int, decision: int = 0, seat: int = 1, **more: Any) -> Update:
    awaited = [Awaited(seat=0, decision=decision), Awaited(seat=seat, decision=decision)]
    return Update(sequence=sequence, awaited=awaited if decision else [], **more)


def _holders(*, is_bot: bool) -> list[SeatHolder]:
    return [SeatHolder(), SeatHolder(is_bot=is_bot, has_person=True)]


def _error(code: grpc.StatusCode, reason: str = "") -> Error:
    return Error(code=code.value[0], reason=reason)


def _seat() -> Seat:
    return Seat("m", 1, "crowns", 1)


def _asked(counter: int = 5, decision: int = 7) -> Seat:
    """A seat that has asked for an action and has no answer yet."""
    seat = _seat()
    assert seat.updated(_update(10, decision)) == Think(decision)
    step = seat.chosen(decision, ACTION, RequestKey(session=b"s" * 8, counter=counter))
    assert isinstance(step, Send)
    assert (step.act.decision, step.act.action, step.after_seconds) == (decision, ACTION, 0.0)
    return seat


def test_an_open_decision_is_thought_about_once() -> None:
    seat = _seat()
    assert seat.updated(_update(1)) is None
    assert seat.updated(_update(2, 7)) == Think(7)
    assert seat.updated(_update(3, 7)) is None
    assert seat.sequence == 3


def test_a_decision_of_another_seat_is_left_alone() -> None:
    assert _seat().updated(_update(1, 7, seat=2)) is None


def test_a_decision_that_closed_while_thinking_is_not_acted_on() -> None:
    seat = _seat()
    seat.updated(_update(1, 7))
    assert seat.updated(_update(2)) is None
    assert seat.chosen(7, ACTION, RequestKey(counter=1)) is None
    assert seat.updated(_update(3, 8)) == Think(8)


def test_an_update_before_the_answer_waits_for_the_answer() -> None:
    seat = _asked(counter=5)
    assert seat.updated(_update(11, 8)) is None
    assert seat.acted(5, 11) == Think(8)


def test_an_answer_before_its_update_waits_for_the_update() -> None:
    seat = _asked(counter=5)
    assert seat.acted(5, 11) is None
    assert seat.updated(_update(11, 8)) == Think(8)


def test_a_decision_that_takes_several_actions_is_acted_on_again() -> None:
    seat = _asked(counter=5, decision=7)
    assert seat.acted(5, 11) is None
    assert seat.updated(_update(11, 7)) == Think(7)


def test_an_unknown_outcome_is_asked_again_under_the_same_key_with_longer_pauses() -> None:
    seat = _asked(counter=5)
    pauses = []
    for code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED) * 4:
        step = seat.refused(5, _error(code))
        assert isinstance(step, Send)
        assert step.act.key.counter == 5
        pauses.append(step.after_seconds)
    assert pauses == sorted(pauses)
    assert pauses[0] == 0.1
    assert pauses[-1] == 3.0


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.ABORTED, "DECISION_CLOSED"),
        (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN"),
    ],
)
def test_a_closed_decision_waits_for_the_next(code: grpc.StatusCode, reason: str) -> None:
    seat = _asked(counter=5, decision=7)
    assert seat.refused(5, _error(code, reason)) is None
    assert seat.updated(_update(11, 7)) is None
    assert seat.updated(_update(12, 9)) == Think(9)


def test_an_illegal_action_is_thought_over_after_a_pause() -> None:
    seat = _asked(counter=5, decision=7)
    step = seat.refused(5, _error(grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION"))
    assert step == Think(7, 0.1)
    assert seat.updated(_update(11, 7)) is None
    step = seat.chosen(7, ACTION, RequestKey(counter=6))
    assert isinstance(step, Send)
    assert seat.refused(6, _error(grpc.StatusCode.INVALID_ARGUMENT)) == Think(7, 0.2)


def test_a_success_ends_the_row_of_failures() -> None:
    seat = _asked(counter=5)
    seat.refused(5, _error(grpc.StatusCode.UNAVAILABLE))
    seat.acted(5, 11)
    seat.updated(_update(11, 8))
    assert seat.failed_to_choose(8) == Think(8, 0.1)


@pytest.mark.parametrize(
    "error",
    [
        _error(grpc.StatusCode.NOT_FOUND),
        _error(grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT"),
        _error(grpc.StatusCode.FAILED_PRECONDITION, "MATCH_FINISHED"),
        _error(grpc.StatusCode.FAILED_PRECONDITION, "SEAT_HAS_PERSON"),
    ],
)
def test_a_seat_that_is_gone_is_left(error: Error) -> None:
    assert _asked(counter=5).refused(5, error) == Leave()


def test_a_seat_whose_person_is_back_is_left() -> None:
    seat = _seat()
    assert seat.updated(_update(1, 7, seats=_holders(is_bot=True))) == Think(7)
    assert seat.updated(_update(2, 7, seats=_holders(is_bot=False))) == Leave()


def test_a_finished_match_is_left() -> None:
    assert _seat().updated(_update(1, outcome=Outcome(how="escape"))) == Leave()


def test_answers_to_other_requests_are_ignored() -> None:
    seat = _asked(counter=5)
    assert seat.acted(4, 11) is None
    assert seat.refused(4, _error(grpc.StatusCode.NOT_FOUND)) is None
    assert seat.pending is not None
    seat.acted(5, 11)
    assert seat.refused(5, _error(grpc.StatusCode.NOT_FOUND)) is None


def test_an_attachment_that_fails_for_now_is_tried_again() -> None:
    seat = _seat()
    assert seat.not_attached(_error(grpc.StatusCode.UNAVAILABLE)) == 0.1
    assert seat.not_attached(_error(grpc.StatusCode.UNAVAILABLE)) == 0.2
    assert seat.not_attached(_error(grpc.StatusCode.NOT_FOUND)) is None
    assert seat.not_attached(_error(grpc.StatusCode.PERMISSION_DENIED)) is None
