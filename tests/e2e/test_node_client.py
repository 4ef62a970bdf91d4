"""The client in another language plays whole matches: through the edge, straight at rooms, over what breaks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arena_services.common import games
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ROOT, Ended, arena, started
from tests.node import CLIENT, find_node
from tests.services.room.proxy import Proxy
from tests.waiting import eventually

_PATIENCE_SECONDS = 120.0


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPlatform]:
    data_dir = tmp_path_factory.mktemp("platform")
    settings = {"ARENA_BOT_THINK_MS": "0", "ARENA_ROOMS": "2"}
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        running.read_ready()
        yield RunningPlatform(data_dir)


class NodePlayer:
    """A running `play.js`, and what it said on standard error so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def read_until(self, pattern: str) -> re.Match[str]:
        """Read on to the next line that matches."""
        assert self.process.stderr is not None
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while line := (await self.process.stderr.readline()).decode():
                self.lines.append(line)
                if found := re.search(pattern, line):
                    return found
        raise AssertionError(f"no line matches {pattern!r}:\n{''.join(self.lines)}")

    async def end(self) -> Ended:
        """Wait for its end."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            out, err = await self.process.communicate()
        assert self.process.returncode is not None
        self.lines.extend(err.decode().splitlines(keepends=True))
        return Ended(self.process.returncode, out.decode(), "".join(self.lines))


@asynccontextmanager
async def _playing(*arguments: str, program: str = "play.js") -> AsyncIterator[NodePlayer]:
    process = await asyncio.create_subprocess_exec(
        find_node(),
        str(CLIENT / program),
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    player = NodePlayer(process)
    try:
        yield player
    finally:
        if process.returncode is None:
            process.kill()
            await player.end()


def _edge(platform: RunningPlatform) -> str:
    url = platform.info().page_url
    assert url is not None
    return url.removeprefix("http://").rstrip("/")


def _verified(platform: RunningPlatform, result: dict[str, Any]) -> dict[str, Any]:
    """The match's log tells the same end."""
    replayed = arena(platform.data_dir, "replay", result["match_id"], "--verify", "--json").json()
    assert replayed["is_over"]
    assert replayed["state_hash"] == result["state_hash"]
    assert replayed["entries"] == result["sequence"]
    return replayed


def _stored(ended: Ended) -> list[int]:
    """The sequences under which a player's moves were acknowledged."""
    return [int(line) for line in re.findall(r"^(\d+): seat", ended.err, re.MULTILINE)]


async def test_node_players_and_bots_end_a_match_whose_room_is_killed(
    platform: RunningPlatform,
) -> None:
    table = secrets.token_hex(8)
    meeting = ("--table", table, "--people", "2", "--players", "4", "--pace", "200", "--json")
    matchmaking = platform.info().matchmaking_address
    async with (
        _playing("--address", matchmaking, "--direct", *meeting) as direct,
        _playing("--address", _edge(platform), *meeting) as through_edge,
    ):
        # The first room of a ticket is the one that owns the match.
        owner = (await direct.read_until(r"through (\S+) or"))[1]
        await direct.read_until(r"^\d+: seat")
        (pid,) = [each.pid for each in platform.info().processes if each.address == owner]
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        ended = await asyncio.gather(direct.end(), through_edge.end())
    one, other = (each.json() for each in ended)
    assert {one["seat"], other["seat"]} < set(range(4))
    assert [one[name] for name in ("match_id", "places", "state_hash")] == [
        other[name] for name in ("match_id", "places", "state_hash")
    ]
    assert one["reconnects"] >= 1
    # Every acknowledged move is in the log once, at the place that was named.
    stored = [*_stored(ended[0]), *_stored(ended[1])]
    assert len(stored) == len(set(stored)) == one["moves"] + other["moves"]
    assert max(stored) <= _verified(platform, one)["entries"]


@pytest.mark.parametrize("game", [hosted.game.name for hosted in games.hosted()])
async def test_node_player_plays_every_hosted_game(platform: RunningPlatform, game: str) -> None:
    wish = ("--address", _edge(platform), "--game", game, "--players", "3", "--json")
    async with _playing(*wish) as player:
        result = (await player.end()).json()
    assert result["game"] == game
    _verified(platform, result)


