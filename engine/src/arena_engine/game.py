"""What every game of the platform offers, and all that services know of one.

A `Game` makes and reads positions; a `State` is one position of one match. Services never look inside: they hand
actions in as the game's own frozen dataclasses, whose field names are those of the game's proto messages, and get
events and views back in the same form. Names follow OpenSpiel and python-chess where these have one.

Rules are functions of a position, an action, a time and a secret. Nothing here reads a clock, draws from a shared
generator or does I/O: time is an argument in integer milliseconds, randomness follows from the match's secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

#: One action, packed into an int by its game. Only meaningful to the position it was made for.
PackedAction = int


class Awaited(NamedTuple):
    """A seat that may act now, and the id of the decision it would answer."""

    seat: int
    decision: int


@dataclass(frozen=True)
class Outcome:
    """How a match ended.

    `how` is the game's own word in lower snake case. `places` gives each seat's place, 1 the best; level seats share
    one. `winner` is None when several seats share the first place.
    """

    how: str
    places: tuple[int, ...]
    winner: int | None


class State(Protocol):
    """One position of one match.

    Trusted calls beside checked ones: `apply` trusts that `explain` gave None.
    """

    def awaited(self) -> tuple[Awaited, ...]:
        """The seats that may act now with their open decisions, lowest seat first; empty when the match has ended.

        A decision stays open, under one id, until the rules close it: what another seat does meanwhile does not
        change it. Ids start at 1, grow, and are never used twice in a match.
        """

    def deadline_ms(self) -> int | None:
        """When the open decisions' clock runs out, on the log's time base; None while no clock runs."""

    def is_any_time(self, action: Any) -> bool:
        """Whether the rules allow this action without being awaited, such as resigning; `action` is a dataclass."""

    def legal_actions(self, seat: int) -> Iterator[PackedAction]:
        """Every action that `seat` may take in its open decision, in a fixed order, none twice.

        Actions that are allowed at any time are listed only when nothing else is.
        """

    def pack(self, action: Any) -> PackedAction:
        """Pack an action dataclass. Raises `MalformedActionError` for values that no position could mean."""

    def unpack(self, action: PackedAction) -> Any:
        """The action dataclass of a packed action."""

    def explain(self, seat: int, action: PackedAction) -> str | None:
        """None when `seat` may take `action` now; otherwise one line that names value and rule."""

    def preview(self, seat: int, action: PackedAction) -> Any:
        """What a legal action would do, as far as `seat` may know: the game's preview dataclass. Changes nothing."""

    def targets(self, seat: int, selection: Any) -> Any:
        """All targets of a selection dataclass, each with its preview or the reason why not. Changes nothing.

        Raises `IllegalSelectionError` for what the seat cannot pick up.
        """

    def apply(self, seat: int, action: PackedAction, now_ms: int) -> list[Any]:
        """Take a legal action at a time not before the last one; returns what happened as event dataclasses."""

    def expire(self, now_ms: int) -> list[Any]:
        """Let the clock of the open decisions run out; for use only at or after `deadline_ms`."""

    def hand_over(self, seat: int, is_bot: bool, now_ms: int) -> list[Any]:
        """Give a seat to a bot, or back to its person. Returns no event where nothing changes.

        Raises `IllegalActionError` where the rules forbid it.
        """

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays this seat now."""

    def give_time(self, ms: int) -> None:
        """Give `ms` back to every running clock: the platform, not a player, kept the match waiting."""

    def clone(self) -> State:
        """An independent copy that draws the same randomness from here on."""

    def common(self, events: Sequence[Any]) -> Any:
        """The message for everybody: these events as all may know them, and the public view (dataclass Common)."""

    def own(self, seat: int, events: Sequence[Any]) -> Any:
        """The message for one seat: the events that only it sees whole, and what it holds (dataclass Own)."""

    def outcome(self) -> Outcome | None:
        """The result, or None while the match goes on."""

    def state_hash(self) -> bytes:
        """Canonical hash, 16 bytes: equal exactly for positions that play on alike."""

    def to_text(self) -> str:
        """The whole position, hidden parts and draws included, as text that `Game.from_text` reads back."""


class Game(Protocol):
    """One game: static facts, and positions made from them."""

    @property
    def name(self) -> str:
        """Registered name for programs: lower-case letters. Its messages are `arena.games.<name>.v1`."""

    @property
    def title(self) -> str:
        """Name for people."""

    @property
    def min_players(self) -> int:
        """Fewest players."""

    @property
    def max_players(self) -> int:
        """Most players."""

    @property
    def rules_version(self) -> int:
        """Raised by every change that would fold an old log differently."""

    @property
    def types(self) -> Types:
        """The dataclasses behind the game's messages."""

    def default_options(self) -> Any:
        """Options as they are when nobody chose any."""

    def catalogue(self) -> Any:
        """What the game is made of, such as the texts of its cards, for clients to show (dataclass Catalogue)."""

    def check_options(self, options: Any, players: int) -> Any:
        """The same options with defaults filled in. Raises `OptionsError` that lists everything wrong."""

    def new(
        self, options: Any, bots: Sequence[bool], secret: bytes, now_ms: int
    ) -> tuple[State, list[Any]]:
        """A first position and its events. `bots` says for each seat whether a bot has it; its length is the players.

        `secret`: 32 bytes, from which all draws follow.
        """

    def seat_order(self, players: int, secret: bytes) -> tuple[int, ...]:
        """How players are shuffled onto seats: the player, by order of arrival, of each seat."""

    def from_text(self, text: str) -> State:
        """Read `State.to_text`. Raises `PositionTextError`."""

    def resample(self, common: Any, own: Any, seat: int, rng: Random) -> State:
        """A whole position that fits all that `seat` (-1: a spectator, with `own` None) can know, drawn by `rng`."""

    def choose(self, state: State, seat: int, rng: Random) -> PackedAction:
        """A sensible action for an awaited seat: one look ahead, no search. The yardstick player."""

    def playout(self, state: State, seed: int, max_actions: int) -> tuple[int, int]:
        """Play random legal actions on a copy until the match ends; returns actions taken and a checksum of them.

        The same seed plays the same actions, compiled or not. For benchmarks and search: draws are not the match's.
        """

    @property
    def table(self) -> Table:
        """The game as text, for terminals and logs."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Every word that `Outcome.how` can hold."""

    def statistics(self) -> Statistics:
        """A count of nothing yet, for one match."""


