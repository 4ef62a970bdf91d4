"""Crowns: Kings and Knights on a triangle arena, for 2-6 players.

`GAME` is what services use. Inside, `position` holds the data, `grid` the geometry; `moves`, `cardplay`, `relics`,
`endings` and `turns` are the rules; `messages`, `events` and `kinds` are the edge that mirrors the protos, `state` and
`game` the classes behind the engine's interface.
"""

from __future__ import annotations

from typing import Final

from arena_engine.crowns.game import Crowns

#: The game, for the registry.
GAME: Final = Crowns()
