"""The shapes of the content: what a designer fills in."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple

from arena_engine.singhasan import lasting, primitives
from arena_engine.singhasan.kinds import Ideology, Resource


class Answer(NamedTuple):
    """One of the two answers to a Question."""

    text: str
    ideology: Ideology
    pays: tuple[int, int, int, int]
    """Gold, Steel, Song, Oath: 3 in all, at least 2 of its own ideology's."""


class Question(NamedTuple):
    """A Question of the court. Which answer is A is drawn for each match."""

    title: str
    text: str
    first: Answer
    second: Answer


class Follower(NamedTuple):
    """A card of the hire row."""

    name: str
    line: str
    """One line of flavour."""
    followers: int
    cost: tuple[int, int, int, int]
    """Gold, Steel, Song, Oath."""
    any: int
    """Paid with whatever the payer likes; 4, 6 or 8 together with `cost`."""


class Op(IntEnum):
    """What a step of a card does to its subjects.

    Every one is guarded alike: nothing on a Rift, in a Sealed or in a protected province is touched, wildfolk are
    nobody's, supply and free seats hold, and none places on a Rift, adds an answer or unseals.
    """

    GAIN = primitives.GAIN
    """Gains `amount` of a kind."""
    LOSE = primitives.LOSE
    """Loses `amount`, of a kind or of kinds chosen one by one."""
    STEAL = primitives.STEAL
    """Loses up to `amount` to the caller: of one kind, but of kinds chosen one by one where the subject chooses."""
    GIVE = primitives.GIVE
    """Gets `amount` from the caller, of kinds chosen one by one."""
    REMOVE = primitives.REMOVE
    """Followers go back to their supply."""
    DESERT = primitives.DESERT
    """Likewise, but the subject says which."""
    CONVERT = primitives.CONVERT
    """A follower gives its place to one of the caller's; the caller's own to one of the claimant after it."""
    SHOVE = primitives.SHOVE
    """A follower goes across a border."""
    RELOCATE = primitives.RELOCATE
    """A follower goes to any province."""
    RALLY = primitives.RALLY
    """A follower comes from the supply."""
    SWAP = primitives.SWAP
    """A follower changes places with one of the caller's in another province."""
    LOSE_ANSWER = primitives.LOSE_ANSWER
    """Loses an answer."""
    CHANGE = primitives.CHANGE
    """A cost, a limit or an income changes for a while by `amount`."""
    FORBID = primitives.FORBID
    """Something is forbidden for a while."""
    PROTECT = primitives.PROTECT
    """Nothing in a province is removed, moved or converted for a while."""
    REFRESH = primitives.REFRESH
    """Marches and powers used this turn can be used again."""
    DRAW = primitives.DRAW
    """Gets the top Conspiracy for free."""
    TAKE = primitives.TAKE
    """Loses a Conspiracy to the caller, who sees the costs alone."""
    LOSE_CARD = primitives.LOSE_CARD
    """Puts a Conspiracy away, unplayed."""
    SWEEP = primitives.SWEEP
    """The hire row is replaced."""
    PEEK_HAND = primitives.PEEK_HAND
    """Shows its Conspiracies to the caller."""
    PEEK_HEADLINES = primitives.PEEK_HEADLINES
    """Looks at the next `amount` Headlines."""
    TAX = primitives.TAX
    """`amount` of what the answer pays goes to the caller."""
    HUSH = primitives.HUSH
    """The answer brings no Tribute."""
    REPLACE_QUESTION = primitives.REPLACE_QUESTION
    """The Question is sent away and another one drawn."""
    BY_LOT = primitives.BY_LOT
    """The answer is drawn by lot."""
    NO_REDRAW = primitives.NO_REDRAW
    """The Question cannot be sent away."""
    EITHER = primitives.EITHER
    """One of the two branches that follow is chosen."""
    PICK = primitives.PICK
    """A province is chosen for all the steps that follow."""


class Who(IntEnum):
    """The subjects of a step, taken clockwise from the caller on."""

    CALLER = primitives.CALLER
    """Who called the Headline or played the Conspiracy."""
    RIVAL = primitives.RIVAL
    """One rival: of the caller's choice, or who answers the court."""
    EACH = primitives.EACH
    """Every claimant."""
    RIVALS = primitives.RIVALS
    """Every rival of the caller."""
    LEADERS = primitives.LEADERS
    """Every claimant with the most points."""
    REST = primitives.REST
    """Every claimant with fewer."""
    NEXT = primitives.NEXT
    """The claimant after the caller."""


class By(IntEnum):
    """Who chooses what a step leaves open."""

    CALLER = primitives.BY_CALLER
    SUBJECT = primitives.BY_SUBJECT
    NEXT = primitives.BY_NEXT
    """The claimant after the caller."""


