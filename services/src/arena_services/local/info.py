"""What runs where, as a running platform writes it into its data folder for other commands to find."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from arena_services.local.data_folder import DataFolder, is_held


class State(StrEnum):
    """How a process is."""

    STARTING = "starting"
    READY = "ready"
    NOT_READY = "not ready"
    """It runs and was ready, but says that it is not now."""
    RESTARTING = "restarting"
    """It died and is started anew after a pause."""
    STOPPED = "stopped"
    """Stopped on purpose."""


class ProcessInfo(BaseModel):
    """One process."""

    model_config = ConfigDict(frozen=True)

    name: str
    service: str
    state: State
    address: str
    """host:port that it serves."""
    metrics: str
    """URL of its metrics; NATS: of its monitoring page."""
    pid: int | None
    """None while it does not run."""
    restarts: int
    """How often it died and was started anew."""
    last_failure: str | None
    """Why it died last, with the end of its log."""
    log: str
    """Path of its log file."""


class PlatformInfo(BaseModel):
    """A platform on this machine."""

    model_config = ConfigDict(frozen=True)

    pid: int
    """Of the process that watches over the others."""
    data_dir: str
    nats_url: str
    matchmaking_address: str
    page_url: str | None
    """What people open in a browser."""
    processes: tuple[ProcessInfo, ...]

    def write(self, folder: DataFolder) -> None:
        """Put it where `find_running` looks."""
        fresh = folder.info.with_suffix(".new")
        fresh.write_text(self.model_dump_json(indent=2) + "\n")
        fresh.replace(folder.info)


def find_running(data_dir: Path) -> PlatformInfo | None:
    """The platform that runs on this data folder, once it is ready; None while there is none."""
    if not is_held(data_dir):
        return None
    try:
        return PlatformInfo.model_validate_json((data_dir / "platform.json").read_text())
    except (OSError, ValidationError):
        return None
