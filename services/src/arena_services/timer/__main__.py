"""`python -m arena_services.timer`."""

from __future__ import annotations

import arena_services.common.lean  # noqa: F401 - for its effect
from arena_services.common.service import run
from arena_services.timer.app import bind
from arena_services.timer.config import TimerSettings

if __name__ == "__main__":
    run("timer", TimerSettings, bind)
