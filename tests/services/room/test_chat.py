"""What people say at a match: to whom it goes, how much of it there may be, what is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from arena.log.v1.chat_pb2 import ChatReport
from arena.log.v1.entry_pb2 import RequestKey
from arena.room.v1 import chat_service_pb2 as chat
from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.chat_service_pb2_grpc import ChatServiceStub
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.auth import Metadata, Role
from arena_services.common.channels import open_channel
from arena_services.common.log.messages import all_messages
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from arena_services.room.chat import LONGEST_TEXT, Chat
from tests.services.room.harness import RoomHere, room_here
from tests.services.room.table import RESIGN, Play, Table, player, reason_of


class Talker:
    """A seat's person, who talks and listens."""

    def __init__(self, channel: grpc.aio.Channel, table: Table, seat: int) -> None:
        self._stub = ChatServiceStub(channel)
        self._table = table
        self.seat = seat
        self.who = table.people[seat]
        self._stream = RoomServiceStub(channel).Watch(
            pb.WatchRequest(match_id=table.match_id, seat=seat), metadata=self.who
        )
        self._responses = aiter(self._stream)

    async def say(self, text: str, key: RequestKey | None = None) -> chat.SayResponse:
        request = chat.SayRequest(
            match_id=self._table.match_id,
            seat=self.seat,
            key=key or self._table.key(),
            text=text,
        )
        return await self._stub.Say(request, metadata=self.who)

    async def hear(self, seconds: float = 5) -> pb.ChatLine:
        """The next line on the stream."""
        async with asyncio.timeout(seconds):
            async for response in self._responses:
                if response.HasField("chat"):
                    return response.chat
        raise AssertionError("the stream ended")

    async def mute(self, seat: int, *, is_muted: bool = True) -> None:
        request = chat.MuteRequest(
            match_id=self._table.match_id, seat=self.seat, muted_seat=seat, is_muted=is_muted
        )
        await self._stub.Mute(request, metadata=self.who)

    async def lines(self, after_number: int = 0) -> chat.ListLinesResponse:
        request = chat.ListLinesRequest(
            match_id=self._table.match_id, seat=self.seat, after_number=after_number
        )
        return await self._stub.ListLines(request, metadata=self.who)

    async def report(self, number: int, comment: str = "") -> None:
        request = chat.ReportRequest(
            match_id=self._table.match_id, seat=self.seat, number=number, comment=comment
        )
        await self._stub.Report(request, metadata=self.who)

    def leave(self) -> None:
        self._stream.cancel()


@pytest.fixture
def talkers(channel: grpc.aio.Channel, table: Table) -> list[Talker]:
    return [Talker(channel, table, seat) for seat in range(2)]


async def joined(*talkers: Talker) -> None:
    for talker in talkers:
        assert (await anext(talker._responses)).HasField("update")


async def test_what_is_said_reaches_the_people_and_nobody_else(
    channel: grpc.aio.Channel, table: Table, talkers: list[Talker]
) -> None:
    first, second = talkers
    spectator, bot = Play(channel, player("somebody")), Play(channel, player("bot", Role.BOT))
    await joined(first, second)
    await table.act(channel, 1, pb.Act(key=table.key(), leave=pb.Leave()))
    watch = pb.PlayRequest(match_id=table.match_id, spectate=True, attach=pb.Attach())
    spectator.send(watch)
    bot.send(pb.PlayRequest(match_id=table.match_id, seat=1, attach=pb.Attach()))
    for stream in (spectator, bot):
        assert (await stream.next()).HasField("update")
    said = (await first.say("  Hello there!  ")).line
    assert (said.number, said.seat, said.text) == (1, 0, "Hello there!")
    assert said.time_ms > 0
    assert await second.hear() == await first.hear() == said
    answer = (await second.say("Hi")).line
    assert await first.hear() == answer
    for stream in (spectator, bot):
        with pytest.raises(TimeoutError):
            await stream.next(0.3)
        stream._stream.cancel()


