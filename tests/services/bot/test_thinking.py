"""Making decisions, for every registered game: inline, and in workers that really are processes."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from multiprocessing.process import BaseProcess

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from arena_engine.game import State
from arena_services.bot.thinking import Question, Thinker, decide
from arena_services.common import games
from arena_services.common.games import HostedGame
from tests.services.bot.positions import assert_legal, first_position, seen_by
from tests.waiting import eventually, is_running


def _question(hosted: HostedGame, state: State, seed: int = 1) -> Question:
    seat = state.awaited()[0].seat
    common, own = seen_by(hosted, state, seat)
    return Question(
        game=hosted.game.name,
        seat=seat,
        common=common.SerializeToString(),
        own=own.SerializeToString(),
        seed=seed,
    )


def _workers(thinker: Thinker) -> list[BaseProcess]:
    assert thinker._pool is not None
    return list(thinker._pool._processes.values())


@pytest.fixture(params=[hosted.game.name for hosted in games.hosted()])
def hosted(request: pytest.FixtureRequest) -> HostedGame:
    return games.find(request.param)


@pytest.fixture
async def thinker() -> AsyncIterator[Thinker]:
    thinker = Thinker(workers=1, inline_seconds=0.0)
    yield thinker
    await thinker.close()


def test_a_decision_is_legal_and_follows_from_its_seed(hosted: HostedGame) -> None:
    state = first_position(hosted)
    packed, seconds = decide(_question(hosted, state))
    assert_legal(hosted, state, state.awaited()[0].seat, AnyMessage.FromString(packed))
    assert seconds > 0
    assert decide(_question(hosted, state))[0] == packed


async def test_slow_decisions_move_to_a_worker_that_agrees_and_ends_with_the_thinker(
    hosted: HostedGame, thinker: Thinker
) -> None:
    state = first_position(hosted)
    question = _question(hosted, state)
    inline = await thinker.decide(question)
    await thinker.decide(question)
    had_workers = thinker.has_workers
    in_worker = await thinker.decide(question)
    assert (had_workers, thinker.has_workers) == (False, True)
    assert_legal(hosted, state, state.awaited()[0].seat, in_worker)
    assert in_worker == inline
    (worker,) = _workers(thinker)
    await thinker.close()
    assert not worker.is_alive()


async def test_quick_decisions_start_no_worker(hosted: HostedGame) -> None:
    thinker = Thinker(workers=1, inline_seconds=60.0)
    for seed in range(3):
        await thinker.decide(_question(hosted, first_position(hosted), seed))
    assert not thinker.has_workers


async def test_a_killed_worker_is_replaced(hosted: HostedGame, thinker: Thinker) -> None:
    question = _question(hosted, first_position(hosted))
    for _ in range(3):
        await thinker.decide(question)
    (worker,) = _workers(thinker)
    worker.kill()
    worker.join()
    assert (await thinker.decide(question)).value


_ORPHANING = """
import os, signal
from arena_services.bot.thinking import _new_pool
print(_new_pool(1).submit(os.getpid).result(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_a_worker_does_not_outlive_a_service_that_was_killed() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _ORPHANING, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL
    await eventually(lambda: not is_running(int(said)))


async def test_what_a_game_raises_reaches_the_caller(thinker: Thinker) -> None:
    with pytest.raises(Exception, match="no game 'chess'"):
        await thinker.decide(Question("chess", 0, b"", b"", 1))