class Where(IntFlag):
    """Which followers, or provinces, a step may take."""

    ANYWHERE = 0
    PRESENT = primitives.PRESENT
    """Where the one who does it (for `RALLY` and `RELOCATE`: arrives) has a follower already, on a Rift or off."""
    LOOSE = primitives.LOOSE
    """Followers that are not needed for an oath."""
    MATCHED = primitives.MATCHED
    """Where the caller has at least as many followers as the subject."""
    FULLEST = primitives.FULLEST
    """The province with most followers of those that can be touched; several that are level all count."""


class When(IntEnum):
    """A condition on the subject."""

    ALWAYS = 0
    WITHOUT_CARDS = primitives.WITHOUT_CARDS
    """It holds no Conspiracy."""
    WITH_CARDS = primitives.WITH_CARDS
    """It holds one."""


class Per(IntEnum):
    """What an amount is multiplied with."""

    ONE = 0
    SWORN = primitives.PER_SWORN
    """Provinces sworn to the subject."""
    FOUR = primitives.PER_FOUR
    """Whole fours of resources that the subject holds."""


class What(IntEnum):
    """What a `CHANGE` changes."""

    NOTHING = 0
    HIRE = lasting.HIRE_CHANGE
    """The price of a hire."""
    CONSPIRACY = lasting.CONSPIRACY_CHANGE
    """The price of a Conspiracy."""
    LIMIT = lasting.LIMIT_CHANGE
    """The treasury limit."""
    INCOME = lasting.INCOME_CHANGE
    """What an answer pays, in the resource of its ideology."""


class Act(IntEnum):
    """What a `FORBID` forbids."""

    NOTHING = 0
    MARCH = lasting.FORBID_MARCH
    HIRE = lasting.FORBID_HIRE
    BANK = lasting.FORBID_BANK
    OFFER = lasting.FORBID_OFFER
    BUY = lasting.FORBID_BUY
    DEED = lasting.FORBID_DEED
    POWER = lasting.FORBID_POWER
    """All but the Shield of Troy."""


class Until(IntEnum):
    """When a lasting effect ends."""

    TURN_END = lasting.UNTIL_TURN_END
    """With the turn under way. For Conspiracies only: a Headline comes up when its turn is over."""
    NEXT_TURN = lasting.UNTIL_NEXT_TURN
    """When the caller's next turn begins."""
    NEXT_TURN_END = lasting.UNTIL_NEXT_TURN_END
    """When the caller's next turn ends."""
    NEXT_ROUND_END = lasting.UNTIL_NEXT_ROUND_END
    """When the next round is complete."""


class Names(IntFlag):
    """What is named when a Conspiracy is played. What a card needs and does not name is chosen as it goes on."""

    NOTHING = 0
    RIVAL = primitives.NAMES_RIVAL
    PROVINCE = primitives.NAMES_PROVINCE
    """Where followers leave, or what is protected."""
    TO = primitives.NAMES_TO
    """Where followers arrive; for a swap, where the rival's stands."""
    KIND = primitives.NAMES_KIND
    """A resource or an ideology."""
    COUNT = primitives.NAMES_COUNT
    """How many, up to the amount of the first step."""


class Step(NamedTuple):
    """One step of a card. Steps are carried out in order, each for one subject after the other."""

    op: Op
    who: Who = Who.CALLER
    amount: int = 1
    kind: Resource = Resource.UNSPECIFIED
    """UNSPECIFIED: chosen."""
    by: By = By.CALLER
    where: Where = Where.ANYWHERE
    until: Until = Until.TURN_END
    what: What = What.NOTHING
    act: Act = Act.NOTHING
    when: When = When.ALWAYS
    per: Per = Per.ONE
    most: int = 15
    is_optional: bool = False
    """Whether the chooser may stop before `amount` is reached."""
    branch: int = 0
    """1 or 2: carried out only where an `EITHER` before it chose this branch."""


class Tone(IntEnum):
    """What a Headline means for its caller."""

    BOON = 1
    BANE = 2
    UPHEAVAL = 3


class Headline(NamedTuple):
    """A Headline."""

    name: str
    tone: Tone
    text: str
    line: str
    """One line of flavour."""
    steps: tuple[Step, ...]
    branches: tuple[str, str] = ("", "")
    """What the two branches of its `EITHER` are called."""


class Conspiracy(NamedTuple):
    """A Conspiracy: a deed, or a court card that is aimed at who answers."""

    name: str
    is_court: bool
    cost: int
    """Printed on its back."""
    text: str
    line: str
    """One line of flavour."""
    steps: tuple[Step, ...]
    """The first one has to be possible for the card to be played."""
    names: Names = Names.NOTHING
    branches: tuple[str, str] = ("", "")
    """What the two branches of its `EITHER` are called."""