async def test_chat_is_kept_beside_the_match_and_over_a_takeover(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2") as heir, open_channel(heir.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            table = await Table.make(direct)
            there, here = Talker(direct, table, 0), Talker(channel, table, 1)
            await joined(there, here)
            key = table.key()
            said = await there.say("one", key)
            assert await here.hear() == said.line
            assert await there.say("one", key) == said
            await here.say("two")
            await here.mute(0)
            there.leave()
        afterwards = Talker(channel, table, 0)
        await joined(afterwards)
        assert await afterwards.say("one", key) == said
        third = (await afterwards.say("three")).line
        assert third.number == 3
        assert [line.text for line in (await afterwards.lines()).lines] == ["one", "two", "three"]
        assert [line.number for line in (await afterwards.lines(1)).lines] == [2, 3]
        answer = await here.lines()
        assert [line.text for line in answer.lines] == ["two"]
        assert list(answer.muted_seats) == [0]
        tail = await heir.hall.reader.tail(table.match_id)
        assert tail is not None
        assert tail.entry.WhichOneof("body") == "claimed"
        here.leave()
        afterwards.leave()


async def test_a_muted_seat_is_not_heard_until_it_is_again(talkers: list[Talker]) -> None:
    first, second = talkers
    await joined(first, second)
    await first.say("one")
    await second.hear()
    await second.mute(0)
    await second.mute(0)
    await first.say("two")
    await second.say("three")
    assert (await second.hear()).text == "three"
    await second.mute(0, is_muted=False)
    await first.say("four")
    assert (await second.hear()).text == "four"
    assert [line.text for line in (await second.lines()).lines] == ["one", "two", "three", "four"]


async def test_whoever_talks_too_fast_is_asked_to_slow_down(talkers: list[Talker]) -> None:
    first, second = talkers
    for number in range(5):
        await first.say(f"line {number}")
    assert await reason_of(first.say("one too many")) == ("RESOURCE_EXHAUSTED", "CHAT_TOO_FAST")
    assert (await second.say("I may")).line.number == 6


@pytest.mark.parametrize(
    "text", ["", "   ", "x" * (LONGEST_TEXT + 1), "a\nb", "a\u202eb", "\ud7ff\u0000", "\u200b"]
)
async def test_texts_that_do_not_show_are_refused(talkers: list[Talker], text: str) -> None:
    assert await reason_of(talkers[0].say(text)) == ("INVALID_ARGUMENT", "BAD_TEXT")
    assert not (await talkers[0].lines()).lines


async def test_a_line_is_reported_with_what_went_before(
    room: RoomHere, table: Table, talkers: list[Talker]
) -> None:
    first, second = talkers
    for text in ("one", "two", "three"):
        await first.say(text)
    for _ in range(2):
        await second.report(2, "not nice")
    nats = room.hall.reader.nats
    (message,) = await all_messages(nats, "CHAT_REPORTS", f"report.{table.match_id}.*.*")
    report = ChatReport.FromString(message.data)
    assert (report.seat, report.player_id, report.comment) == (1, table.player_ids[1], "not nice")
    assert (report.line.text, report.line_player_id) == ("two", table.player_ids[0])
    assert [line.text for line in report.before] == ["one"]
    assert await reason_of(second.report(9)) == ("NOT_FOUND", "NO_SUCH_LINE")


async def test_only_the_people_of_a_match_talk_at_it(
    channel: grpc.aio.Channel, table: Table, talkers: list[Talker]
) -> None:
    def say(who: Metadata, seat: int = 0, match_id: str = table.match_id) -> Any:
        request = chat.SayRequest(match_id=match_id, seat=seat, key=table.key(), text="hi")
        return ChatServiceStub(channel).Say(request, metadata=who)

    def lines(who: Metadata, seat: int = 0, match_id: str = table.match_id) -> Any:
        request = chat.ListLinesRequest(match_id=match_id, seat=seat)
        return ChatServiceStub(channel).ListLines(request, metadata=who)

    for call in (say, lines):
        mine, other = table.people[0], player("stranger")
        assert await reason_of(call(other)) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
        assert await reason_of(call(mine, 1)) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
        assert await reason_of(call(mine, 7)) == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")
        nowhere = call(mine, 0, new_match_id())
        assert await reason_of(nowhere) == ("NOT_FOUND", "NO_SUCH_MATCH")
        bot = player("player-0", Role.BOT)
        assert await reason_of(call(bot)) == ("PERMISSION_DENIED", "WRONG_ROLE")
    assert await reason_of(talkers[0].mute(5)) == ("INVALID_ARGUMENT", "NO_SUCH_SEAT")
    no_key = chat.SayRequest(match_id=table.match_id, seat=0, text="hi")
    refused = ChatServiceStub(channel).Say(no_key, metadata=table.people[0])
    assert await reason_of(refused) == ("INVALID_ARGUMENT", "BAD_REQUEST_KEY")
    await talkers[0].say("well played")
    await table.act(channel, 0, pb.Act(key=table.key(), action=RESIGN.action))
    assert await reason_of(talkers[0].say("hi")) == ("FAILED_PRECONDITION", "MATCH_FINISHED")
    assert [line.text for line in (await talkers[1].lines()).lines] == ["well played"]


async def test_two_rooms_that_both_have_a_match_number_its_lines_once(
    nats: NatsServer, talkers: list[Talker], table: Table
) -> None:
    await talkers[0].say("one")
    async with room_here(nats.url, "room-9") as other:
        theirs = Chat(other.hall._stores.chat, table.match_id)
        line, is_new = await theirs.say(1, table.key(), "two")
        assert (line.number, is_new) == (2, True)
    assert (await talkers[0].say("three")).line.number == 3
    assert [line.number for line in (await talkers[0].lines()).lines] == [1, 2, 3]
