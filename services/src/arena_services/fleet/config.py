"""Settings of the fleet service."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode

from arena_services.common.addresses import Address
from arena_services.common.config import ServiceSettings, split_list

_INSTANCE = "app.kubernetes.io/instance"


class FleetSettings(ServiceSettings):
    """How many rooms there may be, and which Deployment or machine runs them."""

    fleet_floor: int = Field(default=2, ge=1)
    """Rooms that are always there. Two, so that one can take over from the other."""
    fleet_ceiling: int = Field(default=10, ge=1)
    """Rooms that there are at most."""
    fleet_free: int = Field(default=500, ge=0)
    """Places for matches that are kept free; with fewer, rooms are added at once."""
    fleet_patience_seconds: float = Field(default=120.0, ge=0)
    """How long there must have been one room too many before one goes."""
    fleet_retry_seconds: float = Field(default=60.0, gt=0)
    """How long a room that could not be emptied is left alone before it is asked again."""
    fleet_machine: Address | None = None
    """Where `arena up` is asked for rooms, as it tells its own fleet. Default: rooms are pods of a Deployment."""
    fleet_machine_key: SecretStr = SecretStr("")
    """What it wants to be shown."""
    fleet_deployment: str = "arena-room"
    """Name of the rooms' Deployment."""
    fleet_namespace: str = "default"
    """Where it is."""
    fleet_selector: str = ""
    """Labels by which its pods are found. Default: those that the Deployment itself goes by."""
    fleet_lease: str = "arena-fleet"
    """Name of the Lease whose holder acts."""
    fleet_nats_pages: Annotated[tuple[Address, ...], NoDecode, split_list] = ()
    """The monitoring pages of NATS's servers, host:port, separated by commas: how much each may store stands there."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        if self.fleet_floor > self.fleet_ceiling:
            raise ValueError("fleet_floor must not be above fleet_ceiling")
        return self

    @field_validator("fleet_selector")
    @classmethod
    def _check_selector(cls, selector: str) -> str:
        if selector and _INSTANCE not in {each.partition("=")[0] for each in selector.split(",")}:
            raise ValueError(f"it has to name {_INSTANCE}: rooms of another release must not match")
        return selector
