"""Matches brought to where there is something to look at: quickly, and the same each time.

The platform of these tests makes every match's secret of one text (`SECRETS`). Who knows the secret can follow a match
with the engine alone: a `Stage` plays all seats towards a goal, by looking one action ahead, and sends what it chose to
the match in the players' names. What is seen then is looked at, and played on, by people at their pages.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import grpc

from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1.room_service_pb2 import Act, ActRequest
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_engine.crowns.grid import grid_for
from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import Resign
from arena_engine.game import PackedAction
from arena_services.common import games
from arena_services.common.auth import bearer
from tests.browser.person import Person
from tests.e2e.conftest import RunningPlatform

#: Chosen so that the first Loot card of a match of two is a Snare.
SECRETS = "crowns-38"

_MOST_ACTIONS = 400
_SECONDS = 10.0

#: What a seat's player strives for: the smaller the better, of a public view.
Wish = Callable[[Any], float]


class Stage:
    """One match, followed by the engine from its first entry on."""

    def __init__(self, platform: RunningPlatform, *people: Person) -> None:
        """`people`: all who sit at one match that has just begun."""
        rooms = [each for each in platform.info().processes if each.service == "room"]
        self._rooms: Any = RoomServiceStub(grpc.insecure_channel(rooms[0].address))
        self._hosted = games.find("crowns")
        self._match_id = _place_of(people[0])[0]
        self._tokens = {_place_of(person)[1]: _token_of(person) for person in people}
        self._session = secrets.token_bytes(16)
        self._counter = 0
        secret = blake2b(SECRETS.encode(), digest_size=32).digest()
        game = self._hosted.game
        self._state, _ = game.new(game.default_options(), [False] * len(people), secret, 0)

    @property
    def view(self) -> Any:
        """The public position."""
        return self._state.common(()).view

    def gate(self, person: Person) -> int:
        """Somebody's Gate."""
        return int(self.view.seats[self.seat(person)].gate)

    def seat(self, person: Person) -> int:
        """Where somebody sits."""
        return _place_of(person)[1]

    def king_to(self, person: Person, relic: Relic) -> Wish:
        """The wish to collect relics of a kind with the King, one after the other."""
        seat = self.seat(person)

        def wish(view: Any) -> float:
            king = next(each for each in view.formations if each.seat == seat and each.king)
            lying = [each.triangle for each in view.relics if each.relic == relic]
            way = min((self._steps(king.triangle, each) for each in lying), default=0)
            return float(way - 100 * view.seats[seat].crowns)

        return wish

    def any_to(self, person: Person, relic: Relic) -> Wish:
        """The wish to end on a relic of a kind with whatever piece is nearest."""
        seat = self.seat(person)

        def wish(view: Any) -> float:
            mine = [each.triangle for each in view.formations if each.seat == seat]
            lying = [each.triangle for each in view.relics if each.relic == relic]
            coming = sum(each.relic == relic for each in view.returning)
            ways = (self._steps(each, goal) for each in mine for goal in lying)
            return float(min(ways, default=0) - 100 * coming)

        return wish

    def knights_to(self, person: Person, goal: int) -> Wish:
        """The wish to bring Knights to a triangle, and no King."""
        seat = self.seat(person)

        def wish(view: Any) -> float:
            mine = [each for each in view.formations if each.seat == seat and not each.king]
            return min((self._steps(each.triangle, goal) for each in mine), default=99)

        return wish

    def far_from(self, person: Person, goal: int) -> Wish:
        """The wish to have all pieces away from a triangle."""
        seat = self.seat(person)

        def wish(view: Any) -> float:
            mine = [each.triangle for each in view.formations if each.seat == seat]
            return -min((self._steps(each, goal) for each in mine), default=0)

        return wish

    def _steps(self, start: int, goal: int) -> int:
        view = self.view
        return int(grid_for(view.board, view.players).steps(start, goal))

    def play(self, wishes: dict[Person, Wish], until: Callable[[Any], bool]) -> None:
        """Play on until the view is as wanted, each seat by its player's wish; who has none moves little."""
        by_seat = {self.seat(person): wish for person, wish in wishes.items()}
        for _ in range(_MOST_ACTIONS):
            if until(self.view):
                return
            ((seat, decision),) = self._state.awaited()
            self.act(seat, self._best(seat, by_seat.get(seat, lambda _: 0.0)), decision)
        raise AssertionError("the match does not get there")

    def act(self, seat: int, action: PackedAction, decision: int) -> None:
        """Take an action in both matches, the engine's and the platform's."""
        wish = games.wrap(self._hosted.action.encode(self._state.unpack(action)))
        self._state.apply(seat, action, 0)
        self._counter += 1
        key = RequestKey(session=self._session, counter=self._counter)
        request = ActRequest(match_id=self._match_id, seat=seat)
        request.act.CopyFrom(Act(key=key, decision=decision, action=wish))
        self._rooms.Act(
            request, metadata=bearer(self._tokens[seat]), timeout=_SECONDS, wait_for_ready=True
        )

    def resign(self, person: Person) -> None:
        """Give up for somebody."""
        seat = self.seat(person)
        self.act(seat, self._state.pack(Resign()), decision=0)

    def _best(self, seat: int, wish: Wish) -> PackedAction:
        def outcome(action: PackedAction) -> float:
            state = self._state.clone()
            state.apply(seat, action, 0)
            return wish(state.common(()).view)

        return min(self._state.legal_actions(seat), key=outcome)


def _token_of(person: Person) -> str:
    stored = person.page.evaluate("localStorage.getItem('arena.identity')")
    return str(json.loads(stored)["token"])


def _place_of(person: Person) -> tuple[str, int]:
    found = re.search(r"#/match/(\w+)/(\d)", person.page.url)
    assert found is not None
    return found[1], int(found[2])
