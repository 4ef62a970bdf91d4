"""What is told from the logs alone: one's matches, and finished matches from their beginning."""

from __future__ import annotations

import grpc
import pytest

from arena.log.v1.entry_pb2 import Player
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common import games
from arena_services.common.auth import Metadata, Role
from arena_services.common.channels import open_channel
from arena_services.common.log import reader as log_reader
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from arena_services.room.updates import RECENT
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.long_match import LongMatch
from tests.services.room.table import (
    CROWNS,
    RESIGN,
    SERVICE,
    Table,
    Viewer,
    create_request,
    play_on,
    player,
    reason_of,
)


async def list_matches(
    channel: grpc.aio.Channel, who: Metadata, **request: object
) -> pb.ListMyMatchesResponse:
    return await RoomServiceStub(channel).ListMyMatches(
        pb.ListMyMatchesRequest(**request),  # type: ignore[arg-type]
        metadata=who,
    )


async def replay(
    channel: grpc.aio.Channel, table: Table, seat: int | None = None, after_sequence: int = 0
) -> list[pb.Update]:
    request = pb.ReplayRequest(match_id=table.match_id, seat=seat, after_sequence=after_sequence)
    stream = RoomServiceStub(channel).Replay(request, metadata=player("somebody"))
    return [response.update async for response in stream]


async def resign(table: Table, channel: grpc.aio.Channel, seat: int = 0) -> int:
    act = pb.Act(key=table.key(), action=RESIGN.action)
    return (await table.act(channel, seat, act)).sequence


async def test_running_matches_are_listed_before_those_that_have_ended(
    channel: grpc.aio.Channel,
) -> None:
    who = player("player-0")
    assert not (await list_matches(channel, who)).matches
    tables = [await Table.make(channel) for _ in range(4)]
    for table in (tables[2], tables[1]):
        await resign(table, channel, table.player_ids.index("player-0"))
    answer = await list_matches(channel, who)
    assert [each.match_id for each in answer.matches] == [
        tables[number].match_id for number in (3, 0, 1, 2)
    ]
    running, over = answer.matches[0], answer.matches[2]
    assert running.game == "crowns"
    assert running.options.TypeName() == "arena.games.crowns.v1.Options"
    assert running.seat == tables[3].player_ids.index("player-0")
    assert [each.player_id for each in running.players] == tables[3].player_ids
    assert running.is_awaited == (running.seat == 0)
    assert not running.HasField("outcome")
    assert running.create_time_ms == running.update_time_ms > 0
    assert over.outcome.places[over.seat] == 2
    assert over.outcome.how == "last_king"
    assert not over.is_awaited


async def test_finished_matches_come_in_pages(channel: grpc.aio.Channel) -> None:
    who = player("player-1")
    made: list[str] = []
    for _ in range(5):
        table = await Table.make(channel)
        await resign(table, channel)
        made.insert(0, table.match_id)
    running = await Table.make(channel)
    first = await list_matches(channel, who, page_size=2)
    second = await list_matches(channel, who, page_size=2, page_token=first.next_page_token)
    third = await list_matches(channel, who, page_size=2, page_token=second.next_page_token)
    pages = [[each.match_id for each in page.matches] for page in (first, second, third)]
    assert pages == [[running.match_id, *made[:2]], made[2:4], made[4:]]
    assert not third.next_page_token
    for wrong in ({"page_size": 51}, {"page_token": "x"}):
        refused = await reason_of(list_matches(channel, who, **wrong))
        assert refused == ("INVALID_ARGUMENT", "BAD_PAGE")


async def test_nobody_is_told_of_the_matches_of_others(channel: grpc.aio.Channel) -> None:
    await Table.make(channel)
    for name in ("player-9", "*", ">", "player-0.x"):
        assert not (await list_matches(channel, player(name))).matches
    bot = list_matches(channel, player("player-0", Role.BOT))
    assert await reason_of(bot) == ("PERMISSION_DENIED", "WRONG_ROLE")


