"""Specs of `fake_service` processes, and looks at what processes run."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
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


def is_running(pid: int) -> bool:
    """Whether a process runs; one that ended and waits to be collected does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in {"Z", "X"}


async def eventually(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until a condition holds; fails with TimeoutError."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)
