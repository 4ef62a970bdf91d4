"""Crowns as a `Game`: its facts, and positions made from options, text or views."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from arena_engine.crowns import policy, views
from arena_engine.crowns.catalogue import Catalogue, catalogue
from arena_engine.crowns.draws import keyed_draw
from arena_engine.crowns.endings import ESCAPE, LAST_KING, LIMIT
from arena_engine.crowns.events import Event
from arena_engine.crowns.grid import grid_for
from arena_engine.crowns.kinds import TURN_SECONDS, Board
from arena_engine.crowns.messages import (
    Action,
    Common,
    Options,
    Own,
    Selection,
    Targets,
)
from arena_engine.crowns.playout import playout
from arena_engine.crowns.position import Position
from arena_engine.crowns.reading import from_text
from arena_engine.crowns.state import CrownsState
from arena_engine.crowns.statistics import CrownsStatistics
from arena_engine.crowns.table import CrownsTable
from arena_engine.crowns.text import RULES_VERSION
from arena_engine.crowns.turns import first_position
from arena_engine.errors import OptionsError
from arena_engine.game import State, Types

_SEATS_PURPOSE: Final = b"crowns seats "
_SECRET_BYTES: Final = 32


class Crowns:
    """The game of Crowns; see `arena_engine.game.Game` for what each call promises.

    >>> state, events = Crowns().new(Options(), bots=[False, True], secret=bytes(32), now_ms=0)
    >>> state.awaited()
    (Awaited(seat=0, decision=1),)
    >>> action = next(state.legal_actions(0))
    >>> state.unpack(action)
    Move(from_triangle=4, to_triangle=3, king=False, knights=1, golden=0)
    """

    name = "crowns"
    title = "Crowns"
    min_players = 2
    max_players = 6
    rules_version = RULES_VERSION
    types = Types(Options, Action, Selection, Targets, Common, Own, Catalogue)
    table = CrownsTable()
    endings = (ESCAPE, LAST_KING, LIMIT)

    def default_options(self) -> Options:
        """Standard arena, no clock."""
        return Options(Board.STANDARD, 0)

    def catalogue(self) -> Catalogue:
        """The forty characters of the Loot deck."""
        return catalogue()

    def check_options(self, options: Options, players: int) -> Options:
        """The same options with the board filled in. Raises `OptionsError` that lists everything wrong."""
        wrong = []
        if not self.min_players <= players <= self.max_players:
            wrong.append(f"{players} players: Crowns is for 2-6")
        if options.board not in set(Board):
            wrong.append(f"board {options.board}: there are 1 (Standard) and 2 (Large)")
        if options.turn_seconds not in TURN_SECONDS:
            wrong.append(f"turn_seconds {options.turn_seconds}: choose 0, 30, 60 or 90")
        if wrong:
            raise OptionsError(f"{'; '.join(wrong)}.")
        return Options(Board(options.board or Board.STANDARD), options.turn_seconds)

    def new(
        self, options: Options, bots: Sequence[bool], secret: bytes, now_ms: int
    ) -> tuple[CrownsState, list[Event]]:
        """A first position and its events. Raises `OptionsError`."""
        chosen = self.check_options(options, len(bots))
        if len(secret) != _SECRET_BYTES:
            raise OptionsError(f"The secret has {len(secret)} bytes; it needs {_SECRET_BYTES}.")
        grid = grid_for(chosen.board, len(bots))
        state = CrownsState(first_position(grid, secret, chosen.turn_seconds, list(bots), now_ms))
        return state, state.take_events()

    def seat_order(self, players: int, secret: bytes) -> tuple[int, ...]:
        """How players are shuffled onto seats: the player, by order of arrival, of each seat."""
        order = list(range(players))
        for i in range(players - 1, 0, -1):
            j = keyed_draw(secret, _SEATS_PURPOSE, players - 1 - i, i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def from_text(self, text: str) -> CrownsState:
        """Read `CrownsState.to_text`. Raises `PositionTextError`."""
        return CrownsState(from_text(text))

    def resample(self, common: Common, own: Own | None, seat: int, rng: Random) -> CrownsState:
        """A whole position that fits all that `seat` (-1: a spectator) can know."""
        return CrownsState(views.resample(common, own, seat, rng))

    def choose(self, state: State, seat: int, rng: Random) -> int:
        """A sensible action for the seat to move: one look ahead, no search."""
        return policy.choose(_position(state), seat, rng)

    def playout(self, state: State, seed: int, max_actions: int) -> tuple[int, int]:
        """Play random legal actions on a copy; returns actions taken and a checksum of them."""
        return playout(_position(state), seed, max_actions)

    def statistics(self) -> CrownsStatistics:
        """A count of nothing yet, for one match."""
        return CrownsStatistics()


def _position(state: State) -> Position:
    if not isinstance(state, CrownsState):
        raise TypeError(f"{type(state).__name__} is no position of Crowns.")
    return state.position
