"""Runs the `arena` program as people do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_services.local.info import State
from tests.waiting import is_running

ROOT = Path(__file__).parents[2]
ARENA = Path(sys.executable).with_name("arena")

_PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Ended:
    """A program that has ended."""

    exit_code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.exit_code == 0, self.err
        answer: dict[str, Any] = json.loads(self.out)
        return answer


@dataclass
class Running:
    """A program that runs, and what it said on standard error so far."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def read_ready(self) -> dict[str, Any]:
        """What `arena up --json` says of itself once it is ready."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "ready":
                return dict(event["platform"])
        raise AssertionError("ended before it was ready")

    def read_changed(self, name: str, state: State) -> dict[str, Any]:
        """What `arena up --json` says of a process that has come to a state."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            process = json.loads(line).get("process", {})
            if (process.get("name"), process.get("state")) == (name, state.value):
                return dict(process)
        raise AssertionError(f"{name} was never {state}")

    def read_error_line(self) -> str:
        """The next line on standard error. Fails where there is none."""
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert line, "".join(self.lines)
        self.lines.append(line)
        return line

    def read_until(self, text: str) -> str:
        """The next line on standard error that holds `text`."""
        while text not in (line := self.read_error_line()):
            pass
        return line

    def end(self) -> Ended:
        """Wait for its end."""
        out, err = self.process.communicate(timeout=_PATIENCE_SECONDS)
        return Ended(self.process.returncode, out, "".join(self.lines) + err)


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """This process's environment without `ARENA_*`, and with these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return {**kept, "ARENA_DATA_DIR": str(data_dir), "NO_COLOR": "1", "COLUMNS": "160", **settings}


def arena(data_dir: Path, *arguments: str, lines: str = "", **settings: str) -> Ended:
    """Run `arena` to its end with `lines` on its standard input."""
    done = subprocess.run(
        [ARENA, *arguments],
        input=lines,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        cwd=ROOT,
        env=environment(data_dir, **settings),
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@contextmanager
def started(data_dir: Path, *arguments: str, **settings: str) -> Iterator[Running]:
    """`arena` while it runs; ended at the latest with the block."""
    process = subprocess.Popen(
        [ARENA, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(data_dir, **settings),
    )
    try:
        yield Running(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=_PATIENCE_SECONDS)


def wait_gone(pids: list[int], seconds: float = 5.0) -> list[int]:
    """Wait for processes to end; returns those that have not."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left
