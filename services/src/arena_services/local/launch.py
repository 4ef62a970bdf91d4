"""Runs a command that ends when its parent does: `python -m arena_services.local.launch PARENT_PID COMMAND...`.

A step of its own, since code between fork and exec is not safe in a parent that has threads, as gRPC's have.
"""

from __future__ import annotations

import os
import sys

from arena_services.common.lifeline import die_with_parent


def main() -> None:
    """Become the command."""
    parent, *command = sys.argv[1:]
    die_with_parent(int(parent))
    os.execvp(command[0], command)  # noqa: S606 - becoming the command is the point


if __name__ == "__main__":
    main()
