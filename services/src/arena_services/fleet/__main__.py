"""`python -m arena_services.fleet`."""

from __future__ import annotations

import arena_services.common.lean  # noqa: F401 - for its effect
from arena_services.common.service import run
from arena_services.fleet.app import bind
from arena_services.fleet.config import FleetSettings

if __name__ == "__main__":
    run("fleet", FleetSettings, bind)
