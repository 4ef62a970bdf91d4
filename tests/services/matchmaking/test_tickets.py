"""Tickets on the way from the queue to the match, by one replica."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from nats.aio.client import Client

from arena.games.crowns.v1 import crowns_pb2 as crowns
from arena.matchmaking.v1 import matchmaking_service_pb2 as pb
from arena_services.common.auth import Role, Tokens, bearer
from arena_services.common.channels import open_channel
from arena_services.common.games import wrap
from arena_services.common.players import Players
from arena_services.common.rpc import reason_of
from arena_services.matchmaking import desk
from tests.services.matchmaking.conftest import Replica, RunReplica, sign_in
from tests.services.matchmaking.rooms import Matches, StandInRoom

pytestmark = pytest.mark.usefixtures("room")

WAITING = pb.Ticket.STATE_WAITING
MATCHED = pb.Ticket.STATE_MATCHED
CANCELLED = pb.Ticket.STATE_CANCELLED


async def test_two_people_meet(
    channel: grpc.aio.Channel, room: StandInRoom, matches: Matches
) -> None:
    first, second = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await first.queue()
    assert (ticket.state, ticket.people_waiting) == (WAITING, 1)
    assert 9_000 < ticket.bots_in_ms <= 10_000
    ends = await asyncio.gather(first.closed(ticket), second.closed(await second.queue()))
    request = matches.only
    assert [player.player_id for player in request.players] == [first.player_id, second.player_id]
    assert not any(player.is_bot for player in request.players)
    for end, seat in zip(ends, (1, 0), strict=True):
        assert end.state == MATCHED
        assert (end.match_id, end.seat) == (request.match_id, seat)
        assert list(end.room_addresses) == [room.beat.public_address]


async def test_bots_fill_at_once_where_that_is_asked_for(
    channel: grpc.aio.Channel, matches: Matches, nats: Client
) -> None:
    person = await sign_in(channel)
    ticket = await person.queue(players=4, bot_wait_ms=0, bot_level="hard")
    end = await person.closed(ticket, 3)
    assert end.state == MATCHED
    seated = matches.only.players
    bots = [player for player in seated if player.is_bot]
    assert [player.player_id for player in seated if not player.is_bot] == [person.player_id]
    assert [bot.bot_level for bot in bots] == ["hard"] * 3
    players = await Players.open(nats.jetstream(), 1)
    names = await players.names(bot.player_id for bot in bots)
    assert len(set(names.values())) == 3
    assert not set(names) & set(names.values())


async def test_bots_fill_after_the_wait(channel: grpc.aio.Channel, matches: Matches) -> None:
    first, second = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    patient = await first.queue(players=3, bot_wait_ms=60_000)
    ticket = await second.queue(players=3, bot_wait_ms=400)
    seen = await first.wait_until(patient, lambda now: now.people_waiting == 2)
    assert seen.bots_in_ms <= 400
    await asyncio.gather(first.closed(patient), second.closed(ticket))
    assert [player.is_bot for player in matches.only.players] == [False, False, True]


async def test_only_equal_wishes_meet(channel: grpc.aio.Channel, matches: Matches) -> None:
    people = [await sign_in(channel, name) for name in ("Ada", "Bea", "Cleo", "Dora")]
    large = wrap(crowns.Options(board=crowns.BOARD_LARGE))
    standard = wrap(crowns.Options(board=crowns.BOARD_STANDARD))
    tickets = [
        await people[0].queue(players=3),
        await people[1].queue(options=large),
        await people[2].queue(options=standard),
        await people[3].queue(),  # the default is Standard
    ]
    await asyncio.gather(people[2].closed(tickets[2]), people[3].closed(tickets[3]))
    ids = [player.player_id for player in matches.only.players]
    assert ids == [people[2].player_id, people[3].player_id]
    options = crowns.Options()
    assert matches.only.options.Unpack(options)
    assert options.board == crowns.BOARD_STANDARD


async def test_watchers_see_the_queue_change(channel: grpc.aio.Channel) -> None:
    first, second = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await first.queue(players=4)
    other = await second.queue(players=4)
    await first.wait_until(ticket, lambda now: now.people_waiting == 2)
    assert (await second.cancel(other)).state == CANCELLED
    await first.wait_until(ticket, lambda now: now.people_waiting == 1)


async def test_a_player_has_one_open_ticket(channel: grpc.aio.Channel) -> None:
    person = await sign_in(channel)
    ticket = await person.queue(request_id="one")
    assert (await person.queue(request_id="one")).ticket_id == ticket.ticket_id
    with pytest.raises(grpc.aio.AioRpcError, match=ticket.ticket_id) as caught:
        await person.queue(request_id="two")
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert reason_of(caught.value) == "ALREADY_QUEUED"
    assert (await person.cancel(ticket)).state == CANCELLED
    assert (await person.cancel(ticket)).state == CANCELLED
    # A repeat that comes late gets the first answer, not a second ticket.
    assert (await person.queue(request_id="one")).state == CANCELLED
    assert (await person.queue(request_id="two")).state == WAITING


async def test_a_ticket_deleted_by_an_operator_makes_room_for_another(
    channel: grpc.aio.Channel, nats: Client
) -> None:
    person, other = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await person.queue(players=3)
    neighbour = await other.queue(players=3)
    watching = asyncio.create_task(person.closed(ticket))
    bucket = await nats.jetstream().key_value("tickets")
    await bucket.delete(person.player_id)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watching
    assert reason_of(caught.value) == "NO_SUCH_TICKET"
    await other.wait_until(neighbour, lambda now: now.people_waiting == 1)
    assert (await person.queue(players=3)).state == WAITING


async def test_many_repeats_at_once_make_one_ticket(channel: grpc.aio.Channel) -> None:
    person = await sign_in(channel)
    tickets = await asyncio.gather(*(person.queue(request_id="same") for _ in range(10)))
    assert len({ticket.ticket_id for ticket in tickets}) == 1


async def test_a_request_id_names_one_wish(channel: grpc.aio.Channel) -> None:
    person = await sign_in(channel)
    await person.queue(request_id="one", players=3)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.queue(request_id="one", players=4)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(caught.value) == "REQUEST_ID_REUSED"


async def test_a_match_cannot_be_cancelled(channel: grpc.aio.Channel) -> None:
    person = await sign_in(channel)
    ticket = await person.queue(bot_wait_ms=0)
    await person.closed(ticket)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.cancel(ticket)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert reason_of(caught.value) == "ALREADY_MATCHED"


async def test_others_tickets_are_not_found(channel: grpc.aio.Channel) -> None:
    first, second = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
    ticket = await first.queue()
    for call in (second.cancel(ticket), second.closed(ticket)):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
        assert reason_of(caught.value) == "NO_SUCH_TICKET"


@pytest.mark.parametrize(
    ("fields", "reason", "words"),
    [
        ({"game": "chess"}, "UNKNOWN_GAME", "crowns"),
        ({"players": 1}, "PLAYERS_OUT_OF_RANGE", "2 to 6"),
        ({"players": 7}, "PLAYERS_OUT_OF_RANGE", "2 to 6"),
        ({"options": wrap(crowns.Options(turn_seconds=45))}, "BAD_OPTIONS", "90"),
        ({"options": wrap(crowns.Move())}, "WRONG_MESSAGE_TYPE", "Options"),
        ({"options": AnyMessage()}, "WRONG_MESSAGE_TYPE", "Options"),
        ({"request_id": ""}, "BAD_REQUEST_ID", "64"),
        ({"request_id": "x" * 65}, "BAD_REQUEST_ID", "64"),
        ({"bot_wait_ms": -1}, "BAD_BOT_WAIT", "-1"),
        ({"bot_wait_ms": 3_600_001}, "BAD_BOT_WAIT", "3600000"),
        ({"bot_level": "Très fort"}, "BAD_BOT_LEVEL", "32"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_with_the_reason(
    channel: grpc.aio.Channel, fields: dict[str, object], reason: str, words: str
) -> None:
    person = await sign_in(channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.queue(**fields)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(caught.value) == reason
    assert words in (caught.value.details() or "")


async def test_garbled_options_are_refused(channel: grpc.aio.Channel) -> None:
    garbled = AnyMessage(
        type_url="type.googleapis.com/arena.games.crowns.v1.Options", value=b"\xff"
    )
    person = await sign_in(channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.queue(options=garbled)
    assert reason_of(caught.value) == "MALFORMED_MESSAGE"


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ((), "TOKEN_MISSING"),
        (bearer("not.a.token"), "TOKEN_INVALID"),
        (Tokens("another key, just as long as it must be").service_metadata("x"), "TOKEN_INVALID"),
    ],
)
async def test_who_has_no_good_token_is_turned_away(
    channel: grpc.aio.Channel, metadata: tuple[tuple[str, str], ...], reason: str
) -> None:
    person = await sign_in(channel)
    person.metadata = metadata
    for call in (person.queue(), person.cancel(pb.Ticket()), person.closed(pb.Ticket())):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert reason_of(caught.value) == reason


async def test_services_do_not_queue(channel: grpc.aio.Channel, tokens: Tokens) -> None:
    person = await sign_in(channel)
    person.metadata = tokens.service_metadata("bot", Role.BOT)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await person.queue()
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_a_ticket_that_nobody_watches_is_cancelled(run_replica: RunReplica) -> None:
    async with (
        run_replica(unwatched_seconds=1.0) as replica,
        open_channel(replica.address) as channel,
    ):
        gone, there = await sign_in(channel, "Ada"), await sign_in(channel, "Bea")
        left = await gone.queue(players=3)
        await gone.wait_until(left, lambda now: now.people_waiting == 1)  # and then leaves
        kept = await there.queue(players=3)
        watching = there.watch(kept)
        seen: list[int] = []
        async with asyncio.timeout(5), aclosing(watching):
            async for now in watching:
                seen.append(now.people_waiting)
                if seen[-2:] == [2, 1]:
                    break
        end = await gone.closed(left)
        assert (end.state, end.reason) == (CANCELLED, "NOT_WATCHED")


async def test_a_waiting_ticket_is_told_again_as_a_sign_of_life(
    channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "_HEARTBEAT_SECONDS", 0.3)
    person = await sign_in(channel)
    ticket = await person.queue()
    async with asyncio.timeout(5), aclosing(person.watch(ticket)) as watching:
        told = [await anext(watching) for _ in range(3)]
    assert [now.people_waiting for now in told] == [1, 1, 1]
    assert told[0].bots_in_ms > told[1].bots_in_ms > told[2].bots_in_ms


async def test_a_drained_replica_sends_watchers_elsewhere(
    replica: Replica, channel: grpc.aio.Channel
) -> None:
    person = await sign_in(channel)
    ticket = await person.queue()
    watching = asyncio.create_task(person.closed(ticket))
    await asyncio.sleep(0.2)
    await replica.drain()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watching
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert reason_of(caught.value) == "DRAINING"


async def test_a_hundred_people_all_meet_somebody(
    channel: grpc.aio.Channel, matches: Matches
) -> None:
    people = [await sign_in(channel, f"Guest {number}") for number in range(100)]

    async def play(person_number: int) -> pb.Ticket:
        person = people[person_number]
        ticket = await person.queue(players=4, request_id=uuid.uuid4().hex)
        return await person.closed(ticket, 30)

    ends = await asyncio.gather(*(play(number) for number in range(100)))
    assert {end.state for end in ends} == {MATCHED}
    assert len(matches.created) == 25
    places = {(end.match_id, end.seat) for end in ends}
    assert len(places) == 100
