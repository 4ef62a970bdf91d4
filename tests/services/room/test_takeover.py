"""Matches whose room is killed, paused, drained or contested: they go on elsewhere, and nobody but the log decides."""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena_services.client import PlayClient
from arena_services.common.channels import open_channel
from arena_services.common.clock import now_ms
from arena_services.common.log.errors import FencedError, LogUnavailableError
from arena_services.common.log.subjects import new_match_id
from arena_services.local.nats_server import NatsServer
from tests.services.room.folding import fold_log
from tests.services.room.harness import RoomHere, room_here, room_process, settled
from tests.services.room.table import RESIGN, Play, Table, Viewer, play_on, player
from tests.waiting import eventually


async def verified(room: RoomHere, match_id: str) -> list[str]:
    """What each stored entry is, after a fold that checks every hash."""
    tail = await room.hall.reader.tail(match_id)
    assert tail is not None
    entries = [each.entry for each in await room.hall.reader.read(match_id, tail.stream_sequence)]
    fold_log(match_id, entries)
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    return [entry.WhichOneof("body") or "" for entry in entries]


async def test_any_room_serves_any_match(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as owner,
        room_here(nats.url, "room-2") as front,
        open_channel(owner.address) as direct,
        open_channel(front.address) as forwarding,
    ):
        await settled(owner, front)
        table = await Table.make(direct)
        async with (
            Viewer(forwarding, table, 0) as first,
            Viewer(forwarding, table, 1) as second,
            Viewer(direct, table, None) as spectator,
        ):
            last = await play_on(table, forwarding, [first, second], 6)
            await table.act(forwarding, 0, pb.Act(key=table.key(), action=RESIGN.action))
            assert await first.end() == "FINISHED"
            assert await second.end() == "FINISHED"
            assert await spectator.end() == "FINISHED"
            assert first.newest.outcome == spectator.newest.outcome
            assert first.newest.sequence == last + 1
        assert owner.hall.find(table.match_id) is not None
        assert front.hall.find(table.match_id) is None
        assert await verified(owner, table.match_id) == ["created"] + ["acted"] * 7


async def test_a_room_that_has_just_begun_keeps_its_matches_however_clocks_differ(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url, "room-1") as owner,
        room_here(nats.url, "room-2") as front,
        open_channel(owner.address) as direct,
        open_channel(front.address) as forwarding,
    ):
        # As if the server that leads the rooms' stream were ahead of the one that leads the owners'.
        began_ms = owner.hall.heartbeat.began_ms = owner.hall.heartbeat.began_ms + 60_000

        def is_known() -> bool:
            beat = front.hall._roster.find("room-1")
            return beat is not None and beat.began_ms == began_ms

        await eventually(is_known)
        await settled(owner, front)
        table = await Table.make(direct)
        async with (
            Viewer(forwarding, table, 0) as first,
            Viewer(forwarding, table, 1) as second,
        ):
            await play_on(table, forwarding, [first, second], 6)
        assert owner.hall.find(table.match_id) is not None
        assert await verified(owner, table.match_id) == ["created"] + ["acted"] * 6


