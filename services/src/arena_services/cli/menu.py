"""Legal actions as lists to choose from: numbered lines where they are few, and by their next word where they are many.

A long list narrows word by word: what is typed is taken as the beginning of an action's notation. Knows no game beyond
its table of words, and does no I/O.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: Actions that are listed one by one; more are summed up by their next word, where that makes few groups.
MOST_LISTED = 40
_MOST_GROUPS = 12
_NOTATION_WIDTH = 16
_MOST_NOTATION_WIDTH = 48


@dataclass(frozen=True)
class Choice:
    """A legal action, as it is written and as it is said."""

    action: Any
    notation: str
    phrase: str


def beginning(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices whose notation begins with these words, or where there is none, with these characters."""
    words = text.lower().split()
    by_word = [c for c in choices if c.notation.lower().split()[: len(words)] == words]
    typed = " ".join(words)
    return by_word or [c for c in choices if c.notation.lower().startswith(typed)]


def containing(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices whose notation or phrase contains a text; capitals count where it has some."""
    if text != text.lower():
        return [c for c in choices if text in f"{c.notation} {c.phrase}"]
    return [c for c in choices if text in f"{c.notation} {c.phrase}".lower()]


def listing(choices: Sequence[Choice], typed: str = "") -> tuple[list[str], Sequence[Choice]]:
    """Lines for choices that all begin with what was typed, and the choices that these give numbers to.

    Where there are too many, the lines are groups and give none.
    """
    if len(choices) <= MOST_LISTED:
        return numbered(choices), choices
    groups = _groups(choices, len(typed.split()))
    if not 1 < len(groups) <= _MOST_GROUPS:
        rest = len(choices) - MOST_LISTED
        more = f"... and {rest} more; moves TEXT narrows the list."
        return [*numbered(choices[:MOST_LISTED]), more], choices[:MOST_LISTED]
    start = f"{' '.join(typed.split())} " if typed else ""
    grouped = [f"  {start}{word:{_NOTATION_WIDTH}} {count}" for word, count in groups.items()]
    return [*grouped, "Type the beginning of a move for its list."], ()


def numbered(choices: Sequence[Choice]) -> list[str]:
    """One line for each choice, with the number that chooses it."""
    longest = max((len(choice.notation) for choice in choices), default=0)
    width = min(max(longest, _NOTATION_WIDTH), _MOST_NOTATION_WIDTH)
    return [
        f"{number:4}  {choice.notation:{width}} {choice.phrase}"
        for number, choice in enumerate(choices, start=1)
    ]


def summary(choices: Sequence[Choice]) -> str:
    """What there is to choose, on one line: by first words where these are few, otherwise as a number alone."""
    groups = _groups(choices, 0)
    if len(choices) <= 1 or len(groups) > _MOST_GROUPS:
        return f"{len(choices)} are legal"
    return ", ".join(f"{word} ({count})" if count > 1 else word for word, count in groups.items())


def _groups(choices: Sequence[Choice], depth: int) -> Counter[str]:
    """How many choices go on with each word behind `depth` words, in the order of the choices."""
    counts: Counter[str] = Counter()
    for choice in choices:
        counts[" ".join(choice.notation.split()[depth : depth + 1])] += 1
    return counts
