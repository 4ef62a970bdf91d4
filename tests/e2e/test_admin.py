"""`arena admin` against a platform of its own: three rooms, matches that wait, a drain.

Beside the data folder, and by what the parts have in their environment, as on a cluster.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_services.common.auth import Role, Tokens
from arena_services.common.channels import open_channel
from arena_services.common.games import hosted
from arena_services.common.nats import connected
from arena_services.common.roster import Roster
from arena_services.common.tls import name_of
from arena_services.local.data_folder import DataFolder
from arena_services.local.nats_server import NatsServer
from arena_services.local.nats_users import OPERATOR, ROOM
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import Ended, arena, started
from tests.hostile.matches import create
from tests.services.certificates import Authority

_NOBODY = "a" * 26
_PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPlatform]:
    data_dir = tmp_path_factory.mktemp("admin")
    settings = {"ARENA_ROOMS": "3", "ARENA_EDGE": "false"}
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        running.read_ready()
        yield RunningPlatform(data_dir)


def _admin(rooms: RunningPlatform, *words: str) -> Ended:
    return arena(rooms.data_dir, "admin", *words)


def _match(rooms: RunningPlatform) -> str:
    """A match of two people who are away."""

    async def make() -> str:
        tokens = Tokens(DataFolder(rooms.data_dir).token_key())
        async with open_channel(_address(rooms, "room-1")) as channel:
            match_id, _ = await create(channel, tokens, hosted()[0], ["ann", "ben"])
            return match_id

    return asyncio.run(make())


def _address(rooms: RunningPlatform, name: str) -> str:
    return next(each.address for each in rooms.info().processes if each.name == name)


def _inspected(rooms: RunningPlatform, match_id: str) -> dict[str, Any]:
    return _admin(rooms, "inspect", match_id, "--json").json()


def test_a_match_is_listed_and_inspected_and_its_wait_explained(rooms: RunningPlatform) -> None:
    match_id = _match(rooms)
    listed = _admin(rooms, "list", "--json").json()
    assert match_id in {
        each["match_id"]
        for room in listed["rooms"]
        if room["room_id"] == "room-1"
        for each in room["matches"]
    }
    assert match_id in _admin(rooms, "list").out
    status = _inspected(rooms, match_id)
    assert (status["game"], status["room_id"], status["sequence"]) == ("crowns", "room-1", 1)
    assert {seat["player_id"] for seat in status["seats"]} == {"ann", "ben"}
    explained = _admin(rooms, "explain", match_id, "--json").json()
    assert [wait["reason"] for wait in explained["waits"]] == ["PERSON_AWAY", "NO_CLOCK"]
    assert "follows the match on no stream" in _admin(rooms, "explain", match_id).out


def test_a_match_is_handed_over_to_the_room_that_is_named(rooms: RunningPlatform) -> None:
    match_id = _match(rooms)
    moved = _admin(rooms, "hand-over", match_id, "--to", "room-3", "--json").json()
    assert moved == {"match_id": match_id, "room_id": "room-3"}
    status = _inspected(rooms, match_id)
    assert (status["room_id"], status["epoch"]) == ("room-3", 2)
    again = _admin(rooms, "hand-over", match_id, "--to", "room-9")
    assert again.exit_code == 1
    assert "There is no room 'room-9'" in again.err


def test_a_void_match_has_ended_for_good(rooms: RunningPlatform) -> None:
    match_id = _match(rooms)
    unsure = _admin(rooms, "void", match_id)
    assert unsure.exit_code == 2
    assert "--yes" in unsure.err
    for _ in range(2):
        assert _admin(rooms, "void", match_id, "--yes", "--json").json()["sequence"] == 2
    assert _inspected(rooms, match_id)["result"] == "VOIDED_BY_OPERATOR"
    assert "it has ended" in _admin(rooms, "explain", match_id).out
    over = _admin(rooms, "hand-over", match_id)
    assert over.exit_code == 1
    assert "has ended" in over.err
    replayed = arena(rooms.data_dir, "replay", match_id, "--verify", "--json").json()
    assert replayed["how"] == "VOIDED_BY_OPERATOR"


def test_what_does_not_exist_is_named(rooms: RunningPlatform, tmp_path: Path) -> None:
    for words in (("inspect", _NOBODY), ("explain", _NOBODY), ("void", _NOBODY, "--yes")):
        missing = _admin(rooms, *words)
        assert missing.exit_code == 1
        assert "There is no match" in missing.err
    assert "is no match id" in _admin(rooms, "inspect", "x").err
    assert "this platform has room-1, room-2, room-3" in _admin(rooms, "drain", "room-7").err
    nothing = arena(tmp_path, "admin", "list").err
    assert "No platform runs on" in nothing
    assert "ARENA_NATS_URL and ARENA_TOKEN_KEY" in nothing


def _settings(rooms: RunningPlatform, user: str) -> dict[str, str]:
    """What a part of the platform has in its environment, as this user of NATS."""
    folder = DataFolder(rooms.data_dir)
    return {
        "ARENA_NATS_URL": rooms.info().nats_url,
        "ARENA_NATS_USER": user,
        "ARENA_NATS_PASSWORD": folder.nats_login(user).password,
        "ARENA_TOKEN_KEY": folder.token_key(),
    }


def test_by_the_environment_alone_every_command_does_the_same(
    rooms: RunningPlatform, tmp_path: Path
) -> None:
    settings = _settings(rooms, ROOM)

    def said(*words: str) -> dict[str, Any]:
        return arena(tmp_path, *words, "--json", **settings).json()

    match_id = _match(rooms)
    listed = said("admin", "list")["rooms"]
    assert [room["room_id"] for room in listed] == ["room-1", "room-2", "room-3"]
    assert {room["state"] for room in listed} == {"ready"}
    assert match_id in {each["match_id"] for each in listed[0]["matches"]}
    assert said("admin", "hand-over", match_id, "--to", "room-3")["room_id"] == "room-3"
    assert said("admin", "drain", "room-3")["matches"] >= 1
    assert said("admin", "inspect", match_id)["room_id"] in {"room-1", "room-2"}
    waits = said("admin", "explain", match_id)["waits"]
    assert [wait["reason"] for wait in waits] == ["PERSON_AWAY", "NO_CLOCK"]
    assert said("admin", "void", match_id, "--yes")["match_id"] == match_id
    assert said("replay", match_id, "--verify")["how"] == "VOIDED_BY_OPERATOR"


def test_an_operator_has_a_user_of_its_own_and_a_pipe_gets_whole_names(
    rooms: RunningPlatform, tmp_path: Path
) -> None:
    match_id = _match(rooms)
    settings = {**_settings(rooms, OPERATOR), "COLUMNS": "40"}
    listed = arena(tmp_path, "admin", "list", **settings)
    assert match_id in listed.out, listed.err
    assert arena(tmp_path, "replay", match_id, "--verify", **settings).exit_code == 0
    missing = arena(tmp_path, "replay", _NOBODY, **settings)
    assert missing.exit_code == 1
    assert f"There is no match {_NOBODY} at nats://" in missing.err


@pytest.mark.parametrize(
    ("changed", "exit_code", "said"),
    [
        ({"ARENA_TOKEN_KEY": ""}, 2, "ARENA_TOKEN_KEY is not set: set it to the key of that"),
        ({"ARENA_TOKEN_KEY": "short"}, 2, "ARENA_TOKEN_KEY: Value should have at least 32"),
        ({"ARENA_TOKEN_KEY": "k" * 32}, 1, "no token that was signed with ARENA_TOKEN_KEY"),
        ({"ARENA_NATS_URL": ""}, 2, "ARENA_NATS_USER is set, and ARENA_NATS_URL is not"),
        ({"ARENA_NATS_PASSWORD": "wrong"}, 1, "ARENA_NATS_USER and ARENA_NATS_PASSWORD right?"),
        (
            {"ARENA_TLS_CA_FILE": "ca.crt"},
            2,
            "ARENA_TLS_KEY_FILE and ARENA_TLS_CA_FILE go together",
        ),
    ],
)
def test_a_setting_that_is_missing_or_wrong_is_named_and_no_secret_told(
    rooms: RunningPlatform, tmp_path: Path, changed: dict[str, str], exit_code: int, said: str
) -> None:
    right = _settings(rooms, ROOM)
    refused = arena(tmp_path, "admin", "list", **{**right, **changed})
    assert refused.exit_code == exit_code, refused.err
    assert said in refused.err
    assert "Traceback" not in refused.err
    assert right["ARENA_TOKEN_KEY"] not in refused.err
    assert right["ARENA_NATS_PASSWORD"] not in refused.err


async def test_where_no_room_beats_it_says_where_it_listened(tmp_path: Path) -> None:
    async with NatsServer(tmp_path, sync_always=False) as server:
        settings = {"ARENA_NATS_URL": server.url, "ARENA_TOKEN_KEY": "k" * 32}
        nobody = await asyncio.to_thread(arena, tmp_path, "admin", "list", **settings)
    assert nobody.exit_code == 1
    assert f"No room beat within 5 s at {server.url}" in nobody.err


async def test_with_mutual_tls_a_room_answers_who_shows_its_certificate_and_nobody_else(
    tmp_path: Path,
) -> None:
    mine = Authority(tmp_path).sign(name_of("room"), "room")
    tls = {
        "ARENA_TLS_CERT_FILE": str(mine.cert_file),
        "ARENA_TLS_KEY_FILE": str(mine.key_file),
        "ARENA_TLS_CA_FILE": str(mine.ca_file),
    }
    async with (
        NatsServer(tmp_path / "nats", sync_always=False) as server,
        connected(server.url, "test", _PATIENCE_SECONDS) as nats,
    ):
        plain = {"ARENA_NATS_URL": server.url, "ARENA_TOKEN_KEY": "k" * 32}
        roster = Roster()
        await roster.follow(nats)
        with started(tmp_path, "room", **plain, **tls, ARENA_INSTANCE="room-a"):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await roster.wait_for_any()
            listed = await asyncio.to_thread(arena, tmp_path, "admin", "list", **plain, **tls)
            refused = await asyncio.to_thread(arena, tmp_path, "admin", "list", **plain)
    assert (listed.exit_code, listed.out) == (0, "room-a: 0 matches, ready\n"), listed.err
    assert refused.exit_code == 1
    assert "ARENA_TLS_CA_FILE are not set" in refused.err


def test_other_tokens_than_an_operators_are_refused(rooms: RunningPlatform) -> None:
    from arena.room.v1.room_admin_service_pb2 import ListMatchesRequest
    from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
    from arena_services.common.auth import bearer
    from tests.services.room.table import reason_of

    async def ask(role: Role) -> tuple[str, str]:
        tokens = Tokens(DataFolder(rooms.data_dir).token_key())
        token, _ = tokens.issue("somebody", "somebody", role, 60)
        async with open_channel(_address(rooms, "room-1")) as channel:
            stub = RoomAdminServiceStub(channel)
            return await reason_of(stub.ListMatches(ListMatchesRequest(), metadata=bearer(token)))

    for role in (Role.PLAYER, Role.BOT, Role.SERVICE):
        assert asyncio.run(ask(role)) == ("PERMISSION_DENIED", "WRONG_ROLE")


def test_a_room_is_drained_and_its_matches_go_on_elsewhere(rooms: RunningPlatform) -> None:
    match_id = _match(rooms)
    drained = _admin(rooms, "drain", "room-1", "--json").json()
    assert drained["matches"] >= 1
    assert _inspected(rooms, match_id)["room_id"] in {"room-2", "room-3"}
    listed = _admin(rooms, "list", "--json").json()
    assert listed["rooms"][0]["matches"] == []
    assert _admin(rooms, "drain", "room-1", "--json").json()["matches"] == 0


def test_a_room_that_hangs_does_not_keep_the_others_from_being_listed(
    rooms: RunningPlatform,
) -> None:
    pid = rooms.pid("room-2")
    os.kill(pid, signal.SIGSTOP)
    try:
        listed = _admin(rooms, "list", "--json")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert listed.exit_code == 1
    assert "room-2 does not answer" in listed.err
