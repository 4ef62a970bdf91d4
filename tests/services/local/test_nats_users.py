"""What each service's user may do at a real NATS, and what not."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from nats.errors import NoRespondersError

from arena_services.common.log.messages import all_messages
from arena_services.common.log.pull import Pull
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import ensure_streams
from arena_services.common.log.subjects import new_match_id
from arena_services.common.nats import Login, connect, inbox_prefix
from arena_services.local.data_folder import DataFolder
from arena_services.local.nats_server import NatsServer
from arena_services.local.nats_users import BOT, MATCHMAKING, OPERATOR, ROOM, TIMER, USERS
from arena_services.room.control import header_consumer
from tests.waiting import eventually

_LOGINS = {user.name: Login(user.name, f"secret of {user.name}") for user in USERS}
_OTHERS = pytest.mark.parametrize("user", [MATCHMAKING, BOT, TIMER])
_SECONDS = 0.5


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    logins = tuple(_LOGINS.values())
    async with NatsServer(tmp_path / "nats", sync_always=False, logins=logins) as server:
        yield server


@asynccontextmanager
async def _as(server: NatsServer, user: str) -> AsyncIterator[Client]:
    client = await connect(server.url, user, 10, _LOGINS[user])
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def _with_a_match(server: NatsServer) -> AsyncIterator[tuple[Client, str, str]]:
    """A room's connection, and stream and subject of a match with one entry."""
    async with _as(server, ROOM) as room:
        await ensure_streams(room.jetstream(), 1, 1)
        stream, subject = LogReader(room, 1).place(new_match_id())
        await room.jetstream().publish(subject, b"secret", headers={"Arena": "seq=1"})
        yield room, stream, subject


@_OTHERS
async def test_only_rooms_write_match_logs(server: NatsServer, user: str) -> None:
    async with _with_a_match(server) as (room, stream, subject), _as(server, user) as other:
        for _ in range(3):
            await other.publish(subject, b"forged")
        await other.publish(f"snapshot.{subject.rpartition('.')[2]}", b"forged")
        await other.flush()
        info = await room.jetstream().stream_info(stream)
        assert info.state.messages == 1


@_OTHERS
async def test_only_rooms_read_the_bodies_of_match_logs(server: NatsServer, user: str) -> None:
    async with _with_a_match(server) as (_, stream, subject), _as(server, user) as other:
        heard: list[Any] = []

        async def hear(message: Any) -> None:
            heard.append(message)

        await other.subscribe("match.>", cb=hear)
        await other.subscribe(f"{inbox_prefix(ROOM)}.>", cb=hear)
        wanted = json.dumps({"last_by_subj": subject}).encode()
        consumer = {"config": {"ack_policy": "none"}, "stream_name": stream}
        for call, asked in (
            (f"STREAM.MSG.GET.{stream}", wanted),
            (f"DIRECT.GET.{stream}", wanted),
            (f"CONSUMER.CREATE.{stream}", json.dumps(consumer).encode()),
            (f"STREAM.PURGE.{stream}", b""),
            (f"STREAM.DELETE.{stream}", b""),
        ):
            with pytest.raises((TimeoutError, NoRespondersError)):
                await other.request(f"$JS.API.{call}", asked, timeout=_SECONDS)
        async with _as(server, ROOM) as room:
            await room.jetstream().publish(subject, b"more")
        assert heard == []


@pytest.mark.parametrize("user", [BOT, TIMER])
async def test_readers_of_headers_get_no_bodies(server: NatsServer, user: str) -> None:
    async with _with_a_match(server) as (room, stream, subject), _as(server, user) as reader:
        name, config = header_consumer("timer-1", 0)
        await room.jetstream().add_consumer(stream, config)
        read: list[Any] = []
        pulling = asyncio.create_task(Pull(reader, stream, name, read.append).run())
        await eventually(lambda: bool(read))
        pulling.cancel()
        await asyncio.wait({pulling})
        assert (read[0].subject, read[0].data) == (subject, b"")
        assert read[0].headers["Arena"] == "seq=1"


async def test_an_operator_reads_every_log_and_writes_none(server: NatsServer) -> None:
    async with _with_a_match(server) as (room, stream, subject), _as(server, OPERATOR) as operator:
        await operator.publish(subject, b"forged")
        for call in ("PURGE", "DELETE", "UPDATE"):
            await operator.publish(f"$JS.API.STREAM.{call}.{stream}", b"{}")
        await operator.flush()
        (found,) = await all_messages(operator, stream, subject)
        assert found.data == b"secret"
        assert (await room.jetstream().stream_info(stream)).state.messages == 1


async def test_who_shows_no_login_is_turned_away(server: NatsServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
    writer.write(b'CONNECT {"verbose":false}\r\nPING\r\n')
    said = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    assert b"-ERR 'Authorization Violation'" in said
    assert b"PONG" not in said


def test_passwords_are_kept_and_private(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    room, timer = folder.nats_login(ROOM), folder.nats_login(TIMER)
    assert room.password != timer.password
    assert DataFolder(tmp_path).nats_login(ROOM) == room
    assert stat.S_IMODE((tmp_path / "nats.key").stat().st_mode) == 0o600


@pytest.mark.usefixtures("server")
def test_the_configuration_is_for_its_owner_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / "nats" / "nats.conf").stat().st_mode) == 0o600
