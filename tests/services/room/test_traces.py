"""One action is one trace, through every room that has a part in it; and traces are nobody's trouble."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import LogReader
from arena_services.common.nats import connected
from arena_services.common.owners import owner_subject
from arena_services.local import probe
from arena_services.local.nats_server import NatsServer
from arena_services.local.ports import find_free
from tests.services.collector import Collector, collecting
from tests.services.room.harness import RoomHere, RoomProcess, room_process
from tests.services.room.table import RESIGN, Table, Viewer, play_on
from tests.waiting import eventually

_ACT = "arena.room.v1.RoomService/Act"
_PLAY = "arena.room.v1.RoomService/Play act"
_CREATE = "arena.room.v1.RoomControlService/CreateMatch"
_NOT_TAKEN = 'arena_traces_dropped_total{reason="not_taken"}'
#: A stop with nothing to hand over, and the last attempt to send spans.
_STOP_SECONDS = 8.0
_OWNERS_PART = ["mailbox", "apply", "append", "fan-out"]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as running:
        monkeypatch.setenv("ARENA_TRACES_ENDPOINT", running.address)
        yield running


def _resign(table: Table) -> pb.Act:
    return pb.Act(key=table.key(), action=RESIGN.action)


def _new_traceparent(flags: str = "01") -> tuple[str, bytes]:
    trace_id = secrets.token_bytes(16)
    return f"00-{trace_id.hex()}-{secrets.token_hex(8)}-{flags}", trace_id


async def _headers(nats: NatsServer, match_id: str) -> dict[str, str]:
    """NATS headers of a match's newest entry."""
    async with connected(nats.url, "test", 5) as client:
        raw = await last_message(client, *LogReader(client, 8).place(match_id))
        assert raw is not None
        return dict(raw.headers)


async def _stopped(room: RoomProcess) -> None:
    """Tell a room to stop, and wait until it has."""
    room.send(signal.SIGTERM)
    await room.ended()


async def _count(room: RoomProcess, series: str) -> float:
    metrics = await probe.get(room.metrics_url)
    assert metrics is not None
    lines = metrics.body.decode().splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(series))


async def test_an_action_through_another_room_is_one_trace(
    nats: NatsServer, tmp_path: Path, collector: Collector
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as owner,
        room_process(nats.url, "room-2", tmp_path) as front,
        open_channel(owner.address) as direct,
        open_channel(front.address) as channel,
    ):
        table = await Table.make(direct)
        async with Viewer(channel, table, 0) as viewer:
            await viewer.until()
            sent, trace_id = _new_traceparent()
            await RoomServiceStub(channel).Act(
                table.request(0, _resign(table)),
                metadata=(*table.people[0], ("traceparent", sent)),
                timeout=20,
            )
        await collector.find(_ACT, 2)
        await collector.find("fan-out")

        assert collector.tree(trace_id) == [
            f"{_ACT} (room-2)",
            "  forward Act (room-2)",
            f"    {_ACT} (room-1)",
            *(f"      {part} (room-1)" for part in _OWNERS_PART),
        ]
        (append,) = collector.named("append")
        assert append.about == {
            "arena.match_id": table.match_id,
            "arena.game": "crowns",
            "arena.sequence": 2,
            "arena.code": "OK",
        }
        stored = (await _headers(nats, table.match_id))["traceparent"]
        assert stored == f"00-{trace_id.hex()}-{append.span.span_id.hex()}-01"


async def test_each_action_of_a_stream_is_a_trace_of_its_own(
    nats: NatsServer, tmp_path: Path, collector: Collector
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as owner,
        room_process(nats.url, "room-2", tmp_path) as front,
        open_channel(owner.address) as direct,
        open_channel(front.address) as channel,
    ):
        table = await Table.make(direct)
        stream_is_of, _ = _new_traceparent()
        stream = RoomServiceStub(channel).Play(
            metadata=(*table.people[0], ("traceparent", stream_is_of))
        )
        sent, trace_id = _new_traceparent()
        await stream.write(
            pb.PlayRequest(id=1, match_id=table.match_id, act=_resign(table), traceparent=sent)
        )
        async for response in stream:
            if response.HasField("acted"):
                break
        stream.cancel()
        await collector.find(_PLAY, 2)
        await collector.find("fan-out")

        assert collector.tree(trace_id) == [
            f"{_PLAY} (room-2)",
            "  forward Play (room-2)",
            f"    {_PLAY} (room-1)",
            *(f"      {part} (room-1)" for part in _OWNERS_PART),
        ]
        (first,) = [each for each in collector.named(_PLAY) if each.process == "room-2"]
        assert [link.trace_id.hex() for link in first.span.links] == [stream_is_of.split("-")[1]]


