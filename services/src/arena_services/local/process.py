"""One process of the platform: started, asked, stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena_services.local import probe
from arena_services.local.errors import ProcessFailedError

READY_POLL_SECONDS = 0.1
_LARGEST_LOG_BYTES = 16 * 1024 * 1024
_TAIL_BYTES = 8 * 1024
_STANDING_SECONDS = 2.0
_STANDING_POLL_SECONDS = 0.001


@dataclass(frozen=True)
class ProcessSpec:
    """What to run and how to tell that it is ready."""

    name: str
    command: tuple[str, ...]
    ready_url: str
    """Answers 200 once the process is ready."""
    log: Path
    """Where its output is appended. Kept once as NAME.log.1 when it has grown large."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """On top of this process's own."""
    patience_seconds: float | None = None
    """Not ready for so long after it was, it is killed and started anew. None: it is left to come round."""


class Process:
    """A running process, or one that has ended. Ends with this process, however that ends."""

    def __init__(self, spec: ProcessSpec, child: asyncio.subprocess.Process, start: int) -> None:
        """Use `Process.start`."""
        self.spec = spec
        self._child = child
        self._log_start = start

    @classmethod
    async def start(cls, spec: ProcessSpec) -> Process:
        """Start it in a session of its own: a Ctrl-C in the terminal is for us to pass on, in order."""
        launch = (sys.executable, "-m", "arena_services.local.launch", str(os.getpid()))
        spec.log.parent.mkdir(parents=True, exist_ok=True)
        if spec.log.exists() and spec.log.stat().st_size > _LARGEST_LOG_BYTES:
            spec.log.replace(spec.log.with_suffix(".log.1"))
        with spec.log.open("ab") as log:
            child = await asyncio.create_subprocess_exec(
                *launch,
                *spec.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **spec.environment},
                start_new_session=True,
            )
            return cls(spec, child, log.tell())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._child.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative: the signal that ended it."""
        return self._child.returncode

    async def wait(self) -> int:
        """Wait for its end; returns the exit code."""
        return await self._child.wait()

    async def wait_ready(self, seconds: float) -> None:
        """Wait until it is ready. Raises `ProcessFailedError` when it ends before or takes longer than `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while not await probe.is_ready(self.spec.ready_url):
                    if self.exit_code is not None:
                        raise self.failure(describe_exit(self.exit_code))
                    await asyncio.sleep(READY_POLL_SECONDS)
        except TimeoutError:
            raise self.failure(f"was not ready within {seconds:g} s") from None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens when it has ended. After SIGSTOP it stands still (on Linux)."""
        with suppress(ProcessLookupError):
            self._child.send_signal(number)
            if number is signal.SIGSTOP and sys.platform == "linux":
                self._wait_standing()

    def _wait_standing(self) -> None:
        """Wait the moment that a busy machine takes to stop all of a process's threads."""
        until = time.monotonic() + _STANDING_SECONDS
        look = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            while os.waitid(os.P_PID, self.pid, look) is None and time.monotonic() < until:
                time.sleep(_STANDING_POLL_SECONDS)

    async def stop(self, grace_seconds: float) -> None:
        """Ask it to stop and wait for it; kill it when that takes longer than `grace_seconds`."""
        self.send(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_seconds):
                await self.wait()
        except TimeoutError:
            self.send(signal.SIGKILL)
            await self.wait()

    def log_tail(self, lines: int = 10) -> str:
        """The last lines that this process, not one before it, has written."""
        with self.spec.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(self._log_start, end - _TAIL_BYTES))
            text = log.read().decode(errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def failure(self, what: str) -> ProcessFailedError:
        """An error that shows the end of its log."""
        return ProcessFailedError(self.spec.name, what, self.spec.log, self.log_tail())


def describe_exit(exit_code: int) -> str:
    """An exit code in words."""
    if exit_code < 0:
        return f"was ended by {signal.Signals(-exit_code).name}"
    return f"ended with exit code {exit_code}"
