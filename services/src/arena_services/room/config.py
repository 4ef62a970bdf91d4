"""A room's settings."""

from __future__ import annotations

from pydantic import Field

from arena_services.common.config import Address, ServiceSettings


class RoomSettings(ServiceSettings):
    """What a room needs to know beyond every service's settings."""

    public_address: Address | None = None
    """Where clients reach this room. Default: where other services do."""
    max_matches: int = Field(default=2000, ge=1)
    """How many unfinished matches this room hosts before it refuses new ones."""
    keep_finished_seconds: float = Field(default=30.0, ge=0)
    """How long a finished match stays in memory; later it is read from the log again."""
    claims_per_second: float = Field(default=200.0, gt=0)
    """How fast this room takes over the matches of a room that is gone, on its own accord."""
    spectator_delay_seconds: float = Field(default=0.0, ge=0, le=3600)
    """How long after it happened spectators see something. Seats are never kept waiting."""