async def test_any_room_lists_and_notices_an_end_that_was_not_noted(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2") as other, open_channel(other.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            table = await Table.make(direct)
            owner.hall._stores.history.end = _forgetful  # type: ignore[method-assign]
            await resign(table, direct)
        who = player("player-0")
        for _ in range(2):
            (match,) = (await list_matches(channel, who)).matches
            assert match.outcome.how == "last_king"
        (pointer,) = await other.hall._stores.history.of("player-0")
        assert pointer.end is not None
        assert pointer.end.sequence == 2


async def _forgetful(match_id: str, player_ids: object, end: object) -> None:
    """Goes before it notes anything."""


async def test_a_finished_match_is_replayed_as_its_viewers_saw_it(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with (
        Viewer(channel, table, 0) as first,
        Viewer(channel, table, 1) as second,
        Viewer(channel, table, None) as spectator,
    ):
        await play_on(table, channel, [first, second], RECENT + 10)
        await resign(table, channel)
        await first.end()
        await second.end()
        await spectator.end()
    told: list[pb.Update] = []
    for seat, viewer in ((None, spectator), (0, first), (1, second)):
        told = await replay(channel, table, seat)
        assert [update.sequence for update in told] == list(range(1, len(told) + 1))
        assert told[0].reset
        assert told[0].game == "crowns"
        assert len(told[0].seats) == 2
        assert games.unwrap(told[0].common, CROWNS.common, "common").events
        seen, again = viewer.updates[1:], told[1:]
        assert [update.common for update in again] == [update.common for update in seen]
        assert [update.own for update in again] == [update.own for update in seen]
        assert told[-1].outcome == viewer.newest.outcome
    rest = await replay(channel, table, 1, after_sequence=len(told) - 2)
    assert [update.sequence for update in rest] == [len(told) - 1, len(told)]
    assert rest[0].reset
    assert not await replay(channel, table, after_sequence=len(told))


async def test_what_cannot_be_replayed_is_refused(channel: grpc.aio.Channel, table: Table) -> None:
    assert await reason_of(replay(channel, table)) == ("FAILED_PRECONDITION", "MATCH_NOT_FINISHED")
    nowhere = Table(new_match_id(), [])
    assert await reason_of(replay(channel, nowhere)) == ("NOT_FOUND", "NO_SUCH_MATCH")
    nonsense = Table("*.>", [])
    assert await reason_of(replay(channel, nonsense)) == ("NOT_FOUND", "NO_SUCH_MATCH")
    await resign(table, channel)
    assert await reason_of(replay(channel, table, 2)) == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")


async def test_a_replay_that_is_not_read_holds_nobody_up(
    channel: grpc.aio.Channel, table: Table
) -> None:
    await resign(table, channel)
    stub, streams = RoomServiceStub(channel), []
    for _ in range(10):
        request = pb.ReplayRequest(match_id=table.match_id)
        streams.append(stub.Replay(request, metadata=player("somebody")))
        await streams[-1].read()
        streams[-1].cancel()
    assert len(await replay(channel, table)) == 2


async def test_bots_have_no_list_and_a_match_that_was_not_made_is_not_listed(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    request = create_request(new_match_id(), players=2, bots=1)
    await RoomControlServiceStub(channel).CreateMatch(request, metadata=SERVICE)
    await room.hall.expect(new_match_id(), [Player(player_id="player-1")])
    (match,) = (await list_matches(channel, player("player-1"))).matches
    assert match.match_id == request.match_id
    assert not (await list_matches(channel, player("player-0"))).matches


async def test_a_long_match_is_replayed_part_by_part(
    room: RoomHere, channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "_PART", 7)
    match = LongMatch(room.hall.reader)
    await match.begin()
    await match.grow(40)
    table = Table(match.match_id, [f"player-{seat}" for seat in range(4)])
    for seat in range(3):
        if match.fold.state.is_bot(seat):
            await table.act(channel, seat, pb.Act(key=table.key(), take_back=pb.TakeBack()))
        await resign(table, channel, seat)
    told = await replay(channel, table, 3)
    assert [update.sequence for update in told] == list(range(1, len(told) + 1))
    assert told[-1].HasField("outcome")