async def test_match_of_a_room_that_is_gone_goes_on_in_another(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2") as front, open_channel(front.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            await settled(owner, front)
            table = await Table.make(direct, turn_seconds=30)
            first, second = Viewer(channel, table, 0), Viewer(channel, table, 1)
            last = await play_on(table, channel, [first, second], 3)
            await first.until_sequence(last)
        after = await first.until_sequence(last + 1)
        assert after.given_back_ms > 0
        acted = await play_on(table, channel, [first, second], 3)
        assert acted == last + 1 + 3
        async with first, second:
            kinds = await verified(front, table.match_id)
        assert kinds == ["created", *["acted"] * 3, "claimed", *["acted"] * 3]


async def test_requests_are_answered_once_over_a_takeover(nats: NatsServer) -> None:
    async with room_here(nats.url, "room-2") as front, open_channel(front.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            await settled(owner, front)
            table = await Table.make(direct)
            leave = pb.Act(key=table.key(), leave=pb.Leave())
            first = await table.act(direct, 0, leave)
        again = await table.act(channel, 0, leave)
        assert again == pb.Acted(sequence=first.sequence, repeated_request=True)


async def test_play_stream_over_a_front_room_goes_on_when_the_owner_is_gone(
    nats: NatsServer,
) -> None:
    async with room_here(nats.url, "room-2") as front, open_channel(front.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            await settled(owner, front)
            table = await Table.make(direct)
            stream = Play(channel, table.people[0])
            where: Any = {"match_id": table.match_id, "seat": 0}
            stream.send(pb.PlayRequest(id=1, **where, attach=pb.Attach()))
            assert (await stream.next()).update.reset
            leave = pb.Act(key=table.key(), leave=pb.Leave())
            stream.send(pb.PlayRequest(id=70, **where, act=leave))
            said = [await stream.next(), await stream.next()]
            assert [each.WhichOneof("response") for each in said] == ["update", "acted"]
            assert (said[1].id, said[1].acted.sequence) == (70, 2)
            illegal = pb.Act(key=table.key(), action=RESIGN.action)
            stream.send(pb.PlayRequest(id=71, **where, act=illegal))
            said = [await stream.next()]
            assert (said[0].id, said[0].error.reason) == (71, "SEAT_HAS_BOT")
        take_back = pb.Act(key=table.key(), take_back=pb.TakeBack())
        stream.send(pb.PlayRequest(id=72, **where, act=take_back))
        said = [await stream.next(8), await stream.next(), await stream.next()]
        updates = [each.update.sequence for each in said if each.HasField("update")]
        assert updates == [3, 4]
        (acted,) = [each for each in said if each.HasField("acted")]
        assert (acted.id, acted.acted.sequence) == (72, 4)
        stream.send(pb.PlayRequest(id=73, **where, detach=pb.Detach()))
        assert (await stream.next()).detached.reason == "DETACHED"
        await stream.end()


async def test_two_rooms_that_claim_one_match_agree_on_one_owner(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as former,
        room_here(nats.url, "room-2") as one,
        room_here(nats.url, "room-3") as two,
        open_channel(former.address) as to_former,
        open_channel(one.address) as to_one,
        open_channel(two.address) as to_two,
    ):
        await settled(former, one, two)
        for _ in range(5):
            table = await Table.make(to_former)
            tail = await former.hall.reader.tail(table.match_id)
            assert tail is not None
            claims = [room.hall._take_in(table.match_id, tail, None) for room in (one, two)]
            results = await asyncio.gather(*claims, return_exceptions=True)
            assert [isinstance(result, FencedError) for result in results].count(True) == 1
            async with Viewer(to_one, table, 0) as first, Viewer(to_two, table, 1) as second:
                assert await play_on(table, to_former, [first, second], 2) == 4
                assert await play_on(table, to_one, [first, second], 1) == 5
                assert await play_on(table, to_two, [first, second], 1) == 6
            assert former.hall.find(table.match_id) is None
            kinds = await verified(one, table.match_id)
            assert kinds == ["created", "claimed", *["acted"] * 4]


async def _replaced_unheard(one: RoomHere, two: RoomHere, table: Table) -> None:
    """Have a room take a match over without its former one hearing of that."""
    tail = await one.hall.reader.tail(table.match_id)
    assert tail is not None

    async def put(*_: Any) -> bool:
        return True

    two.hall._owners.put = put  # type: ignore[assignment,method-assign]
    await two.hall._take_in(table.match_id, tail, None)
    assert one.hall.find(table.match_id) is not None


async def test_room_with_an_old_copy_of_a_match_that_it_is_to_have_takes_it_over(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url, "room-1") as one,
        room_here(nats.url, "room-2") as two,
        open_channel(one.address) as channel,
    ):
        await settled(one, two)
        table = await Table.make(channel)
        put = two.hall._owners.put
        await _replaced_unheard(one, two, table)
        two.hall._owners.put = put  # type: ignore[method-assign]
        await two.drain()
        async with Viewer(channel, table, None) as viewer:
            await viewer.until_sequence(3)
        assert await verified(one, table.match_id) == ["created", "claimed", "claimed"]


def _lose_words(room: RoomHere, monkeypatch: pytest.MonkeyPatch, count: int) -> list[str]:
    """Have what a room says of its matches get lost, so many times; returns of which, as that happens."""
    owners, lost = room.hall._owners, list[str]()
    write = owners._write

    async def write_at_last(match_id: str, value: bytes, headers: dict[str, str]) -> bool:
        if len(lost) >= count:
            return await write(match_id, value, headers)
        lost.append(match_id)
        return False

    monkeypatch.setattr(owners, "_write", write_at_last)
    return lost


async def test_room_says_that_it_has_taken_a_match_over_until_that_is_heard(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel)
    async with room_here(nats.url, "room-2") as heir:
        lost = _lose_words(heir, monkeypatch, 2)
        tail = await heir.hall.reader.tail(table.match_id)
        assert tail is not None
        match = await heir.hall._take_in(table.match_id, tail, None)
        reign = heir.hall._reign(match.epoch)
        async with asyncio.timeout(10):
            while (
                owner := await heir.hall._owners.ask(table.match_id)
            ) is None or owner.room_id != "room-2":
                await asyncio.sleep(0.05)
        assert (owner.room_id, owner.reign) == ("room-2", reign)
        assert lost == [table.match_id] * 2
        assert await verified(heir, table.match_id) == ["created", "claimed"]


async def test_match_is_played_before_it_is_stored_who_has_it(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        table = await Table.make(channel)
    async with room_here(nats.url, "room-2") as heir, open_channel(heir.address) as channel:
        owners, stored = heir.hall._owners, asyncio.Event()
        write = owners._write

        async def write_late(match_id: str, value: bytes, headers: dict[str, str]) -> bool:
            await stored.wait()
            return await write(match_id, value, headers)

        monkeypatch.setattr(owners, "_write", write_late)
        async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
            assert await play_on(table, channel, [first, second], 2) == 4
        stored.set()
        async with asyncio.timeout(10):
            while (owner := await owners.ask(table.match_id)) is None or owner.room_id != "room-2":
                await asyncio.sleep(0.05)
        assert await verified(heir, table.match_id) == ["created", "claimed", "acted", "acted"]


async def test_match_whose_next_room_could_not_be_told_is_taken_up_again(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        room_here(nats.url, "room-1") as one,
        room_here(nats.url, "room-2") as two,
        open_channel(one.address) as channel,
    ):
        await settled(one, two)
        table = await Table.make(channel)
        match, heir = one.hall.find(table.match_id), one.hall._roster.find("room-2")
        assert match is not None
        assert heir is not None
        lost = _lose_words(one, monkeypatch, 1)
        with pytest.raises(LogUnavailableError):
            await one.hall.hand_over(match, heir)
        await eventually(lambda: one.hall.find(table.match_id) not in {None, match})
        assert lost == [table.match_id]
        assert await verified(one, table.match_id) == ["created", "claimed"]


async def test_room_that_drains_names_heirs_until_that_is_heard(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        room_here(nats.url, "room-1") as one,
        room_here(nats.url, "room-2") as two,
        open_channel(one.address) as channel,
    ):
        await settled(one, two)
        table = await Table.make(channel)
        lost = _lose_words(one, monkeypatch, 2)
        await one.hall.drain()
        assert lost == [table.match_id] * 2
        await eventually(lambda: two.hall.find(table.match_id) is not None)
        assert await verified(two, table.match_id) == ["created", "claimed"]


async def test_viewer_who_has_seen_more_than_an_old_copy_is_not_shown_it(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as one,
        room_here(nats.url, "room-2") as two,
        open_channel(one.address) as channel,
    ):
        await settled(one, two)
        table = await Table.make(channel)
        await _replaced_unheard(one, two, table)
        async with Viewer(channel, table, 0, after_sequence=2) as viewer:
            assert (await viewer.until()).sequence == 3
        assert not viewer.updates[0].reset


async def test_viewer_who_claims_to_have_seen_more_than_there_is_is_shown_what_there_is(
    channel: grpc.aio.Channel,
) -> None:
    table = await Table.make(channel)
    async with Viewer(channel, table, 0, after_sequence=9) as viewer:
        update = await viewer.until()
    assert (update.sequence, update.reset) == (1, True)


async def test_room_that_drains_hands_its_matches_over_unnoticed(nats: NatsServer) -> None:
    async with (
        room_here(nats.url, "room-1") as leaving,
        room_here(nats.url, "room-2") as staying,
        open_channel(leaving.address) as direct,
        open_channel(staying.address) as channel,
    ):
        await settled(leaving, staying)
        tables = [await Table.make(direct) for _ in range(10)]
        viewers = [[Viewer(channel, table, seat) for seat in (0, 1)] for table in tables]
        beside = Viewer(direct, tables[0], None)
        for viewer in [beside, *itertools.chain(*viewers)]:
            await viewer.until()
        await asyncio.sleep(1.5)
        await leaving.drain()
        for table, pair in zip(tables, viewers, strict=True):
            assert await play_on(table, channel, pair, 2) == 4
            for viewer in pair:
                async with viewer:
                    assert [update.sequence for update in viewer.updates][:3] == [1, 2, 3]
                    made, claimed = viewer.updates[:2]
                    assert claimed.time_ms - claimed.given_back_ms > made.time_ms, "it was played"
            assert await verified(staying, table.match_id) == [
                "created",
                "claimed",
                "acted",
                "acted",
            ]
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await beside.end()
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
        assert not leaving.hall.owned()


async def test_match_left_to_a_room_that_drains_already_goes_on_elsewhere(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url, "room-1") as one,
        room_here(nats.url, "room-2") as two,
        open_channel(one.address) as channel,
    ):
        await settled(one, two)
        table = await Table.make(channel)
        match, heir = one.hall.find(table.match_id), one.hall._roster.find("room-2")
        assert match is not None
        assert heir is not None
        # It has not gone, as after an operator's word.
        await two.hall.drain()
        await one.hall.hand_over(match, heir)
        async with Viewer(channel, table, None) as viewer:
            await viewer.until_sequence(2)
        assert one.hall.find(table.match_id) is not None
        assert await verified(one, table.match_id) == ["created", "claimed"]


@pytest.mark.timeout(90)
async def test_processes_that_are_killed_and_paused_lose_nothing(
    nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as first_room,
        room_process(nats.url, "room-2", tmp_path) as second_room,
        open_channel(first_room.address) as to_first,
        open_channel(second_room.address) as to_second,
    ):
        await asyncio.sleep(2)
        table = await Table.make(to_first, turn_seconds=30)
        viewers = [Viewer(to_second, table, seat) for seat in (0, 1)]
        assert await play_on(table, to_second, viewers, 2) == 3

        first_room.send(signal.SIGSTOP)
        assert await play_on(table, to_second, viewers, 1) == 5
        first_room.send(signal.SIGCONT)
        await asyncio.sleep(0.2)
        async with Viewer(to_first, table, None) as late:
            await late.until_sequence(5)
            assert await play_on(table, to_first, viewers, 1) == 6
            await late.until_sequence(6)

        table = await Table.make(to_first, turn_seconds=30)
        viewers += [Viewer(to_second, table, seat) for seat in (0, 1)]
        assert await play_on(table, to_second, viewers[2:], 2) == 3
        await first_room.kill()
        assert await play_on(table, to_second, viewers[2:], 1) == 5
        for viewer in viewers:
            async with viewer:
                pass


async def test_room_that_restarts_takes_its_own_matches_up_again(
    nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as room,
        open_channel(room.address) as channel,
    ):
        made = time.monotonic()
        table = await Table.make(channel, turn_seconds=30)
        await room.kill()
        played_ms = (time.monotonic() - made) * 1000
        await asyncio.sleep(1)
        await room.start()
        # Not by the former channel, which may still wait before it tries again.
        async with open_channel(room.address) as again, Viewer(again, table, 0) as viewer:
            update = await viewer.until_sequence(2)
            since_claim_ms = now_ms() - update.time_ms
            assert update.remaining_ms + since_claim_ms > 30_000 - played_ms - 100


async def test_room_that_died_leaves_its_matches_to_the_other_and_no_clock_pays(
    nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as room,
        room_here(nats.url, "room-2") as other,
        open_channel(room.address) as channel,
    ):
        made = time.monotonic()
        table = await Table.make(channel, turn_seconds=30)
        await settled(other)
        await room.kill()
        played_ms = (time.monotonic() - made) * 1000
        await room.start()
        async with open_channel(room.address) as again, Viewer(again, table, 0) as viewer:
            update = await viewer.until_sequence(2)
            since_claim_ms = now_ms() - update.time_ms
            assert update.remaining_ms + since_claim_ms > 30_000 - played_ms - 100
        assert other.hall.find(table.match_id) is not None


async def test_finished_match_is_read_again_by_any_room_without_being_claimed(
    nats: NatsServer,
) -> None:
    async with (
        room_here(nats.url, "room-1", keep_finished_seconds=0) as owner,
        room_here(nats.url, "room-2") as other,
        open_channel(owner.address) as direct,
        open_channel(other.address) as channel,
    ):
        table = await Table.make(direct)
        await table.act(direct, 0, pb.Act(key=table.key(), action=RESIGN.action))
        while owner.hall.find(table.match_id) is not None:
            await asyncio.sleep(0.05)
        async with Viewer(channel, table, 1) as viewer:
            assert await viewer.end() == "FINISHED"
            assert viewer.newest.reset
            assert viewer.newest.outcome.how == "last_king"
        async with Viewer(channel, table, None, after_sequence=1) as viewer:
            assert await viewer.end() == "FINISHED"
            assert [update.sequence for update in viewer.updates] == [2]
        assert await verified(other, table.match_id) == ["created", "acted"]


async def test_unknown_match_is_not_found_by_whatever_room(room: RoomHere) -> None:
    table = Table(new_match_id(), [])
    async with open_channel(room.address) as channel:
        viewer = Viewer(channel, table, None)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await viewer.end()
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
        assert player("x")


async def test_a_client_leaves_a_front_room_that_hangs_within_seconds(
    nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        room_here(nats.url, "room-1") as owner,
        room_process(nats.url, "room-2", tmp_path) as front,
        open_channel(owner.address) as channel,
    ):
        table = await Table.make(channel)
        token = table.people[0][0][1].removeprefix("Bearer ")
        async with PlayClient((front.address, owner.address), token) as client:
            seat = await client.join(table.match_id, 0)
            front.send(signal.SIGSTOP)
            async with asyncio.timeout(30):
                await seat.leave()
            assert client.reconnects
            front.send(signal.SIGCONT)


async def test_orphan_that_nats_keeps_waiting_keeps_no_other_waiting(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_here(nats.url, "room-1") as former, open_channel(former.address) as channel:
        tables = [await Table.make(channel) for _ in range(4)]
    async with room_here(nats.url, "room-2") as heir:
        stuck, take_over = asyncio.Event(), heir.hall.take_over
        kept: list[str] = []

        async def take_over_late(match_id: str) -> None:
            if not kept:
                kept.append(match_id)
                await stuck.wait()
            await take_over(match_id)

        monkeypatch.setattr(heir.hall, "take_over", take_over_late)
        await eventually(lambda: heir.hall.match_count == len(tables) - 1)
        late = await _left_by_a_room_that_died(nats)
        await eventually(lambda: heir.hall.find(late.match_id) is not None)
        assert heir.hall.find(kept[0]) is None
        stuck.set()
        await eventually(lambda: heir.hall.match_count == len(tables) + 1)


async def _left_by_a_room_that_died(nats: NatsServer) -> Table:
    async with room_here(nats.url, "room-3") as room, open_channel(room.address) as channel:
        return await Table.make(channel)
