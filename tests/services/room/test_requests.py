"""What a room takes and what it refuses, each with a code, a reason and a sentence."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio

from arena.games.crowns.v1 import crowns_pb2
from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1 import room_control_service_pb2 as control
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_control_service_pb2_grpc import RoomControlServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.auth import Role, bearer
from arena_services.common.channels import open_channel
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from tests.services.room.harness import room_here
from tests.services.room.table import (
    RESIGN,
    SERVICE,
    Table,
    Viewer,
    action,
    create_request,
    player,
    reason_of,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def channel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[grpc.aio.Channel]:
    """To one room for all of these: each test has a match of its own."""
    folder = tmp_path_factory.mktemp("room")
    async with (
        NatsServer(folder / "nats", sync_always=False) as nats,
        room_here(nats.url) as room,
        open_channel(room.address) as opened,
    ):
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def table(channel: grpc.aio.Channel) -> Table:
    return await Table.make(channel)


async def create(channel: grpc.aio.Channel, request: control.CreateMatchRequest) -> tuple[str, str]:
    return await reason_of(RoomControlServiceStub(channel).CreateMatch(request, metadata=SERVICE))


async def act(channel: grpc.aio.Channel, table: Table, seat: int, wish: pb.Act) -> tuple[str, str]:
    return await reason_of(table.act(channel, seat, wish))


async def test_create_match_of_an_unknown_game_is_refused(channel: grpc.aio.Channel) -> None:
    request = create_request(new_match_id())
    request.game = "ludo"
    assert await create(channel, request) == ("INVALID_ARGUMENT", "UNKNOWN_GAME")


@pytest.mark.parametrize("players", [0, 1, 7])
async def test_create_match_for_too_few_or_many_players_is_refused(
    channel: grpc.aio.Channel, players: int
) -> None:
    request = create_request(new_match_id(), players)
    assert await create(channel, request) == ("INVALID_ARGUMENT", "BAD_PLAYER_COUNT")


async def test_create_match_with_impossible_options_is_refused(channel: grpc.aio.Channel) -> None:
    request = create_request(new_match_id(), turn_seconds=31)
    assert await create(channel, request) == ("INVALID_ARGUMENT", "BAD_OPTIONS")


async def test_create_match_with_a_malformed_id_is_refused(channel: grpc.aio.Channel) -> None:
    assert await create(channel, create_request("../x")) == ("INVALID_ARGUMENT", "BAD_MATCH_ID")


async def test_create_match_with_one_player_twice_is_refused(channel: grpc.aio.Channel) -> None:
    request = create_request(new_match_id())
    request.players[1].player_id = request.players[0].player_id
    assert await create(channel, request) == ("INVALID_ARGUMENT", "BAD_PLAYERS")


async def test_create_match_by_a_player_is_refused(channel: grpc.aio.Channel) -> None:
    call = RoomControlServiceStub(channel).CreateMatch(
        create_request(new_match_id()), metadata=player("p")
    )
    assert await reason_of(call) == ("PERMISSION_DENIED", "WRONG_ROLE")


async def test_create_match_again_with_the_same_content_succeeds(channel: grpc.aio.Channel) -> None:
    stub, request = RoomControlServiceStub(channel), create_request(new_match_id(), 4)
    first = await stub.CreateMatch(request, metadata=SERVICE)
    again = await stub.CreateMatch(request, metadata=SERVICE)
    assert first == again


async def test_create_match_again_with_another_content_is_refused(
    channel: grpc.aio.Channel,
) -> None:
    request = create_request(new_match_id(), 4)
    await RoomControlServiceStub(channel).CreateMatch(request, metadata=SERVICE)
    del request.players[3]
    assert await create(channel, request) == ("ALREADY_EXISTS", "MATCH_EXISTS")


async def test_calls_with_a_malformed_token_are_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    stub = RoomServiceStub(channel)
    request = table.request(0, RESIGN)
    bad = stub.Act(request, metadata=bearer("not.a.token"))
    assert await reason_of(bad) == ("UNAUTHENTICATED", "TOKEN_INVALID")
    assert await reason_of(stub.Act(request)) == ("UNAUTHENTICATED", "TOKEN_MISSING")
    watch = stub.Watch(pb.WatchRequest(match_id=table.match_id), metadata=bearer("x"))
    assert await reason_of(watch.read()) == ("UNAUTHENTICATED", "TOKEN_INVALID")


async def test_act_in_an_unknown_match_is_refused(channel: grpc.aio.Channel) -> None:
    stranger = Table(new_match_id(), ["player-0", "player-1"])
    wish = pb.Act(key=stranger.key(), leave=pb.Leave())
    assert await act(channel, stranger, 0, wish) == ("NOT_FOUND", "NO_SUCH_MATCH")


async def test_act_without_a_usable_request_key_is_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    wish = pb.Act(leave=pb.Leave())
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "BAD_REQUEST_KEY")
    wish.key.CopyFrom(RequestKey(session=b"short", counter=1))
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "BAD_REQUEST_KEY")
    wish.key.CopyFrom(RequestKey(session=b"l" * 65, counter=1))
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "BAD_REQUEST_KEY")


async def test_act_without_a_wish_is_refused(channel: grpc.aio.Channel, table: Table) -> None:
    assert await act(channel, table, 0, pb.Act(key=table.key())) == (
        "INVALID_ARGUMENT",
        "EMPTY_WISH",
    )


async def test_act_for_another_persons_seat_is_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    table.people.reverse()
    wish = pb.Act(key=table.key(), leave=pb.Leave())
    assert await act(channel, table, 0, wish) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")


async def test_act_for_a_seat_that_is_not_there_is_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    table.people *= 2
    wish = pb.Act(key=table.key(), leave=pb.Leave())
    assert await act(channel, table, 2, wish) == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")


async def test_act_out_of_turn_is_refused(channel: grpc.aio.Channel, table: Table) -> None:
    async with Viewer(channel, table, None) as spectator:
        update = await spectator.until()
    (awaited,) = update.awaited
    wish = action(crowns_pb2.Action(end_turn=crowns_pb2.EndTurn()))
    wish.key.CopyFrom(table.key())
    wish.decision = awaited.decision
    refused = await act(channel, table, 1 - awaited.seat, wish)
    assert refused == ("FAILED_PRECONDITION", "NOT_YOUR_TURN")
    wish.decision = awaited.decision + 5
    refused = await act(channel, table, awaited.seat, wish)
    assert refused == ("ABORTED", "DECISION_CLOSED")


async def test_act_against_the_rules_is_refused_with_the_rule(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with Viewer(channel, table, None) as spectator:
        (awaited,) = (await spectator.until()).awaited
    wish = action(
        crowns_pb2.Action(move=crowns_pb2.Move(from_triangle=0, to_triangle=50, knights=1))
    )
    wish.key.CopyFrom(table.key())
    wish.decision = awaited.decision
    refused = await act(channel, table, awaited.seat, wish)
    assert refused == ("FAILED_PRECONDITION", "ILLEGAL_ACTION")


async def test_act_with_another_games_message_is_refused(
    channel: grpc.aio.Channel, table: Table
) -> None:
    wish = action(crowns_pb2.Options())
    wish.key.CopyFrom(table.key())
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "WRONG_MESSAGE_TYPE")
    wish = pb.Act(key=table.key(), action=RESIGN.action)
    wish.action.value = b"\xff\xff\xff"
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")
    wish = action(crowns_pb2.Action())
    wish.key.CopyFrom(table.key())
    assert await act(channel, table, 0, wish) == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")


async def test_act_in_a_finished_match_is_refused(channel: grpc.aio.Channel, table: Table) -> None:
    resign = pb.Act(key=table.key(), action=RESIGN.action)
    done = await table.act(channel, 0, resign)
    wish = pb.Act(key=table.key(), action=RESIGN.action)
    assert await act(channel, table, 1, wish) == ("FAILED_PRECONDITION", "MATCH_FINISHED")
    again = await table.act(channel, 0, resign)
    assert again == pb.Acted(sequence=done.sequence, repeated_request=True)


async def test_oversized_requests_are_refused(channel: grpc.aio.Channel, table: Table) -> None:
    wish = pb.Act(key=table.key(), action=RESIGN.action)
    wish.action.value = b"x" * 70_000
    assert await act(channel, table, 0, wish) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")


async def test_a_request_key_names_one_request_for_ever(
    channel: grpc.aio.Channel, table: Table
) -> None:
    leave = pb.Act(key=table.key(5), leave=pb.Leave())
    first = await table.act(channel, 0, leave)
    assert not first.repeated_request
    again = await table.act(channel, 0, leave)
    assert again == pb.Acted(sequence=first.sequence, repeated_request=True)
    other = pb.Act(key=table.key(5), take_back=pb.TakeBack())
    assert await act(channel, table, 0, other) == ("INVALID_ARGUMENT", "REQUEST_KEY_REUSED")
    older = pb.Act(key=table.key(4), take_back=pb.TakeBack())
    assert await act(channel, table, 0, older) == ("ABORTED", "REQUEST_SUPERSEDED")


async def test_a_seat_with_a_bot_is_played_by_bots_until_it_is_taken_back(
    channel: grpc.aio.Channel, table: Table
) -> None:
    stub = RoomServiceStub(channel)
    bot = player("bot-1", Role.BOT)
    resign = table.request(0, pb.Act(key=table.key(), action=RESIGN.action))
    assert await reason_of(stub.Act(resign, metadata=bot)) == (
        "FAILED_PRECONDITION",
        "SEAT_HAS_PERSON",
    )
    async with Viewer(channel, table, 1) as other:
        await table.act(channel, 0, pb.Act(key=table.key(), leave=pb.Leave()))
        update = await other.until(lambda update: update.sequence == 2)
        assert [(seat.is_bot, seat.has_person) for seat in update.seats] == [
            (True, True),
            (False, True),
        ]
        refused = await act(channel, table, 0, pb.Act(key=table.key(), action=RESIGN.action))
        assert refused == ("FAILED_PRECONDITION", "SEAT_HAS_BOT")
        watch = stub.Watch(pb.WatchRequest(match_id=table.match_id, seat=0), metadata=bot)
        responses = aiter(watch)
        assert (await anext(responses)).update.HasField("own")
        await table.act(channel, 0, pb.Act(key=table.key(), take_back=pb.TakeBack()))
        update = await other.until(lambda update: update.sequence == 3)
        assert not any(seat.is_bot for seat in update.seats)
        assert (await anext(responses)).update.sequence == 3
        assert (await anext(responses)).detached.reason == "SEAT_TAKEN_BACK"
        refused = await act(channel, table, 0, pb.Act(key=table.key(), take_back=pb.TakeBack()))
        assert refused == ("FAILED_PRECONDITION", "SEAT_IS_YOURS")


async def test_watch_as_a_seat_is_for_its_person_alone(
    channel: grpc.aio.Channel, table: Table
) -> None:
    stub = RoomServiceStub(channel)
    request = pb.WatchRequest(match_id=table.match_id, seat=0)
    watch = stub.Watch(request, metadata=player("nosy"))
    assert await reason_of(watch.read()) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
    watch = stub.Watch(request, metadata=player("bot", Role.BOT))
    assert await reason_of(watch.read()) == ("FAILED_PRECONDITION", "SEAT_HAS_PERSON")
    watch = stub.Watch(pb.WatchRequest(match_id=table.match_id), metadata=player("nosy"))
    assert not (await anext(aiter(watch))).update.HasField("own")
    watch.cancel()


async def test_targets_of_a_selection_come_with_the_sequence_they_are_for(
    channel: grpc.aio.Channel, table: Table
) -> None:
    async with Viewer(channel, table, None) as spectator:
        update = await spectator.until()
    view = crowns_pb2.Common()
    update.common.Unpack(view)
    turn = view.view.turn
    mine = next(each for each in view.view.formations if each.seat == turn)
    request = pb.TargetsRequest(match_id=table.match_id, seat=turn)
    request.select.selection.Pack(
        crowns_pb2.Selection(
            group=crowns_pb2.Group(
                triangle=mine.triangle, king=mine.king, knights=0 if mine.king else 1
            )
        )
    )
    said = await RoomServiceStub(channel).Targets(request, metadata=table.people[turn])
    targets = crowns_pb2.Targets()
    assert said.targets.targets.Unpack(targets)
    assert said.targets.sequence == 1
    assert targets.targets
    request.select.selection.Pack(crowns_pb2.Selection(group=crowns_pb2.Group(triangle=999)))
    refused = await reason_of(
        RoomServiceStub(channel).Targets(request, metadata=table.people[turn])
    )
    assert refused == ("FAILED_PRECONDITION", "ILLEGAL_SELECTION")
