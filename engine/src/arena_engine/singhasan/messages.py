"""What goes in and out of the engine at its edge: options, actions, selections, targets, as frozen dataclasses.

Names, fields, and what they mean are those of the messages in `arena/games/singhasan/v1/singhasan.proto`. Provinces go
by number in the order of `board.PROVINCES`, seats by number from 0, cards by number from 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.singhasan.kinds import Colour, Ideology, Power, Resource, Sigil, Speed


@dataclass(frozen=True)
class Options:
    """What is chosen before a match."""

    speed: Speed = Speed.UNSPECIFIED


@dataclass(frozen=True)
class Resources:
    """Amounts of the four resources."""

    gold: int = 0
    steel: int = 0
    song: int = 0
    oath: int = 0


@dataclass(frozen=True)
class ClaimSeat:
    """Claims the own seat: what it looks like, and what it starts with."""

    colour: Colour
    sigil: Sigil
    resources: Resources


@dataclass(frozen=True)
class Pass:
    """Plays no court card before this answer."""


@dataclass(frozen=True)
class Redraw:
    """Pays 3 to send the Question away."""

    payment: Resources


@dataclass(frozen=True)
class AnswerQuestion:
    """Answers the court: 0 for A, 1 for B."""

    answer: int


@dataclass(frozen=True)
class Hire:
    """Hires from the row."""

    slot: int
    province: int
    payment: Resources
    on_rifts: int = 0
    with_song: bool = False


@dataclass(frozen=True)
class March:
    """Moves one loose follower across a border."""

    from_province: int
    to_province: int
    owner: int


@dataclass(frozen=True)
class TradeWithBank:
    """Gives any 3 (with Many Harbours any 2) for 1."""

    give: Resources
    take: Resource


@dataclass(frozen=True)
class MakeOffer:
    """Offers a trade to one rival, or to all (who can give resources only)."""

    give: Resources
    ask: Resources
    rival: int | None = None
    give_cards: tuple[int, ...] = ()
    """Own Conspiracies by number, two at most."""
    ask_cards: tuple[int, ...] = ()
    """Places in the rival's hand from 0, two at most."""


@dataclass(frozen=True)
class WithdrawOffer:
    """Takes an offer back."""

    offer: int


@dataclass(frozen=True)
class AnswerOffer:
    """Accepts or declines an offer."""

    offer: int
    accept: bool


@dataclass(frozen=True)
class BuyConspiracy:
    """Buys the top Conspiracy."""

    payment: Resources


@dataclass(frozen=True)
class PlayConspiracy:
    """Plays a held Conspiracy: a deed in the own act step, a court card before a rival's answer."""

    card: int
    rival: int | None = None
    province: int | None = None
    to_province: int | None = None
    kind: Ideology = Ideology.UNSPECIFIED
    """The ideology or (by the same number) the resource that the card asks for."""
    count: int = 0


@dataclass(frozen=True)
class UseWoodenHorse:
    """Pays 2 Gold: one rival follower is replaced with an own one."""

    province: int
    rival: int


@dataclass(frozen=True)
class CleanTheStables:
    """Pays 1 Steel: removes 1-3 followers of one rival."""

    province: int
    rival: int
    count: int


@dataclass(frozen=True)
class CharmTheStones:
    """Moves one own follower anywhere; the first of a turn costs 2 Song, a second is free."""

    from_province: int
    to_province: int


@dataclass(frozen=True)
class RaiseWalls:
    """Pays 2 Oath: Seals a province sworn to the own seat."""

    province: int


@dataclass(frozen=True)
class EndTurn:
    """Ends the turn by hand."""


@dataclass(frozen=True)
class AnswerAim:
    """Raises the Shield of Troy against what is aimed at the own seat, or lets it pass."""

    shield: bool


@dataclass(frozen=True)
class Choose:
    """Makes the choice that a card asks for."""

    option: int


@dataclass(frozen=True)
class Discard:
    """Discards down to the limit."""

    resources: Resources


@dataclass(frozen=True)
class AnswerQuiz:
    """Answers a question of the duel: 0-2."""

    choice: int


@dataclass(frozen=True)
class Tap:
    """Strikes the mark, so many milliseconds after the swing began."""

    offset_ms: int


#: One thing a seat may do.
Action = (
    ClaimSeat
    | Pass
    | Redraw
    | AnswerQuestion
    | Hire
    | March
    | TradeWithBank
    | MakeOffer
    | WithdrawOffer
    | AnswerOffer
    | BuyConspiracy
    | PlayConspiracy
    | UseWoodenHorse
    | CleanTheStables
    | CharmTheStones
    | RaiseWalls
    | EndTurn
    | AnswerAim
    | Choose
    | Discard
    | AnswerQuiz
    | Tap
)


@dataclass(frozen=True)
class HireCard:
    """A card of the hire row, with how it would be hired. Its targets are provinces."""

    slot: int
    on_rifts: int = 0
    with_song: bool = False


@dataclass(frozen=True)
class Warrior:
    """A follower on the map, to March. Its targets are provinces."""

    province: int
    owner: int


@dataclass(frozen=True)
class Legend:
    """A power at 5, to be used. Its targets are what it can be aimed at.

    For Charm the Stones with the province already chosen that the follower leaves, or not yet.
    """

    power: Power
    province: int | None = None


@dataclass(frozen=True)
class Scheme:
    """A Conspiracy of the own hand, with what has been chosen already. Its targets are what is chosen next."""

    card: int
    rival: int | None = None
    province: int | None = None
    to_province: int | None = None
    kind: Ideology = Ideology.UNSPECIFIED


#: What is picked up, to be asked for targets.
Selection = HireCard | Warrior | Legend | Scheme


@dataclass(frozen=True)
class OathChange:
    """A province that an action would make swear or break."""

    province: int
    seat: int | None
    """Who would hold it then; None for nobody."""


@dataclass(frozen=True)
class Preview:
    """What an action would do, as far as its seat may know."""

    cost: Resources
    gain: Resources
    oaths: tuple[OathChange, ...]
    headlines: int
    """Headlines that it would call."""
    shields: tuple[int, ...]
    """Seats that could raise the Shield of Troy against it."""
    score: int
    """What the own seat would score then."""
    text: str
    """One sentence for people."""


@dataclass(frozen=True)
class Target:
    """One target of a selection.

    Without `action` it is not legal, and `reason` says why; or (`reason` empty) more has to be chosen: select again,
    with this target filled in.
    """

    province: int | None
    rival: int | None
    kind: Ideology
    count: int
    action: Action | None
    reason: str
    preview: Preview | None


@dataclass(frozen=True)
class Targets:
    """All that can be done with a selection."""

    targets: tuple[Target, ...]
