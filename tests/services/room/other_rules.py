"""Goes on as a build whose games have other rules."""

from __future__ import annotations

from typing import Any

import pytest

from arena_services.common import games
from arena_services.common.games import HostedGame


class _OtherRules:
    """A game under the next version of its rules."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.rules_version = game.rules_version + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def change_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on this process plays every game by other rules."""
    others: dict[str, Any] = {each.game.name: _OtherRules(each.game) for each in games.hosted()}
    hosted = {name: HostedGame(other) for name, other in others.items()}
    monkeypatch.setattr(games, "_HOSTED", hosted)
