"""The platform as a program starts it: real services on free ports."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_services.local.errors import DataFolderInUseError
from arena_services.local.info import State, find_running
from arena_services.local.platform import Platform
from arena_services.local.settings import PlatformSettings
from tests.waiting import is_running


async def test_platform_is_ready_found_and_restarts_what_dies(tmp_path: Path) -> None:
    settings = PlatformSettings(data_dir=tmp_path, ports="auto", rooms=2)
    async with Platform(settings) as platform:
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
            await Platform(settings).__aenter__()

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
