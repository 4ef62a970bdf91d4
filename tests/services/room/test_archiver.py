"""Archiving under faults: a log goes only once its archive is whole, and whoever comes next can finish the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest
from prometheus_client import REGISTRY

from arena.log.v1.entry_pb2 import Closed, Entry
from arena_services.common.errors import ArenaError
from arena_services.common.log import reader as log_reader
from arena_services.common.log import snapshot
from arena_services.common.log.errors import (
    CorruptLogError,
    FencedError,
    LogFullError,
    LogUnavailableError,
)
from arena_services.common.log.messages import all_messages, purge
from arena_services.common.log.reader import Stored
from arena_services.common.log.writer import LogWriter
from arena_services.common.nats import connected
from arena_services.local.nats_server import NatsServer
from arena_services.room import archive as room_archive
from arena_services.room.archive import ARCHIVE_BUCKET, Archive, Record
from arena_services.room.archiver import Archiver
from arena_services.room.config import RoomSettings
from arena_services.room.errors import (
    ArchiveDamagedError,
    ArchiveFormatError,
    ArchiveFullError,
    ArchiveTooLargeError,
)
from arena_services.room.stores import Stores
from tests.services.room.proxy import Proxy
from tests.services.room.short_match import ShortMatch
from tests.services.running import TOKEN_KEY

SETTINGS = RoomSettings(token_key=TOKEN_KEY, log_partitions=1)
LENGTH = 30


@pytest.fixture
async def stores(nats: NatsServer) -> AsyncIterator[Stores]:
    async with connected(nats.url, "test", 10) as client:
        yield await Stores.open(client, SETTINGS)


@pytest.fixture
async def match(stores: Stores) -> ShortMatch:
    made = ShortMatch(stores.reader)
    await made.play(LENGTH)
    return made


async def entries(stores: Stores, match: ShortMatch) -> int:
    """How many entries the log of a match holds."""
    return len(await all_messages(stores.reader.nats, *stores.reader.place(match.match_id)))


async def is_settled(stores: Stores, match: ShortMatch) -> bool:
    """Whether a match is told whole by the archive, and its last entry alone is left of the log."""
    told = await stores.archive.replay(match.match_id)
    facts = await stores.archive.facts(match.match_id)
    tail = await stores.reader.tail(match.match_id)
    assert tail is not None
    return (
        await entries(stores, match) == 1
        and [moment.sequence for moment in told] == list(range(1, LENGTH + 1))
        and tail.entry.sequence == LENGTH
        and facts.state_hash == tail.entry.state_hash
    )


async def ends(stores: Stores, match: ShortMatch) -> tuple[Stored, Stored]:
    head, tail = [await read(match.match_id) for read in (stores.reader.head, stores.reader.tail)]
    assert head is not None
    assert tail is not None
    return head, tail


async def rendered(stores: Stores, match: ShortMatch) -> Record:
    record = await Archiver(stores)._render(match.match_id, *(await ends(stores, match)))
    assert record is not None
    return record


async def put(stores: Stores, match: ShortMatch, part: str, value: bytes) -> None:
    subject = f"$KV.{ARCHIVE_BUCKET}.{match.match_id}.{part}"
    await stores.reader.nats.jetstream().publish(subject, value)


def counted(name: str, **labels: str) -> Callable[[], float]:
    """How much a counter has grown since."""

    def value() -> float:
        return REGISTRY.get_sample_value(name, labels) or 0.0

    before = value()
    return lambda: value() - before


def counted_damages() -> Callable[[], float]:
    return counted("arena_archive_failures_total", reason="ARCHIVE_DAMAGED")


async def test_settling_a_match_twice_changes_nothing(stores: Stores, match: ShortMatch) -> None:
    archived = counted("arena_archived_matches_total")
    for _ in range(2):
        await Archiver(stores).settle(match.match_id)
        assert await is_settled(stores, match)
    assert archived() == 1


async def test_the_secret_is_not_archived(stores: Stores, match: ShortMatch) -> None:
    created = (await ends(stores, match))[0].entry.created
    await Archiver(stores).settle(match.match_id)
    facts = await stores.archive.facts(match.match_id)
    assert not facts.created.secret
    assert facts.created.players == created.players
    assert created.secret not in facts.SerializeToString()
    for moment in await stores.archive.replay(match.match_id):
        assert created.secret not in moment.common + b"".join(moment.own)


async def test_killed_between_archive_and_purge_the_next_one_purges(
    stores: Stores, match: ShortMatch
) -> None:
    await stores.archive.keep(match.match_id, await rendered(stores, match))
    assert await entries(stores, match) == LENGTH
    await Archiver(stores).settle(match.match_id)
    assert await is_settled(stores, match)


@pytest.mark.parametrize("parts", [("replay",), ("replay", "facts")])
async def test_killed_between_write_and_verify_the_next_one_verifies(
    stores: Stores, match: ShortMatch, parts: tuple[str, ...]
) -> None:
    record, damages = await rendered(stores, match), counted_damages()
    for part in parts:
        await put(stores, match, part, getattr(record, part))
    await Archiver(stores).settle(match.match_id)
    assert await is_settled(stores, match)
    assert damages() == 0


async def cut_short(stores: Stores, match: ShortMatch) -> None:
    """A purge of which only a part was carried out, as by a server that lost power."""
    stream, subject = stores.reader.place(match.match_id)
    await purge(stores.reader.nats, stream, subject, below=match.writer.last - LENGTH // 2)


async def test_a_purge_that_was_cut_short_is_finished(stores: Stores, match: ShortMatch) -> None:
    await stores.archive.keep(match.match_id, await rendered(stores, match))
    await cut_short(stores, match)
    await Archiver(stores).settle(match.match_id)
    assert await is_settled(stores, match)


async def test_a_purge_that_was_cut_short_is_left_alone_without_a_whole_archive(
    stores: Stores, match: ShortMatch
) -> None:
    await stores.archive.keep(match.match_id, await rendered(stores, match))
    await put(stores, match, "replay", b"damaged")
    await cut_short(stores, match)
    left = await entries(stores, match)
    with pytest.raises(ArchiveDamagedError):
        await Archiver(stores).settle(match.match_id)
    assert await entries(stores, match) == left > 1


async def test_two_archivers_at_once_do_each_other_no_harm(
    nats: NatsServer, stores: Stores
) -> None:
    matches = [ShortMatch(stores.reader, seed=seed) for seed in range(6)]
    for each in matches:
        await each.play(LENGTH)
    damages = counted_damages()
    async with connected(nats.url, "other", 10) as client:
        rival = await Stores.open(client, SETTINGS)
        for each in matches:
            both = [Archiver(one).settle(each.match_id) for one in (stores, rival)]
            assert await asyncio.gather(*both) == [None, None]
            assert await is_settled(stores, each)
    assert damages() == 0


async def test_an_archiver_whose_log_goes_while_it_reads_leaves_it_at_that(
    nats: NatsServer, stores: Stores, match: ShortMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "_PART", 4)
    head, tail = await ends(stores, match)
    async with connected(nats.url, "other", 10) as client:
        slow = await Stores.open(client, SETTINGS)
        reading = slow.reader.follow(match.match_id, tail.stream_sequence)
        await anext(reading)
        await Archiver(stores).settle(match.match_id)
        with pytest.raises(CorruptLogError):
            await room_archive.record(match.match_id, head, reading, tail)
        assert await Archiver(slow)._render(match.match_id, head, tail) is None
    assert await is_settled(stores, match)


def cut(value: bytes) -> bytes:
    return value[:-9]


def altered(value: bytes) -> bytes:
    return bytes((value[0] ^ 1,)) + value[1:]


@pytest.mark.parametrize("part", ["facts", "replay"])
@pytest.mark.parametrize("damage", [cut, altered])
async def test_a_damaged_archive_shows_and_is_written_anew_before_anything_is_purged(
    stores: Stores, match: ShortMatch, part: str, damage: Callable[[bytes], bytes]
) -> None:
    record, damages = await rendered(stores, match), counted_damages()
    await stores.archive.keep(match.match_id, record)
    await put(stores, match, part, damage(getattr(record, part)))
    await Archiver(stores).settle(match.match_id)
    assert damages() == 1
    assert await is_settled(stores, match)


class Spoiling(Archive):
    """Stores something else than it is given, as a disk may."""

    async def _write(self, match_id: str, part: str, value: bytes, last: int) -> None:
        await super()._write(match_id, part, cut(value), last)


async def test_what_reads_back_as_something_else_purges_nothing(
    stores: Stores, match: ShortMatch
) -> None:
    archiver = Archiver(stores)
    archiver._archive = Spoiling(stores.reader)
    with pytest.raises(ArchiveDamagedError):
        await archiver.settle(match.match_id)
    assert await entries(stores, match) == LENGTH
    await Archiver(stores).settle(match.match_id)
    assert await is_settled(stores, match)


async def test_a_damaged_archive_of_a_purged_match_is_told_as_that(
    stores: Stores, match: ShortMatch
) -> None:
    await Archiver(stores).settle(match.match_id)
    for part in ("replay", "facts"):
        await put(stores, match, part, b"damaged")
    with pytest.raises(ArchiveDamagedError):
        await stores.archive.replay(match.match_id)
    with pytest.raises(ArchiveDamagedError):
        await stores.archive.origin(match.match_id)
    await Archiver(stores).settle(match.match_id)
    assert await entries(stores, match) == 1


async def test_an_archive_in_a_format_of_another_build_is_told_as_that(
    stores: Stores, match: ShortMatch
) -> None:
    await Archiver(stores).settle(match.match_id)
    facts = await stores.archive.facts(match.match_id)
    facts.format = room_archive.FORMAT + 1
    await put(stores, match, "facts", room_archive._sealed(facts.SerializeToString()))
    for reading in (stores.archive.replay, stores.archive.origin, stores.archive.end):
        with pytest.raises(ArchiveFormatError, match="in format 2, and this build reads format 1"):
            await reading(match.match_id)


async def test_a_log_that_does_not_fold_is_kept(stores: Stores) -> None:
    match = ShortMatch(stores.reader)
    await match.begin()
    await match.go_on(Entry(closed=Closed(reason="ABANDONED"), state_hash=b"that of another"))
    with pytest.raises(CorruptLogError):
        await Archiver(stores).settle(match.match_id)
    assert await entries(stores, match) == 2
    assert not await stores.archive.has(match.match_id)


async def test_what_is_larger_than_nats_takes_keeps_its_log(
    stores: Stores, match: ShortMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_archive, "_ENVELOPE_BYTES", stores.reader.nats.max_payload - 500)
    with pytest.raises(ArchiveTooLargeError):
        await Archiver(stores).settle(match.match_id)
    assert await entries(stores, match) == LENGTH


async def limit(stores: Stores, stream: str, max_bytes: int) -> None:
    js = stores.reader.nats.jetstream()
    config = (await js.stream_info(stream)).config
    await js.update_stream(config.evolve(max_bytes=max_bytes))


async def test_a_full_archive_keeps_logs_until_there_is_room(
    stores: Stores, match: ShortMatch
) -> None:
    await limit(stores, f"KV_{ARCHIVE_BUCKET}", 300)
    with pytest.raises(ArchiveFullError):
        await Archiver(stores).settle(match.match_id)
    assert await entries(stores, match) == LENGTH
    await limit(stores, f"KV_{ARCHIVE_BUCKET}", -1)
    await Archiver(stores).settle(match.match_id)
    assert await is_settled(stores, match)


async def test_a_full_log_refuses_matches_until_others_are_archived(
    stores: Stores, match: ShortMatch
) -> None:
    stream, _ = stores.reader.place(match.match_id)
    info = await stores.reader.nats.jetstream().stream_info(stream)
    await limit(stores, stream, info.state.bytes + 10)
    with pytest.raises(LogFullError):
        await ShortMatch(stores.reader).begin()
    await Archiver(stores).settle(match.match_id)
    await ShortMatch(stores.reader).begin()


async def test_nats_away_for_a_while_costs_time_alone(nats: NatsServer) -> None:
    async with (
        Proxy(nats.config.port) as proxy,
        connected(proxy.url, "archiver", 10) as client,
        connected(nats.url, "test", 10) as direct,
    ):
        stores, seen = await Stores.open(client, SETTINGS), await Stores.open(direct, SETTINGS)
        match = ShortMatch(seen.reader)
        await match.play(LENGTH)
        proxy.stall()
        with pytest.raises(LogUnavailableError):
            await Archiver(stores).settle(match.match_id)
        assert await entries(seen, match) == LENGTH
        await proxy.reset()
        async with asyncio.timeout(20):
            while await entries(seen, match) > 1:
                with suppress(LogUnavailableError):
                    await Archiver(stores).settle(match.match_id)
        assert await is_settled(seen, match)


async def test_a_write_whose_answer_is_lost_is_found_out_by_reading(nats: NatsServer) -> None:
    async with (
        Proxy(nats.config.port) as proxy,
        connected(proxy.url, "archiver", 10) as client,
        connected(nats.url, "test", 10) as direct,
    ):
        stores, seen = await Stores.open(client, SETTINGS), await Stores.open(direct, SETTINGS)
        match = ShortMatch(seen.reader)
        await match.play(LENGTH)
        record = await rendered(seen, match)
        proxy.hold_answers()
        with pytest.raises(ArenaError):
            await stores.archive.keep(match.match_id, record)
        proxy.pass_answers()
        await stores.archive.keep(match.match_id, record)
        assert await entries(seen, match) == LENGTH


async def test_a_room_that_slept_through_it_finds_that_the_match_is_over(
    stores: Stores, match: ShortMatch
) -> None:
    await Archiver(stores).settle(match.match_id)
    for last in (0, match.writer.last - 3):
        asleep = LogWriter(stores.reader, match.match_id, last)
        with pytest.raises(FencedError):
            await asleep.append(b"late", {}, 1, bytes(16))
    assert await is_settled(stores, match)


async def test_the_snapshot_of_a_match_goes_with_its_log(stores: Stores, match: ShortMatch) -> None:
    kept = ShortMatch(stores.reader)
    await kept.begin()
    for each in (match, kept):
        subject = snapshot.subject_of(each.match_id)
        data = snapshot.write(each.fold, each.writer.last)
        await stores.reader.nats.jetstream().publish(subject, data)
    await Archiver(stores).settle(match.match_id)
    assert await stores.snapshots.find(match.match_id) is None
    assert await stores.snapshots.find(kept.match_id) is not None


async def test_what_still_names_an_owner_of_a_purged_match_is_removed(
    stores: Stores, match: ShortMatch
) -> None:
    await stores.owners.put(match.match_id, "room-that-is-gone", 0)
    await Archiver(stores).settle(match.match_id)
    assert await stores.owners.ask(match.match_id) is None
