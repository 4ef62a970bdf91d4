"""Failures as callers see them, on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import REGISTRY

from arena.room.v1 import room_service_pb2 as room
from arena.room.v1 import room_service_pb2_grpc as room_grpc
from arena_engine.errors import OptionsError
from arena_services.common.channels import open_channel
from arena_services.common.errors import (
    LONGEST_MESSAGE,
    AbortedError,
    NotFoundError,
    UnavailableError,
)
from arena_services.common.rpc import LIVENESS, MAX_REQUEST_BYTES, Server, reason_of
from tests.services.stub_room import StubRoom

SERVICE = "arena.room.v1.RoomService"


class FailingRoom(StubRoom):
    """Fails in the way that the match id asks for."""

    async def Act(self, request: Any, context: Any) -> Any:
        match request.match_id:
            case "closed":
                raise AbortedError("DECISION_CLOSED", "Decision 3 has been closed.")
            case "rules":
                raise OptionsError("There is no board 'huge'.")
            case "fault":
                raise KeyError("the secret")
            case name if name.startswith("long"):
                raise NotFoundError("NO_SUCH_MATCH", f"There is no match {name!r}.")
        return room.ActResponse()

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[Any]:
        yield room.WatchResponse()
        while request.match_id == "endless":
            yield room.WatchResponse(detached=room.Detached(reason="x" * 10_000))
        if request.match_id == "gone":
            raise NotFoundError("NO_SUCH_MATCH", "There is no match gone.")

    async def Play(self, request_iterator: Any, context: Any) -> AsyncIterator[Any]:
        async for request in request_iterator:
            if request.match_id == "drain":
                raise UnavailableError("DRAINING", "This room hands its matches over.")
            yield room.PlayResponse(id=request.id)


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    server = Server("127.0.0.1:0")
    room_grpc.add_RoomServiceServicer_to_server(FailingRoom(), server.raw)
    server.name(SERVICE)
    await server.start()
    await server.set_ready(True)
    async with open_channel(server.address) as opened:
        yield opened
    await server.stop(0)


async def act(channel: grpc.aio.Channel, **fields: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await room_grpc.RoomServiceStub(channel).Act(room.ActRequest(**fields))
    return failure.value


async def test_a_failure_has_code_reason_and_sentence(channel: grpc.aio.Channel) -> None:
    error = await act(channel, match_id="closed")
    assert error.code() is grpc.StatusCode.ABORTED
    assert reason_of(error) == "DECISION_CLOSED"
    assert error.details() == "Decision 3 has been closed."


async def test_a_refusal_of_the_rules_is_an_invalid_argument(channel: grpc.aio.Channel) -> None:
    error = await act(channel, match_id="rules")
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(error) == "REFUSED_BY_RULES"


async def test_a_fault_of_ours_tells_nothing_of_itself(channel: grpc.aio.Channel) -> None:
    error = await act(channel, match_id="fault")
    assert error.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in str(error.details())


async def test_an_oversized_request_names_size_and_limit(channel: grpc.aio.Channel) -> None:
    error = await act(channel, match_id="m" * MAX_REQUEST_BYTES)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert reason_of(error) == "MESSAGE_TOO_LARGE"
    assert str(MAX_REQUEST_BYTES) in str(error.details())


@pytest.mark.parametrize("method", ["Act", "Targets", "Watch"])
async def test_what_is_no_message_is_an_invalid_argument(
    channel: grpc.aio.Channel, method: str
) -> None:
    make: Any = channel.unary_stream if method == "Watch" else channel.unary_unary
    call = make(f"/{SERVICE}/{method}", None, None)(b"\xff\x01 no message")
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await (call.read() if method == "Watch" else call)
    assert failure.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(failure.value) == "MALFORMED_MESSAGE"
    assert "Decode" not in str(failure.value.details())


async def test_a_failure_that_quotes_much_still_has_its_code_and_reason(
    channel: grpc.aio.Channel,
) -> None:
    error = await act(channel, match_id="long" + "\N{CROWN}" * 15_000)
    assert error.code() is grpc.StatusCode.NOT_FOUND
    assert reason_of(error) == "NO_SUCH_MATCH"
    sentence = str(error.details())
    assert sentence.startswith("There is no match 'long")
    assert sentence.endswith("'.")
    assert len(sentence) <= LONGEST_MESSAGE


async def test_streams_end_with_the_same_failures(channel: grpc.aio.Channel) -> None:
    stub = room_grpc.RoomServiceStub(channel)
    watching = stub.Watch(room.WatchRequest(match_id="gone"))
    assert isinstance(await watching.read(), room.WatchResponse)
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await watching.read()
    assert reason_of(failure.value) == "NO_SUCH_MATCH"

    call = stub.Play()
    await call.write(room.PlayRequest(id=5))
    answer = await call.read()
    assert isinstance(answer, room.PlayResponse)
    assert answer.id == 5
    await call.write(room.PlayRequest(match_id="drain"))
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await call.read()
    assert failure.value.code() is grpc.StatusCode.UNAVAILABLE
    assert reason_of(failure.value) == "DRAINING"


async def test_a_client_that_goes_away_while_it_is_written_to_is_no_fault_of_ours() -> None:
    def ended(code: str) -> float:
        labels = {"service": SERVICE, "method": "Watch", "code": code}
        return REGISTRY.get_sample_value("arena_rpc_stream_seconds_count", labels) or 0.0

    faults, cancelled = ended("INTERNAL"), ended("CANCELLED")
    server = Server("127.0.0.1:0")
    room_grpc.add_RoomServiceServicer_to_server(FailingRoom(), server.raw)
    await server.start()
    for _ in range(5):
        async with open_channel(server.address) as channel:
            stub = room_grpc.RoomServiceStub(channel)
            watching = stub.Watch(room.WatchRequest(match_id="endless"))
            await watching.read()
            await asyncio.sleep(0.05)  # unread, the stream fills up until a write waits
            watching.cancel()
    await server.stop(1)
    assert ended("INTERNAL") == faults
    assert ended("CANCELLED") == cancelled + 5


async def test_health_follows_readiness_and_liveness_does_not() -> None:
    server = Server("127.0.0.1:0")
    server.name(SERVICE)
    await server.start()
    async with open_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)

        async def status_of(service: str) -> str:
            answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
            return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))

        names = (SERVICE, "", LIVENESS)
        for is_ready, expected in (
            (None, "NOT_SERVING"),
            (True, "SERVING"),
            (False, "NOT_SERVING"),
        ):
            if is_ready is not None:
                await server.set_ready(is_ready)
            assert [await status_of(name) for name in names] == [expected, expected, "SERVING"]
    await server.stop(0)


async def test_reflection_names_the_services(channel: grpc.aio.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    call = stub.ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    answer = await call.read()
    assert SERVICE in {service.name for service in answer.list_services_response.service}
    await call.done_writing()
