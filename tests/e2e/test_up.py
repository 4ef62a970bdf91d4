from __future__ import annotations

import json
import signal
import socket
from pathlib import Path
from typing import Any

from arena_services.local.info import find_running
from tests.e2e.program import arena, started, wait_gone
from tests.waiting import is_running

_UP = ("up", "--ports", "auto", "--json")


def _pids(info: dict[str, Any]) -> list[int]:
    return [process["pid"] for process in info["processes"]]


def test_up_stops_on_ctrl_c_in_order_and_leaves_no_process(tmp_path: Path) -> None:
    with started(tmp_path, *_UP) as up:
        pids = _pids(up.read_ready())
        up.process.send_signal(signal.SIGINT)
        done = up.end()
    assert done.exit_code == 0, done.err
    assert not any(is_running(pid) for pid in pids)
    events = [json.loads(line) for line in done.out.splitlines()]
    changes = [event["process"] for event in events if event["event"] == "changed"]
    stopped = [process["service"] for process in changes if process["state"] == "stopped"]
    assert stopped == ["fleet", "edge", "bot", "timer", "matchmaking", "room", "nats"]
    assert events[-1] == {"event": "stopped"}


def test_up_killed_outright_leaves_no_process(tmp_path: Path) -> None:
    with started(tmp_path, *_UP) as up:
        pids = _pids(up.read_ready())
        assert all(is_running(pid) for pid in pids)
        up.process.kill()
        assert wait_gone(pids, seconds=10) == []
    assert find_running(tmp_path) is None


def test_demo_on_a_platform_of_its_own_leaves_no_process(tmp_path: Path) -> None:
    with started(tmp_path, "demo", "--players", "2", "--pace", "200", "--json") as demo:
        demo.read_until("moves")
        pids = _pids(json.loads((tmp_path / "platform.json").read_text()))
        demo.process.send_signal(signal.SIGINT)
        done = demo.end()
        assert done.exit_code == 130, done.err
        assert "Traceback" not in done.err
        assert wait_gone(pids) == []


def test_up_names_the_setting_of_a_port_in_use_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = arena(tmp_path, "up", ARENA_MATCHMAKING_PORT=str(port))
    assert done.exit_code == 2
    assert str(port) in done.err
    assert "ARENA_MATCHMAKING_PORT" in done.err
    assert not (tmp_path / "logs").exists()


def test_replay_without_a_platform_starts_nats_by_itself(tmp_path: Path) -> None:
    result = arena(tmp_path, "demo", "--players", "2", "--json").json()
    done = arena(tmp_path, "replay", result["match_id"], "--verify", "--json")
    assert done.exit_code == 0, done.err
    assert done.json()["state_hash"] == result["state_hash"]


def test_replay_where_nothing_was_ever_stored_says_so(tmp_path: Path) -> None:
    done = arena(tmp_path, "replay", "a" * 26)
    assert done.exit_code == 1
    assert "ARENA_DATA_DIR" in done.err
