"""`arena nats`: one server of a cluster, by settings alone."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from arena_services.common.nats import Login, NatsUnreachableError, connect, connected
from arena_services.local.nats_node import memory_share
from arena_services.local.ports import find_free
from tests.services.local.nodes import WORD, cluster, environment, make_logins, node, store


async def test_three_make_a_cluster_that_goes_on_when_one_is_told_to_stop(tmp_path: Path) -> None:
    room = Login("room", f"{WORD}-room")
    async with (
        cluster(tmp_path, 3) as (urls, processes),
        connected(",".join(urls), "test", 10, room) as client,
    ):
        await client.jetstream().add_stream(name="log", subjects=["match.>"], num_replicas=3)
        await store(client, b"one")
        processes[0].send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(processes[0].wait, 30) == 0
        await store(client, b"two")


async def test_one_that_shows_a_wrong_password_is_not_let_in(tmp_path: Path) -> None:
    async with cluster(tmp_path, 1) as (urls, _):
        with pytest.raises(NatsUnreachableError, match=r"Authorization.*ARENA_NATS_PASSWORD"):
            await connect(urls[0], "test", 1, Login("room", "wrong"))
        assert (tmp_path / "nats-0.conf").stat().st_mode & 0o777 == 0o600


def test_settings_that_do_not_hold_are_all_named(tmp_path: Path) -> None:
    variables = environment(nats_listen="here", nats_store_bytes=-1, nats_logins_dir=tmp_path)
    with node(variables) as process:
        assert process.wait(30) == 2
        assert process.stderr is not None
        words = process.stderr.read().decode()
    for name in ("ARENA_NATS_LISTEN", "ARENA_NATS_STORE_BYTES", "ARENA_NATS_STORE_DIR"):
        assert f"{name}: " in words


def test_passwords_that_are_not_there_are_named(tmp_path: Path) -> None:
    logins = make_logins(tmp_path / "logins")
    (logins / "room").unlink()
    variables = environment(nats_store_dir=tmp_path, nats_logins_dir=logins)
    with node(variables) as process:
        assert process.wait(30) == 2
        assert process.stderr is not None
        assert "no password for room" in process.stderr.read().decode()


async def test_it_listens_on_ipv6(tmp_path: Path) -> None:
    client, peer, monitor = find_free(3)
    variables = environment(
        nats_listen=f"::1:{client}",
        nats_cluster_listen=f"::1:{peer}",
        nats_monitor_listen=f"::1:{monitor}",
        nats_store_dir=tmp_path / "store",
        nats_logins_dir=make_logins(tmp_path / "logins"),
        nats_config_dir=tmp_path,
    )
    with node(variables):
        async with connected(f"nats://[::1]:{client}", "test", 20, Login("room", f"{WORD}-room")):
            pass


def test_it_is_told_how_much_memory_its_container_has(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    assert memory_share(limit) == {}
    for text, share in (("max\n", {}), ("1000000000\n", {"GOMEMLIMIT": "900000000"})):
        limit.write_text(text)
        assert memory_share(limit) == share
