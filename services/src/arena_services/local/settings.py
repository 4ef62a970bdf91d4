"""Settings of the platform on one machine, from `ARENA_*` or arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

_Port = Annotated[int, Field(ge=1, le=65_535)]

MAX_ROOMS = 10
_RANGE = re.compile(r"(\d{1,2})(?:\.\.(\d{1,2}))?")


@dataclass(frozen=True)
class RoomRange:
    """How many room processes there may be: `2`, or `1..4` for as many as matches need."""

    floor: int
    ceiling: int

    @property
    def is_fixed(self) -> bool:
        """Whether nothing adds rooms or takes any away."""
        return self.floor == self.ceiling

    @classmethod
    def parse(cls, value: object) -> object:
        """From a number, or as it is typed. Raises ValueError."""
        if isinstance(value, cls):
            return value
        found = _RANGE.fullmatch(str(value))
        if found is None:
            raise ValueError("write a number of rooms, or the least and the most, as in 1..4")
        floor, ceiling = int(found[1]), int(found[2] or found[1])
        if not 1 <= floor <= ceiling <= MAX_ROOMS:
            raise ValueError(f"there may be 1 to {MAX_ROOMS} rooms, the least before the most")
        return cls(floor, ceiling)


class PlatformSettings(BaseSettings):
    """What runs, where its data is, and on which ports. Services' own settings pass through the environment."""

    model_config = SettingsConfigDict(env_prefix="ARENA_", frozen=True, extra="ignore")

    data_dir: Path = Path("data")
    """Everything that survives a restart. Used by one platform at a time."""
    rooms: Annotated[RoomRange, NoDecode, BeforeValidator(RoomRange.parse)] = RoomRange(1, 4)
    """Room processes: the least and the most, the fleet keeps as many as matches need; or a number that stays."""
    ports: Literal["fixed", "auto"] = "fixed"
    """auto: free ports, whatever the settings below say."""
    nats_port: _Port = 7422
    nats_monitor_port: _Port = 7423
    """NATS's monitoring page."""
    matchmaking_port: _Port = 7400
    bot_port: _Port = 7401
    timer_port: _Port = 7402
    fleet_port: _Port = 7403
    room_port: Annotated[int, Field(ge=1, le=65_535 - MAX_ROOMS)] = 7410
    """Of the first room; each further room takes the next."""
    edge: bool = True
    """Whether the edge runs: Envoy, with the page and the API for browsers on one address."""
    edge_port: _Port = 7480
    """Where people open the page."""
    page_dir: Path = Path("services/web/dist")
    """The built page. Without it the edge serves the API alone."""
    metrics_port: Annotated[int, Field(ge=1, le=65_535 - MAX_ROOMS - 5)] = 7450
    """Metrics and readiness of the first process; each further one takes the next."""
    grace_seconds: float = Field(default=10.0, ge=0)
    """How long a process may take to stop before it is killed."""
    ready_seconds: float = Field(default=60.0, gt=0)
    """How long the start may take before it is given up."""
