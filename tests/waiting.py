"""Waits for what other tasks and processes do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether a process runs; one that ended and waits to be collected does not."""
    return state_of(pid) not in {"", "Z", "X"}


def state_of(pid: int) -> str:
    """What the kernel says of a process, in one letter: T where it stands still; nothing where there is none."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return ""
    return status.rpartition(")")[2].split()[0]


async def eventually(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until a condition holds; fails with TimeoutError."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)
