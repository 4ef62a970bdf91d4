"""How many rooms run on this machine, and which go first when there are too many.

Does what a Deployment in a cluster does, as far as the fleet looks: a number is asked for, and refused where it has
changed since it was read; of too many rooms those that are not ready go first, then those with the lowest turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from arena_services.local.errors import RoomsChangedError, UnknownRoomError
from arena_services.local.info import State
from arena_services.local.supervisor import Supervised


class RoomPool:
    """The rooms that a platform may have. `rooms` stay the platform's own, by name; the first so many run."""

    def __init__(self, rooms: Mapping[str, Supervised], floor: int, grace_seconds: float) -> None:
        """`grace_seconds`: how long a room that goes may take to stop."""
        self._rooms = rooms
        self._turns = dict.fromkeys(list(rooms)[:floor], 0)
        self._grace_seconds = grace_seconds
        self._version = 0
        self._ending: dict[str, asyncio.Task[None]] = {}

    @property
    def wanted(self) -> Sequence[str]:
        """Names of the rooms that are to run."""
        return tuple(self._turns)

    def is_shown(self, name: str) -> bool:
        """Whether a room is to run, or runs still."""
        return name in self._turns or self._rooms[name].state is not State.STOPPED

    def look(self) -> dict[str, Any]:
        """What runs, as the fleet's `Sight` is made of it."""
        return {
            "replicas": len(self._turns),
            "standings": {
                name: {"health": [int(self._is_ready(name))], "turn": turn}
                for name, turn in self._turns.items()
            },
            "version": str(self._version),
        }

    def scale(self, version: str, to: int) -> None:
        """Have so many rooms. Raises `RoomsChangedError` where `version` is old, or a room is still being ended."""
        idle = [name for name in self._rooms if name not in self._turns and not self._ends(name)]
        if version != str(self._version) or to - len(self._turns) > len(idle):
            raise RoomsChangedError
        self._version += 1
        for name in idle[: max(0, to - len(self._turns))]:
            self._turns[name] = 0
            self._rooms[name].start()
        for name in sorted(self._turns, key=self._standing)[: max(0, len(self._turns) - to)]:
            self._end(name)

    def mark(self, name: str, turn: int) -> None:
        """Say when it is a room's turn to go. Raises `UnknownRoomError`."""
        if name not in self._turns:
            raise UnknownRoomError(name)
        self._turns[name] = turn

    async def settle(self) -> None:
        """Wait until the rooms that go are gone."""
        await asyncio.gather(*self._ending.values(), return_exceptions=True)

    def _standing(self, name: str) -> tuple[bool, int, str]:
        return self._is_ready(name), self._turns[name], name

    def _is_ready(self, name: str) -> bool:
        return self._rooms[name].state is State.READY

    def _ends(self, name: str) -> bool:
        task = self._ending.get(name)
        return task is not None and not task.done()

    def _end(self, name: str) -> None:
        del self._turns[name]
        stop = self._rooms[name].stop(self._grace_seconds)
        self._ending[name] = asyncio.create_task(stop, name=f"end {name}")
