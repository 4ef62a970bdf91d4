"""`arena admin` against a platform of its own: three rooms, matches that wait, a drain."""

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
from arena_services.local.data_folder import DataFolder
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import Ended, arena, started
from tests.hostile.matches import create

_NOBODY = "a" * 26


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
    assert "No platform runs on" in arena(tmp_path, "admin", "list").err


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
