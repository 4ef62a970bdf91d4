"""The platform as people start it: `arena up`, real services on free ports."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arena_services.local import ports
from arena_services.local.errors import DataFolderInUseError, PortsTakenError
from arena_services.local.info import State, find_running
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.services.local.fakes import eventually, is_running


def _settings(folder: Path, **given: Any) -> PlatformSettings:
    return PlatformSettings(data_dir=folder, **{"ports": "auto", **given})


async def test_platform_is_ready_found_and_restarts_what_dies(tmp_path: Path) -> None:
    async with Platform(_settings(tmp_path)) as platform:
        assert list(platform.processes) == [
            "nats",
            "matchmaking",
            "bot",
            "timer",
            "room-1",
            "room-2",
            "edge",
        ]
        assert {process.state for process in platform.processes.values()} == {State.READY}
        assert find_running(tmp_path) == platform.info()
        with pytest.raises(DataFolderInUseError):
            await Platform(_settings(tmp_path)).__aenter__()

        former = platform.rooms["room-1"].pid
        await platform.kill("room-1")
        await platform.wait_ready("room-1")
        room = platform.rooms["room-1"]
        assert room.pid not in (None, former)
        assert room.restarts == 1

        await platform.restart("nats")
        for name in platform.processes:
            await platform.wait_ready(name)
        pids = [process.pid for process in platform.processes.values()]
    assert all(process.state is State.STOPPED for process in platform.processes.values())
    assert not any(is_running(pid) for pid in pids if pid)
    assert find_running(tmp_path) is None


async def test_ports_in_use_are_named_before_anything_starts(tmp_path: Path) -> None:
    free = ports.find_free(3)
    settings = _settings(tmp_path, ports="fixed", room_port=free[0], nats_port=free[1])
    listener = await asyncio.start_server(lambda *_: None, ports.HOST, free[1])
    async with listener:
        with pytest.raises(
            PortsTakenError, match=f"port {free[1]}, needed by nats.*ARENA_NATS_PORT"
        ):
            await Platform(settings).__aenter__()
    assert not (tmp_path / "logs").exists()


async def test_ctrl_c_stops_everything_in_order(tmp_path: Path) -> None:
    async with _arena_up(tmp_path) as (process, ready):
        process.send_signal(signal.SIGINT)
        output, _ = await process.communicate()
    events = [json.loads(line) for line in output.splitlines()]
    stopped = [event["process"]["service"] for event in events if event["event"] == "changed"]
    assert stopped == ["edge", "bot", "timer", "matchmaking", "room", "room", "nats"]
    assert events[-1] == {"event": "stopped"}
    assert process.returncode == 0
    assert not any(is_running(each["pid"]) for each in ready["processes"])


async def test_killed_outright_leaves_no_process_behind(tmp_path: Path) -> None:
    async with _arena_up(tmp_path) as (process, ready):
        pids = [each["pid"] for each in ready["processes"]]
        assert all(is_running(pid) for pid in pids)
        process.kill()
        await eventually(lambda: not any(is_running(pid) for pid in pids))
    assert find_running(tmp_path) is None


@asynccontextmanager
async def _arena_up(
    folder: Path,
) -> AsyncIterator[tuple[asyncio.subprocess.Process, dict[str, Any]]]:
    """`arena up` once it is ready, and what it says of itself."""
    command = [sys.executable, "-m", "arena_services.cli", "up", "--ports", "auto", "--json"]
    process = await asyncio.create_subprocess_exec(
        *(*command, "--data-dir", str(folder)),
        stdout=asyncio.subprocess.PIPE,
        limit=1024 * 1024,
    )
    assert process.stdout is not None
    try:
        while line := await process.stdout.readline():
            event = json.loads(line)
            if event["event"] == "ready":
                yield process, event["platform"]
                return
        raise AssertionError("ended before it was ready")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
