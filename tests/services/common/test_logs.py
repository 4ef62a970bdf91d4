"""What a service writes to standard error: one JSON object a line off a terminal, whoever logs."""

from __future__ import annotations

import json
import subprocess
import sys

COMPLAINTS = """
import asyncio, logging, threading
from arena_services.common import logs, metrics

logs.set_up("room", "room-1", "auto", "info")
logs.get().info("ready", address="here")
try:
    raise ValueError("two\\nlines")
except ValueError:
    logging.getLogger("some.library").exception("it failed")
logging.getLogger("some.library").info("chatter")

async def fail():
    raise KeyError("nobody waits")

async def main():
    asyncio.create_task(fail(), name="forgotten")
    await asyncio.sleep(0)
    await asyncio.sleep(0)

asyncio.run(main())
"""

HUNG_UP = """
import socket, struct, threading
from arena_services.common import logs, metrics

logs.set_up("room", "room-1", "auto", "info")
with metrics.serve("127.0.0.1:0", lambda: True) as address:
    host, port = address.split(":")
    for _ in range(5):
        caller = socket.create_connection((host, int(port)))
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        caller.sendall(b"GET /metrics HTTP/1.0\\r\\n\\r\\n")
        caller.close()
    socket.create_connection((host, int(port))).close()
    while any("process_request" in thread.name for thread in threading.enumerate()):
        pass
"""


def written_by(program: str) -> str:
    done = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, text=True, check=True, timeout=30
    )
    return done.stderr


def test_libraries_log_one_json_object_a_line_too() -> None:
    lines = [json.loads(line) for line in written_by(COMPLAINTS).splitlines()]

    assert [line["event"] for line in lines[:2]] == ["ready", "it failed"]
    assert lines[2]["event"].startswith("Task exception was never retrieved")
    assert "two\nlines" in lines[1]["exception"]
    assert "nobody waits" in lines[2]["exception"]
    assert {line["service"] for line in lines} == {"room"}
    assert [line["level"] for line in lines] == ["info", "error", "error"]


def test_a_probe_that_hangs_up_is_not_worth_a_line() -> None:
    assert written_by(HUNG_UP) == ""
