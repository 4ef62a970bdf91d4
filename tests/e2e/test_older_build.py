"""Rooms of an older build and of this one serve side by side, whichever way matches go between them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from arena.log.v1.entry_pb2 import Entry, Player
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_admin_service_pb2 import VoidMatchRequest
from arena.room.v1.room_admin_service_pb2_grpc import RoomAdminServiceStub
from arena.room.v1.room_control_service_pb2 import CreateMatchRequest
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common import games
from arena_services.common.auth import Role, Tokens, bearer
from arena_services.common.channels import Channels
from arena_services.common.clock import now_ms
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import stored_partitions
from arena_services.common.log.subjects import new_match_id
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer
from arena_services.local.process import Process, ProcessSpec
from tests.chaos.checks import check_match
from tests.chaos.maker import Maker, Wanted
from tests.e2e.older.running import older_spec, unpack
from tests.services.room.harness import RoomProcess, room_here
from tests.services.running import TOKEN_KEY, service_spec
from tests.witness import players
from tests.witness.record import MatchRecord

PEOPLE = ("ann", "ben", "cid")
#: Entries of every match before it changes rooms, and after.
STRETCH = 10
#: Before each action: matches have to outlast rooms that start on a busy machine.
_THINK_SECONDS = 0.25
_WAIT_SECONDS = 60.0


def _token(name: str, role: Role = Role.PLAYER) -> str:
    return Tokens(TOKEN_KEY).issue(name, name, role, 3600)[0]


def _wanted(game: str, **options: Any) -> Wanted:
    """A match of three people and a bot."""
    match_id, hosted = new_match_id(), games.find(game)
    bot = Player(player_id=f"bot-{match_id}", is_bot=True)
    request = CreateMatchRequest(
        match_id=match_id,
        game=game,
        players=[*(Player(player_id=each) for each in PEOPLE), bot],
        options=games.wrap(hosted.options.message(**options)),
    )
    return Wanted(match_id, request)


class Crowd:
    """Matches with their players, who go on without a pause, and all that they are told."""

    def __init__(self, reader: LogReader, rooms: dict[str, str]) -> None:
        self.records: list[MatchRecord] = []
        self._reader = reader
        self._rooms = rooms
        self._channels = Channels()
        self._people: dict[str, players.RecordingClient] = {}
        self._playing: dict[players.Player, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """While the people are there."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._channels.close)
            for person in PEOPLE:
                client = players.RecordingClient(list(self._rooms.values()), _token(person))
                self._people[person] = await stack.enter_async_context(client)
            yield

    async def begin(self, wanted: Wanted, room: str) -> None:
        """Have a room make a match, and play it."""
        rng = Random(len(self.records))
        made = await Maker({room: self._rooms[room]}, self._channels).make(wanted, rng)
        self.records.append(made.record)
        for person, number in made.seats.items():
            seat = await self._people[person].follow(made.record, number)
            player = players.Player(made.record, seat, _THINK_SECONDS, Random(rng.random()))
            player.be_earnest()
            self._playing[player] = asyncio.create_task(player.play(), name=f"play-{person}")

    async def move_on(self) -> None:
        """Wait until every match has gone on for a stretch."""
        for record in self.records:
            record.goal = (await self.log(record))[-1].sequence + STRETCH
        await self._reach_goals()

    async def stop(self, room: str) -> None:
        """Have the players stop and a room end the matches; wait until everybody has seen that."""
        for player in self._playing:
            player.stop()
        await asyncio.gather(*self._playing.values())
        stub = RoomAdminServiceStub(self._channels.to(self._rooms[room]))
        operator = bearer(_token("operator", Role.OPERATOR))
        for record in self.records:
            request = VoidMatchRequest(match_id=record.match_id)
            record.goal = (await stub.VoidMatch(request, metadata=operator)).sequence
        await self._reach_goals()

    async def replays(self, address: str) -> list[list[pb.Update]]:
        """What a room tells of every match."""
        stub, who = RoomServiceStub(self._channels.to(address)), bearer(_token("ann"))
        requests = [pb.ReplayRequest(match_id=each.match_id, seat=1) for each in self.records]
        return [
            [each.update async for each in stub.Replay(request, metadata=who)]
            for request in requests
        ]

    async def log(self, record: MatchRecord) -> list[Entry]:
        """What is stored of a match."""
        tail = await self._reader.tail(record.match_id)
        assert tail is not None
        stored = await self._reader.read(record.match_id, tail.stream_sequence)
        return [each.entry for each in stored]

    async def _reach_goals(self) -> None:
        async with asyncio.timeout(_WAIT_SECONDS):
            while any(record.late_viewers() for record in self.records):
                assert not any(record.troubles for record in self.records)
                await asyncio.sleep(0.02)


