"""A platform, honest people on it, and an assault on both; afterwards everything is looked at."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

from arena_services.common import games
from arena_services.common.auth import Tokens
from arena_services.common.channels import open_channel
from arena_services.common.config import ServiceSettings
from arena_services.common.nats import connected
from arena_services.local.data_folder import DataFolder
from arena_services.local.info import ProcessInfo
from arena_services.local.nats_users import OPERATOR
from arena_services.local.platform import EDGE, Platform
from arena_services.local.settings import PlatformSettings
from tests.hostile.assault import Assault, Places
from tests.hostile.findings import Findings
from tests.hostile.forger import Pool
from tests.hostile.insiders import Insiders
from tests.hostile.victims import Honest

_LINES = 16
_HEAD_START_SECONDS = 2.0
_NATS_SECONDS = 10.0
#: Limits have tests of their own; here they would answer in the place of what is to be looked at.
_WITHOUT_LIMITS = {
    "ARENA_REQUESTS_PER_SECOND": "0",
    "ARENA_STREAMS_PER_PLAYER": "10000",
    "ARENA_CALLS_PER_SECOND": "1000000",
}
#: What our own logs say of a failure that nobody foresaw.
_UNFORESEEN = (
    "unexpected failure",
    "permissions violation",
    "Traceback",
    "a task died",
    "exception was never retrieved",
)


async def run(requests: int, seed: int, folder: Path) -> dict[str, Any]:
    """Start a platform in a folder, send so many requests, and tell what came of it."""
    findings, pool, start = Findings(), Pool(), time.monotonic()
    settings = PlatformSettings(data_dir=folder, ports="auto", rooms=2)
    async with Platform(settings, environment=_WITHOUT_LIMITS) as platform:
        tokens = Tokens(DataFolder(folder).token_key())
        before = platform.processes
        rooms = tuple(room.address for room in platform.rooms.values())
        places = Places(platform.processes[EDGE].address, platform.matchmaking_address, rooms)
        async with AsyncExitStack() as stack:
            channel = await stack.enter_async_context(open_channel(rooms[0]))
            honest = Honest(channel, tokens, pool, findings)
            insiders = Insiders(channel, tokens)
            players = [
                asyncio.create_task(each, name="beside")
                for hosted in games.hosted()
                for each in (honest.play(hosted, Random(seed)), insiders.keep(hosted))
            ]
            await asyncio.sleep(_HEAD_START_SECONDS)
            began = time.monotonic()
            await Assault(places, tokens, honest, insiders, pool, findings, seed).run(
                requests, _LINES
            )
            seconds = time.monotonic() - began
            await _end(players, findings)
        login = DataFolder(folder).nats_login(OPERATOR)
        _check_processes(before, platform.processes, findings)
        async with connected(platform.nats_url, "hostile", _NATS_SECONDS, login) as client:
            partitions = int(ServiceSettings.model_fields["log_partitions"].default)
            lengths = [
                await victim.check(client, partitions, findings) for victim in honest.victims
            ]
    _check_logs(folder, findings)
    return {
        "requests": sum(findings.asked.values()),
        "seed": seed,
        "seconds": round(time.monotonic() - start, 1),
        "requests_per_second": round(requests / seconds),
        "asked": dict(findings.asked.most_common()),
        "answers": dict(findings.answers.most_common()),
        "victims": len(honest.victims),
        "victims_entries": sum(lengths),
        "honest_acts": sum(len(victim.acknowledged) for victim in honest.victims),
        "faults": findings.fault_count,
        "first_faults": findings.faults,
    }


async def _end(players: list[asyncio.Task[None]], findings: Findings) -> None:
    """Stop the honest people; one who had to stop before is a fault."""
    for player in players:
        player.cancel()
    for outcome in await asyncio.gather(*players, return_exceptions=True):
        if not isinstance(outcome, asyncio.CancelledError):
            findings.fault(f"honest people could not play on: {outcome!r}")


def _check_processes(
    before: dict[str, ProcessInfo], after: dict[str, ProcessInfo], findings: Findings
) -> None:
    for name, process in after.items():
        if process.pid != before[name].pid or process.restarts or process.state != "ready":
            findings.fault(f"{name} did not live through it: {process}")


def _check_logs(folder: Path, findings: Findings) -> None:
    for log in sorted((folder / "logs").glob("*.log")):
        for line in log.read_text(errors="replace").splitlines():
            if any(text.lower() in line.lower() for text in _UNFORESEEN):
                findings.fault(f"{log.name}: {line[:2000]}")
