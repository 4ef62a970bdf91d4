"""What people see of a match whose log is gone: the same as before, whatever rules the room plays by now."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest

from arena.log.v1.entry_pb2 import Player
from arena.room.v1 import chat_service_pb2 as chat
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.chat_service_pb2_grpc import ChatServiceStub
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.auth import Metadata
from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from arena_services.room.archiver import Archiver
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.other_rules import change_rules
from tests.services.room.short_match import PLAYERS, ShortMatch
from tests.services.room.table import (
    RESIGN,
    SERVICE,
    Play,
    Table,
    Viewer,
    create_request,
    play_on,
    player,
    reason_of,
)
from tests.waiting import eventually


@pytest.fixture
async def room(nats: NatsServer) -> AsyncIterator[RoomHere]:
    """A room that soon forgets what has ended."""
    async with room_here(nats.url, keep_finished_seconds=0.3) as running:
        yield running


async def replay(
    channel: grpc.aio.Channel, match_id: str, seat: int | None = None, after_sequence: int = 0
) -> list[pb.Update]:
    request = pb.ReplayRequest(match_id=match_id, seat=seat, after_sequence=after_sequence)
    stream = RoomServiceStub(channel).Replay(request, metadata=player("somebody"))
    return [response.update async for response in stream]


async def told(channel: grpc.aio.Channel, match_id: str) -> list[list[pb.Update]]:
    """All that replays tell of a match."""
    points = [(None, 0), (None, 11), *((seat, 0) for seat in range(PLAYERS)), (1, 16)]
    return [await replay(channel, match_id, *point) for point in points]


async def listed(channel: grpc.aio.Channel, who: Metadata) -> pb.ListMyMatchesResponse:
    return await RoomServiceStub(channel).ListMyMatches(pb.ListMyMatchesRequest(), metadata=who)


async def archive(room: RoomHere, match_id: str) -> None:
    """Archive a match that has ended, once the room holds it no longer, and see that its log is gone."""
    await eventually(lambda: room.hall.find(match_id) is None)
    await Archiver(room.hall._stores).settle(match_id)
    reader = room.hall.reader
    head, tail = await reader.head(match_id), await reader.tail(match_id)
    assert head is not None
    assert head == tail
    assert head.entry.sequence > 1


async def ended_table(channel: grpc.aio.Channel, moves: int = 6) -> tuple[Table, pb.Update]:
    """A match that was played and has ended, and the last update of seat 1."""
    table = await Table.make(channel)
    async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
        await play_on(table, channel, [first, second], moves)
        act = pb.Act(key=table.key(), action=RESIGN.action)
        await table.act(channel, 0, act)
        await second.end()
        return table, second.newest


def without_names(update: pb.Update) -> pb.Update:
    """Who is called what is the players' business, who tell it when they attach; here they have no account."""
    nameless = pb.Update()
    nameless.CopyFrom(update)
    for holder in nameless.seats:
        holder.name = ""
    return nameless


@pytest.mark.parametrize("game", ["crowns", "singhasan"])
async def test_an_archived_match_is_replayed_as_it_was_from_its_log(
    room: RoomHere, channel: grpc.aio.Channel, game: str
) -> None:
    match = ShortMatch(room.hall.reader, game)
    await match.play(40)
    before = await told(channel, match.match_id)
    assert [update.sequence for update in before[0]] == list(range(1, 41))
    await archive(room, match.match_id)
    assert await told(channel, match.match_id) == before
    assert not await replay(channel, match.match_id, after_sequence=40)
    refused = await reason_of(replay(channel, match.match_id, PLAYERS))
    assert refused == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")