@asynccontextmanager
async def _processes(*specs: ProcessSpec) -> AsyncIterator[None]:
    """Services that are ready."""
    started = await asyncio.gather(*(Process.start(spec) for spec in specs))
    try:
        await asyncio.gather(*(each.wait_ready(_WAIT_SECONDS) for each in started))
        yield
    finally:
        await asyncio.gather(*(each.stop(_WAIT_SECONDS) for each in started))


@asynccontextmanager
async def _log_reader(nats: NatsServer) -> AsyncIterator[LogReader]:
    async with connected(nats.url, "test", 10) as client:
        yield LogReader(client, await stored_partitions(client.jetstream()) or 1)


def _owners(entries: Sequence[Entry], first: str) -> list[str]:
    """The rooms that a match was in."""
    return [first, *(each.claimed.room_id for each in entries if each.HasField("claimed"))]


async def _leave(room: RoomProcess) -> None:
    """Have a room hand everything over and end."""
    room.send(signal.SIGTERM)
    await room.ended()


async def test_matches_go_from_an_older_room_to_a_newer_one_and_back_while_they_are_played(
    tmp_path: Path,
) -> None:
    build = unpack(tmp_path)
    async with NatsServer(tmp_path / "nats", sync_always=False) as nats, AsyncExitStack() as stack:
        older, newer, again = (
            RoomProcess(*older_spec(build, "room", "older", nats.url, tmp_path)),
            RoomProcess(*service_spec("room", "newer", nats.url, tmp_path)),
            RoomProcess(*older_spec(build, "room", "again", nats.url, tmp_path)),
        )
        for room in (older, newer, again):
            stack.push_async_callback(room.kill)
        bot, _ = older_spec(build, "bot", "bot", nats.url, tmp_path)
        paced = {"ARENA_BOT_THINK_MS": str(round(1000 * _THINK_SECONDS))}
        bot = replace(bot, environment={**bot.environment, **paced})
        timer, _ = older_spec(build, "timer", "timer", nats.url, tmp_path)
        await asyncio.gather(older.start(), newer.start())
        await stack.enter_async_context(_processes(bot, timer))
        rooms = {"older": older.address, "newer": newer.address, "again": again.address}
        crowd = Crowd(await stack.enter_async_context(_log_reader(nats)), rooms)
        await stack.enter_async_context(crowd.here())

        for maker in ("older", "newer"):
            await crowd.begin(_wanted("crowns", turn_seconds=30), maker)
            await crowd.begin(_wanted("singhasan", speed=2), maker)
        await crowd.move_on()
        await _leave(older)
        await crowd.move_on()
        await again.start()
        await _leave(newer)
        await crowd.move_on()
        calm_ms = now_ms()
        await crowd.stop("again")

        logs = [await crowd.log(record) for record in crowd.records]
        for record, entries in zip(crowd.records, logs, strict=True):
            assert not check_match(record, entries, (), calm_ms)
        came_by = [
            _owners(log, each.room or "") for log, each in zip(logs, crowd.records, strict=True)
        ]
        assert came_by == [["older", "newer", "again"]] * 2 + [["newer", "again"]] * 2
        told = await crowd.replays(again.address)
        assert [len(updates) for updates in told] == [len(log) for log in logs]
        async with room_here(nats.url, "newest") as newest:
            assert await crowd.replays(newest.address) == told
