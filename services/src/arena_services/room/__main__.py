"""Runs one room."""

from __future__ import annotations

import arena_services.common.lean  # noqa: F401 - for its effect
from arena_services.common.service import run
from arena_services.room.app import bind
from arena_services.room.config import RoomSettings


def main() -> None:
    """Run a room until it is told to stop."""
    run("room", RoomSettings, bind)


if __name__ == "__main__":
    main()
