"""Settings of the matchmaking service."""

from __future__ import annotations

from pydantic import Field

from arena_services.common.config import ServiceSettings

#: Longer than anybody waits, and short enough that no open ticket outlives the bucket's memory.
LONGEST_BOT_WAIT_MS = 3_600_000


class MatchmakingSettings(ServiceSettings):
    """What matchmaking needs to know beyond every service."""

    bot_wait_ms: int = Field(default=10_000, ge=0, le=LONGEST_BOT_WAIT_MS)
    """How long a ticket that says nothing else waits for people before bots fill its match; 0 for bots at once."""
    unwatched_seconds: float = Field(default=30.0, gt=0)
    """How long a waiting ticket may go unwatched before it is cancelled: its owner has gone."""
