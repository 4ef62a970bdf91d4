"""What is done to the release while guests play, a step at a time. Each raises `StepError` for what goes wrong."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from tests.cluster.crowd import Crowd
from tests.cluster.errors import StepError
from tests.cluster.stage import Stage

_POLL_SECONDS = 0.5
_FEW_GUESTS = 4
#: Of these one pod is killed after the other; NATS only where others have what it had.
_KILLED = ("room", "timer", "matchmaking", "bot", "edge", "fleet", "room", "nats")


@dataclass
class Run:
    """What steps work on."""

    stage: Stage
    crowd: Crowd
    guests: int
    figures: dict[str, int] = field(default_factory=dict)
    """What is worth telling at the end."""
    changes: dict[str, str] = field(default_factory=dict)
    """Settings that were changed by upgrades so far."""

    async def until_played(self, more: int = 10) -> None:
        """Wait until so many more requests have been acknowledged. Raises `StepError`."""
        goal = self.crowd.acknowledged + more
        try:
            async with asyncio.timeout(self.stage.wait_seconds):
                while self.crowd.acknowledged < goal:
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError:
            raise StepError(f"nobody could play for {self.stage.wait_seconds:g} s") from None

    async def upgrade(self, **changes: str) -> None:
        """Upgrade the release with further settings, for good."""
        self.changes |= changes
        await self.stage.helm.upgrade(self.changes)
        await self.stage.until_whole()


Step: TypeAlias = Callable[[Run], Awaitable[None]]


async def play(run: Run) -> None:
    """The chart's own test plays a match, then the first guests do."""
    try:
        await run.stage.helm.test()
    except StepError as error:
        if "openapi" not in str(error):
            raise
        run.stage.say("left out: helm test, for this cluster serves no schema")
    run.crowd.grow(min(_FEW_GUESTS, run.guests))
    await run.until_played()


async def scale(run: Run) -> None:
    """So many guests come that the fleet adds rooms."""
    before = await run.stage.rooms_wanted()
    run.crowd.grow(run.guests)
    try:
        async with asyncio.timeout(run.stage.wait_seconds):
            while await run.stage.rooms_wanted() <= before:
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError:
        raise StepError(
            f"{run.guests} guests, and still {before} rooms after {run.stage.wait_seconds:g} s"
        ) from None
    await run.stage.until_whole()
    await run.until_played()
    run.figures["rooms"] = await run.stage.rooms_wanted()


async def roll(run: Run) -> None:
    """All rooms are replaced by an upgrade of their template; none is stopped but by handing its matches over."""
    before = {pod["metadata"]["uid"] for pod in await run.stage.pods("room")}
    wanted = await run.stage.rooms_wanted()
    await run.upgrade(**{"room.podAnnotations.cluster-test/roll": "1"})
    after = {pod["metadata"]["uid"] for pod in await run.stage.pods("room")}
    if before & after:
        raise StepError(f"{len(before & after)} rooms of {len(before)} were not replaced")
    await _expect_rooms(run, wanted)
    await run.until_played()


async def kill(run: Run) -> None:
    """Pods of every part die without a word, one after the other."""
    servers = len(await run.stage.pods("nats"))
    for part in _KILLED:
        if part == "nats" and servers < 3:
            continue
        pod = await run.stage.ready_pod(part)
        run.stage.say(f"killing {pod['metadata']['name']}")
        await run.stage.kill(pod)
        await run.until_played()
        await run.stage.until_whole()
        run.figures["pods killed"] = run.figures.get("pods killed", 0) + 1


async def upgrade(run: Run) -> None:
    """Values change, of all parts; Secrets and the number of rooms do not."""
    secrets, wanted = await _secrets(run), await run.stage.rooms_wanted()
    await run.upgrade(
        **{
            "log.level": "warning",
            "bot.settings.thinkMs": "250",
            "room.settings.claimsPerSecond": "150",
        }
    )
    if await _secrets(run) != secrets:
        raise StepError("an upgrade has changed the Secrets")
    await _expect_rooms(run, wanted)
    await run.until_played()


async def servers(run: Run) -> None:
    """NATS servers are replaced one after the other; a lone one is left alone, for its disk goes with it."""
    before = {pod["metadata"]["uid"] for pod in await run.stage.pods("nats")}
    if len(before) < 3:
        return
    await run.upgrade(**{"nats.podAnnotations.cluster-test/roll": "1"})
    after = {pod["metadata"]["uid"] for pod in await run.stage.pods("nats")}
    if before & after:
        raise StepError(f"{len(before & after)} servers of {len(before)} were not replaced")
    await run.until_played()


async def drain(run: Run) -> None:
    """A node with rooms is emptied, as `kubectl drain` does it: closed, and its pods asked to go."""
    kube = run.stage.kube
    nodes = [node["metadata"]["name"] for node in await kube.nodes()]
    if len(nodes) < 2:
        raise StepError(f"a drain needs two nodes that take pods; there are {len(nodes)}")
    run.crowd.grow(run.guests)
    await run.until_played()
    name = (await run.stage.ready_pod("room"))["spec"]["nodeName"]
    run.stage.say(f"draining {name}")
    await kube.cordon(name, is_closed=True)
    try:
        async with asyncio.timeout(run.stage.wait_seconds):
            for _ in itertools.count():
                pods = await kube.find_all("pods", run.stage.selector())
                there = [pod for pod in pods if pod["spec"].get("nodeName") == name]
                if not there:
                    break
                for pod in there:
                    if "deletionTimestamp" not in pod["metadata"]:
                        await kube.evict(pod["metadata"]["name"])
                await asyncio.sleep(_POLL_SECONDS)
        await run.stage.until_whole()
    except TimeoutError:
        raise StepError(f"{name} was not empty after {run.stage.wait_seconds:g} s") from None
    finally:
        await kube.cordon(name, is_closed=False)
    await run.until_played()


async def _expect_rooms(run: Run, wanted: int) -> None:
    """An upgrade says nothing of how many rooms there are, and nobody lets rooms go meanwhile."""
    there = await run.stage.rooms_wanted()
    if there < wanted:
        raise StepError(f"an upgrade has set the rooms from {wanted} to {there}")


async def _secrets(run: Run) -> dict[str, str]:
    found = await run.stage.kube.find_all("secrets", run.stage.selector())
    return {each["metadata"]["name"]: str(each["data"]) for each in found}


#: In the order in which they are taken.
STEPS: Mapping[str, Step] = MappingProxyType(
    {
        "play": play,
        "scale": scale,
        "roll": roll,
        "kill": kill,
        "upgrade": upgrade,
        "servers": servers,
    }
)
#: Only when asked for.
FURTHER: Mapping[str, Step] = MappingProxyType({"drain": drain})
