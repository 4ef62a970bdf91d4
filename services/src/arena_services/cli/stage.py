"""The platform that a command plays on: the one that runs on the data folder, or one of the command's own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from arena_services.common import config, logs
from arena_services.local.info import PlatformInfo, ProcessInfo, find_running
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings

#: On free ports a demo never collides with anything; a short grace keeps its end short.
_OWN_GRACE_SECONDS = 5.0


@dataclass(frozen=True)
class Stage:
    """A platform to play on."""

    is_own: bool
    """Started for this command, and stopped with it."""
    _read: Callable[[], PlatformInfo]

    @property
    def info(self) -> PlatformInfo:
        """What runs where, as it is now."""
        return self._read()

    def find_process(self, name: str) -> ProcessInfo | None:
        """A process by its name."""
        return next((process for process in self.info.processes if process.name == name), None)


@asynccontextmanager
async def open_stage(environment: Mapping[str, str]) -> AsyncIterator[Stage]:
    """The platform that runs on the data folder; where none does, one started with these `ARENA_*` settings.

    Says on standard error which it is. Raises `LocalError`.
    """
    logs.set_up("arena", "cli", "auto", "error")
    # Two, so that one can take over from the other.
    rooms = os.environ.get("ARENA_ROOMS", "2")
    settings = config.load(
        PlatformSettings, ports="auto", edge=False, rooms=rooms, grace_seconds=_OWN_GRACE_SECONDS
    )
    running = find_running(settings.data_dir)
    if running is not None:
        _say(f"using the platform that runs on {settings.data_dir} (process {running.pid})")
        yield Stage(is_own=False, _read=lambda: find_running(settings.data_dir) or running)
        return
    start = time.monotonic()
    platform = Platform(settings, environment=environment)
    with _busy(f"starting a platform on {settings.data_dir} ..."):
        await platform.__aenter__()
    try:
        _say(
            f"started a platform on {settings.data_dir} in {time.monotonic() - start:.1f} s: "
            f"NATS, {len(platform.rooms)} rooms, matchmaking, bot, timer"
        )
        yield Stage(is_own=True, _read=platform.info)
    finally:
        with _busy("stopping the platform ..."):
            await platform.__aexit__(None, None, None)


def _busy(text: str) -> AbstractContextManager[object]:
    """Says on standard error what takes a while: on a terminal for as long as it does."""
    console = Console(stderr=True)
    if console.is_terminal:
        return console.status(text)
    _say(text)
    return nullcontext()


def program() -> str:
    """What to type for this program, as seen from here."""
    path = Path(sys.argv[0])
    return os.path.relpath(path) if path.is_file() else "arena"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
