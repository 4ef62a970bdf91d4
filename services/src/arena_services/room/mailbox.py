"""What waits for one match."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


class Mailbox(Generic[_Item]):
    """A bounded queue for one reader. `asyncio.Queue` would take three kilobytes of each match, empty."""

    __slots__ = (
        "_most",
        "_reader",
        "_waiting",
    )

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[_Item] = []
        self._reader: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, item: _Item) -> bool:
        """Add an item; False, and nothing added, where it is full."""
        if len(self._waiting) >= self._most:
            return False
        self._waiting.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        return True

    async def take(self) -> _Item:
        """The item that has waited longest."""
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._waiting.pop(0)

    def empty(self) -> list[_Item]:
        """Take all that wait."""
        waiting, self._waiting = self._waiting, []
        return waiting
