"""Mutual TLS with NATS, and between its servers, with certificates that are renewed meanwhile."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from arena_services.common.nats import Login, NatsUnreachableError, connect, connected
from arena_services.common.tls import NATS, NatsTls, Tls, name_of
from arena_services.local import probe
from arena_services.local.ports import HOST, find_free
from tests.services.certificates import Authority
from tests.services.local.nodes import WORD, cluster, environment, store

ROOM = Login("room", f"{WORD}-room")


def _for_nats(authority: Authority) -> Tls:
    return authority.sign(name_of(NATS), "nats", "localhost")


def _as_room(authority: Authority) -> NatsTls:
    return NatsTls(authority.file, authority.sign(name_of("room"), "room"), name_of(NATS))


async def _refusal(url: str, tls: NatsTls | None) -> str:
    with pytest.raises(NatsUnreachableError) as refused:
        await connect(url, "test", 1, ROOM, tls)
    return str(refused.value)


async def test_a_cluster_goes_on_when_every_certificate_and_the_authority_are_renewed(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path)
    async with (
        cluster(tmp_path, 3, _for_nats(authority)) as (urls, processes),
        connected(",".join(urls), "test", 10, ROOM, _as_room(authority)) as client,
    ):
        await client.jetstream().add_stream(name="log", subjects=["match.>"], num_replicas=3)
        await store(client, b"one")
        renewed = Authority(tmp_path)
        _for_nats(renewed)
        as_room = _as_room(renewed)
        for url in urls:
            async with connected(url, "later", 20, ROOM, as_room):
                pass
        # Whoever loses its server finds the way in by what was renewed since it began.
        assert client.connected_url is not None
        (lost,) = (
            at for at, url in enumerate(urls) if url.endswith(f":{client.connected_url.port}")
        )
        processes[lost].send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(processes[lost].wait, 30) == 0
        await store(client, b"two")


async def test_nobody_is_let_in_without_a_certificate_of_the_authority(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    stranger = Authority(tmp_path / "stranger").sign(name_of("room"), "room")
    async with cluster(tmp_path, 1, _for_nats(authority)) as ((url,), _):
        await _refusal(url.replace("tls://", "nats://"), None)
        await _refusal(url, NatsTls(authority.file, None, name_of(NATS)))
        await _refusal(url, NatsTls(authority.file, stranger, name_of(NATS)))
        async with connected(url, "test", 10, ROOM, _as_room(authority)):
            pass


async def test_a_service_takes_no_other_part_for_nats(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    other = authority.sign(name_of("bot"), "bot")
    async with cluster(tmp_path, 1, other) as ((url,), _):
        assert "CERTIFICATE_VERIFY_FAILED" in await _refusal(url, _as_room(authority))


async def test_a_service_that_asks_for_tls_says_no_password_where_there_is_none(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path)
    async with cluster(tmp_path, 1) as ((url,), _):
        assert "it offers no TLS" in await _refusal(url, _as_room(authority))


async def test_a_service_whose_certificates_are_away_says_so(tmp_path: Path) -> None:
    tls = _as_room(Authority(tmp_path))
    assert tls.own is not None
    tls.own.key_file.unlink()
    assert "no certificates to reach NATS" in await _refusal("tls://localhost:1", tls)


async def test_a_service_that_is_refused_gets_in_once_it_is_given_a_certificate(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path)
    stranger = Authority(tmp_path / "given").sign(name_of("room"), "room")
    (port,) = find_free(1)
    async with cluster(tmp_path, 1, _for_nats(authority)) as ((url,), _):
        variables = environment(
            token_key="k" * 32,
            metrics_listen=f"{HOST}:{port}",
            log_partitions=1,
            nats_url=url,
            nats_user=ROOM.user,
            nats_password=ROOM.password,
            tls_cert_file=stranger.cert_file,
            tls_key_file=stranger.key_file,
            tls_ca_file=authority.file,
        )
        command = [sys.executable, "-m", "arena_services.room"]
        room = await asyncio.create_subprocess_exec(
            *command, env=variables, stdout=PIPE, stderr=STDOUT
        )
        try:
            async with asyncio.timeout(30):
                assert room.stdout is not None
                while b"waiting for NATS" not in await room.stdout.readline():
                    pass
                fit = authority.sign(name_of("room"), "room")
                fit.key_file.replace(stranger.key_file)
                fit.cert_file.replace(stranger.cert_file)
                while not await probe.is_ready(f"http://{HOST}:{port}/readyz"):
                    await asyncio.sleep(0.1)
        finally:
            room.terminate()
            await room.communicate()
