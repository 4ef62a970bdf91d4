"""Addresses of both families: as pods are told them, and as servers listen on them."""

from __future__ import annotations

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pydantic import TypeAdapter, ValidationError

from arena_services.common import metrics
from arena_services.common.addresses import Address, split_address
from arena_services.common.rpc import Server
from arena_services.local import probe

ADDRESS: TypeAdapter[str] = TypeAdapter(Address)


@pytest.mark.parametrize(
    ("told", "address", "split"),
    [
        ("10.1.2.3:7400", "10.1.2.3:7400", ("10.1.2.3", 7400)),
        ("arena-room-headless:7400", "arena-room-headless:7400", ("arena-room-headless", 7400)),
        ("fd00:10::3:7400", "[fd00:10::3]:7400", ("fd00:10::3", 7400)),
        ("[fd00:10::3]:7400", "[fd00:10::3]:7400", ("fd00:10::3", 7400)),
        ("::1:0", "[::1]:0", ("::1", 0)),
    ],
)
def test_an_address_is_host_and_port(told: str, address: str, split: tuple[str, int]) -> None:
    assert ADDRESS.validate_python(told) == address
    assert split_address(address) == split


@pytest.mark.parametrize("told", ["here", "10.1.2.3", "10.1.2.3:74:00", "[room]:7400", "a:b", 7400])
def test_anything_else_is_refused(told: object) -> None:
    with pytest.raises(ValidationError):
        ADDRESS.validate_python(told)


async def test_services_listen_on_ipv6() -> None:
    server = Server("[::1]:0")
    await server.start()
    try:
        await server.set_ready(True)
        async with grpc.aio.insecure_channel(server.address) as channel:
            request = health_pb2.HealthCheckRequest()
            reply = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=5)
        assert reply.status == health_pb2.HealthCheckResponse.SERVING
        with metrics.serve("[::1]:0", lambda: server.is_ready) as address:
            assert await probe.is_ready(f"http://{address}/readyz")
    finally:
        await server.stop(0)