async def test_an_archived_match_is_told_by_rooms_that_no_longer_play_its_rules(
    room: RoomHere, channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    purged, table = ShortMatch(room.hall.reader, "singhasan"), (await ended_table(channel))[0]
    await purged.play()
    kept = ShortMatch(room.hall.reader)
    await kept.play()
    before = [await told(channel, each.match_id) for each in (purged, kept)]
    matches = await listed(channel, table.people[1])
    await archive(room, purged.match_id)
    await archive(room, table.match_id)
    with pytest.MonkeyPatch.context() as stopped:
        # Its archive is written, and its log not purged yet.
        stopped.setattr("arena_services.room.archiver.purge", _fail)
        with pytest.raises(ConnectionError):
            await Archiver(room.hall._stores).settle(kept.match_id)
    change_rules(monkeypatch)
    assert [await told(channel, each.match_id) for each in (purged, kept)] == before
    assert await listed(channel, table.people[1]) == matches
    for each in (purged, kept):
        watched = Table(each.match_id, each.player_ids)
        async with Viewer(channel, watched, 2) as viewer:
            assert await viewer.end() == "FINISHED"
            assert viewer.newest.outcome.how == "ABANDONED"


async def _fail(*_: object, **__: object) -> None:
    raise ConnectionError("stopped here")


async def test_rules_that_nobody_plays_are_waited_for_where_nothing_is_archived(
    room: RoomHere, channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ShortMatch(room.hall.reader)
    await match.play()
    change_rules(monkeypatch)
    assert await reason_of(replay(channel, match.match_id)) == ("UNAVAILABLE", "NO_CAPABLE_ROOM")


async def test_an_archived_match_is_listed_as_before(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    tables = [(await ended_table(channel, 2))[0] for _ in range(3)]
    who = tables[0].people[0]
    before = await listed(channel, who)
    for table in tables[:2]:
        await archive(room, table.match_id)
    assert await listed(channel, who) == before
    assert len(before.matches) == 3


async def test_who_looks_at_an_archived_match_sees_how_it_ended(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table, last = await ended_table(channel)
    async with Viewer(channel, table, 1) as late:
        assert await late.end() == "FINISHED"
    await archive(room, table.match_id)
    async with Viewer(channel, table, 1) as viewer, Viewer(channel, table, None) as spectator:
        assert await viewer.end() == await spectator.end() == "FINISHED"
        assert without_names(viewer.newest) == without_names(late.newest)
        assert len(viewer.updates) == len(late.updates) == 1
        assert viewer.newest.reset
        assert viewer.newest.outcome == last.outcome
        assert not spectator.newest.HasField("own")
        assert spectator.newest.common == viewer.newest.common
    async with Viewer(channel, table, 1, after_sequence=last.sequence) as viewer:
        assert await viewer.end() == "FINISHED"
        assert not viewer.updates
    stream = RoomServiceStub(channel).Watch(
        pb.WatchRequest(match_id=table.match_id, seat=1), metadata=table.people[0]
    )
    assert await reason_of(stream.read()) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")


async def test_a_play_stream_hears_the_end_of_an_archived_match_and_goes_on(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table, last = await ended_table(channel)
    await archive(room, table.match_id)
    play = Play(channel, table.people[1])
    request = pb.PlayRequest(id=7, match_id=table.match_id, seat=1)
    request.attach.after_sequence = 0
    play.send(request)
    assert (await play.next()).update.outcome == last.outcome
    detached = (await play.next()).detached
    assert (detached.reason, detached.attach_id) == ("FINISHED", 7)
    act = pb.PlayRequest(id=8, match_id=table.match_id, seat=1)
    act.act.CopyFrom(pb.Act(key=table.key(), leave=pb.Leave()))
    play.send(act)
    answer = await play.next()
    assert (answer.id, answer.error.reason) == (8, "MATCH_FINISHED")
    await play.end()


async def test_nothing_can_be_done_in_an_archived_match(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table, _ = await ended_table(channel)
    say = chat.SayRequest(match_id=table.match_id, seat=1, key=table.key(), text="Good game")
    await archive(room, table.match_id)
    finished = ("FAILED_PRECONDITION", "MATCH_FINISHED")
    act = table.act(channel, 1, pb.Act(key=table.key(), leave=pb.Leave()))
    assert await reason_of(act) == finished
    stub = ChatServiceStub(channel)
    assert await reason_of(stub.Say(say, metadata=table.people[1])) == finished
    expire = control.ExpireRequest(match_id=table.match_id, decision=1)
    expiring = RoomControlServiceStub(channel).Expire(expire, metadata=SERVICE)
    assert await reason_of(expiring) == finished
    lines = chat.ListLinesRequest(match_id=table.match_id, seat=1)
    assert not (await stub.ListLines(lines, metadata=table.people[1])).lines
    assert await reason_of(stub.ListLines(lines, metadata=table.people[0])) == (
        "PERMISSION_DENIED",
        "NOT_YOUR_SEAT",
    )


async def test_the_id_of_an_archived_match_is_never_used_again(
    room: RoomHere, channel: grpc.aio.Channel
) -> None:
    table, _ = await ended_table(channel)
    await archive(room, table.match_id)
    stub = RoomControlServiceStub(channel)
    again = await stub.CreateMatch(create_request(table.match_id), metadata=SERVICE)
    assert list(again.player_ids) == table.player_ids
    other = create_request(table.match_id)
    other.players.append(Player(player_id="player-9"))
    creating = stub.CreateMatch(other, metadata=SERVICE)
    assert await reason_of(creating) == ("ALREADY_EXISTS", "MATCH_EXISTS")
    assert len(await replay(channel, table.match_id)) > 1


async def test_a_room_that_holds_a_match_still_serves_it_after_the_purge(nats: NatsServer) -> None:
    async with room_here(nats.url) as room, open_channel(room.address) as channel:
        table, last = await ended_table(channel)
        assert room.hall.find(table.match_id) is not None
        await Archiver(room.hall._stores).settle(table.match_id)
        async with Viewer(channel, table, 1) as viewer:
            assert await viewer.end() == "FINISHED"
            assert viewer.newest.outcome == last.outcome
        assert (await replay(channel, table.match_id))[-1].outcome == last.outcome
