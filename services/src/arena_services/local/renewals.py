"""Tells a server of renewed certificates that reads its files only when it starts, and on SIGHUP: NATS."""

from __future__ import annotations

import os
import signal
import time

from arena_services.common.lifeline import die_with_parent
from arena_services.common.tls import Tls

_LOOK_SECONDS = 2.0


def tell_of(tls: Tls) -> None:
    """From now on send SIGHUP to this process, whatever it becomes, each time that its certificate was renewed.

    Forks a process that does so and ends with this one; to be called while there is one thread. Raises OSError.
    """
    known, server = tls.version(), os.getpid()
    if os.fork() == 0:
        die_with_parent(server)
        _watch(tls, known, server)


def _watch(tls: Tls, known: tuple[int, ...], server: int) -> None:
    while os.getppid() == server:
        time.sleep(_LOOK_SECONDS)
        try:
            version = tls.version()
        except OSError:
            continue  # in the middle of being renewed
        if version != known:
            known = version
            os.kill(server, signal.SIGHUP)
    os._exit(0)
