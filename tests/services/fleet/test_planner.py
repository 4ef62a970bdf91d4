from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_services.fleet.planner import Bounds, Drain, Grow, Planner, Release, Room

_BOUNDS = Bounds(floor=2, ceiling=5, free=10, patience_seconds=30, retry_seconds=20, places=10)


def _rooms(*matches: int) -> list[Room]:
    return [Room(f"room-{number}", count, 10) for number, count in enumerate(matches, 1)]


def test_grows_at_once_when_too_little_is_free() -> None:
    assert Planner(_BOUNDS).plan(_rooms(8, 8), 2, 0) == Grow(3)


def test_rooms_that_start_count() -> None:
    assert Planner(_BOUNDS).plan(_rooms(8, 8), 3, 0) is None


def test_grows_by_as_many_as_are_missing_and_never_above_the_ceiling() -> None:
    planner = Planner(replace(_BOUNDS, free=35))
    assert planner.plan(_rooms(5, 5), 2, 0) == Grow(5)
    assert planner.plan(_rooms(10, 10, 10, 10, 10), 5, 1) is None


def test_the_emptiest_goes_after_a_surplus_that_lasts() -> None:
    planner = Planner(_BOUNDS)
    assert planner.plan(_rooms(2, 1, 3), 3, 0) is None
    assert planner.plan(_rooms(2, 1, 3), 3, 29) is None
    assert planner.plan(_rooms(2, 1, 3), 3, 30) == Drain("room-2")


def test_a_surplus_that_ends_begins_anew() -> None:
    planner = Planner(_BOUNDS)
    planner.plan(_rooms(0, 0, 0), 3, 0)
    planner.plan(_rooms(9, 9, 1), 3, 20)
    assert planner.plan(_rooms(0, 0, 0), 3, 35) is None


def test_a_room_is_released_only_once_it_is_empty() -> None:
    planner = Planner(_BOUNDS)
    leaving = Room("room-3", 1, 10, is_draining=True)
    assert planner.plan([*_rooms(0, 0), leaving], 3, 0) is None
    empty = replace(leaving, matches=0)
    assert planner.plan([*_rooms(0, 0), empty], 3, 1) == Release("room-3", 2)


def test_a_drained_room_is_replaced_before_it_goes_below_the_floor() -> None:
    empty = Room("room-2", 0, 10, is_draining=True)
    assert Planner(_BOUNDS).plan([*_rooms(0), empty], 2, 0) == Grow(3)


def test_a_room_whose_rules_no_other_plays_stays() -> None:
    planner = Planner(_BOUNDS)
    old, new = frozenset({("crowns", 1)}), frozenset({("crowns", 2)})
    first, second, third = _rooms(5, 5, 0)
    rooms = [replace(first, rules=new), replace(second, rules=new), replace(third, rules=old)]
    planner.plan(rooms, 3, 0)
    assert planner.plan(rooms, 3, 100) != Drain("room-3")


def test_a_room_that_could_not_be_emptied_is_left_alone_for_a_while() -> None:
    planner = Planner(_BOUNDS)
    planner.plan(_rooms(0, 1, 1), 3, 0)
    assert planner.plan(_rooms(0, 1, 1), 3, 30) == Drain("room-1")
    planner.failed("room-1", 30)
    assert planner.plan(_rooms(0, 1, 1), 3, 31) is None


def test_a_room_whose_matches_do_not_move_is_told_and_asked_again() -> None:
    planner = Planner(_BOUNDS)
    rooms = [*_rooms(0, 0), Room("room-3", 1, 10, is_draining=True)]
    assert planner.plan(rooms, 3, 0) is None
    assert planner.stuck(rooms, 0) == []
    assert planner.plan(rooms, 3, 20) == Drain("room-3")
    assert planner.stuck(rooms, 20) == ["room-3"]
    assert planner.plan(rooms, 3, 21) is None


@dataclass
class _World:
    """Rooms that take a few seconds to start, and matches that move when a room drains."""

    replicas: int = 2
    rooms: dict[str, Room] = field(default_factory=dict)
    ready: list[float] = field(default_factory=list)
    made: int = 0
    changes: list[tuple[float, int]] = field(default_factory=list)

    def have(self, matches: int, now: float) -> None:
        self.ready += [now + 3] * (self.replicas - len(self.rooms) - len(self.ready))
        for due in [due for due in self.ready if due <= now]:
            self.ready.remove(due)
            self.made += 1
            self.rooms[f"room-{self.made}"] = Room(f"room-{self.made}", 0, 10)
        staying = [name for name, room in self.rooms.items() if not room.is_draining]
        for number, name in enumerate(staying):
            share = len(range(number, matches, len(staying)))
            self.rooms[name] = replace(self.rooms[name], matches=min(10, share))

    def follow(self, step: Grow | Drain | Release | None, now: float) -> None:
        match step:
            case Grow(to):
                assert self.replicas < to <= _BOUNDS.ceiling
                self.changes.append((now, to - self.replicas))
                self.replicas = to
            case Drain(name):
                assert not any(room.is_draining for room in self.rooms.values())
                self.rooms[name] = replace(self.rooms[name], matches=0, is_draining=True)
            case Release(name, to):
                assert to == self.replicas - 1
                assert self.rooms.pop(name).matches == 0
                self.changes.append((now, -1))
                self.replicas = to
                staying = [room for room in self.rooms.values() if not room.is_draining]
                assert len(staying) >= _BOUNDS.floor
            case None:
                pass


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 45), st.integers(1, 90)), max_size=12))
def test_bursts_and_ebbs_end_no_match_and_do_not_flap(waves: list[tuple[int, int]]) -> None:
    planner, world, now = Planner(_BOUNDS), _World(), 0.0
    for matches, seconds in [*waves, (0, 400)]:
        for _ in range(seconds):
            world.have(matches, now)
            rooms = list(world.rooms.values())
            world.follow(planner.plan(rooms, world.replicas, now), now)
            assert _BOUNDS.floor <= world.replicas <= _BOUNDS.ceiling
            now += 1
    assert world.replicas == _BOUNDS.floor
    downs = [at for at, change in world.changes if change < 0]
    assert all(
        later - sooner >= _BOUNDS.patience_seconds for sooner, later in itertools.pairwise(downs)
    )


@given(st.integers(0, 20))
def test_a_steady_load_settles(matches: int) -> None:
    planner, world = Planner(_BOUNDS), _World()
    for second in range(300):
        world.have(matches, second)
        world.follow(planner.plan(list(world.rooms.values()), world.replicas, second), second)
    assert all(at < 200 for at, _ in world.changes)
