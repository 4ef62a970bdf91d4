"""A process that hangs for too long is started anew, where that is asked for."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

from arena_services.local.supervisor import Supervised
from tests.services.local.fakes import fake_spec
from tests.waiting import eventually


async def test_a_process_that_hangs_for_too_long_is_started_anew(tmp_path: Path) -> None:
    kept = Supervised(replace(fake_spec(tmp_path), patience_seconds=0.5), lambda _: None)
    kept.start()
    try:
        await kept.wait_ready(10)
        kept.send(signal.SIGSTOP)
        await eventually(lambda: kept.restarts == 1)
        await kept.wait_ready(10)
        assert "was ended by SIGKILL" in str(kept.last_failure)
    finally:
        await kept.stop(10)
