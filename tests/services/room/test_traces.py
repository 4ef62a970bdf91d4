"""One action is one trace, through every room that has a part in it; and traces are nobody's trouble."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.room.v1 import room_service_pb2 as pb
from arena.room.v1.room_service_pb2_grpc import RoomServiceStub
from arena_services.common.channels import open_channel
from arena_services.common.log.messages import last_message
from arena_services.common.log.reader import LogReader
from arena_services.common.nats import connected
from arena_services.local import probe
from arena_services.local.nats_server import NatsServer
from tests.services.collector import Collector, collecting
from tests.services.room.harness import RoomProcess, room_process
from tests.services.room.table import RESIGN, Table, Viewer

_ACT = "arena.room.v1.RoomService/Act"
_PLAY = "arena.room.v1.RoomService/Play act"
_CREATE = "arena.room.v1.RoomControlService/CreateMatch"
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