@dataclass(frozen=True)
class Types:
    """A game's dataclasses, each named as its proto message. `action` and `selection` are unions of dataclasses."""

    options: type
    action: Any
    selection: Any
    targets: type
    common: type
    own: type
    catalogue: type


class Statistics(Protocol):
    """The figures of one match, gathered from its events and positions."""

    def observe(self, events: Sequence[Any], state: State) -> None:
        """Take in the events of one call of `Game.new`, `State.apply` or `State.expire`, and what it led to."""

    def figures(self) -> dict[str, int]:
        """The counts so far by dotted name, such as `rounds` or `relics.horse.collected`; every name is present."""


class Table(Protocol):
    """A game in words and characters. Knows nothing of terminals but ANSI colour, and that only when asked."""

    def draw(self, common: Any, own: Any, seat: int, names: Sequence[str], colour: bool) -> str:
        """The position as several lines of text, as `seat` (-1: a spectator) sees it."""

    def pulse(self, common: Any, remaining_ms: int) -> str:
        """What moves by itself while `remaining_ms` are left of the clock, in one short line; empty for nothing."""

    def notation(self, action: Any) -> str:
        """An action dataclass in the game's short notation, which `parse` reads."""

    def parse(self, text: str) -> Any:
        """An action dataclass from its notation. Raises `MalformedActionError` that says what is allowed."""

    def phrase(self, action: Any, names: Sequence[str], common: Any = None) -> str:
        """An action dataclass as a short line for a list of choices; in the words of `common`, which it is for."""

    def tell(self, event: Any, names: Sequence[str]) -> str:
        """One event as a sentence; empty for what is not worth one."""

    def help(self) -> str:
        """How to read the drawing and write the notation."""
