"""Settings of the platform on one machine, from `ARENA_*` or arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

_Port = Annotated[int, Field(ge=1, le=65_535)]

MAX_ROOMS = 10


class PlatformSettings(BaseSettings):
    """What runs, where its data is, and on which ports. Services' own settings pass through the environment."""

    model_config = SettingsConfigDict(env_prefix="ARENA_", frozen=True, extra="ignore")

    data_dir: Path = Path("data")
    """Everything that survives a restart. Used by one platform at a time."""
    rooms: int = Field(default=2, ge=1, le=MAX_ROOMS)
    """Room processes. Two, so that one can take over from the other."""
    ports: Literal["fixed", "auto"] = "fixed"
    """auto: free ports, whatever the settings below say."""
    nats_port: _Port = 7422
    nats_monitor_port: _Port = 7423
    """NATS's monitoring page."""
    matchmaking_port: _Port = 7400
    bot_port: _Port = 7401
    timer_port: _Port = 7402
    room_port: Annotated[int, Field(ge=1, le=65_535 - MAX_ROOMS)] = 7410
    """Of the first room; each further room takes the next."""
    edge: bool = True
    """Whether the edge runs: Envoy, with the page and the API for browsers on one address."""
    edge_port: _Port = 7480
    """Where people open the page."""
    page_dir: Path = Path("services/web/dist")
    """The built page. Without it the edge serves the API alone."""
    metrics_port: Annotated[int, Field(ge=1, le=65_535 - MAX_ROOMS - 4)] = 7450
    """Metrics and readiness of the first process; each further one takes the next."""
    grace_seconds: float = Field(default=10.0, ge=0)
    """How long a process may take to stop before it is killed."""
    ready_seconds: float = Field(default=60.0, gt=0)
    """How long the start may take before it is given up."""
