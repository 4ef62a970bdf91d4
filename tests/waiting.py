"""Waits for what other tasks and processes do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path


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
