"""Ports on this machine: are they free, and which are."""

from __future__ import annotations

import random
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from arena_services.local.errors import PortsTakenError

HOST = "127.0.0.1"

# Below the range from which the kernel takes ports of outgoing connections, so that none slips in between.
_LOWEST_FREE = 20_000
_HIGHEST_FREE = 32_000


class Port(NamedTuple):
    """A port, what needs it, and the setting that moves it."""

    number: int
    who: str
    setting: str


def check(ports: Sequence[Port]) -> None:
    """Raise `PortsTakenError` naming every port that cannot be listened on."""
    taken = [port for port in ports if not _is_free(port.number)]
    if taken:
        raise PortsTakenError(taken)


def find_free(count: int) -> list[int]:
    """As many different ports as asked for that are free now."""
    found: list[int] = []
    with ExitStack() as held:
        while len(found) < count:
            candidate = random.randint(_LOWEST_FREE, _HIGHEST_FREE)
            listener = held.enter_context(socket.socket())
            try:
                listener.bind((HOST, candidate))
            except OSError:
                continue
            found.append(candidate)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        # Connections of a former run that linger must not count.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError:
            return False
        return True
