"""Snapshots: taking over reads little of a long log, and nothing about a snapshot can do harm."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import grpc
import pytest
from prometheus_client import REGISTRY

from arena.log.v1.snapshot_pb2 import Snapshot
from arena.room.v1 import room_service_pb2 as pb
from arena_services.common.channels import open_channel
from arena_services.common.log import snapshot
from arena_services.common.log.fold import Fold
from arena_services.common.log.reader import LogReader
from arena_services.common.log.streams import ensure_streams
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer
from arena_services.room import snapshots as room_snapshots
from arena_services.room import takeover
from arena_services.room.snapshots import EVERY, Snapshots
from arena_services.room.updates import RECENT
from tests.services.room.harness import room_here
from tests.services.room.long_match import LongMatch
from tests.services.room.table import Table, Viewer, play_on
from tests.waiting import eventually

PARTITIONS = 2


@pytest.fixture
async def reader(nats: NatsServer) -> AsyncIterator[LogReader]:
    async with connected(nats.url, "test", 10) as client:
        await ensure_streams(client.jetstream(), PARTITIONS, 1)
        await snapshot.ensure_stream(client.jetstream(), 1)
        yield LogReader(client, PARTITIONS)


@pytest.fixture
async def match(reader: LogReader) -> LongMatch:
    made = LongMatch(reader)
    await made.begin()
    return made


async def store(reader: LogReader, match_id: str, data: bytes) -> None:
    await reader.nats.jetstream().publish(snapshot.subject_of(match_id), data)


async def load(reader: LogReader, match: LongMatch) -> tuple[Fold, float]:
    """A match as a room takes it in, and how many entries it folded for that."""
    before = folded()
    tail = await reader.tail(match.match_id)
    assert tail is not None
    loaded = await takeover.load(reader, Snapshots(reader.nats), tail, match.match_id)
    return loaded.fold, folded() - before


def folded() -> float:
    return REGISTRY.get_sample_value("arena_room_folded_entries_sum") or 0.0


def same(left: Fold, right: Fold) -> bool:
    return (
        left.state.to_text() == right.state.to_text()
        and list(left.requests.all()) == list(right.requests.all())
        and (left.sequence, left.time_ms, left.epoch, left.person_time_ms)
        == (right.sequence, right.time_ms, right.epoch, right.person_time_ms)
        and left.votes == right.votes
        and (left.players, left.options) == (right.players, right.options)
    )


async def test_a_fold_is_the_same_after_being_stored(match: LongMatch) -> None:
    await match.grow(60)
    match.fold.votes = frozenset({(1, 0), (2, 0)})
    restored = snapshot.read(match.match_id, snapshot.write(match.fold, 7))
    assert same(restored.fold, match.fold)
    assert restored.stream_sequence == 7
    twin = match.fold.clone()
    await match.grow(70)
    assert same(snapshot.read(match.match_id, snapshot.write(twin, 1)).fold, twin)


async def test_a_match_of_two_thousand_entries_is_taken_in_by_folding_few(
    reader: LogReader, match: LongMatch
) -> None:
    await match.grow(1900)
    await store(reader, match.match_id, snapshot.write(match.fold, match.place))
    await match.grow(2000)
    fold, entries = await load(reader, match)
    assert same(fold, match.fold)
    assert entries == 100
    assert fold.requests.last(0, b"long-match-session") is not None


def damaged(fold: Fold, place: int) -> bytes:
    data = bytearray(snapshot.write(fold, place))
    data[40] ^= 1
    return bytes(data)


def of_another_format(fold: Fold, place: int) -> bytes:
    return resealed(fold, place, format=snapshot.FORMAT + 1)


def of_another_entry(fold: Fold, place: int) -> bytes:
    return snapshot.write(fold, place - 1)


def of_another_position(fold: Fold, place: int) -> bytes:
    return resealed(fold, place, state="nonsense")


def of_other_rules(fold: Fold, place: int) -> bytes:
    body = Snapshot.FromString(snapshot.write(fold, place)[16:])
    body.created.rules_version += 1
    return seal(body)


def from_behind_the_log(fold: Fold, place: int) -> bytes:
    return snapshot.write(fold, place + 1000)


def resealed(fold: Fold, place: int, **changes: object) -> bytes:
    body = Snapshot.FromString(snapshot.write(fold, place)[16:])
    for name, value in changes.items():
        setattr(body, name, value)
    return seal(body)


def seal(body: Snapshot) -> bytes:
    data = body.SerializeToString()
    return snapshot._digest(data) + data


@pytest.mark.parametrize(
    "spoil",
    [
        damaged,
        of_another_format,
        of_another_entry,
        of_another_position,
        of_other_rules,
        from_behind_the_log,
        lambda *_: b"",
    ],
)
async def test_an_unfit_snapshot_is_passed_over(
    reader: LogReader, match: LongMatch, spoil: Callable[[Fold, int], bytes]
) -> None:
    await match.grow(EVERY + 20)
    await store(reader, match.match_id, spoil(match.fold, match.place))
    await match.grow(EVERY + 40)
    fold, entries = await load(reader, match)
    assert same(fold, match.fold)
    assert entries == EVERY + 40


async def test_a_game_that_fails_over_a_snapshot_harms_no_match(
    reader: LogReader, match: LongMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise IndexError("no such line")

    await match.grow(EVERY + 20)
    await store(reader, match.match_id, snapshot.write(match.fold, match.place))
    with monkeypatch.context() as broken:
        broken.setattr(snapshot, "_fold", fail)
        fold, entries = await load(reader, match)
    assert same(fold, match.fold)
    assert entries == EVERY + 20
    monkeypatch.setattr(snapshot, "write", fail)
    written = REGISTRY.get_sample_value("arena_room_snapshots_written_total")
    await Snapshots(reader.nats)._write(match.fold, match.place)
    assert REGISTRY.get_sample_value("arena_room_snapshots_written_total") == written


async def test_rooms_write_snapshots_and_go_on_from_them(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (room_snapshots, takeover):
        monkeypatch.setattr(module, "EVERY", 16)
    written = "arena_room_snapshots_written_total"
    before = REGISTRY.get_sample_value(written) or 0
    async with room_here(nats.url, "room-2") as heir, open_channel(heir.address) as channel:
        async with room_here(nats.url, "room-1") as owner, open_channel(owner.address) as direct:
            table = await Table.make(direct)
            sequence = await _leave_and_come_back(table, direct, 16 + RECENT - 1)
            assert sequence == 16 + RECENT
            await eventually(lambda: REGISTRY.get_sample_value(written) == before + 1)
            back = pb.Act(key=table.key(), take_back=pb.TakeBack())
            first = await table.act(direct, 0, back)
        entries = folded()
        assert await table.act(channel, 0, back) == pb.Acted(
            sequence=first.sequence, repeated_request=True
        )
        assert folded() - entries == RECENT + 1
        async with (
            Viewer(channel, table, 0, after_sequence=first.sequence - 5) as seat,
            Viewer(channel, table, 1) as other,
        ):
            await seat.until()
            assert not seat.updates[0].reset
            await play_on(table, channel, [seat, other], 2)


async def _leave_and_come_back(table: Table, channel: grpc.aio.Channel, times: int) -> int:
    sequence = 0
    for number in range(times):
        wish = {"take_back": pb.TakeBack()} if number % 2 else {"leave": pb.Leave()}
        act = pb.Act(key=table.key(), **wish)
        sequence = (await table.act(channel, 0, act)).sequence
    return sequence
