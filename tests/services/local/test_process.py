from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from arena_services.local.errors import ProcessFailedError
from arena_services.local.process import Process
from tests.services.local.fakes import fake_spec
from tests.waiting import eventually, is_running, state_of


async def test_process_becomes_ready_and_stops_in_order(tmp_path: Path) -> None:
    process = await Process.start(fake_spec(tmp_path))
    await process.wait_ready(10)
    await process.stop(10)
    assert process.exit_code == 0
    assert process.log_tail() == "hello\nstopping by SIGTERM"


async def test_process_that_does_not_stop_is_killed(tmp_path: Path) -> None:
    process = await Process.start(fake_spec(tmp_path, "stubborn"))
    await process.wait_ready(10)
    await process.stop(0.2)
    assert process.exit_code == -signal.SIGKILL


async def test_process_that_is_paused_stands_still_at_once(tmp_path: Path) -> None:
    process = await Process.start(fake_spec(tmp_path))
    await process.wait_ready(10)
    for _ in range(50):
        process.send(signal.SIGSTOP)
        assert state_of(process.pid) == "T"
        process.send(signal.SIGCONT)
    await process.stop(10)
    assert process.exit_code == 0
    process.send(signal.SIGSTOP)


async def test_process_that_ends_early_fails_with_the_end_of_its_log(tmp_path: Path) -> None:
    process = await Process.start(fake_spec(tmp_path, "exit=3"))
    with pytest.raises(ProcessFailedError, match="(?s)fake ended with exit code 3.*cannot go on"):
        await process.wait_ready(10)


async def test_process_not_ready_in_time_fails(tmp_path: Path) -> None:
    process = await Process.start(fake_spec(tmp_path, "unready"))
    try:
        with pytest.raises(ProcessFailedError, match="was not ready within 0.5 s"):
            await process.wait_ready(0.5)
    finally:
        await process.stop(10)


async def test_log_tail_leaves_out_what_an_earlier_process_wrote(tmp_path: Path) -> None:
    spec = fake_spec(tmp_path, "exit=1")
    await (await Process.start(spec)).wait()
    process = await Process.start(spec)
    await process.wait()
    assert process.log_tail() == "hello\ncannot go on"
    assert spec.log.read_text() == "hello\ncannot go on\n" * 2


async def test_process_dies_with_its_starter_killed_outright(tmp_path: Path) -> None:
    spec = fake_spec(tmp_path)
    program = (
        "import asyncio, pathlib, sys\n"
        "from arena_services.local.process import Process, ProcessSpec\n"
        "async def main():\n"
        "    url, log, *command = sys.argv[1:]\n"
        "    spec = ProcessSpec('fake', tuple(command), url, pathlib.Path(log))\n"
        "    process = await Process.start(spec)\n"
        "    await process.wait_ready(10)\n"
        "    print(process.pid, flush=True)\n"
        "    await process.wait()\n"
        "asyncio.run(main())\n"
    )
    starter = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, spec.ready_url, str(spec.log), *spec.command),
        stdout=asyncio.subprocess.PIPE,
    )
    assert starter.stdout is not None
    pid = int(await starter.stdout.readline())
    assert is_running(pid)
    starter.kill()
    await starter.wait()
    await eventually(lambda: not is_running(pid))
