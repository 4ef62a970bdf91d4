"""Makes decisions: in this process where that is quick, otherwise in workers, which are spawned and never forked."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from arena_services.bot.metrics import DECIDE_SECONDS
from arena_services.common import games, logs
from arena_services.common.lifeline import die_with_parent

#: Weight of the newest decision in the average.
_NEWEST = 0.05

_log = logs.get()


@dataclass(frozen=True)
class Question:
    """What a seat knows when it is to decide, in a form that travels between processes."""

    game: str
    seat: int
    common: bytes
    """The update's `common`, an Any."""
    own: bytes
    """The update's `own`, an Any."""
    seed: int
    """Of the draws that fill in what the seat cannot know."""


def decide(question: Question) -> tuple[bytes, float]:
    """An action, as a serialized Any, and the seconds of computing it took, whatever else the machine did."""
    start = time.thread_time()
    hosted = games.find(question.game)
    common = games.unwrap(AnyMessage.FromString(question.common), hosted.common, "common part")
    own = games.unwrap(AnyMessage.FromString(question.own), hosted.own, "own part")
    rng = random.Random(question.seed)
    state = hosted.game.resample(common, own, question.seat, rng)
    action = state.unpack(hosted.game.choose(state, question.seat, rng))
    packed = games.wrap(hosted.action.encode(action)).SerializeToString()
    return packed, time.thread_time() - start


class Thinker:
    """Makes decisions one after another, or as many at once as there are workers."""

    def __init__(self, workers: int, inline_seconds: float) -> None:
        """`inline_seconds`: a game whose decisions take longer on average is given to the workers."""
        self._workers = workers
        self._inline_seconds = inline_seconds
        self._average: dict[str, float] = {}
        self._inline = asyncio.Lock()
        self._pool: ProcessPoolExecutor | None = None

    @property
    def has_workers(self) -> bool:
        """Whether workers have been started."""
        return self._pool is not None

    async def decide(self, question: Question) -> AnyMessage:
        """An action for a seat. Raises what the game raises."""
        if self._workers and self._average.get(question.game, 0.0) > self._inline_seconds:
            packed, seconds = await self._in_worker(question)
            place = "worker"
        else:
            packed, seconds = await self._here(question)
            place = "inline"
        DECIDE_SECONDS.labels(question.game, place).observe(seconds)
        self._note(question.game, seconds)
        return AnyMessage.FromString(packed)

    async def close(self) -> None:
        """Stop the workers."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)

    def _note(self, game: str, seconds: float) -> None:
        average = self._average.get(game)
        if average is None:
            self._average[game] = 0.0  # the first one loads code and builds tables: it says nothing
        else:
            self._average[game] = average + _NEWEST * (seconds - average)

    async def _here(self, question: Question) -> tuple[bytes, float]:
        async with self._inline:
            await asyncio.sleep(0)  # between two decisions everything else gets its turn
            return decide(question)

    async def _in_worker(self, question: Question) -> tuple[bytes, float]:
        try:
            return await self._ask_pool(question)
        except BrokenProcessPool:
            _log.warning("a bot's worker died; asking a new one")
            return await self._ask_pool(question)

    async def _ask_pool(self, question: Question) -> tuple[bytes, float]:
        pool = self._pool = self._pool or _new_pool(self._workers)
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, decide, question)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise


def _new_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(os.getpid(),),
    )


def _start_worker(parent: int) -> None:
    """A worker neither outlives its service nor stops before it: an interrupt is for the service to handle."""
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
