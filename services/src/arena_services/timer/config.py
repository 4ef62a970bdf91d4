"""Settings of the timer service."""

from __future__ import annotations

from pydantic import Field

from arena_services.common.config import ServiceSettings


class TimerSettings(ServiceSettings):
    """What a timer needs to know beyond what every service does."""

    timer_delay_ms: int = Field(default=0, ge=0, le=60_000)
    """How long after a deadline this replica calls: 0 for the first; a second one waits 150 and finds little to do."""
    timer_calls: int = Field(default=256, ge=1, le=10_000)
    """How many calls may be under way at once."""
