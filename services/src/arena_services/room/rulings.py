"""Whether a seat's wish may be carried out as things stand: repeats, decisions, the rules of the game."""

from __future__ import annotations

from typing import Any

from arena_engine.errors import MalformedActionError
from arena_services.common.errors import AbortedError, FailedPreconditionError, InvalidArgumentError
from arena_services.common.log.fold import Fold
from arena_services.room.commands import Act


def find_repeat(fold: Fold, act: Act) -> int | None:
    """The sequence that a repeated request was stored at; None for a new one.

    Raises `InvalidArgumentError` for a key that named something else, `AbortedError` for one that has been overtaken.
    """
    last = fold.requests.last(act.seat, act.key.session)
    if last is None or act.key.counter > last.counter:
        return None
    if act.key.counter < last.counter:
        raise AbortedError(
            "REQUEST_SUPERSEDED",
            f"Request {act.key.counter} of this session is overtaken by its request {last.counter}.",
        )
    if act.request_hash != last.request_hash:
        raise InvalidArgumentError(
            "REQUEST_KEY_REUSED",
            f"Request {act.key.counter} of this session was another one; use a new counter for a new wish.",
        )
    return last.sequence


def check_action(fold: Fold, seat: int, decision: int, action: Any) -> int:
    """The packed action, if the seat may take it now.

    Raises `AbortedError` (DECISION_CLOSED), `FailedPreconditionError` (NOT_YOUR_TURN, ILLEGAL_ACTION),
    `InvalidArgumentError` (MALFORMED_ACTION).
    """
    state = fold.state
    try:
        packed = state.pack(action)
    except MalformedActionError as error:
        raise InvalidArgumentError("MALFORMED_ACTION", str(error)) from error
    if not state.is_any_time(action):
        _check_decision(fold, seat, decision)
    reason = state.explain(seat, packed)
    if reason is not None:
        raise FailedPreconditionError("ILLEGAL_ACTION", reason)
    return packed


def _check_decision(fold: Fold, seat: int, decision: int) -> None:
    awaited = fold.state.awaited()
    mine = next((each.decision for each in awaited if each.seat == seat), None)
    if mine is not None and decision == mine:
        return
    is_others = any(each.decision == decision and each.seat != seat for each in awaited)
    if mine is None and (decision == 0 or is_others):
        seats = ", ".join(str(each.seat) for each in awaited)
        raise FailedPreconditionError(
            "NOT_YOUR_TURN", f"Seat {seat} may not act now; the match waits for seat {seats}."
        )
    now = f"seat {seat} has decision {mine} open" if mine else f"seat {seat} has none open"
    raise AbortedError("DECISION_CLOSED", f"Decision {decision} is not open; {now}.")
