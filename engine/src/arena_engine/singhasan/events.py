"""What happens in a match of Singhasan, one frozen dataclass for each event.

Names, fields, and what they mean are those of the messages in `arena/games/singhasan/v1/singhasan.proto`. Provinces go
by number in the order of `board.PROVINCES`, seats by number from 0, cards by number from 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.singhasan.kinds import Cause, Colour, Ending, Ideology, Power, Sigil
from arena_engine.singhasan.messages import Resources


@dataclass(frozen=True)
class SeatClaimed:
    """A seat was claimed."""

    seat: int
    colour: Colour
    sigil: Sigil
    by_clock: bool


@dataclass(frozen=True)
class TurnBegan:
    """A turn began."""

    seat: int
    round: int
    is_last: bool


@dataclass(frozen=True)
class QuestionDrawn:
    """The court reads a Question. `is_swapped`: its second answer is A."""

    seat: int
    question: int
    is_swapped: bool


@dataclass(frozen=True)
class QuestionSentAway:
    """The Question was sent away, by the claimant who paid, or by a card of another."""

    seat: int
    question: int


@dataclass(frozen=True)
class QuestionsReshuffled:
    """Questions sent away and of lost answers went back."""

    questions: int


@dataclass(frozen=True)
class Passed:
    """A rival played no court card before this answer."""

    seat: int


@dataclass(frozen=True)
class Answered:
    """The court was answered, and what the answer stands for turned up."""

    seat: int
    question: int
    answer: int
    """0 for A, 1 for B."""
    ideology: Ideology
    by_lot: bool
    by_clock: bool


@dataclass(frozen=True)
class AnswerLost:
    """An answer left a claimant's board."""

    seat: int
    ideology: Ideology
    question: int


@dataclass(frozen=True)
class ResourcesGained:
    """Resources came in."""

    seat: int
    resources: Resources
    cause: Cause


@dataclass(frozen=True)
class ResourcesLost:
    """Resources were paid, lost or given."""

    seat: int
    resources: Resources
    cause: Cause


@dataclass(frozen=True)
class LegendChanged:
    """A legend joined, rose, or fell back: `level` is 0, 3 or 5."""

    seat: int
    ideology: Ideology
    level: int


@dataclass(frozen=True)
class Hired:
    """Followers were hired."""

    seat: int
    card: int
    province: int
    followers: int
    """In all, those on Rifts and the extra one included."""
    on_rifts: int
    with_song: bool


@dataclass(frozen=True)
class HireRowChanged:
    """A place of the hire row was filled, or (card 0) stays empty."""

    slot: int
    card: int


@dataclass(frozen=True)
class FollowersReshuffled:
    """The used Follower cards went back."""

    cards: int


@dataclass(frozen=True)
class FollowersPlaced:
    """Followers entered a province from their supply, other than by hire."""

    seat: int
    province: int
    count: int


@dataclass(frozen=True)
class FollowersRemoved:
    """Followers went back to their owner's supply."""

    seat: int
    province: int
    count: int


@dataclass(frozen=True)
class FollowersMoved:
    """Followers changed province, other than by March."""

    seat: int
    from_province: int
    to_province: int
    count: int


@dataclass(frozen=True)
class FollowerReplaced:
    """A follower of one claimant gave its place to one of another."""

    province: int
    from_seat: int
    to_seat: int


@dataclass(frozen=True)
class Marched:
    """One loose follower marched."""

    seat: int
    owner: int
    from_province: int
    to_province: int


@dataclass(frozen=True)
class ProvinceSworn:
    """A province swore."""

    seat: int
    province: int


@dataclass(frozen=True)
class ProvinceBroke:
    """A province broke its oath to a claimant."""

    seat: int
    province: int


@dataclass(frozen=True)
class ProvinceSealed:
    """A province was Sealed."""

    seat: int
    province: int


@dataclass(frozen=True)
class PowerUsed:
    """A legend's power was used. What it does follows in events of its own."""

    seat: int
    power: Power
    province: int | None = None
    rival: int | None = None


@dataclass(frozen=True)
class ShieldAsked:
    """Something is aimed at a claimant who may raise the Shield of Troy."""

    seat: int


@dataclass(frozen=True)
class ShieldAnswered:
    """The Shield of Troy was raised, or not."""

    seat: int
    is_raised: bool


@dataclass(frozen=True)
class HeadlineCalled:
    """A Headline was drawn face down."""

    seat: int


@dataclass(frozen=True)
class HeadlineTurned:
    """A called Headline was turned up."""

    seat: int
    headline: int


@dataclass(frozen=True)
class LastingBegan:
    """A lasting effect came into force: `chip` is its number until it ends."""

    chip: int
    seat: int
    """The caller, or who played the card."""
    headline: int
    """0 where it came from a Conspiracy."""
    conspiracy: int


@dataclass(frozen=True)
class LastingEnded:
    """A lasting effect ended."""

    chip: int


@dataclass(frozen=True)
class ConspiracyBought:
    """A Conspiracy was bought, or drawn for free. Its holder alone learns which; others see card 0."""

    seat: int
    card: int
    cost: int


