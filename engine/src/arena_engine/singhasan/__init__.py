"""Singhasan: answer by conscience, win the provinces' oaths, take the Lion Throne; for 2-5 claimants.

`GAME` is what services use. Inside, `position` holds the data, `board` the map, `content` the cards; `turns` is the
course of a match; `court`, `hire`, `march`, `powers`, `offers`, `cards`, `aim`, `duel` and `ending` are what is done in
it, and `changes`, `stock`, `legends`, `lasting` and `effects` what that comes to. `messages`, `seen`, `events` and
`kinds` are the edge that mirrors the protos, `state` and `game` the classes behind the engine's interface.
"""

from __future__ import annotations

from typing import Final

from arena_engine.singhasan.game import Singhasan

#: The game, for the registry.
GAME: Final = Singhasan()
