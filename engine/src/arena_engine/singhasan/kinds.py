"""The enums of the Singhasan messages."""

from __future__ import annotations

from enum import IntEnum


class Speed(IntEnum):
    """How fast the clocks run."""

    UNSPECIFIED = 0
    """The default: Standard."""
    STANDARD = 1
    """Claim 30 s, court window 8 s, answer 45 s, act 120 s, reaction 10 s, time bank 120 s a match."""
    SWIFT = 2
    """Half of each."""
    UNHURRIED = 3
    """No clock but the duel's."""


class Resource(IntEnum):
    """What answers pay and everything costs."""

    UNSPECIFIED = 0
    """None."""
    GOLD = 1
    """Of the Golden Road."""
    STEEL = 2
    """Of the Iron Hand."""
    SONG = 3
    """Of the Thousand Voices."""
    OATH = 4
    """Of the Unbroken Oath."""


class Ideology(IntEnum):
    """What an answer stands for; its number is that of its resource, and of its legend."""

    UNSPECIFIED = 0
    """None, or not yet known."""
    GOLDEN_ROAD = 1
    """Odysseus."""
    IRON_HAND = 2
    """Heracles."""
    THOUSAND_VOICES = 3
    """Orpheus."""
    UNBROKEN_OATH = 4
    """Hector."""


class Power(IntEnum):
    """What the legends do for who holds their answers: at 3, and at 5."""

    UNSPECIFIED = 0
    """None."""
    MANY_HARBOURS = 1
    """Odysseus at 3."""
    WOODEN_HORSE = 2
    """Odysseus at 5."""
    LIONS_SKIN = 3
    """Heracles at 3."""
    CLEAN_THE_STABLES = 4
    """Heracles at 5."""
    SONG_OF_THE_ROAD = 5
    """Orpheus at 3."""
    CHARM_THE_STONES = 6
    """Orpheus at 5."""
    SHIELD_OF_TROY = 7
    """Hector at 3."""
    WALLS_OF_TROY = 8
    """Hector at 5."""


class Colour(IntEnum):
    """A claimant's colour."""

    UNSPECIFIED = 0
    """Not chosen yet."""
    CRIMSON = 1
    SAFFRON = 2
    EMERALD = 3
    AZURE = 4
    VIOLET = 5


class Sigil(IntEnum):
    """A claimant's sigil."""

    UNSPECIFIED = 0
    """Not chosen yet."""
    LION = 1
    ELEPHANT = 2
    PEACOCK = 3
    SERPENT = 4
    BULL = 5


class Phase(IntEnum):
    """What the match waits for."""

    UNSPECIFIED = 0
    """Nothing: the match has ended."""
    CLAIM = 1
    """Everybody claims a seat, all at once."""
    COURT = 2
    """Rivals may play a court card before the answer."""
    ANSWER = 3
    """The active claimant answers, or sends the Question away."""
    ACT = 4
    """The active claimant acts; rivals may answer offers."""
    SHIELD = 5
    """Claimants who are aimed at may raise the Shield of Troy."""
    CHOICE = 6
    """Somebody makes a choice that a card asks for."""
    DISCARD = 7
    """The active claimant discards down to the limit."""
    QUIZ = 8
    """The duellists answer a question."""
    STRIKE = 9
    """The duellists strike the mark."""


class Cause(IntEnum):
    """Why resources changed hands."""

    UNSPECIFIED = 0
    """Not said."""
    START = 1
    """Starting resources."""
    ANSWER = 2
    """The payment of an answer."""
    TRIBUTE = 3
    """Tribute."""
    REDRAW = 4
    """A Question was sent away."""
    HIRE = 5
    """Followers were hired."""
    BANK = 6
    """A trade with the bank."""
    TRADE = 7
    """A trade with a rival."""
    CONSPIRACY = 8
    """The price of a Conspiracy."""
    POWER = 9
    """The price of a power."""
    CARD = 10
    """The effect of a Conspiracy."""
    HEADLINE = 11
    """The effect of a Headline."""
    DISCARD = 12
    """Discarded at the end of a turn."""


class Ending(IntEnum):
    """What brought the end about."""

    UNSPECIFIED = 0
    """Nothing yet."""
    SWORN = 1
    """Every province has sworn."""
    SEATS = 2
    """Every seat is filled."""
    CAP = 3
    """The last round is complete."""
