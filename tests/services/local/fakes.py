"""Specs of `fake_service` processes."""

from __future__ import annotations

import sys
from pathlib import Path

from arena_services.local.ports import find_free
from arena_services.local.process import ProcessSpec

SCRIPT = Path(__file__).with_name("fake_service.py")


def fake_spec(folder: Path, *arguments: str) -> ProcessSpec:
    (port,) = find_free(1)
    return ProcessSpec(
        name="fake",
        command=(sys.executable, "-S", str(SCRIPT), str(port), *arguments),
        ready_url=f"http://127.0.0.1:{port}/readyz",
        log=folder / "logs" / "fake.log",
    )