async def test_without_a_collector_nothing_is_traced(
    nats: NatsServer, room: RoomHere, table: Table, channel: grpc.aio.Channel
) -> None:
    sent, _ = _new_traceparent()
    await RoomServiceStub(channel).Act(
        table.request(0, _resign(table)),
        metadata=(*table.people[0], ("traceparent", sent)),
        timeout=20,
    )

    assert room.hall.find(table.match_id) is not None
    assert "traceparent" not in await _headers(nats, table.match_id)


async def test_a_caller_cannot_have_a_trace_kept(
    nats: NatsServer, tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_TRACES_SHARE", "0")
    async with room_process(nats.url, "room-1", tmp_path) as room:
        async with open_channel(room.address) as channel:
            table = await Table.make(channel)
            sent, _ = _new_traceparent(flags="01")
            await RoomServiceStub(channel).Act(
                table.request(0, _resign(table)),
                metadata=(*table.people[0], ("traceparent", sent)),
                timeout=20,
            )
        assert "traceparent" not in await _headers(nats, table.match_id)
        await _stopped(room)
    assert collector.seen == []


async def test_failures_are_told_by_their_codes_alone(
    nats: NatsServer, tmp_path: Path, collector: Collector
) -> None:
    async with room_process(nats.url, "room-1", tmp_path) as room:
        async with open_channel(room.address) as channel:
            table = await Table.make(channel)
            told = "is this told to anybody"
            for match_id in (table.match_id, told):
                request = pb.ActRequest(match_id=match_id, seat=0, act=_resign(table))
                request.act.action.value = told.encode()
                with pytest.raises(grpc.aio.AioRpcError):
                    await RoomServiceStub(channel).Act(
                        request, metadata=table.people[0], timeout=20
                    )
        await _stopped(room)

    illegal, missing = collector.named(_ACT)
    assert illegal.code == "INVALID_ARGUMENT"
    assert (missing.code, missing.about.get("arena.match_id")) == ("NOT_FOUND", None)
    assert {each.span.name for each in collector.seen} == {_CREATE, _ACT, "mailbox"}
    assert not any(each.span.events or each.span.status.message for each in collector.seen)
    assert told.encode() not in collector.raw


@pytest.mark.parametrize("is_there", [False, True], ids=["absent", "stuck"])
async def test_a_match_goes_on_without_its_collector(
    nats: NatsServer,
    tmp_path: Path,
    collector: Collector,
    monkeypatch: pytest.MonkeyPatch,
    is_there: bool,
) -> None:
    collector.is_stuck.set()
    if not is_there:
        (port,) = find_free(1)
        monkeypatch.setenv("ARENA_TRACES_ENDPOINT", f"127.0.0.1:{port}")
    async with room_process(nats.url, "room-1", tmp_path) as room:
        async with open_channel(room.address) as channel:
            table = await Table.make(channel)
            async with Viewer(channel, table, 0) as first, Viewer(channel, table, 1) as second:
                last = await play_on(table, channel, [first, second], 6)
                async with asyncio.timeout(15):
                    while not await _count(room, _NOT_TAKEN):
                        await asyncio.sleep(0.1)
                assert await play_on(table, channel, [first, second], 6) == last + 6
        began = time.monotonic()
        await _stopped(room)
        assert time.monotonic() - began < _STOP_SECONDS
    log = (tmp_path / "room-1.log").read_text()
    assert log.count("the collector takes no traces") == 1
    assert "opentelemetry" not in log


async def test_lines_of_the_log_name_their_trace(
    nats: NatsServer, tmp_path: Path, collector: Collector
) -> None:
    async with (
        room_process(nats.url, "room-1", tmp_path) as room,
        open_channel(room.address) as channel,
    ):
        table = await Table.make(channel)
        await room.kill()
    # Or the next room takes it over before it is asked for it.
    async with connected(nats.url, "test", 5) as client:
        gone = {"KV-Operation": "DEL"}
        await client.jetstream().publish(owner_subject(table.match_id), headers=gone)
    async with (
        room_process(nats.url, "room-2", tmp_path) as room,
        open_channel(room.address) as channel,
    ):
        sent, trace_id = _new_traceparent()
        await RoomServiceStub(channel).Act(
            table.request(0, _resign(table)),
            metadata=(*table.people[0], ("traceparent", sent)),
            timeout=20,
        )
        # Spans come in parts: this one may be here before the one that it is part of.
        await eventually(lambda: "  claim (room-2)" in collector.tree(trace_id), seconds=20)
        lines = map(json.loads, (tmp_path / "room-2.log").read_text().splitlines())
        (claimed,) = [line for line in lines if line["event"] == "claimed"]
        assert claimed["trace_id"] == trace_id.hex()
