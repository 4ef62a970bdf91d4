"""Several NATS servers that replicate to each other on one machine: to see what a lost or hanging server does."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

from arena_services.local import probe
from arena_services.local.nats_server import READY_SECONDS, NatsServer, cluster_places

_POLL_SECONDS = 0.1


class NatsCluster:
    """`async with NatsCluster(folder) as cluster: ... cluster.url`; kill, pause or restart `cluster.servers[i]`."""

    def __init__(self, data_dir: Path, n: int = 3, *, sync_always: bool = True) -> None:
        """`n`: how many; one alone is no cluster, and behaves as a single server does."""
        names = [f"nats-{number}" for number in range(1, n + 1)]
        places = cluster_places(names) if n > 1 else [None]
        self.servers = tuple(
            NatsServer(data_dir / name, sync_always=sync_always, cluster=place)
            for name, place in zip(names, places, strict=True)
        )
        self._started = AsyncExitStack()

    @property
    def url(self) -> str:
        """Where clients connect: all servers, separated by commas."""
        return ",".join(server.url for server in self.servers)

    async def __aenter__(self) -> Self:
        """Start all; they are ready when they have chosen who leads JetStream."""
        async with AsyncExitStack() as started:
            async with asyncio.TaskGroup() as tasks:
                for server in self.servers:
                    tasks.create_task(
                        started.enter_async_context(server), name=f"start {server.url}"
                    )
            await self.wait_ready()
            self._started = started.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop all."""
        await self._started.aclose()

    async def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until every running server knows JetStream's leader and is in step with it. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            for server in self.servers:
                while server.process.exit_code is None and not await _is_settled(server):
                    await asyncio.sleep(_POLL_SECONDS)

    async def stream_leader(self, stream: str) -> NatsServer | None:
        """The server that leads a stream; None while there is none."""
        for server in self.servers:
            if server.process.exit_code is None:
                for found in await _streams(server):
                    if found["name"] == stream and (leader := found["cluster"].get("leader")):
                        return next(each for each in self.servers if _name(each) == leader)
        return None

    async def new_leader(
        self, stream: str, former: NatsServer, seconds: float = READY_SECONDS
    ) -> NatsServer:
        """The server that leads a stream once its former leader does so no longer. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                # A server that follows hears a little later who leads.
                if (leader := await self.stream_leader(stream)) not in {None, former}:
                    return leader
                await asyncio.sleep(_POLL_SECONDS)


def _name(server: NatsServer) -> str:
    return server.config.cluster.name if server.config.cluster else ""


async def _is_settled(server: NatsServer) -> bool:
    if server.config.cluster is None:
        return True
    return bool((await _ask(server, "/jsz")).get("meta_cluster", {}).get("leader"))


async def _streams(server: NatsServer) -> list[dict[str, Any]]:
    accounts = (await _ask(server, "/jsz?streams=true")).get("account_details", [])
    return [stream for account in accounts for stream in account.get("stream_detail", [])]


async def _ask(server: NatsServer, path: str) -> dict[str, Any]:
    reply = await probe.get(server.config.monitor_url + path)
    answer: dict[str, Any] = json.loads(reply.body) if reply else {}
    return answer
