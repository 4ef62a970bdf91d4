"""Run the service: python -m arena_services.matchmaking."""

from __future__ import annotations

import arena_services.common.lean  # noqa: F401 - for its effect
from arena_services.common.service import run
from arena_services.matchmaking.app import bind
from arena_services.matchmaking.config import MatchmakingSettings

if __name__ == "__main__":
    run("matchmaking", MatchmakingSettings, bind)
