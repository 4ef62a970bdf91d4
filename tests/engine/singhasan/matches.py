"""Short ways to set up a match of Singhasan from a few lines of its text, act in it, and look at what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from arena_engine.singhasan.board import PROVINCES, board_for
from arena_engine.singhasan.content.questions import QUESTIONS
from arena_engine.singhasan.kinds import Phase, Speed
from arena_engine.singhasan.messages import AnswerQuestion, EndTurn, Pass, Resources
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.reading import from_text
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.turns import first_position

E = TypeVar("E")

#: Provinces by id.
NUMBER = {province.id: number for number, province in enumerate(PROVINCES)}
#: Court cards and deeds that tests play, by what they do.
ASSASSINS, TAX, HUSH, REPLACE, BY_LOT, FIRST_DEED, KNIFE = 1, 21, 22, 23, 24, 5, 26


def new_match(
    players: int = 3, *, speed: Speed = Speed.STANDARD, secret: int = 0, bots: Iterable[int] = ()
) -> SinghasanState:
    """A match before its seats are claimed."""
    is_bot = [seat in set(bots) for seat in range(players)]
    return SinghasanState(
        first_position(board_for(players), secret.to_bytes(32, "big"), int(speed), is_bot, 0)
    )


def match(*lines: str, players: int = 3) -> SinghasanState:
    """A match as lines of the text format have it, seat 0 to act unless they say otherwise."""
    keys = {line.partition(":")[0] for line in lines}
    usual = ["phase: act", "done: answered", "row: 1 2 3"]
    needed = [line for line in usual if line.partition(":")[0] not in keys]
    text = "\n".join(["singhasan 1", f"players: {players}", *needed, *lines])
    return SinghasanState(from_text(text))


def court(*lines: str, players: int = 3, question: int = 1) -> SinghasanState:
    """A match in whose court window all rivals of seat 0 are awaited."""
    window = ["phase: court", f"in court: {' '.join(map(str, range(1, players)))}"]
    return match(*window, "done:", f"question: {question}", *lines, players=players)


def act(state: SinghasanState, seat: int, action: Any, now_ms: int = 0) -> list[Any]:
    """Take an action that must be legal; returns the events without their wrappers."""
    packed = state.pack(action)
    assert state.explain(seat, packed) is None, state.explain(seat, packed)
    return [event.event for event in state.apply(seat, packed, now_ms)]


def expire(state: SinghasanState, now_ms: int | None = None) -> list[Any]:
    """Let the clock run out."""
    deadline = state.deadline_ms()
    assert deadline is not None
    return [event.event for event in state.expire(deadline if now_ms is None else now_ms)]


def why_not(state: SinghasanState, seat: int, action: Any) -> str | None:
    """Why an action is not legal."""
    return state.explain(seat, state.pack(action))


def legal(state: SinghasanState, seat: int) -> list[Any]:
    """All listed actions of a seat."""
    return [state.unpack(packed) for packed in state.legal_actions(seat)]


def awaited(state: SinghasanState) -> list[int]:
    """The seats that are awaited."""
    return [seat for seat, _ in state.awaited()]


def decision(state: SinghasanState, seat: int) -> int:
    """The open decision of a seat."""
    return dict(state.awaited())[seat]


def pass_all(state: SinghasanState, now_ms: int = 0) -> list[Any]:
    """Let all rivals pass that are awaited in the court window."""
    events = []
    for seat in awaited(state):
        events += act(state, seat, Pass(), now_ms)
    return events


def play_turn(state: SinghasanState, now_ms: int = 0) -> list[Any]:
    """Pass, answer A and end the turn, discarding as the clock would; returns all events."""
    seat = state.position.turn
    events = pass_all(state, now_ms) if state.position.phase == Phase.COURT else []
    if state.position.phase == Phase.ANSWER:
        events += act(state, seat, AnswerQuestion(0), now_ms)
    events += act(state, seat, EndTurn(), now_ms)
    while state.position.phase in (Phase.CHOICE, Phase.DISCARD):
        chooser = awaited(state)[0]
        packed = next(state.legal_actions(chooser))
        events += [event.event for event in state.apply(chooser, packed, now_ms)]
    return events


def stock(p: Position, seat: int) -> tuple[int, ...]:
    """The resources of a seat."""
    return tuple(p.stock[seat * 4 : seat * 4 + 4])


def resources(gold: int = 0, steel: int = 0, song: int = 0, oath: int = 0) -> Resources:
    """Amounts, in short."""
    return Resources(gold, steel, song, oath)


def all_of(events: Iterable[Any], kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


def find(events: Iterable[Any], kind: type[E]) -> E:
    """The only event of a kind."""
    (event,) = all_of(events, kind)
    return event


def question_with(kind: int) -> int:
    """The first Question whose first answer stands for a kind, from 0."""
    return next(n for n, q in enumerate(QUESTIONS, 1) if q.first.ideology == kind + 1)