async def test_node_player_resumes_when_its_connection_is_cut(platform: RunningPlatform) -> None:
    clock = ("--options", '{"turn_seconds": 30}', "--pace", "100", "--json")
    async with Proxy(int(_edge(platform).rpartition(":")[2])) as proxy:
        address = proxy.url.removeprefix("nats://")
        async with _playing("--address", address, *clock) as player:
            for _ in range(2):
                assert int((await player.read_until(r"seat \d, (\d+) s left"))[1]) <= 30
                await proxy.cut()
                await proxy.mend()
            result = (await player.end()).json()
    assert result["reconnects"] >= 2
    _verified(platform, result)


async def test_node_player_leaves_a_connection_that_carries_nothing_any_more(
    platform: RunningPlatform,
) -> None:
    async with (
        Proxy(int(_edge(platform).rpartition(":")[2])) as proxy,
        _playing("--address", proxy.address, "--pace", "200", "--json") as player,
    ):
        await player.read_until(r"^\d+: seat")
        proxy.stall()
        before = proxy.connections
        # Long before the stream itself would have been silent for too long.
        await eventually(lambda: proxy.connections > before, 30)
        proxy.resume()
        result = (await player.end()).json()
    assert result["reconnects"] >= 1
    _verified(platform, result)


async def test_node_player_plays_by_the_bundle_of_protos(
    platform: RunningPlatform, tmp_path: Path
) -> None:
    bundler = [sys.executable, str(ROOT / "tools" / "protos.py"), "--out", str(tmp_path)]
    await asyncio.to_thread(subprocess.run, bundler, check=True, capture_output=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    services = manifest["packages"]["arena.room.v1"]
    assert "RoomService" in services
    assert "RoomControlService" not in services
    bundle = str(tmp_path / manifest["descriptor_set"]["name"])
    async with _playing("--address", _edge(platform), "--protos", bundle, "--json") as player:
        _verified(platform, (await player.end()).json())


async def test_node_player_leaves_its_seat_to_a_bot_on_ctrl_c(platform: RunningPlatform) -> None:
    async with _playing("--address", _edge(platform), "--pace", "500") as player:
        match_id = (await player.read_until(r"match (\S+),"))[1]
        await player.read_until(r"^\d+: seat")
        player.process.send_signal(signal.SIGINT)
        ended = await player.end()
    assert ended.exit_code == 130, ended.err
    assert "    at " not in ended.err, "a stack trace"
    replayed = arena(platform.data_dir, "replay", match_id, "--verify")
    assert "bot" in replayed.out, replayed.out


async def test_node_player_killed_outright_goes_on_with_its_match_when_started_again(
    platform: RunningPlatform, tmp_path: Path
) -> None:
    account = ("--address", _edge(platform), "--account", str(tmp_path / "token"), "--json")
    async with _playing(*account, "--pace", "500") as player:
        match_id = (await player.read_until(r"match (\S+),"))[1]
        await player.read_until(r"^\d+: seat")
    async with _playing(*account) as player:
        result = (await player.end()).json()
    assert result["match_id"] == match_id
    assert result["moves"] > 0
    _verified(platform, result)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--players", "many"), 2, "--players takes a whole number"),
        (("--colour", "red"), 2, "see --help"),
        (("--game", "chess"), 1, "no game 'chess'"),
    ],
)
async def test_node_player_says_what_is_wrong_and_exits_accordingly(
    platform: RunningPlatform, arguments: tuple[str, ...], code: int, told: str
) -> None:
    async with _playing("--address", _edge(platform), *arguments) as player:
        ended = await player.end()
    assert (ended.exit_code, ended.out) == (code, "")
    assert told in ended.err


async def test_load_generator_plays_legal_moves_in_matches_of_its_own(
    platform: RunningPlatform,
) -> None:
    crowd = ("--matches", "3", "--players", "4", "--warm-up", "0", "--seconds", "3")
    address = platform.info().matchmaking_address
    async with _playing("--address", address, *crowd, program="load.js") as load:
        ended = await load.end()
    assert ended.exit_code == 0, ended.err
    opened, closed = map(json.loads, ended.out.splitlines())
    assert (opened["event"], closed["event"]) == ("opened", "closed")
    assert closed["moves"] > 100
    assert 0 < closed["p50_ms"] <= closed["p99_ms"]
    assert closed["cpu_share"] > 0
