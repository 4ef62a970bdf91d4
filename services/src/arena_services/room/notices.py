"""Tells rooms that are taken for dead which of their matches go on elsewhere.

One that only NATS cannot reach still has its players, who would wait there until it hears of its being replaced. It
leads them on at once when its successors tell it. Nobody relies on that: who does not hear it is fenced by the log.
"""

from __future__ import annotations

import asyncio

from arena.room.v1.room_control_service_pb2 import (
    LoseMatchesRequest,
    LoseMatchesResponse,
    LostMatch,
)
from arena_services.common import logs
from arena_services.common.auth import Metadata
from arena_services.common.channels import Channels
from arena_services.common.errors import ArenaError
from arena_services.common.owners import Reign
from arena_services.common.roster import Beat, Roster
from arena_services.room.forwarding import CONTROL_SERVICE, forward

#: Matches of one room are taken over in crowds; one call tells of many.
_GATHER_SECONDS = 0.05

_log = logs.get()


class Notices:
    """What this room has to tell others."""

    def __init__(
        self,
        room_id: str,
        roster: Roster,
        channels: Channels,
        metadata: Metadata,
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._room_id = room_id
        self._roster = roster
        self._channels = channels
        self._metadata = metadata
        self._tasks = tasks
        self._waiting: dict[str, LoseMatchesRequest] = {}
        """What has not gone out yet, by the room that is told."""

    def send(self, former_id: str, match_id: str, reign: Reign) -> None:
        """Tell the room that had a match that this one has it as `reign`, unless it follows that by itself."""
        former = self._roster.last_beat(former_id)
        is_heard = self._roster.find(former_id) is not None
        if former is None or is_heard or former_id == self._room_id:
            return
        request = self._waiting.get(former_id)
        if request is None:
            request = LoseMatchesRequest(room_id=self._room_id, began_ms=reign.life_ms)
            self._waiting[former_id] = request
            self._tasks.create_task(self._tell(former), name=f"notice-{former_id}")
        request.matches.append(LostMatch(match_id=match_id, epoch=reign.epoch))

    async def _tell(self, former: Beat) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        request = self._waiting.pop(former.room_id)
        try:
            await forward(
                self._channels,
                former,
                CONTROL_SERVICE,
                "LoseMatches",
                request,
                LoseMatchesResponse,
                self._metadata,
            )
        except ArenaError as error:  # it is dead indeed, or of a build that does not know this
            _log.debug("notice not heard", room=former.room_id, error=str(error))
