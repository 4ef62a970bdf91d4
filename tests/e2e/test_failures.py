from __future__ import annotations

import os
import re
import signal

import pytest

from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import Ended, Running, arena, started

_SLOW_DEMO = ("demo", "crowns", "--players", "3", "--pace", "40", "--json")


def _verify(platform: RunningPlatform, done: Ended) -> None:
    """The match came to an end, and its log tells the same."""
    assert done.exit_code == 0, done.err
    result = done.json()
    replayed = arena(platform.data_dir, "replay", result["match_id"], "--verify", "--json")
    assert replayed.exit_code == 0, replayed.err
    assert replayed.json()["state_hash"] == result["state_hash"]


def _owner(demo: Running) -> tuple[str, int]:
    found = re.search(r"owned by (room-\d) \(process (\d+)\)", demo.read_until("owned by"))
    assert found is not None
    return found[1], int(found[2])


def test_match_goes_on_when_its_room_is_killed(platform: RunningPlatform) -> None:
    with started(platform.data_dir, *_SLOW_DEMO) as demo:
        room, pid = _owner(demo)
        for _ in range(8):
            demo.read_until("moves")
        os.kill(pid, signal.SIGKILL)
        taken_over = demo.read_until("owned by")
        assert room not in taken_over
        _verify(platform, demo.end())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_match_goes_on_when_nats_is_restarted(
    platform: RunningPlatform, number: signal.Signals
) -> None:
    with started(platform.data_dir, *_SLOW_DEMO) as demo:
        for _ in range(8):
            demo.read_until("moves")
        os.kill(platform.pid("nats"), number)
        _verify(platform, demo.end())


def test_match_goes_on_when_its_bots_are_killed(platform: RunningPlatform) -> None:
    with started(platform.data_dir, *_SLOW_DEMO) as demo:
        for _ in range(8):
            demo.read_until("moves")
        os.kill(platform.pid("bot"), signal.SIGKILL)
        _verify(platform, demo.end())
