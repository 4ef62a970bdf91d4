"""People who are away: the others may have a bot play for them, and a match that all have left is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.channels import open_channel
from arena_services.local.nats_server import NatsServer
from arena_services.room import votes
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import Table, Viewer, play_on, reason_of


def against(table: Table, seat: int) -> pb.Act:
    """A vote to have a bot play a seat."""
    return pb.Act(key=table.key(), replace_absent=pb.ReplaceAbsent(seat=seat))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes, "AWAY_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
async def test_more_than_half_of_those_who_are_there_have_a_bot_play_for_one_who_is_away(
    channel: grpc.aio.Channel,
) -> None:
    table = await Table.make(channel, 4)
    async with (
        Viewer(channel, table, 1) as first,
        Viewer(channel, table, 2) as second,
        Viewer(channel, table, 3) as third,
    ):
        for viewer in (first, second, third):
            await viewer.until()
        await asyncio.sleep(0.4)
        vote = against(table, 0)
        assert (await table.act(channel, 1, vote)).sequence == 2
        assert (await table.act(channel, 1, vote)).repeated_request
        update = await second.until_sequence(2)
        assert list(update.votes) == [pb.Vote(seat=1, absent_seat=0)]
        again = await reason_of(table.act(channel, 1, against(table, 0)))
        assert again == ("FAILED_PRECONDITION", "ALREADY_VOTED")
        await table.act(channel, 3, against(table, 0))
        update = await first.until_sequence(3)
        assert update.seats[0].is_bot
        assert update.seats[0].has_person
        assert not update.votes
        back = pb.Act(key=table.key(), take_back=pb.TakeBack())
        await table.act(channel, 0, back)
        assert not (await first.until_sequence(4)).seats[0].is_bot


@pytest.mark.usefixtures("impatient")
async def test_votes_outlive_a_takeover_and_end_when_the_person_is_back(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2") as heir, open_channel(heir.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            table = await Table.make(direct, 3)
            here = [Viewer(channel, table, seat) for seat in (1, 2)]
            for viewer in here:
                await viewer.until()
            await asyncio.sleep(0.4)
            await table.act(direct, 1, against(table, 0))
        async with here[0] as first, here[1] as second:
            update = await first.until_sequence(3)
            assert [vote.seat for vote in update.votes] == [1]
            async with Viewer(channel, table, 0) as person:
                await play_on(table, channel, [person, first, second], 1)
                assert not (await first.until_sequence(4)).votes


@pytest.mark.usefixtures("impatient")
async def test_nobody_is_replaced_who_is_there_or_not_waited_for(
    channel: grpc.aio.Channel,
) -> None:
    table = await Table.make(channel, 3)
    precondition = "FAILED_PRECONDITION"

    async def refused(seat: int, absent: int) -> tuple[str, str]:
        return await reason_of(table.act(channel, seat, against(table, absent)))

    early = await refused(1, 0)
    assert early == (precondition, "SEAT_NOT_ABSENT")
    async with Viewer(channel, table, 0) as viewer, Viewer(channel, table, 1):
        await viewer.until()
        await asyncio.sleep(0.4)
        assert await refused(1, 0) == (precondition, "SEAT_NOT_ABSENT")
    await asyncio.sleep(0.4)
    assert await refused(1, 2) == (precondition, "SEAT_NOT_ABSENT")
    assert await refused(0, 0) == (precondition, "SEAT_NOT_ABSENT")
    assert await refused(1, 9) == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")
    await table.act(channel, 1, against(table, 0))
    assert await refused(1, 0) == (precondition, "SEAT_HAS_BOT")
    clocked = await Table.make(channel, 2, turn_seconds=30)
    by_clock = await reason_of(clocked.act(channel, 1, against(clocked, 0)))
    assert by_clock == (precondition, "CLOCK_RUNS")


@pytest.fixture
async def forgetful_room(nats: NatsServer) -> AsyncIterator[RoomHere]:
    async with room_here(nats.url, abandoned_seconds=2.5) as running:
        yield running


async def test_a_match_in_which_no_person_acts_is_closed_without_a_result(
    forgetful_room: RoomHere,
) -> None:
    async with open_channel(forgetful_room.address) as channel:
        table = await Table.make(channel)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            for _ in range(4):
                await asyncio.sleep(0.5)
                await play_on(table, channel, [first, second], 1)
            assert not first.newest.HasField("outcome")
            assert await first.end() == "FINISHED"
            outcome = first.newest.outcome
            assert (outcome.how, list(outcome.places)) == ("ABANDONED", [])
        tail = await forgetful_room.hall.reader.tail(table.match_id)
        assert tail is not None
        assert tail.headers.result == "ABANDONED -"
