from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time

from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ARENA, ROOT, arena, environment


def test_a_whole_match_is_played_through_pipes(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "play", "crowns", "--players", "2", lines="1\nauto\n")
    assert done.exit_code == 0, done.err
    assert "Your move:" in done.out
    assert "wins:" in done.out
    assert "1. " in done.out


def test_what_makes_no_sense_is_answered_and_harms_nothing(platform: RunningPlatform) -> None:
    odd = [
        "frobnicate",
        "moves zzz",
        "why",
        "why 999-1 K",
        "0",
        "99999999",
        "card 99",
        "\x00\ud7ff",
        "log x",
    ]
    lines = "\n".join([*odd, "quit", "yes"]) + "\n"
    done = arena(platform.data_dir, "play", "--players", "2", lines=lines)
    assert done.exit_code == 0, done.err
    assert "Traceback" not in done.err
    assert "is no action" in done.out
    assert "A bot plays on in your place." in done.out


def test_an_illegal_move_is_refused_with_its_rule(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "play", "--players", "2", lines="0-1 K\nresign\nyes\n")
    assert "Not legal:" in done.out
    assert "are you sure?" in done.out
    assert done.exit_code == 0, done.err
    assert "wins: last king." in done.out


def test_the_end_of_the_input_leaves_the_seat_to_a_bot(platform: RunningPlatform) -> None:
    done = arena(platform.data_dir, "play", "--players", "2", lines="")
    assert done.exit_code == 0, done.err
    assert "A bot plays on in your place." in done.out


def test_a_seat_that_was_left_is_taken_back(platform: RunningPlatform) -> None:
    lines = "leave\nyes\nback\nquit\nyes\n"
    done = arena(platform.data_dir, "play", "--players", "6", lines=lines)
    assert done.exit_code == 0, done.err
    assert "You play your seat again." in done.out


def test_on_a_terminal_ctrl_c_leaves_the_seat_to_a_bot(platform: RunningPlatform) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [ARENA, "play", "--players", "2"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=environment(platform.data_dir),
        start_new_session=True,
    )
    os.close(slave)
    shown = _read_until(master, "your move>")
    os.write(master, b"moves K\n")
    shown += _read_until(master, "King")
    process.send_signal(signal.SIGINT)
    shown += _read_until(master, "in your place")
    assert process.wait(timeout=10) == 130
    os.close(master)
    assert "Traceback" not in shown


def _read_until(master: int, text: str, seconds: float = 30.0) -> str:
    """What a terminal was sent, until it shows `text`."""
    shown, deadline = "", time.monotonic() + seconds
    while text not in shown:
        ready, _, _ = select.select([master], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, shown
        shown += os.read(master, 65_536).decode(errors="replace")
    return shown
