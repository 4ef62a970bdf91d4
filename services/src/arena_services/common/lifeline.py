"""Ties a process's life to its parent's, so that a parent killed outright leaves nothing running."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent, of process id `parent`, ends. Linux only; elsewhere nothing.

    Survives an exec. A process that a worker pool spawned calls it first thing. Exits at once when `parent` is gone
    already.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)
