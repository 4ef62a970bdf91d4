"""The games of this build. A new game adds one line."""

from __future__ import annotations

from typing import Final

from arena_engine import crowns, singhasan
from arena_engine.game import Game

GAMES: Final[tuple[Game, ...]] = (crowns.GAME, singhasan.GAME)
