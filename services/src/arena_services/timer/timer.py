"""Turns the log's headers into calls made on time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from arena_services.common.log.headers import EntryHeaders
from arena_services.common.pauses import growing, spread
from arena_services.timer.calls import Answer, Verdict
from arena_services.timer.metrics import ARMED, LATENESS_SECONDS, VERDICTS
from arena_services.timer.schedule import Alarm, Schedule

#: How many alarms ring before others get a turn on the event loop.
_RING_AT_ONCE = 500
#: How many of them one call tells of.
_CALL_FOR = 100
#: After some rang, others gather for so long: a call costs more than what it tells.
_GATHER_SECONDS = 0.004
_FIRST_RETRY_SECONDS = 0.1
_LONGEST_RETRY_SECONDS = 2.0
#: A room that finds a call early by less than it can say.
_SHORTEST_WAIT_SECONDS = 0.001


def seconds_left(headers: EntryHeaders, now_ms: float) -> float | None:
    """Until a match's clock runs out, as of its headers; None while no clock runs. Negative once it has.

    Deadline and time of an entry are on its owner's clock. Ours may be behind that: then the entry's own time is the
    better base. Ours may be ahead: then the call comes early and the owner says how much is left.
    """
    if headers.result or headers.deadline_ms is None or not headers.decision:
        return None
    return (headers.deadline_ms - max(now_ms, headers.time_ms)) / 1000


def retry_seconds(attempts: int) -> float:
    """Pause before another try, spread so that many do not come at once."""
    return spread(growing(_FIRST_RETRY_SECONDS, _LONGEST_RETRY_SECONDS, attempts))


class Timer:
    """Watches the clocks of all matches."""

    def __init__(
        self,
        expire: Callable[[Sequence[Alarm]], Awaitable[Sequence[Answer]]],
        delay_seconds: float,
        calls: int,
    ) -> None:
        """`calls`: how many calls of `expire`, each for up to a hundred alarms, may be under way at once."""
        self._expire = expire
        self._delay = delay_seconds
        self._calls = calls
        self._schedule = Schedule()
        self._rung: asyncio.Queue[list[Alarm]] = asyncio.Queue()
        self._looked_for: float | None = None
        self._earlier = asyncio.Event()
        ARMED.set_function(lambda: len(self._schedule))

    def take(self, match_id: str, headers: EntryHeaders) -> None:
        """Follow a match to where its newest entry left it."""
        left = seconds_left(headers, time.time() * 1000)
        if left is None:
            self._schedule.disarm(match_id)
        else:
            due = time.monotonic() + left + self._delay
            self._schedule.arm(match_id, headers.decision, due, headers.traceparent)
            self._wake()

    async def run(self) -> None:
        """Ring and call for ever."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._ring(), name="ring")
            for number in range(self._calls):
                tasks.create_task(self._call(), name=f"call-{number}")

    async def _ring(self) -> None:
        """Hand out alarms as they come due."""
        while True:
            self._earlier.clear()
            rung = self._schedule.pop_due(time.monotonic(), _RING_AT_ONCE)
            for first in range(0, len(rung), _CALL_FOR):
                self._rung.put_nowait(rung[first : first + _CALL_FOR])
            await asyncio.sleep(_GATHER_SECONDS if rung else 0)
            self._looked_for = self._schedule.next_due()
            await self._wait_until(self._looked_for)

    async def _wait_until(self, due: float | None) -> None:
        """Wait for a time, or until something is due earlier."""
        delay = None if due is None else max(0.0, due - time.monotonic())
        try:
            async with asyncio.timeout(delay):
                await self._earlier.wait()
        except TimeoutError:
            pass

    async def _call(self) -> None:
        """Make one call after another."""
        while True:
            alarms = [each for each in await self._rung.get() if self._schedule.is_current(each)]
            if not alarms:
                continue
            now = time.monotonic()
            for alarm in alarms:
                LATENESS_SECONDS.observe(now - alarm.due)
            answers = await self._expire(alarms)
            for alarm, answer in zip(alarms, answers, strict=True):
                VERDICTS.labels(answer.verdict.value).inc()
                self._conclude(alarm, answer)

    def _conclude(self, alarm: Alarm, answer: Answer) -> None:
        match answer.verdict:
            case Verdict.EARLY:
                wait = max(answer.remaining_seconds, _SHORTEST_WAIT_SECONDS) + self._delay
                self._schedule.ring_again(alarm, time.monotonic() + wait, is_failure=False)
            case Verdict.RETRIED:
                wait = retry_seconds(alarm.attempts)
                self._schedule.ring_again(alarm, time.monotonic() + wait, is_failure=True)
            case _:
                self._schedule.settle(alarm)
        self._wake()

    def _wake(self) -> None:
        """Look again if something has become due earlier than what is waited for."""
        due = self._schedule.next_due()
        if due is not None and (self._looked_for is None or due < self._looked_for):
            self._earlier.set()
