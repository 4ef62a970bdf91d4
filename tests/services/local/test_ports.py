from __future__ import annotations

import socket
import subprocess
import sys
from subprocess import PIPE

import pytest

from arena_services.local import ports
from arena_services.local.errors import PortsTakenError
from arena_services.local.ports import Port


def test_check_names_port_user_and_setting_of_every_taken_one() -> None:
    free, first, second = ports.find_free(3)
    needed = [
        Port(first, "nats", "ARENA_NATS_PORT"),
        Port(free, "bot", "ARENA_BOT_PORT"),
        Port(second, "room-1", "ARENA_ROOM_PORT"),
    ]
    with (
        socket.create_server((ports.HOST, first)),
        socket.create_server((ports.HOST, second)),
        pytest.raises(PortsTakenError) as caught,
    ):
        ports.check(needed)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"port {first}, needed by nats, is in use")
    assert lines[0].endswith("ARENA_NATS_PORT")
    assert lines[1].startswith(f"port {second}, needed by room-1")
    assert len(lines) == 3
    assert caught.value.exit_code == 2


def test_check_accepts_port_just_left_by_a_connection() -> None:
    (port,) = ports.find_free(1)
    with (
        socket.create_server((ports.HOST, port)) as listener,
        socket.create_connection((ports.HOST, port)) as client,
    ):
        server_side, _ = listener.accept()
        server_side.close()  # closing first: this port lingers in TIME_WAIT
        client.recv(1)
    ports.check([Port(port, "nats", "ARENA_NATS_PORT")])


def test_port_given_to_another_process_is_not_given_again() -> None:
    program = (
        "from arena_services.local import ports\n"
        "print(*ports.find_free(100), flush=True)\n"
        "input()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = {int(port) for port in other.stdout.readline().split()}
        assert len(theirs) == 100
        assert not any(ports._claim(port) for port in theirs)
        other.communicate("\n")
    assert all(ports._claim(port) for port in theirs)


def test_find_free_gives_different_ports() -> None:
    found = ports.find_free(50)
    assert len(set(found)) == 50
    ports.check([Port(port, "any", "ARENA_ANY_PORT") for port in found])
