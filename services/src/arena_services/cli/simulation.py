"""Many matches in the engine alone, over all processors: what `arena simulate` counts. Knows no game.

Match number i of a seed is the same match whatever the number of workers, so the same command gives the same counts.
"""

from __future__ import annotations

import itertools
import math
import os
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from multiprocessing import get_context
from random import Random
from typing import Any

from arena_engine.game import Game, PackedAction, State
from arena_services.common import games

#: 95 % of a normal distribution lie within so many standard deviations.
_Z = 1.959964
#: Matches handed to a worker at once: few enough for smooth progress, enough to be worth a message.
_MATCHES_AT_ONCE = 4
#: Tasks kept waiting for each worker.
_TASKS_AHEAD = 3


class Policy(StrEnum):
    """Who plays the seats."""

    RANDOM = "random"
    """Any legal action, each as likely."""
    BOT = "bot"
    """The engine's yardstick player."""


@dataclass(frozen=True)
class Setting:
    """What is simulated."""

    game: str
    players: int
    options: Any
    """The game's options dataclass."""
    policy: Policy
    seed: int


@dataclass(frozen=True)
class Figures:
    """One match."""

    actions: int
    how: str
    winner: int | None
    game: dict[str, int]
    """The game's own statistics, by dotted name."""


@dataclass
class Spread:
    """How often each value of a figure occurred."""

    counts: Counter[int] = field(default_factory=Counter)

    def summary(self) -> dict[str, float]:
        """Mean, and the values at the ends and the middle."""
        values = sorted(self.counts.elements())
        mean = sum(values) / len(values)
        middle = values[len(values) // 2]
        return {"mean": mean, "min": values[0], "median": middle, "max": values[-1]}


@dataclass
class Tally:
    """Matches, added up."""

    players: int
    endings: Counter[str]
    actions: Spread = field(default_factory=Spread)
    wins: Counter[int] = field(default_factory=Counter)
    game: dict[str, Spread] = field(default_factory=dict)
    matches: int = 0

    def add(self, figures: Figures) -> None:
        """Count one match in."""
        self.matches += 1
        self.endings[figures.how] += 1
        self.actions.counts[figures.actions] += 1
        if figures.winner is not None:
            self.wins[figures.winner] += 1
        for name, value in figures.game.items():
            self.game.setdefault(name, Spread()).counts[value] += 1

    def seats(self) -> list[dict[str, float]]:
        """For each seat: matches won, their share, and the share's 95 % interval."""
        result: list[dict[str, float]] = []
        for seat in range(self.players):
            wins = self.wins[seat]
            low, high = wilson(wins, self.matches)
            share = wins / self.matches
            result.append({"seat": seat, "wins": wins, "share": share, "low": low, "high": high})
        return result


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share after so many trials (Wilson score).

    >>> [round(bound, 3) for bound in wilson(50, 100)]
    [0.404, 0.596]
    """
    share = successes / trials
    weight = 1 + _Z * _Z / trials
    middle = (share + _Z * _Z / (2 * trials)) / weight
    half = _Z / weight * math.sqrt(share * (1 - share) / trials + (_Z / (2 * trials)) ** 2)
    return max(0.0, middle - half), min(1.0, middle + half)


def play_match(setting: Setting, number: int) -> Figures:
    """Play match `number` of a setting to its end."""
    game = games.find(setting.game).game
    key = f"{setting.seed}/{number}".encode()
    secret = blake2b(key, digest_size=32, person=b"arena-simulate").digest()
    rng = Random(secret)
    statistics = game.statistics()
    state, events = game.new(setting.options, [True] * setting.players, secret, 0)
    statistics.observe(events, state)
    actions = 0
    while (outcome := state.outcome()) is None:
        seat = _next_seat(state, rng)
        action = _choose(game, state, seat, setting.policy, rng)
        statistics.observe(state.apply(seat, action, 0), state)
        actions += 1
    return Figures(actions, outcome.how, outcome.winner, statistics.figures())


def _next_seat(state: State, rng: Random) -> int:
    """Who decides next: of several who are awaited any, as in life nobody is always quicker."""
    awaited = state.awaited()
    return awaited[0].seat if len(awaited) == 1 else rng.choice(awaited).seat


def _choose(game: Game, state: State, seat: int, policy: Policy, rng: Random) -> PackedAction:
    if policy is Policy.BOT:
        return game.choose(state, seat, rng)
    return rng.choice(list(state.legal_actions(seat)))


def simulate(setting: Setting, matches: int, workers: int | None = None) -> Iterator[Figures]:
    """Play matches 0 to `matches` - 1 in spawned workers, in whatever order they end."""
    count = workers or len(os.sched_getaffinity(0))
    chunks = iter(_chunks(matches))
    pool = ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),  # Ctrl-C is the parent's to hear
    )
    try:
        running = {
            pool.submit(_play_chunk, setting, chunk)
            for chunk in itertools.islice(chunks, count * _TASKS_AHEAD)
        }
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for chunk in itertools.islice(chunks, len(done)):
                running.add(pool.submit(_play_chunk, setting, chunk))
            for task in done:
                yield from task.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _chunks(matches: int) -> Iterator[range]:
    for start in range(0, matches, _MATCHES_AT_ONCE):
        yield range(start, min(start + _MATCHES_AT_ONCE, matches))


def _play_chunk(setting: Setting, numbers: range) -> list[Figures]:
    return [play_match(setting, number) for number in numbers]
