"""Ports on this machine: are they free, and which are."""

from __future__ import annotations

import os
import random
import socket
import sys
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena_services.local.errors import PortsTakenError

HOST = "127.0.0.1"

# Below the range from which the kernel takes ports of outgoing connections, so that none slips in between.
_LOWEST_FREE = 20_000
_HIGHEST_FREE = 32_000

# Open files that hold this process's claims. Old ones are let go: what was to listen there does so by then.
_claims: Final[deque[int]] = deque()
_CLAIMS_KEPT = 128


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
    """As many different ports as asked for that are free now, and given to nobody else who asked here lately."""
    found: list[int] = []
    while len(found) < count:
        candidate = random.randint(_LOWEST_FREE, _HIGHEST_FREE)
        if candidate not in found and _is_free(candidate) and _claim(candidate):
            found.append(candidate)
    return found


def _claim(port: int) -> bool:
    """Claim a port among all processes of this machine; False when another has.

    A service takes seconds from its start until it listens. Until then the claim, a name in Linux's abstract socket
    namespace, which the kernel frees when we end, keeps others that look for a port from taking the same.
    """
    if sys.platform != "linux":
        return True
    with socket.socket(socket.AF_UNIX) as claim:
        try:
            claim.bind(f"\0arena-port-{port}")
        except OSError:
            return False
        _claims.append(claim.detach())
    if len(_claims) > _CLAIMS_KEPT:
        os.close(_claims.popleft())
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        # Connections of a former run that linger must not count.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError:
            return False
        return True
