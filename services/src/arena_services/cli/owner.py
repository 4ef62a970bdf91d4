"""Which room owns a match, and which process that is: for people who want to watch it, or to kill it."""

from __future__ import annotations

import asyncio

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError

from arena_services.cli.stage import Stage

_OWNERS_BUCKET = "owners"
_ASK_SECONDS = 2.0


class OwnerLookup:
    """Asks the platform's own bucket."""

    def __init__(self, stage: Stage, nats: Client) -> None:
        self._stage = stage
        self._nats = nats

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
        try:
            async with asyncio.timeout(_ASK_SECONDS):
                bucket = await self._nats.jetstream().key_value(_OWNERS_BUCKET)
                value = (await bucket.get(match_id)).value
        except (NatsError, JetStreamError, TimeoutError):
            return None
        return value.decode().partition("@")[0] if value else None
