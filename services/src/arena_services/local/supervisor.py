"""Keeps one process running: starts it anew when it dies, notices when it is not ready."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Callable

from arena_services.common.pauses import growing
from arena_services.local import probe
from arena_services.local.errors import ProcessFailedError
from arena_services.local.info import State
from arena_services.local.process import (
    READY_POLL_SECONDS,
    Process,
    ProcessSpec,
    describe_exit,
)

_WATCH_SECONDS = 1.0
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
# Deaths within this time make the pause before the next start longer.
_WINDOW_SECONDS = 60.0

# How many deaths in a row, never ready between them, make it hopeless. Settings that do not hold are so at once.
_START_ATTEMPTS = 3
_EXIT_SETTINGS = 2


class Supervised:
    """A process that is to run, from `start` to `stop`."""

    def __init__(self, spec: ProcessSpec, changed: Callable[[Supervised], None]) -> None:
        """`changed` is called at each change of state."""
        self.spec = spec
        self.state = State.STOPPED
        self.restarts = 0
        self.last_failure: ProcessFailedError | None = None
        self._exit_codes: list[int] = []
        self._deaths: deque[float] = deque()
        self._changed = changed
        self._news = asyncio.Event()
        self._process: Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id; None while it does not run."""
        process = self._process
        return process.pid if process is not None and process.exit_code is None else None

    def start(self) -> None:
        """Have it run from now on."""
        if self._keeper is None:
            self._exit_codes.clear()
            self._enter(State.STARTING)
            self._keeper = asyncio.create_task(self._keep(), name=f"keep {self.spec.name}")

    async def stop(self, grace_seconds: float) -> None:
        """Stop it in order, and keep it so; killed when it takes longer than `grace_seconds`."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        keeper.cancel()
        await asyncio.wait({keeper})
        if self._process is not None:
            self._process.send(signal.SIGCONT)  # it may be paused
            await self._process.stop(grace_seconds)
        self._enter(State.STOPPED)
        if not keeper.cancelled() and (error := keeper.exception()):
            raise error

    def send(self, number: signal.Signals) -> None:
        """Send it a signal. One that ends it is a death like any other: it is started anew."""
        if self._process is not None:
            self._process.send(number)

    async def kill(self) -> None:
        """Kill it outright and wait until it is dead. It is started anew."""
        if self._process is not None:
            self._process.send(signal.SIGKILL)
            await self._process.wait()
            self._note(is_ready=False)

    async def wait_ready(self, seconds: float) -> None:
        """Wait until it is ready. Raises `ProcessFailedError` when that is hopeless or takes longer than `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while self.state is not State.READY:
                    self._news.clear()
                    if self.last_failure is not None and self._is_hopeless():
                        raise self.last_failure
                    await self._news.wait()
        except TimeoutError:
            if self._process is None:
                raise
            raise self._process.failure(f"was not ready within {seconds:g} s") from None

    def _is_hopeless(self) -> bool:
        return _EXIT_SETTINGS in self._exit_codes or len(self._exit_codes) >= _START_ATTEMPTS

    async def _keep(self) -> None:
        while True:
            self._process = await Process.start(self.spec)
            exit_code = await self._watch(self._process)
            self._exit_codes.append(exit_code)
            self.last_failure = self._process.failure(describe_exit(exit_code))
            self._enter(State.RESTARTING)
            await asyncio.sleep(self._pause_seconds())
            self.restarts += 1
            self._enter(State.STARTING)

    async def _watch(self, process: Process) -> int:
        """Follow whether it is ready until it ends; returns the exit code."""
        pause = READY_POLL_SECONDS
        loop = asyncio.get_running_loop()
        was_ready: float | None = None
        while True:
            try:
                async with asyncio.timeout(pause):
                    return await process.wait()
            except TimeoutError:
                is_ready = await probe.is_ready(self.spec.ready_url)
            if is_ready:
                was_ready = loop.time()
            elif self._has_no_patience(was_ready, loop.time()):
                process.send(signal.SIGKILL)
            if process.exit_code is None:
                self._note(is_ready=is_ready)
            pause = _WATCH_SECONDS if is_ready else READY_POLL_SECONDS

    def _has_no_patience(self, was_ready: float | None, now: float) -> bool:
        patience = self.spec.patience_seconds
        return patience is not None and was_ready is not None and now - was_ready > patience

    def _note(self, *, is_ready: bool) -> None:
        if is_ready:
            self._exit_codes.clear()
            self._enter(State.READY)
        elif self.state is State.READY:
            self._enter(State.NOT_READY)

    def _pause_seconds(self) -> float:
        """Doubles with every death of the last minute, so that one a minute costs little and a loop is slow."""
        now = asyncio.get_running_loop().time()
        self._deaths.append(now)
        while self._deaths[0] < now - _WINDOW_SECONDS:
            self._deaths.popleft()
        return growing(_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS, len(self._deaths) - 1)

    def _enter(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            self._news.set()
            self._changed(self)
