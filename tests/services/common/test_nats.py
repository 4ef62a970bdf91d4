"""A service that starts waits for NATS as long as it was told to, and says what it waits for."""

from __future__ import annotations

import time

import pytest
import structlog

from arena_services.common.nats import NatsUnreachableError, connect
from arena_services.local.ports import HOST, find_free


async def test_a_start_gives_up_where_nobody_answers() -> None:
    (port,) = find_free(1)
    began = time.monotonic()
    with (
        structlog.testing.capture_logs() as said,
        pytest.raises(
            NatsUnreachableError, match=f"{port} let nobody in within 3 s.*is it running"
        ),
    ):
        await connect(f"nats://{HOST}:{port}", "test", 3)
    assert 2.9 < time.monotonic() - began < 10
    waits = [line for line in said if line["event"] == "waiting for NATS"]
    assert 1 <= len(waits) <= 3
