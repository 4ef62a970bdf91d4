"""Mutual TLS between parts, on real servers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena_services.common import config
from arena_services.common.channels import Channels, open_channel
from arena_services.common.config import ServiceSettings
from arena_services.common.rpc import Server
from arena_services.common.tls import NatsTls, Tls, name_of
from tests.services.certificates import Authority

SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
async def room(authority: Authority) -> AsyncIterator[Server]:
    """A server that shows a room's certificate."""
    async with serving(authority.sign(name_of("room"), "room")) as server:
        yield server


@asynccontextmanager
async def serving(tls: Tls) -> AsyncIterator[Server]:
    server = Server("127.0.0.1:0", tls)
    await server.start()
    await server.set_ready(True)
    try:
        yield server
    finally:
        await server.stop(0)


async def check(channel: grpc.aio.Channel) -> Any:
    request = health_pb2.HealthCheckRequest()
    return (await health_pb2_grpc.HealthStub(channel).Check(request, timeout=5)).status


async def refusal(channel: grpc.aio.Channel) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await check(channel)
    assert failure.value.code() is grpc.StatusCode.UNAVAILABLE
    return failure.value


@asynccontextmanager
async def opened(tls: Tls | None) -> AsyncIterator[Channels]:
    channels = Channels(tls)
    try:
        yield channels
    finally:
        await channels.close()


async def test_parts_of_one_authority_reach_each_other(authority: Authority, room: Server) -> None:
    async with opened(authority.sign(name_of("bot"), "bot")) as channels:
        assert await check(channels.to(room.address)) == SERVING


async def test_a_caller_without_a_certificate_of_the_authority_is_kept_out(
    tmp_path: Path, authority: Authority, room: Server
) -> None:
    async with opened(None) as plain:
        await refusal(plain.to(room.address))
    bare = grpc.ssl_channel_credentials(authority.file.read_bytes())
    async with open_channel(room.address, bare, name_of("room")) as channel:
        await refusal(channel)
    stranger = Authority(tmp_path / "stranger").sign(name_of("bot"), "bot")
    trusting = Tls(stranger.cert_file, stranger.key_file, authority.file)
    async with opened(trusting) as channels:
        await refusal(channels.to(room.address))


async def test_a_caller_takes_no_other_part_for_a_room(authority: Authority) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    async with serving(bot) as impostor, opened(bot) as channels:
        error = await refusal(channels.to(impostor.address))
    assert "Hostname Verification" in str(error.details())


async def test_renewed_certificates_are_used_on_both_sides_and_open_streams_go_on(
    tmp_path: Path, authority: Authority, room: Server
) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    async with opened(bot) as channels:
        before = channels.to(room.address)
        watching = health_pb2_grpc.HealthStub(before).Watch(health_pb2.HealthCheckRequest())
        assert (await watching.read()).status == SERVING
        # The authority itself changes: whoever still showed or trusted what it was given first would be left out.
        renewed = Authority(tmp_path)
        renewed.sign(name_of("room"), "room")
        renewed.sign(name_of("bot"), "bot")
        after = channels.to(room.address)
        assert after is not before
        assert channels.to(room.address) is after
        assert await check(after) == SERVING
        await room.set_ready(False)
        async with asyncio.timeout(5):
            assert (await watching.read()).status != SERVING


async def test_certificates_that_are_away_for_a_moment_change_nothing(
    authority: Authority, room: Server
) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    async with opened(bot) as channels:
        before = channels.to(room.address)
        for file in (bot.cert_file, authority.file):
            file.unlink()
        assert channels.to(room.address) is before
        assert await check(before) == SERVING


async def test_who_is_called_for_the_first_time_meanwhile_is_reached_too(
    authority: Authority, room: Server
) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    async with opened(bot) as channels:
        for file in (bot.cert_file, authority.file):
            file.unlink()
        assert await check(channels.to(room.address)) == SERVING


async def test_a_caller_shows_a_certificate_only_once_its_key_has_come(
    authority: Authority, room: Server
) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    async with opened(bot) as channels:
        before = channels.to(room.address)
        key = renew_all_but_the_key(authority, "bot")
        assert channels.to(room.address) is before
        assert await check(before) == SERVING
        key.replace(bot.key_file)
        after = channels.to(room.address)
        assert after is not before
        assert await check(after) == SERVING


async def test_a_server_shows_a_certificate_only_once_its_key_has_come(
    authority: Authority, room: Server
) -> None:
    bot = authority.sign(name_of("bot"), "bot")
    former = await asyncio.to_thread(serial_shown, room, bot)
    key = renew_all_but_the_key(authority, "room")
    assert await asyncio.to_thread(serial_shown, room, bot) == former
    key.replace(authority.file.with_name("room.key"))
    assert await asyncio.to_thread(serial_shown, room, bot) != former


def renew_all_but_the_key(authority: Authority, part: str) -> Path:
    """Returns where the new key is."""
    file = authority.file.with_name(f"{part}.key")
    former = file.read_bytes()
    key = authority.sign(name_of(part), part).key_file.rename(file.with_suffix(".later"))
    file.write_bytes(former)
    return key


def serial_shown(server: Server, caller: Tls) -> str:
    """Of the certificate that a caller sees."""
    context = NatsTls(caller.ca_file, caller).context()
    host, _, port = server.address.rpartition(":")
    with (
        socket.create_connection((host, int(port)), timeout=5) as line,
        context.wrap_socket(line, server_hostname=name_of("room")) as secured,
    ):
        shown = secured.getpeercert()
    assert shown is not None
    return str(shown["serialNumber"])


def test_settings_name_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_TOKEN_KEY", "k" * 32)
    monkeypatch.setenv("ARENA_TLS_CERT_FILE", str(tmp_path / "tls.crt"))
    with pytest.raises(SystemExit):
        config.load(ServiceSettings)
    said = capsys.readouterr().err
    assert "ARENA_TLS_CERT_FILE, ARENA_TLS_KEY_FILE and ARENA_TLS_CA_FILE go together" in said
    # What was given are all settings then.
    assert "k" * 32 not in said
