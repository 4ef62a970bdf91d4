"""One run: a platform, a crowd, a schedule; then the checks."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.log.v1.entry_pb2 import Entry
from arena_services.common.clock import now_ms
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import stored_partitions
from arena_services.common.nats import connected
from arena_services.local.errors import LocalError
from tests.chaos import schedule
from tests.chaos.checks import check_match
from tests.chaos.crowd import Crowd
from tests.chaos.figures import Tally
from tests.chaos.report import Report
from tests.chaos.schedule import Fault
from tests.chaos.stage import Layout, Stage, open_stage
from tests.witness.logs import note_goals, read_logs, wait_for_viewers
from tests.witness.problems import Problem, Wrong
from tests.witness.record import Fate, MatchRecord

#: Once nothing is hurt any more every match has to move on, or end, within this time.
_CALM_SECONDS = 20.0
#: For requests under way to be answered, and for all viewers to see the end.
_REST_SECONDS = 20.0
_CONNECT_SECONDS = 20.0


@dataclass(frozen=True)
class Plan:
    """What is to be done."""

    seed: int
    minutes: float
    matches: int
    """How many go on at once."""
    think_seconds: float
    layout: Layout
    folder: Path
    """Where logs and reports go."""
    only: tuple[schedule.Kind, ...] = tuple(schedule.Kind)
    """The ways to hurt something."""


async def run(plan: Plan) -> Report:
    """Do it all. Raises `LocalError` where the platform does not start."""
    seconds = 60 * plan.minutes
    faults = schedule.draw(
        plan.seed, seconds, plan.layout.room_names, plan.layout.nats_names, plan.only
    )
    _say(f"starting {plan.layout.rooms} rooms, {plan.layout.nats} NATS servers, timer, bot")
    async with open_stage(plan.layout, plan.folder, plan.seed) as stage:
        _say(
            f"{plan.matches} matches at once for {seconds:g} s, {len(faults)} faults, seed {plan.seed}"
        )
        async with Crowd(
            stage.room_addresses, plan.matches, plan.think_seconds, plan.seed
        ) as crowd:
            troubles = await _hurt_all(stage, faults, seconds)
            calm_ms = now_ms()
            _say("calm: every match has to go on now")
            crowd.finish()
            await asyncio.sleep(_CALM_SECONDS)
            await crowd.stop(_REST_SECONDS)
            async with _log_reader(stage) as reader:
                await note_goals(reader, crowd.records)
            await wait_for_viewers(crowd.records, _REST_SECONDS)
        # Only now, for bots and clocks go on: whatever was shown is in the log by now, or never.
        async with _log_reader(stage) as reader:
            _say(f"reading {len(crowd.records)} logs")
            logs = await read_logs(reader, crowd.records)
        troubles += crowd.troubles + stage.own_ends()
        return _judge(plan, stage, crowd.records, logs, calm_ms, troubles)


@asynccontextmanager
async def _log_reader(stage: Stage) -> AsyncIterator[LogReader]:
    async with connected(stage.nats_url, "chaos", _CONNECT_SECONDS) as nats:
        yield LogReader(nats, await stored_partitions(nats.jetstream()) or 1)


async def _hurt_all(stage: Stage, faults: Sequence[Fault], seconds: float) -> list[str]:
    """Carry the schedule out; returns what went wrong with it.

    A part that takes longer to come back than was planned, on a busy machine, is hurt again that much later, and not
    any more once the time is over.
    """
    start = time.monotonic()
    troubles: list[str] = []

    async def one(fault: Fault) -> None:
        at_seconds = time.monotonic() - start
        _say(f"{at_seconds:6.1f} s  {fault.number:3}  {fault.kind}: {fault.target}")
        try:
            await stage.hurt(fault)
        except LocalError as error:
            troubles.append(f"after fault {fault.number}, {fault.kind}: {error}")

    async def all_of(part: str) -> None:
        free_at = start
        for fault in faults:
            at = max(start + fault.at_seconds, free_at)
            if fault.part == part and at + fault.for_seconds <= start + seconds:
                await asyncio.sleep(at - time.monotonic())
                await one(fault)
                free_at = time.monotonic() + fault.rest_seconds

    async with asyncio.TaskGroup() as tasks:
        for part in dict.fromkeys(fault.part for fault in faults):
            tasks.create_task(all_of(part), name=f"faults-{part}")
    await asyncio.sleep(max(0.0, start + seconds - time.monotonic()))
    return troubles


def _judge(
    plan: Plan,
    stage: Stage,
    records: Sequence[MatchRecord],
    logs: dict[str, Sequence[Entry]],
    calm_ms: int,
    troubles: Sequence[str],
) -> Report:
    """Hold everything against the logs."""
    _say("checking")
    problems = [Problem(Wrong.TROUBLE, "", trouble) for trouble in troubles]
    tally = Tally(stage.hurts)
    for record in records:
        entries = logs[record.match_id]
        if not entries:
            problems.append(Problem(Wrong.LOST, record.match_id, "made, and not in the log"))
            continue
        problems += check_match(record, entries, stage.hurts, calm_ms)
        tally.add(record, entries)
    wishes = [wish for record in records for wish in record.wishes]
    return Report(
        seed=plan.seed,
        minutes=plan.minutes,
        layout=plan.layout,
        counts={
            "matches": len(records),
            "entries": sum(map(len, logs.values())),
            "takeovers": sum(each.HasField("claimed") for log in logs.values() for each in log),
            "expired decisions": sum(
                each.HasField("expired") for log in logs.values() for each in log
            ),
            "acknowledged requests": sum(wish.fate is Fate.DONE for wish in wishes),
            "unanswered requests": sum(wish.fate is Fate.OPEN for wish in wishes),
            "updates shown": sum(len(v.shown) for record in records for v in record.viewers),
        },
        refusals=dict(Counter(wish.reason for wish in wishes if wish.fate is Fate.REFUSED)),
        hurts=stage.hurts,
        waits=dict(tally.waits),
        problems=problems,
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
