"""Which room owns a match, and which process that is: for people who want to watch it, or to kill it."""

from __future__ import annotations

from nats.aio.client import Client

from arena_services.cli.stage import Stage
from arena_services.common.log.errors import LogUnavailableError
from arena_services.common.owners import find_owner


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
            owner = await find_owner(self._nats, match_id)
        except LogUnavailableError:
            return None
        return owner.room_id if owner else None
