"""`arena nats` as processes: one alone, or several that are a cluster."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import nats
from nats.aio.client import Client

from arena_services.common.tls import Tls
from arena_services.local import nats_users, probe
from arena_services.local.ports import HOST, find_free

WORD = "p@ss/w:ord"


def make_logins(folder: Path) -> Path:
    """A folder with the passwords of all users."""
    folder.mkdir()
    for name in (*(user.name for user in nats_users.USERS), "cluster"):
        (folder / name).write_text(f"{WORD}-{name}\n")
    return folder


def environment(**settings: object) -> dict[str, str]:
    """This process's environment, with these settings alone."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return {**known, **{f"ARENA_{name.upper()}": str(value) for name, value in settings.items()}}


@contextmanager
def node(variables: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """One server."""
    command = [sys.executable, "-m", "arena_services.cli", "nats"]
    with subprocess.Popen(command, env=variables, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def cluster(
    folder: Path, size: int, tls: Tls | None = None
) -> AsyncIterator[tuple[list[str], list[subprocess.Popen[bytes]]]]:
    """Servers that are ready: their addresses, and their processes. A certificate has to name localhost as well."""
    logins, free = make_logins(folder / "logins"), find_free(3 * size)
    clients, peers, monitors = free[:size], free[size : 2 * size], free[2 * size :]
    routes = [f"{'localhost' if tls else HOST}:{port}" for port in peers] if size > 1 else []
    files = (
        {"tls_cert_file": tls.cert_file, "tls_key_file": tls.key_file, "tls_ca_file": tls.ca_file}
        if tls
        else {}
    )
    async with AsyncExitStack() as started:
        processes = [
            started.enter_context(
                node(
                    environment(
                        instance=f"nats-{index}",
                        nats_listen=f"{HOST}:{clients[index]}",
                        nats_cluster_listen=f"{HOST}:{peers[index]}",
                        nats_monitor_listen=f"{HOST}:{monitors[index]}",
                        **({"nats_routes": ",".join(routes)} if routes else {}),
                        nats_store_dir=folder / f"store-{index}",
                        nats_store_bytes=64 * 1024 * 1024,
                        nats_logins_dir=logins,
                        nats_config_dir=folder,
                        **files,
                    )
                )
            )
            for index in range(size)
        ]
        async with asyncio.timeout(30):
            for port in monitors:
                while not await probe.is_ready(f"http://{HOST}:{port}/healthz"):
                    await asyncio.sleep(0.1)
        scheme = "tls" if tls else "nats"
        yield [f"{scheme}://{HOST}:{port}" for port in clients], processes


async def store(client: Client, data: bytes) -> None:
    """Store a message as soon as the cluster takes it."""
    async with asyncio.timeout(20):
        while True:
            with suppress(TimeoutError, nats.errors.Error):
                await client.jetstream().publish("match.0.a", data, timeout=1)
                return
