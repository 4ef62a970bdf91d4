"""The primitives that all Headlines and Conspiracies are made of, as ints, and how a step of a card is packed into one.

`content.kinds` has the same numbers as enums, for whoever writes cards; `effects` carries steps out.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# What a step does. "Subject" is who it does it to.
GAIN: Final = 1
LOSE: Final = 2
STEAL: Final = 3
GIVE: Final = 4
REMOVE: Final = 5
DESERT: Final = 6
CONVERT: Final = 7
SHOVE: Final = 8
RELOCATE: Final = 9
RALLY: Final = 10
SWAP: Final = 11
LOSE_ANSWER: Final = 12
CHANGE: Final = 13
FORBID: Final = 14
PROTECT: Final = 15
REFRESH: Final = 16
DRAW: Final = 17
TAKE: Final = 18
LOSE_CARD: Final = 19
SWEEP: Final = 20
PEEK_HAND: Final = 21
PEEK_HEADLINES: Final = 22
TAX: Final = 23
HUSH: Final = 24
REPLACE_QUESTION: Final = 25
BY_LOT: Final = 26
NO_REDRAW: Final = 27
EITHER: Final = 28
PICK: Final = 29

# Subjects.
CALLER: Final = 0
RIVAL: Final = 1
EACH: Final = 2
RIVALS: Final = 3
LEADERS: Final = 4
REST: Final = 5
NEXT: Final = 6

# Who chooses what a step leaves open.
BY_CALLER: Final = 0
BY_SUBJECT: Final = 1
BY_NEXT: Final = 2

# Where followers may be, as bits.
PRESENT: Final = 1
LOOSE: Final = 2
MATCHED: Final = 4
FULLEST: Final = 8

# Conditions on a subject.
WITHOUT_CARDS: Final = 1
WITH_CARDS: Final = 2

# What an amount is multiplied with.
PER_SWORN: Final = 1
PER_FOUR: Final = 2

# What a played card names, as bits; the order is that of the fields of a packed action.
NAMES_RIVAL: Final = 1
NAMES_PROVINCE: Final = 2
NAMES_TO: Final = 4
NAMES_KIND: Final = 8
NAMES_COUNT: Final = 16

# Layout of a packed step; the amount is kept with 16 added.
OP: Final = 31
WHO: Final = 5
BY: Final = 8
AMOUNT: Final = 10
KIND: Final = 15
WHERE: Final = 18
UNTIL: Final = 22
WHAT: Final = 24
WHEN: Final = 28
PER: Final = 30
MOST: Final = 32
OPTIONAL: Final = 36
BRANCH: Final = 37


def op_of(step: i64) -> i64:
    """What a step does."""
    return step & OP


def who_of(step: i64) -> i64:
    """Its subjects."""
    return (step >> WHO) & 7


def chooser_of(step: i64) -> i64:
    """Who chooses what it leaves open."""
    return (step >> BY) & 3


def amount_of(step: i64) -> i64:
    """How much, or how often; a change may be below 0."""
    return ((step >> AMOUNT) & 31) - 16


def kind_of(step: i64) -> i64:
    """The resource or ideology, from 0; -1 where it is chosen."""
    return ((step >> KIND) & 7) - 1


def where_of(step: i64) -> i64:
    """Bits of where followers may be."""
    return (step >> WHERE) & 15


def until_of(step: i64) -> i64:
    """When what it brings ends: one of `lasting.UNTIL_*`."""
    return (step >> UNTIL) & 3


def what_of(step: i64) -> i64:
    """What it changes, or what it forbids, as `lasting` has it."""
    return (step >> WHAT) & 15


def when_of(step: i64) -> i64:
    """The condition on its subject, 0 for none."""
    return (step >> WHEN) & 3


def per_of(step: i64) -> i64:
    """What its amount is multiplied with, 0 for nothing."""
    return (step >> PER) & 3


def most_of(step: i64) -> i64:
    """The most that a multiplied amount comes to."""
    return (step >> MOST) & 15


def is_optional(step: i64) -> bool:
    """Whether the chooser may stop."""
    return (step >> OPTIONAL) & 1 != 0


def branch_of(step: i64) -> i64:
    """The branch of an `EITHER` it belongs to, 0 for none."""
    return (step >> BRANCH) & 3
