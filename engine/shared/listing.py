"""Packed actions in a buffer that is used again and again: what legal actions are listed in. And vecs of one value."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

#: Room for nearly every list; a longer one makes more.
_ROOM: Final = 512


def filled(count: i64, value: i64) -> vec[i64]:
    """A vec of `count` times `value`."""
    return vec[i64]([value] * count)


class ActionList:
    """Packed actions: the first `count` of `items`."""

    def __init__(self) -> None:
        self.items = filled(_ROOM, 0)
        self.count: i64 = 0

    def clear(self) -> None:
        """Forget all actions."""
        self.count = 0

    def add(self, action: i64) -> None:
        """Append one action."""
        if self.count == len(self.items):
            self.items = append(self.items, action)
        else:
            self.items[self.count] = action
        self.count += 1