@dataclass(frozen=True)
class ConspiracyTaken:
    """A Conspiracy changed hands, by a trade or a card. Both alone learn which; others see card 0."""

    from_seat: int
    to_seat: int
    card: int
    cost: int


@dataclass(frozen=True)
class ConspiracyPlayed:
    """A Conspiracy was played. What it does follows in events of its own."""

    seat: int
    card: int
    rival: int | None
    province: int | None
    to_province: int | None


@dataclass(frozen=True)
class ConspiracyLost:
    """A held Conspiracy was put away unplayed, and is seen."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardsSeen:
    """One claimant looked at hidden cards: a rival's Conspiracies, or the next Headlines. Others see no numbers."""

    seat: int
    rival: int | None
    conspiracies: tuple[int, ...]
    headlines: tuple[int, ...]


@dataclass(frozen=True)
class ChoiceMade:
    """A choice that a card asks for was made."""

    seat: int
    option: int
    by_clock: bool


@dataclass(frozen=True)
class OfferMade:
    """An offer lies on the table. Offered Conspiracies show their costs alone."""

    seat: int
    offer: int
    """Its place in the list of offers."""
    rival: int | None
    give: Resources
    ask: Resources
    give_costs: tuple[int, ...]
    ask_cards: tuple[int, ...]
    """Places in the rival's hand."""


@dataclass(frozen=True)
class OfferAnswered:
    """A rival accepted or declined an offer."""

    seat: int
    offer: int
    accepted: bool


@dataclass(frozen=True)
class OfferWithdrawn:
    """An offer was withdrawn, or became void."""

    offer: int


@dataclass(frozen=True)
class TurnEnded:
    """A turn ended."""

    seat: int


@dataclass(frozen=True)
class TurnMissed:
    """The clocks ran out on a claimant who neither answered nor acted."""

    seat: int
    in_a_row: int
    in_all: int


@dataclass(frozen=True)
class SeatHandedOver:
    """A seat changed hands between its person and a bot."""

    seat: int
    is_bot: bool


@dataclass(frozen=True)
class EndTriggered:
    """The end has come in sight: every claimant takes one last turn."""

    ending: Ending


@dataclass(frozen=True)
class DuelBegan:
    """A tie at the top goes to a duel."""

    seats: tuple[int, ...]
    legends: tuple[Ideology, ...]
    """The strongest of each duellist; UNSPECIFIED for who has no answer."""


@dataclass(frozen=True)
class QuizAsked:
    """A question of the duel."""

    number: int
    """From 1."""
    text: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class QuizAnswered:
    """A duellist answered; what, stays hidden for now."""

    seat: int


@dataclass(frozen=True)
class QuizResolved:
    """The answers to a question of the duel."""

    number: int
    right: int
    choices: tuple[int, ...]
    """By duellist; -1 for no answer."""
    scores: tuple[int, ...]
    """By duellist."""


@dataclass(frozen=True)
class StrikeBegan:
    """The blade swings. The mark is at `mark_ms` after each swing's start."""

    number: int
    """From 1."""
    seats: tuple[int, ...]
    swing_ms: int
    mark_ms: int


@dataclass(frozen=True)
class Struck:
    """A duellist struck; where, stays hidden for now."""

    seat: int


@dataclass(frozen=True)
class StrikeResolved:
    """How far from the mark each duellist struck, in milliseconds; -1 for no tap."""

    number: int
    seats: tuple[int, ...]
    distances: tuple[int, ...]


@dataclass(frozen=True)
class MatchEnded:
    """The match ended."""

    how: str
    winner: int
    scores: tuple[int, ...]


#: What may happen.
EventBody = (
    SeatClaimed
    | TurnBegan
    | QuestionDrawn
    | QuestionSentAway
    | QuestionsReshuffled
    | Passed
    | Answered
    | AnswerLost
    | ResourcesGained
    | ResourcesLost
    | LegendChanged
    | Hired
    | HireRowChanged
    | FollowersReshuffled
    | FollowersPlaced
    | FollowersRemoved
    | FollowersMoved
    | FollowerReplaced
    | Marched
    | ProvinceSworn
    | ProvinceBroke
    | ProvinceSealed
    | PowerUsed
    | ShieldAsked
    | ShieldAnswered
    | HeadlineCalled
    | HeadlineTurned
    | LastingBegan
    | LastingEnded
    | ConspiracyBought
    | ConspiracyTaken
    | ConspiracyPlayed
    | ConspiracyLost
    | CardsSeen
    | ChoiceMade
    | OfferMade
    | OfferAnswered
    | OfferWithdrawn
    | TurnEnded
    | TurnMissed
    | SeatHandedOver
    | EndTriggered
    | DuelBegan
    | QuizAsked
    | QuizAnswered
    | QuizResolved
    | StrikeBegan
    | Struck
    | StrikeResolved
    | MatchEnded
)


@dataclass(frozen=True)
class Event:
    """Something that happened, in the order of `index`."""

    index: int
    event: EventBody
