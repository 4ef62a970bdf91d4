"""A second, deliberately naive model of Crowns, written from the rules to check the engine against.

It shares nothing with the engine: triangles are sets of corner points, positions are dicts, actions are plain tuples,
and nothing is fast. It never draws: what a draw gave is handed in.
"""

from __future__ import annotations

from tests.engine.naive.arena import Arena
from tests.engine.naive.legal import legal_actions
from tests.engine.naive.model import Formation, Model, Seat, Snare
from tests.engine.naive.play import Draws, play, resign

__all__ = [
    "Arena",
    "Draws",
    "Formation",
    "Model",
    "Seat",
    "Snare",
    "legal_actions",
    "play",
    "resign",
]
