"""A second, deliberately naive model of Singhasan's rules proper, written from the books to check the engine against.

It shares nothing with the engine but what is printed on cards: provinces are words, amounts are tuples, oaths are
counted anew whenever somebody asks, and nothing is fast. It never draws: what a draw gave is handed in. What
Conspiracies and Headlines do is not in it; after one of them it is set up anew from what is seen.
"""

from __future__ import annotations

from tests.engine.singhasan.naive.legal import awaited, legal_actions
from tests.engine.singhasan.naive.model import Aim, Force, Model, Offer, Seat
from tests.engine.singhasan.naive.play import Draws, expire, play

__all__ = [
    "Aim",
    "Draws",
    "Force",
    "Model",
    "Offer",
    "Seat",
    "awaited",
    "expire",
    "legal_actions",
    "play",
]
