"""`arena up`: the whole platform on this machine, until Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arena_services.cli.errors import reported
from arena_services.common.config import load
from arena_services.local.info import PlatformInfo, ProcessInfo, State
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings


def command(
    rooms: Annotated[
        str | None,
        typer.Option(help="Rooms: at least and at most, or so many. [ARENA_ROOMS, 1..4]"),
    ] = None,
    ports: Annotated[
        str | None, typer.Option(help="auto: take free ports. [ARENA_PORTS, fixed]")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="What survives a restart. [ARENA_DATA_DIR, ./data]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
) -> None:
    """Start NATS, rooms as matches need them, matchmaking, bot, timer, edge; restart what dies; stop all on Ctrl-C."""
    given = {"rooms": rooms, "ports": ports, "data_dir": data_dir}
    settings = load(PlatformSettings, **{key: of for key, of in given.items() if of is not None})
    report = _JsonReport() if as_json else _Report()
    with reported():
        asyncio.run(_run(settings, report))


async def _run(settings: PlatformSettings, report: _Report) -> None:
    """Run until told to stop. A second Ctrl-C leaves at once: the kernel ends the processes."""
    stopping = asyncio.Event()
    starting = asyncio.current_task()

    def stop() -> None:
        if stopping.is_set():
            os._exit(1)
        stopping.set()
        report.stopping()
        if starting is not None:
            starting.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop)
    report.starting(settings)
    try:
        async with Platform(settings, changed=report.changed) as platform:
            starting = None
            report.ready(platform.info())
            await stopping.wait()
    except asyncio.CancelledError:
        if not stopping.is_set():
            raise
    report.stopped()


class _Report:
    """Tells people: one table once all is ready, then a line for what changes."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._status = self._console.status("starting")
        self._is_ready = False

    def starting(self, settings: PlatformSettings) -> None:
        """The start begins."""
        self._print(f"starting the platform; data in {settings.data_dir.absolute()}")
        if self._console.is_terminal:
            self._status.start()

    def changed(self, process: ProcessInfo) -> None:
        """A process has another state."""
        if not self._is_ready:
            self._status.update(f"starting: {process.name} is {process.state}")
        if self._is_ready or process.state is State.RESTARTING:
            pid = f" (pid {process.pid})" if process.pid else ""
            self._print(f"{process.name} is {process.state}{pid}")
        if self._is_ready and process.state is State.RESTARTING and process.last_failure:
            self._print(process.last_failure)

    def ready(self, info: PlatformInfo) -> None:
        """Everything is ready."""
        self._status.stop()
        self._is_ready = True
        if self._console.is_terminal:
            self._console.print(_table(info))
        else:
            for row in [_HEADINGS, *map(_row, info.processes)]:
                self._print(
                    "  ".join(f"{cell:<{width}}" for cell, width in zip(row, _WIDTHS, strict=True))
                )
        if info.page_url:
            self._console.print(f"play at [bold]{info.page_url}[/bold]")
        self._print(
            "Ctrl-C stops it. To play in another terminal: make play, or .venv/bin/arena play"
        )

    def stopping(self) -> None:
        """The stop begins."""
        self._status.stop()
        self._is_ready = False
        self._print("stopping; Ctrl-C once more leaves at once")

    def stopped(self) -> None:
        """Nothing runs any more."""
        self._status.stop()
        self._print("stopped")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)


class _JsonReport(_Report):
    """Tells programs: one JSON object a line."""

    def starting(self, settings: PlatformSettings) -> None:
        self._write("starting", data_dir=str(settings.data_dir.absolute()))

    def changed(self, process: ProcessInfo) -> None:
        self._write("changed", process=process.model_dump(mode="json"))

    def ready(self, info: PlatformInfo) -> None:
        self._write("ready", platform=info.model_dump(mode="json"))

    def stopping(self) -> None:
        self._write("stopping")

    def stopped(self) -> None:
        self._write("stopped")

    def _write(self, event: str, **fields: Any) -> None:
        sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
        sys.stdout.flush()


_HEADINGS = ("name", "address", "metrics", "pid", "state", "log")
_WIDTHS = (12, 15, 30, 7, 9, 0)


def _row(process: ProcessInfo) -> tuple[str, ...]:
    pid = "" if process.pid is None else str(process.pid)
    log = os.path.relpath(process.log)
    return (process.name, process.address, process.metrics, pid, process.state.value, log)


def _table(info: PlatformInfo) -> Table:
    table = Table(*_HEADINGS, title="Arena")
    for process in info.processes:
        table.add_row(*_row(process))
    return table
