"""`arena nats`: one server of a cluster, by settings alone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from arena_services.common.nats import Login, NatsUnreachableError, connect, connected
from arena_services.local import nats_users, probe
from arena_services.local.ports import HOST, find_free

_WORD = "p@ss/w:ord"


def _logins(folder: Path) -> Path:
    folder.mkdir()
    for name in (*(user.name for user in nats_users.USERS), "cluster"):
        (folder / name).write_text(f"{_WORD}-{name}\n")
    return folder


def _environment(**settings: object) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return {**known, **{f"ARENA_{name.upper()}": str(value) for name, value in settings.items()}}


@contextmanager
def _node(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "arena_services.cli", "nats"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def _cluster(
    folder: Path, size: int
) -> AsyncIterator[tuple[list[str], list[subprocess.Popen[bytes]]]]:
    """Servers that are ready: their addresses, and their processes."""
    logins, free = _logins(folder / "logins"), find_free(3 * size)
    clients, peers, monitors = free[:size], free[size : 2 * size], free[2 * size :]
    routes = [f"{HOST}:{port}" for port in peers] if size > 1 else []
    async with AsyncExitStack() as started:
        processes = [
            started.enter_context(
                _node(
                    _environment(
                        instance=f"nats-{index}",
                        nats_listen=f"{HOST}:{clients[index]}",
                        nats_cluster_listen=f"{HOST}:{peers[index]}",
                        nats_monitor_listen=f"{HOST}:{monitors[index]}",
                        **({"nats_routes": ",".join(routes)} if routes else {}),
                        nats_store_dir=folder / f"store-{index}",
                        nats_store_bytes=64 * 1024 * 1024,
                        nats_logins_dir=logins,
                        nats_config_dir=folder,
                    )
                )
            )
            for index in range(size)
        ]
        async with asyncio.timeout(30):
            for port in monitors:
                while not await probe.is_ready(f"http://{HOST}:{port}/healthz"):
                    await asyncio.sleep(0.1)
        yield [f"nats://{HOST}:{port}" for port in clients], processes


async def _store(client: Client, data: bytes) -> None:
    """Store a message as soon as the cluster takes it."""
    async with asyncio.timeout(20):
        while True:
            with suppress(TimeoutError, nats.errors.Error):
                await client.jetstream().publish("match.0.a", data, timeout=1)
                return


async def test_three_make_a_cluster_that_goes_on_when_one_is_told_to_stop(tmp_path: Path) -> None:
    room = Login("room", f"{_WORD}-room")
    async with (
        _cluster(tmp_path, 3) as (urls, processes),
        connected(",".join(urls), "test", 10, room) as client,
    ):
        await client.jetstream().add_stream(name="log", subjects=["match.>"], num_replicas=3)
        await _store(client, b"one")
        processes[0].send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(processes[0].wait, 30) == 0
        await _store(client, b"two")


async def test_one_that_shows_a_wrong_password_is_not_let_in(tmp_path: Path) -> None:
    async with _cluster(tmp_path, 1) as (urls, _):
        with pytest.raises(NatsUnreachableError, match=r"Authorization.*ARENA_NATS_PASSWORD"):
            await connect(urls[0], "test", 1, Login("room", "wrong"))
        assert (tmp_path / "nats-0.conf").stat().st_mode & 0o777 == 0o600


def test_settings_that_do_not_hold_are_all_named(tmp_path: Path) -> None:
    environment = _environment(nats_listen="here", nats_store_bytes=-1, nats_logins_dir=tmp_path)
    with _node(environment) as process:
        assert process.wait(30) == 2
        assert process.stderr is not None
        words = process.stderr.read().decode()
    for name in ("ARENA_NATS_LISTEN", "ARENA_NATS_STORE_BYTES", "ARENA_NATS_STORE_DIR"):
        assert f"{name}: " in words


def test_passwords_that_are_not_there_are_named(tmp_path: Path) -> None:
    logins = _logins(tmp_path / "logins")
    (logins / "room").unlink()
    environment = _environment(nats_store_dir=tmp_path, nats_logins_dir=logins)
    with _node(environment) as process:
        assert process.wait(30) == 2
        assert process.stderr is not None
        assert "no password for room" in process.stderr.read().decode()
