"""One run: install, take the steps with guests at play, hold all they were told against the log, uninstall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kubernetes.client.exceptions import ApiException
from urllib3.exceptions import HTTPError

from arena.log.v1.entry_pb2 import Entry
from arena_services.common.clock import now_ms
from tests.cluster.crowd import Crowd
from tests.cluster.errors import StepError
from tests.cluster.helm import Helm
from tests.cluster.kube import Kube
from tests.cluster.stage import Stage
from tests.cluster.steps import FURTHER, STEPS, Run
from tests.witness.checks import check_match
from tests.witness.logs import note_goals, read_logs, wait_for_viewers
from tests.witness.problems import Problem, Wrong
from tests.witness.record import Fate, MatchRecord

#: Once nothing is done to it any more every match has to move on, or end, within this time.
_CALM_SECONDS = 20.0
#: For requests under way to be answered, and for all viewers to see the end.
_REST_SECONDS = 30.0


@dataclass(frozen=True)
class Plan:
    """What is to be done, and with what."""

    namespace: str
    release: str
    image: str
    steps: Sequence[str]
    guests: int
    think_seconds: float
    nats: int
    """Servers of NATS."""
    seed: int
    wait_seconds: float
    """How long anything may take."""
    values: Sequence[Path]
    settings: dict[str, str]
    edge: str
    nats_address: str
    keeps: bool
    """Whether what was installed stays."""


@dataclass
class Taken:
    """A step that was taken."""

    from_ms: int
    """Milliseconds since the Unix epoch; likewise below."""
    until_ms: int = 0
    takeovers: int = 0
    """Matches that went on in another room."""
    longest_pause_ms: int = 0
    """How long one of them stood still."""

    @property
    def seconds(self) -> float:
        """How long it took."""
        return round((self.until_ms - self.from_ms) / 1000, 1)

    def count(self, claims: Sequence[Entry]) -> None:
        """Take note of the takeovers of its time."""
        pauses = [e.given_back_ms for e in claims if self.from_ms <= e.time_ms < self.until_ms]
        self.takeovers, self.longest_pause_ms = len(pauses), max(pauses, default=0)


@dataclass
class Report:
    """What came of it."""

    plan: Plan
    version: str
    """Of the cluster."""
    steps: dict[str, Taken] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    ways: dict[str, str] = field(default_factory=dict)
    """How what was to be reached was reached."""

    def trouble(self, text: str) -> None:
        """Note what belongs to no match."""
        self.problems.append(Problem(Wrong.TROUBLE, "", text))

    def verdict(self) -> str:
        """One line."""
        counts = {wrong: sum(p.wrong is wrong for p in self.problems) for wrong in Wrong}
        always = (Wrong.LOST, Wrong.DOUBLED, Wrong.GAP)
        told = [f"{counts[wrong] or 'zero'} {wrong}" for wrong in always]
        told += [f"{n} {wrong}" for wrong, n in counts.items() if n and wrong not in always]
        return ", ".join(told)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "cluster": self.version,
            "namespace": self.plan.namespace,
            "image": self.plan.image,
            "seed": self.plan.seed,
            "reached_by": self.ways,
            "steps": {
                name: {
                    "seconds": taken.seconds,
                    "takeovers": taken.takeovers,
                    "longest_pause_ms": taken.longest_pause_ms,
                }
                for name, taken in self.steps.items()
            },
            "figures": self.figures,
            "verdict": self.verdict(),
            "problems": [
                {"wrong": each.wrong, "match": each.match_id, "text": each.text}
                for each in self.problems
            ],
        }


class Test:
    """`await Test(...).run()`."""

    def __init__(self, plan: Plan, kube: Kube, helm: Helm, version: str, say: Any) -> None:
        self.report = Report(plan, version)
        self._plan = plan
        self._say = say
        self._stage = Stage(kube, helm, say, plan.wait_seconds, plan.edge, plan.nats_address)

    async def run(self) -> Report:
        """Do it all; whatever was installed is uninstalled, unless it is to be kept."""
        try:
            async with self._installed():
                async with AsyncExitStack() as stack:
                    crowd = await self._crowd(stack)
                    run = Run(self._stage, crowd, self._plan.guests)
                    for name in self._plan.steps:
                        await self._step(name, ({**STEPS, **FURTHER}[name])(run))
                    await self._step("check", self._check(crowd))
                    self.report.figures |= run.figures
                if not self._plan.keeps:
                    await self._step("uninstall", self._uninstall())
        except StepError as error:
            self.report.trouble(str(error))
        except (ApiException, HTTPError) as error:
            self.report.trouble(f"the cluster's API: {error}")
        return self.report

    @asynccontextmanager
    async def _installed(self) -> AsyncIterator[None]:
        kube, helm = self._stage.kube, self._stage.helm
        is_own = await kube.make_namespace()
        try:
            await self._step("install", helm.install())
            yield
        finally:
            if self._plan.keeps:
                self._say(f"kept: release {helm.release} in namespace {kube.namespace}")
            else:
                with suppress(StepError):
                    await helm.uninstall()
                with suppress(ApiException, HTTPError):
                    await self._stage.close_nats()
                    if is_own:
                        await kube.remove_namespace()

    async def _crowd(self, stack: AsyncExitStack) -> Crowd:
        door = await stack.enter_async_context(self._stage.edge())
        self.report.ways["edge"] = door.way
        self._say(f"the edge is reached by {door.way}")
        crowd = Crowd(door.address, self._plan.think_seconds, self._plan.seed)
        stack.push_async_callback(crowd.close)
        return crowd

    async def _step(self, name: str, doing: Any) -> None:
        """Take a step; its end, and what came of it so far, is told. Raises `StepError` by its name."""
        self._say(name)
        taken = self.report.steps[name] = Taken(now_ms())
        try:
            await doing
        except StepError as error:
            raise StepError(f"{name}: {error}") from error
        finally:
            taken.until_ms = now_ms()
        self._say(f"{name}: done in {taken.seconds:g} s")

    async def _uninstall(self) -> None:
        await self._stage.helm.uninstall()
        await self._stage.close_nats()
        left: Sequence[str] = ()
        try:
            async with asyncio.timeout(self._plan.wait_seconds):
                while left := await self._stage.leftovers():
                    await asyncio.sleep(0.5)
        except TimeoutError:
            raise StepError(f"still there: {', '.join(left)}") from None

    async def _check(self, crowd: Crowd) -> None:
        """Let all matches come to rest and hold what was told against the log."""
        calm_ms = now_ms()
        crowd.finish()
        await asyncio.sleep(_CALM_SECONDS)
        await crowd.stop(_REST_SECONDS)
        records = list(crowd.records.values())
        async with self._stage.log_reader() as reader:
            await note_goals(reader, records)
            await wait_for_viewers(records, _REST_SECONDS)
        # Only when nobody is there any more, for bots go on: what was shown is in the log by now, or never.
        await crowd.close()
        async with self._stage.log_reader() as reader:
            self._say(f"reading {len(records)} logs")
            logs = await read_logs(reader, records)
        for text in crowd.troubles:
            self.report.trouble(text)
        for record in records:
            if logs[record.match_id]:
                self.report.problems += check_match(record, logs[record.match_id], calm_ms)
            else:
                text = "made, and not in the log"
                self.report.problems.append(Problem(Wrong.LOST, record.match_id, text))
        self._count(crowd, records, logs)

    def _count(
        self, crowd: Crowd, records: Sequence[MatchRecord], logs: dict[str, Sequence[Entry]]
    ) -> None:
        claims = [e for log in logs.values() for e in log if e.HasField("claimed")]
        wishes = [wish for record in records for wish in record.wishes]
        self.report.figures |= {
            "guests": crowd.guests,
            "matches": len(records),
            "entries": sum(map(len, logs.values())),
            "acknowledged": sum(wish.fate is Fate.DONE for wish in wishes),
            "unanswered": sum(wish.fate is Fate.OPEN for wish in wishes),
            "refused": sum(wish.fate is Fate.REFUSED for wish in wishes),
            **{f"queueing refused, {reason}": n for reason, n in crowd.refusals.items()},
        }
        for taken in self.report.steps.values():
            taken.count(claims)
