from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from arena_services.local.errors import ProcessFailedError
from arena_services.local.info import State
from arena_services.local.supervisor import Supervised
from tests.services.local.fakes import fake_spec
from tests.waiting import eventually

Keep = Callable[..., Awaitable[tuple[Supervised, list[State]]]]


@pytest_asyncio.fixture
async def keep(tmp_path: Path) -> AsyncIterator[Keep]:
    """Starts a supervised fake process; gives it and the list of states that it went through."""
    async with AsyncExitStack() as stack:

        async def start(*arguments: str) -> tuple[Supervised, list[State]]:
            states: list[State] = []
            kept = Supervised(
                fake_spec(tmp_path, *arguments), lambda changed: states.append(changed.state)
            )
            stack.push_async_callback(kept.stop, 10)
            kept.start()
            return kept, states

        yield start


async def test_killed_process_is_started_anew_and_says_why(keep: Keep) -> None:
    kept, states = await keep()
    await kept.wait_ready(10)
    first = kept.pid
    await kept.kill()
    await kept.wait_ready(10)
    assert kept.pid not in (None, first)
    assert kept.restarts == 1
    assert "was ended by SIGKILL" in str(kept.last_failure)
    assert states[:2] == [State.STARTING, State.READY]
    assert states[-3:] == [State.RESTARTING, State.STARTING, State.READY]


async def test_process_that_was_ready_each_time_is_never_given_up(keep: Keep) -> None:
    kept, _ = await keep()
    await kept.wait_ready(10)
    for _ in range(4):
        await kept.kill()
        await kept.wait_ready(20)
    assert kept.restarts == 4


async def test_stopped_process_stays_stopped_until_started(keep: Keep) -> None:
    kept, _ = await keep()
    await kept.wait_ready(10)
    await kept.stop(10)
    assert (kept.state, kept.pid) == (State.STOPPED, None)
    kept.start()
    await kept.wait_ready(10)
    assert kept.restarts == 0


async def test_hanging_process_is_not_ready_and_can_be_stopped(keep: Keep) -> None:
    kept, _ = await keep()
    await kept.wait_ready(10)
    kept.send(signal.SIGSTOP)
    await eventually(lambda: kept.state is State.NOT_READY)
    kept.send(signal.SIGCONT)
    await kept.wait_ready(10)
    kept.send(signal.SIGSTOP)
    await kept.stop(10)
    assert kept.state is State.STOPPED


async def test_process_with_unfit_settings_fails_at_once(keep: Keep) -> None:
    kept, _ = await keep("exit=2")
    with pytest.raises(ProcessFailedError, match="exit code 2"):
        await kept.wait_ready(10)
    assert kept.restarts == 0


async def test_process_that_keeps_dying_fails_after_three_starts_ever_slower(keep: Keep) -> None:
    kept, states = await keep("exit=1")
    with pytest.raises(ProcessFailedError, match="(?s)exit code 1.*cannot go on"):
        await kept.wait_ready(20)
    assert states == [State.STARTING, State.RESTARTING] * 3
