"""Singhasan as a `Game`: its facts, and positions made from options, text or views."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from arena_engine.errors import OptionsError
from arena_engine.game import State, Types
from arena_engine.singhasan import policy, resampling
from arena_engine.singhasan.board import board_for
from arena_engine.singhasan.catalogue import Catalogue, catalogue
from arena_engine.singhasan.draws import keyed_draw
from arena_engine.singhasan.ending import ENDINGS
from arena_engine.singhasan.events import Event
from arena_engine.singhasan.kinds import Speed
from arena_engine.singhasan.messages import Action, Options, Selection, Targets
from arena_engine.singhasan.playout import playout
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.reading import from_text
from arena_engine.singhasan.seen import Common, Own
from arena_engine.singhasan.state import SinghasanState
from arena_engine.singhasan.statistics import SinghasanStatistics
from arena_engine.singhasan.table import SinghasanTable
from arena_engine.singhasan.text import RULES_VERSION
from arena_engine.singhasan.turns import first_position

_SEATS_PURPOSE: Final = b"singhasan seats "
_SECRET_BYTES: Final = 32


class Singhasan:
    """The game of Singhasan; see `arena_engine.game.Game` for what each call promises.

    >>> state, events = Singhasan().new(Options(), bots=[False, True], secret=bytes(32), now_ms=0)
    >>> state.awaited()
    (Awaited(seat=0, decision=1), Awaited(seat=1, decision=2))
    >>> state.unpack(next(state.legal_actions(0))).colour
    <Colour.CRIMSON: 1>
    """

    name = "singhasan"
    title = "Singhasan"
    min_players = 2
    max_players = 5
    rules_version = RULES_VERSION
    types = Types(Options, Action, Selection, Targets, Common, Own, Catalogue)
    table = SinghasanTable()
    endings = ENDINGS

    def default_options(self) -> Options:
        """Standard speed."""
        return Options(Speed.STANDARD)

    def catalogue(self) -> Catalogue:
        """The map, the Questions, and the cards."""
        return catalogue()

    def check_options(self, options: Options, players: int) -> Options:
        """The same options with the speed filled in. Raises `OptionsError` that lists everything wrong."""
        wrong = []
        if not self.min_players <= players <= self.max_players:
            wrong.append(f"{players} players: Singhasan is for 2-5")
        if options.speed not in set(Speed):
            wrong.append(
                f"speed {options.speed}: there are 1 (Standard), 2 (Swift) and 3 (Unhurried)"
            )
        if wrong:
            raise OptionsError(f"{'; '.join(wrong)}.")
        return Options(Speed(options.speed or Speed.STANDARD))

    def new(
        self, options: Options, bots: Sequence[bool], secret: bytes, now_ms: int
    ) -> tuple[SinghasanState, list[Event]]:
        """A first position and its events. Raises `OptionsError`."""
        chosen = self.check_options(options, len(bots))
        if len(secret) != _SECRET_BYTES:
            raise OptionsError(f"The secret has {len(secret)} bytes; it needs {_SECRET_BYTES}.")
        board = board_for(len(bots))
        state = SinghasanState(first_position(board, secret, int(chosen.speed), list(bots), now_ms))
        return state, state.take_events()

    def seat_order(self, players: int, secret: bytes) -> tuple[int, ...]:
        """How players are shuffled onto seats: the player, by order of arrival, of each seat."""
        order = list(range(players))
        for i in range(players - 1, 0, -1):
            j = keyed_draw(secret, _SEATS_PURPOSE, players - 1 - i, i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def from_text(self, text: str) -> SinghasanState:
        """Read `SinghasanState.to_text`. Raises `PositionTextError`."""
        return SinghasanState(from_text(text))

    def resample(self, common: Common, own: Own | None, seat: int, rng: Random) -> SinghasanState:
        """A whole position that fits all that `seat` (-1: a spectator) can know."""
        return SinghasanState(resampling.resample(common, own, seat, rng))

    def choose(self, state: State, seat: int, rng: Random) -> int:
        """A sensible action for an awaited seat: one look ahead, no search."""
        return policy.choose(_position(state), seat, rng)

    def playout(self, state: State, seed: int, max_actions: int) -> tuple[int, int]:
        """Play random legal actions on a copy; returns actions taken and a checksum of them."""
        return playout(_position(state), seed, max_actions)

    def statistics(self) -> SinghasanStatistics:
        """A count of nothing yet, for one match."""
        return SinghasanStatistics()


def _position(state: State) -> Position:
    if not isinstance(state, SinghasanState):
        raise TypeError(f"{type(state).__name__} is no position of Singhasan.")
    return state.position
