"""The shapes of the content: what a designer fills in."""

from __future__ import annotations

from typing import NamedTuple

from arena_engine.singhasan.kinds import Ideology


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
