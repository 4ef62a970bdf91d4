"""Settings of the bot service."""

from __future__ import annotations

from pydantic import Field

from arena_services.common.config import ServiceSettings


class BotSettings(ServiceSettings):
    """What a bot process needs to know beyond what every service does."""

    bot_think_ms: int = Field(default=600, ge=0, le=60_000)
    """Pause before a bot acts, so that people can follow. Cut to half of what the clock leaves."""
    bot_workers: int = Field(default=1, ge=0, le=64)
    """Processes for decisions that take long. 0: all are made in the service's own."""
    bot_inline_ms: float = Field(default=3.0, ge=0)
    """A game whose decisions take no longer than this on average is decided without a worker."""
