"""`python -m arena_services.bot`."""

from __future__ import annotations

import arena_services.common.lean  # noqa: F401 - for its effect
from arena_services.bot.app import bind
from arena_services.bot.config import BotSettings
from arena_services.common.service import run

if __name__ == "__main__":
    run("bot", BotSettings, bind)
