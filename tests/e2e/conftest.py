"""One platform for all tests that do not break it for good."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena_services.local.info import PlatformInfo, find_running
from tests.e2e.program import started


@dataclass(frozen=True)
class RunningPlatform:
    """A platform that `arena up` holds."""

    data_dir: Path

    def info(self) -> PlatformInfo:
        """What runs where, now."""
        found = find_running(self.data_dir)
        assert found is not None
        return found

    def pid(self, name: str) -> int:
        """The process of a name."""
        pids = {process.name: process.pid for process in self.info().processes}
        found = pids[name]
        assert found is not None
        return found


@pytest.fixture(scope="package")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPlatform]:
    data_dir = tmp_path_factory.mktemp("platform")
    settings = {
        "ARENA_BOT_THINK_MS": "0",
        "ARENA_BOT_WAIT_MS": "0",
        "ARENA_EDGE": "false",
        "ARENA_ROOMS": "2",
    }
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        running.read_ready()
        yield RunningPlatform(data_dir)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole processes start here, by the dozen: on a busy machine that takes its time."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.timeout(180))
