"""A room's settings."""

from __future__ import annotations

from typing import Self

from pydantic import Field, SecretStr, model_validator

from arena_services.common.addresses import Address
from arena_services.common.config import ServiceSettings

_LOOPBACK = {"127.0.0.1", "localhost"}


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
    abandoned_seconds: float = Field(default=24 * 3600.0, gt=0)
    """After so long without anything that a person did a match is closed without a result."""
    spectator_delay_seconds: float = Field(default=0.0, ge=0, le=3600)
    """How long after it happened spectators see something. Seats are never kept waiting."""
    archive_after_seconds: float = Field(default=3600.0, gt=0)
    """So long after its end a match is archived, and its log purged."""
    archive_share: float = Field(default=0.1, gt=0, le=1)
    """The part of its time that a room spends at most on archiving; the rest belongs to those who play."""
    room_test_secrets: SecretStr | None = None
    """For tests: the secret of every match is made of this text, so that the same match comes again. Refused where the
    room can be reached from other machines, since whoever knows a match's secret knows its deck."""

    @model_validator(mode="after")
    def _keep_test_secrets_at_home(self) -> Self:
        reached = filter(None, (self.listen, self.advertise, self.public_address))
        if self.room_test_secrets and any(_host(each) not in _LOOPBACK for each in reached):
            raise ValueError("room_test_secrets is for tests on one machine: listen on 127.0.0.1")
        return self


def _host(address: str) -> str:
    return address.rpartition(":")[0]
