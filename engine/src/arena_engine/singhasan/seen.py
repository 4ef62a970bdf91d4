"""What everybody sees of a position, and what one seat sees beyond that, as frozen dataclasses.

Names, fields, and what they mean are those of the messages in `arena/games/singhasan/v1/singhasan.proto`. Provinces go
by number in the order of `board.PROVINCES`, seats by number from 0, cards by number from 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.singhasan.events import Event, MatchEnded
from arena_engine.singhasan.kinds import Colour, Ending, Phase, Power, Sigil, Speed
from arena_engine.singhasan.messages import Action, Resources


@dataclass(frozen=True)
class Common:
    """What everybody sees of one entry."""

    events: tuple[Event, ...]
    view: View


@dataclass(frozen=True)
class Own:
    """What one seat sees beyond that."""

    events: tuple[Event, ...]
    hand: tuple[int, ...]
    """Held Conspiracies by number, in the order in which `SeatView.hand_costs` shows their costs."""
    offered: tuple[OfferedCards, ...]
    duel_answer: int | None
    """What it has answered or struck in the duel's round under way; for a strike, its distance from the mark."""


@dataclass(frozen=True)
class OfferedCards:
    """Conspiracies in an own offer."""

    offer: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """The public position."""

    speed: Speed
    players: int
    round: int
    turn: int
    phase: Phase
    resume: Phase
    """What goes on after a Shield or a choice that interrupts; UNSPECIFIED otherwise."""
    ending: Ending
    last_turns: int | None
    seats: tuple[SeatView, ...]
    provinces: tuple[ProvinceView, ...]
    presences: tuple[Presence, ...]
    question: int
    is_swapped: bool
    is_redrawn: bool
    court_cards: int
    """Bits, as `position` has them: 1 Tribute hushed, 2 answer by lot, 4 no redraw."""
    court_tax: int
    in_court: tuple[int, ...]
    row: tuple[int, ...]
    marched: tuple[int, ...]
    called: tuple[int, ...]
    chips: tuple[Chip, ...]
    offers: tuple[OfferView, ...]
    offers_made: int
    top_cost: int
    pile_size: int
    spent: tuple[int, ...]
    question_deck: int
    sent_away: tuple[int, ...]
    follower_deck: int
    follower_used: tuple[int, ...]
    headline_deck: int
    turned: tuple[int, ...]
    aim: Aim | None
    choice: Choice | None
    duel: Duel | None
    has_answered: bool
    has_acted: bool
    last_played_by: int | None
    answered: int
    actions: int
    decision: int
    deadline_ms: int | None
    act_ms: int | None
    ended: MatchEnded | None


@dataclass(frozen=True)
class SeatView:
    """One claimant as everybody sees it. Tuples of four go by kind: Gold, Steel, Song, Oath."""

    colour: Colour
    sigil: Sigil
    has_claimed: bool
    score: int
    resources: tuple[int, ...]
    limit: int
    answers: tuple[int, ...]
    kept: tuple[int, ...]
    """Questions whose answers it holds: first those of the Golden Road, as many as `answers` says, and so on."""
    reached: tuple[int, ...]
    supply: int
    hand_costs: tuple[int, ...]
    hire_change: int
    """What a hire costs it more (or, below 0, less) than its card says."""
    conspiracy_change: int
    used: tuple[Power, ...]
    """Powers used this turn; the Shield of Troy this round."""
    charms: int
    missed_in_a_row: int
    missed_in_all: int
    is_bot: bool
    has_person: bool
    bank_ms: int
    decision: int
    facts: tuple[int, ...]
    duel_score: int


@dataclass(frozen=True)
class ProvinceView:
    """One province. What never changes is in the catalogue."""

    is_in_play: bool
    wildfolk: int
    sworn: int | None
    is_sealed: bool


@dataclass(frozen=True)
class Presence:
    """Followers of one claimant in one province."""

    province: int
    seat: int
    standing: int
    on_rifts: int


@dataclass(frozen=True)
class Chip:
    """A lasting effect in force."""

    chip: int
    seat: int
    """Who called the Headline, or played the Conspiracy."""
    headline: int
    conspiracy: int
    text: str
    until: str
    effects: tuple[int, ...]
    """What it does, as the engine packs it."""


@dataclass(frozen=True)
class OfferView:
    """An open offer of the active claimant."""

    offer: int
    rival: int | None
    give: Resources
    ask: Resources
    give_costs: tuple[int, ...]
    ask_cards: tuple[int, ...]
    declined: tuple[int, ...]


@dataclass(frozen=True)
class Aim:
    """Something aimed at claimants who may raise the Shield of Troy. It is paid for and takes effect after them."""

    seat: int
    action: Action
    aimed: tuple[int, ...]
    asked: tuple[int, ...]
    shielded: tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """A choice that a card asks for. The first option is the clock's."""

    seat: int
    headline: int
    conspiracy: int
    options: tuple[str, ...]
    program: int
    """With `step` and `registers`: where the card stands, as the engine keeps it."""
    step: int
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Duel:
    """The duel for the throne."""

    seats: tuple[int, ...]
    number: int
    question: str
    choices: tuple[str, ...]
    quiz: tuple[int, ...]
    """The question as the engine keeps it; what is right follows from the match."""
    swing_ms: int
    mark_ms: int
    swing_at_ms: int | None
