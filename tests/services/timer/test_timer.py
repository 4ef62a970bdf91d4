"""The timer's core: from headers to calls, with rooms' answers of the test's choosing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from arena_services.common.log.headers import EntryHeaders
from arena_services.timer.calls import Answer, Verdict
from arena_services.timer.schedule import Alarm
from arena_services.timer.timer import Timer, retry_seconds, seconds_left

#: Longer than all tests take: what is parametrized is made before the first of them.
_A_DAY_MS = 86_400_000


def _now_ms() -> int:
    return int(time.time() * 1000)


def _headers(
    sequence: int = 1, decision: int = 1, deadline_ms: int | None = None, result: str = ""
) -> EntryHeaders:
    return EntryHeaders(
        sequence=sequence,
        time_ms=_now_ms(),
        epoch=1,
        append_id="00",
        game="crowns",
        rules_version=1,
        decision=decision,
        deadline_ms=deadline_ms,
        result=result,
    )


class _Rooms:
    """Answers calls from a list, the last one for ever, and notes when they came."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.calls: list[tuple[float, Alarm]] = []

    async def expire(self, alarms: Sequence[Alarm]) -> list[Answer]:
        return [self._answer(alarm) for alarm in alarms]

    def _answer(self, alarm: Alarm) -> Answer:
        self.calls.append((time.monotonic(), alarm))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    async def wait_for(self, calls: int) -> None:
        async with asyncio.timeout(5):
            while len(self.calls) < calls:
                await asyncio.sleep(0.005)


@asynccontextmanager
async def _running(
    expire: Callable[[Sequence[Alarm]], Awaitable[Sequence[Answer]]],
    delay_seconds: float = 0.0,
    calls: int = 8,
) -> AsyncIterator[Timer]:
    timer = Timer(expire, delay_seconds, calls)
    running = asyncio.create_task(timer.run())
    await asyncio.sleep(0)
    try:
        yield timer
    finally:
        assert not running.done(), running
        running.cancel()


_EXPIRED = Answer(Verdict.EXPIRED)


async def test_a_deadline_is_called_on_time_and_once() -> None:
    rooms = _Rooms(_EXPIRED)
    async with _running(rooms.expire) as timer:
        due = time.monotonic() + 0.2
        timer.take("m", _headers(decision=4, deadline_ms=_now_ms() + 200))
        await rooms.wait_for(1)
        called, alarm = rooms.calls[0]
        assert (alarm.match_id, alarm.decision) == ("m", 4)
        assert -0.005 < called - due < 0.5
        await asyncio.sleep(0.1)
        assert len(rooms.calls) == 1


async def test_an_earlier_deadline_overtakes_the_one_waited_for() -> None:
    rooms = _Rooms(_EXPIRED)
    async with _running(rooms.expire) as timer:
        timer.take("slow", _headers(deadline_ms=_now_ms() + 60_000))
        await asyncio.sleep(0.05)
        timer.take("quick", _headers(deadline_ms=_now_ms() + 50))
        await rooms.wait_for(1)
        assert rooms.calls[0][1].match_id == "quick"


@pytest.mark.parametrize(
    "newer",
    [
        _headers(2, result="escape 1,2"),
        _headers(2, decision=0),
        _headers(2, decision=2, deadline_ms=None),
        _headers(2, decision=2, deadline_ms=_now_ms() + _A_DAY_MS),
    ],
    ids=["result", "nothing open", "no clock", "moved on"],
)
async def test_a_match_that_moved_on_is_not_called(newer: EntryHeaders) -> None:
    rooms = _Rooms(_EXPIRED)
    async with _running(rooms.expire) as timer:
        timer.take("m", _headers(1, deadline_ms=_now_ms() + 100))
        timer.take("m", newer)
        await asyncio.sleep(0.3)
        assert rooms.calls == []


async def test_an_overdue_deadline_is_called_at_once() -> None:
    rooms = _Rooms(_EXPIRED)
    async with _running(rooms.expire) as timer:
        timer.take("m", _headers(deadline_ms=_now_ms() - 3000))
        await rooms.wait_for(1)


async def test_an_early_call_is_repeated_after_what_remains() -> None:
    rooms = _Rooms(Answer(Verdict.EARLY, 0.15), _EXPIRED)
    async with _running(rooms.expire) as timer:
        timer.take("m", _headers(deadline_ms=_now_ms()))
        await rooms.wait_for(2)
        assert 0.14 < rooms.calls[1][0] - rooms.calls[0][0] < 0.6


async def test_a_stale_decision_is_dropped() -> None:
    rooms = _Rooms(Answer(Verdict.STALE))
    async with _running(rooms.expire) as timer:
        timer.take("m", _headers(deadline_ms=_now_ms()))
        await rooms.wait_for(1)
        await asyncio.sleep(0.2)
        assert len(rooms.calls) == 1


async def test_a_failed_call_is_retried_until_a_room_takes_it() -> None:
    retried = Answer(Verdict.RETRIED)
    rooms = _Rooms(retried, retried, retried, _EXPIRED)
    async with _running(rooms.expire) as timer:
        timer.take("m", _headers(deadline_ms=_now_ms()))
        await rooms.wait_for(4)
        assert [alarm.attempts for _, alarm in rooms.calls] == [0, 1, 2, 3]


async def test_a_second_replica_waits_its_delay() -> None:
    rooms = _Rooms(_EXPIRED)
    async with _running(rooms.expire, delay_seconds=0.15) as timer:
        start = time.monotonic()
        timer.take("m", _headers(deadline_ms=_now_ms()))
        await rooms.wait_for(1)
        assert rooms.calls[0][0] - start >= 0.14


async def test_no_more_calls_are_under_way_than_allowed() -> None:
    under_way = most = told = 0

    async def slow(alarms: Sequence[Alarm]) -> list[Answer]:
        nonlocal under_way, most, told
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        told += len(alarms)
        return [_EXPIRED] * len(alarms)

    async with _running(slow, calls=3) as timer:
        for number in range(3000):
            timer.take(f"m{number}", _headers(deadline_ms=_now_ms()))
        async with asyncio.timeout(10):
            while told < 3000:
                await asyncio.sleep(0.005)
        assert most == 3
        assert under_way == 0


def test_time_left_follows_whichever_clock_is_ahead() -> None:
    headers = EntryHeaders(
        sequence=1,
        time_ms=100_000,
        epoch=1,
        append_id="00",
        game="crowns",
        rules_version=1,
        decision=1,
        deadline_ms=130_000,
    )
    assert seconds_left(headers, now_ms=110_000) == 20.0
    assert seconds_left(headers, now_ms=40_000) == 30.0  # our clock is behind the owner's
    assert seconds_left(headers, now_ms=131_000) == -1.0


def test_retries_wait_longer_each_time_but_never_long() -> None:
    assert 0.05 <= retry_seconds(0) <= 0.1
    assert 0.4 <= retry_seconds(3) <= 0.8
    assert 1.0 <= retry_seconds(500) <= 2.0
