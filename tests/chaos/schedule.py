"""What is hurt, when, and for how long: drawn from a seed, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random


class Kind(StrEnum):
    """A way to hurt something."""

    ROOM_KILLED = "room killed"
    ROOM_PAUSED = "room paused"
    """For longer than others take it for alive: it wakes up as a zombie."""
    ROOM_DRAINED = "room drained"
    """Told to stop, and started again."""
    ROOM_CUT_OFF = "room cut off from NATS"
    ROOM_UNANSWERED = "room not answered by NATS"
    """What it asks of NATS is done, and it never hears of that."""
    ROOM_SLOW = "room far from NATS"
    NATS_KILLED = "NATS server killed"
    NATS_PAUSED = "NATS server paused"
    NATS_ALL_KILLED = "all NATS servers killed"
    TIMER_KILLED = "timer killed"
    BOT_KILLED = "bot killed"
    LINE_RESET = "connections reset"
    """Those of clients and of other rooms to one room; likewise below."""
    LINE_STALLED = "connections stalled"
    LINE_SLOW = "connections slow"
    LINE_CUT = "connections cut"


@dataclass(frozen=True)
class _Habit:
    """How a kind of fault is drawn."""

    part: str
    """What it hurts: room, nats, timer or bot. A line is a part of its room."""
    shortest_seconds: float = 0.0
    longest_seconds: float = 0.0


#: That NATS does not answer a room is noticed for certain, and given back, from 2.5 s on.
#: A room that is not heard is taken for dead after 3 s.
_HABITS: Mapping[Kind, _Habit] = {
    Kind.ROOM_KILLED: _Habit("room"),
    Kind.ROOM_PAUSED: _Habit("room", 4.0, 8.0),
    Kind.ROOM_DRAINED: _Habit("room"),
    Kind.ROOM_CUT_OFF: _Habit("room", 4.0, 8.0),
    Kind.ROOM_UNANSWERED: _Habit("room", 2.5, 5.0),
    Kind.ROOM_SLOW: _Habit("room", 3.0, 6.0),
    Kind.NATS_KILLED: _Habit("nats", 1.0, 5.0),
    Kind.NATS_PAUSED: _Habit("nats", 3.0, 8.0),
    Kind.NATS_ALL_KILLED: _Habit("nats", 2.0, 4.0),
    Kind.TIMER_KILLED: _Habit("timer"),
    Kind.BOT_KILLED: _Habit("bot"),
    Kind.LINE_RESET: _Habit("room"),
    Kind.LINE_STALLED: _Habit("room", 2.0, 6.0),
    Kind.LINE_SLOW: _Habit("room", 3.0, 6.0),
    Kind.LINE_CUT: _Habit("room", 1.0, 4.0),
}
#: Where there is one, pausing it would be like killing it.
_NEEDS_CLUSTER = frozenset({Kind.NATS_PAUSED})
#: How long a part is left alone after a fault is over: for a process to start, a NATS server to catch up.
_REST_SECONDS = {"room": 4.0, "nats": 8.0, "timer": 5.0, "bot": 5.0}
_SHORTEST_GAP_SECONDS = 1.0
_LONGEST_GAP_SECONDS = 4.0


@dataclass(frozen=True)
class Fault:
    """One thing that is hurt once."""

    number: int
    """Counts a schedule's faults from 1."""
    at_seconds: float
    """After the start of the schedule."""
    kind: Kind
    target: str
    """Name of the process; `nats` for all NATS servers."""
    for_seconds: float
    """Until it is mended; 0 where it mends itself."""

    @property
    def part(self) -> str:
        """What is hurt, of which there is never more than one hurt at once: room, nats, timer or bot."""
        return _HABITS[self.kind].part

    @property
    def rest_seconds(self) -> float:
        """How long its part is to be left alone once it is mended."""
        return _REST_SECONDS[self.part]

    @property
    def until_seconds(self) -> float:
        """When it is mended."""
        return self.at_seconds + self.for_seconds


def draw(
    seed: int,
    seconds: float,
    rooms: Sequence[str],
    nats: Sequence[str],
    only: Sequence[Kind] = tuple(Kind),
) -> list[Fault]:
    """The faults of so many seconds, in order, all mended by then; of some kinds `only`.

    One room, one NATS server, timer and bot may be hurt at once, never two of the same sort: what is promised is that
    any one may be lost. Kinds come in turns, each as often as the others where there is room for it.
    """
    rng = Random(f"schedule {seed}")
    targets = {"room": rooms, "nats": nats, "timer": ("timer",), "bot": ("bot",)}
    free_at = dict.fromkeys(targets, 0.0)
    faults: list[Fault] = []
    now = _SHORTEST_GAP_SECONDS
    for kind in _kinds(rng, only, len(nats) > 1):
        habit = _HABITS[kind]
        now = max(
            now + rng.uniform(_SHORTEST_GAP_SECONDS, _LONGEST_GAP_SECONDS), free_at[habit.part]
        )
        lasts = round(rng.uniform(habit.shortest_seconds, habit.longest_seconds), 1)
        target = "nats" if kind is Kind.NATS_ALL_KILLED else rng.choice(targets[habit.part])
        fault = Fault(len(faults) + 1, round(now, 1), kind, target, lasts)
        if fault.until_seconds > seconds:
            return faults
        free_at[habit.part] = fault.until_seconds + _REST_SECONDS[habit.part]
        faults.append(fault)
    return faults


def _kinds(rng: Random, only: Sequence[Kind], has_cluster: bool) -> Iterator[Kind]:
    """All kinds by lot, and all over again."""
    kinds = [kind for kind in only if has_cluster or kind not in _NEEDS_CLUSTER]
    while kinds:
        rng.shuffle(kinds)
        yield from kinds
