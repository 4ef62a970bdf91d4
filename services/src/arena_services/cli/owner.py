"""Which room owns a match, and which process that is: for people who want to watch it, or to kill it."""

from __future__ import annotations

import asyncio
from typing import Self

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError

from arena_services.cli.stage import Stage
from arena_services.common.nats import connect

_OWNERS_BUCKET = "owners"
_ASK_SECONDS = 2.0


class OwnerLookup:
    """Asks the platform's own bucket, as an async context manager."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._nats: Client | None = None

    async def __aenter__(self) -> Self:
        self._nats = await connect(self._stage.info.nats_url, "arena-demo", _ASK_SECONDS)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._nats is not None:
            await self._nats.close()

    async def describe(self, match_id: str) -> str:
        """Which room and process own the match, in words."""
        room = await self._find(match_id)
        if room is None:
            return "owned by a room that is still to be found"
        process = self._stage.find_process(room)
        if process is None or process.pid is None:
            return f"owned by {room}"
        return f"owned by {room} (process {process.pid})"

    async def _find(self, match_id: str) -> str | None:
        if self._nats is None:
            return None
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                bucket = await self._nats.jetstream().key_value(_OWNERS_BUCKET)
                value = (await bucket.get(match_id)).value
        except (NatsError, JetStreamError, TimeoutError):
            return None
        return value.decode() if value else None
