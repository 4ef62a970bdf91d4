"""When the rooms of one name could work, as they tell it themselves in their beats.

Whoever takes a match over reads there for how long it could be played since its last entry; all other time is given
back. Only the room itself can tell: others hear no difference between a room that sleeps and a message that is late.

A life is one process, known by the time of its first beat. All times are milliseconds since the Unix epoch by NATS'
clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

#: Of a stretch that has not ended.
_OPEN = 1 << 62
#: With more stretches the shortest interruption is forgotten, so that beats stay short.
MOST_STRETCHES = 64


class Stretch(NamedTuple):
    """A time throughout which a room could work."""

    life_ms: int
    from_ms: int
    until_ms: int


class Lives:
    """The stretches of all processes of one name, the oldest first.

    And what kept those that ended, as `told_kept` writes it: by life and partition of the log, since when.
    """

    def __init__(
        self, stretches: Iterable[Stretch] = (), kept: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        self._stretches = list(stretches)
        self._kept = dict(kept or {})

    def begin(self, life_ms: int) -> None:
        """A process begins to work."""
        self._stretches.append(Stretch(life_ms, life_ms, _OPEN))
        self._shorten()

    def interrupt(self, from_ms: int, until_ms: int) -> None:
        """The process that works now could not do so for a while."""
        if not self._stretches or self._stretches[-1].until_ms != _OPEN:
            return
        life_ms = self._stretches[-1].life_ms
        self._stretches = [
            part
            for stretch in self._stretches
            for part in _without(stretch, life_ms, from_ms, until_ms)
        ]
        self._shorten()

    def worked(self, life_ms: int, since_ms: int, until_ms: int, partition: int) -> int:
        """For how many of the milliseconds between two times a process could work at matches of a partition."""
        until_ms = min(until_ms, self._kept.get((life_ms, partition), until_ms))
        return sum(
            max(0, min(stretch.until_ms, until_ms) - max(stretch.from_ms, since_ms))
            for stretch in self._stretches
            if stretch.life_ms == life_ms
        )

    def told(self, until_ms: int) -> str:
        """As told in a beat; `until_ms`: up to when it is certain that the room works."""
        lives = groupby(self._stretches, lambda stretch: stretch.life_ms)
        return ";".join(f"{life}:{_stretches_text(life, of, until_ms)}" for life, of in lives)

    def told_kept(self, since_ms: Mapping[int, int]) -> str:
        """As told in a beat: which partitions keep the process that works now, and since when; and those before it."""
        lives = {stretch.life_ms for stretch in self._stretches}
        kept = {key: ms for key, ms in self._kept.items() if key[0] in lives}
        if self._stretches:
            life_ms = self._stretches[-1].life_ms
            kept |= {(life_ms, partition): ms for partition, ms in since_ms.items()}
        return ",".join(f"{life}:{partition}:{ms}" for (life, partition), ms in kept.items())

    @classmethod
    def read(cls, text: str, kept: str = "") -> Lives:
        """What `told` and `told_kept` have written. Raises ValueError for anything else."""
        stretches = (stretch for life in text.split(";") if life for stretch in _read_life(life))
        return cls(stretches, dict(_read_kept(each) for each in kept.split(",") if each))

    def _shorten(self) -> None:
        while len(self._stretches) > MOST_STRETCHES:
            pairs = zip(self._stretches, self._stretches[1:], strict=False)
            gaps = [
                (behind.from_ms - before.until_ms, index)
                for index, (before, behind) in enumerate(pairs)
                if before.life_ms == behind.life_ms
            ]
            if not gaps:
                del self._stretches[0]
                continue
            _, index = min(gaps)
            behind = self._stretches.pop(index + 1)
            self._stretches[index] = self._stretches[index]._replace(until_ms=behind.until_ms)


def _without(stretch: Stretch, life_ms: int, from_ms: int, until_ms: int) -> Iterator[Stretch]:
    """What an interruption of a life leaves of a stretch."""
    if stretch.life_ms != life_ms or stretch.until_ms <= from_ms or until_ms <= stretch.from_ms:
        yield stretch
        return
    if stretch.from_ms < from_ms:
        yield stretch._replace(until_ms=from_ms)
    if until_ms < stretch.until_ms:
        yield stretch._replace(from_ms=until_ms)


def _stretches_text(life_ms: int, stretches: Iterable[Stretch], until_ms: int) -> str:
    """Stretches of one life, counted from its begin."""
    ends = (
        (each.from_ms, max(each.from_ms, until_ms) if each.until_ms == _OPEN else each.until_ms)
        for each in stretches
    )
    return ",".join(f"{start - life_ms}-{end - life_ms}" for start, end in ends)


def _read_life(text: str) -> Iterator[Stretch]:
    life, _, stretches = text.partition(":")
    for stretch in stretches.split(","):
        start, _, end = stretch.partition("-")
        yield Stretch(int(life), int(life) + int(start), int(life) + int(end))


def _read_kept(text: str) -> tuple[tuple[int, int], int]:
    life_ms, partition, since_ms = map(int, text.split(":"))
    return (life_ms, partition), since_ms
