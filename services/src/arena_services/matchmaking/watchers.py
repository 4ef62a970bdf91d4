"""Tells all replicas whose tickets are watched here: on core NATS, since what is lost is said again."""

from __future__ import annotations

import asyncio
import json
from itertools import islice

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from arena_services.common import logs
from arena_services.matchmaking.view import View

_SUBJECT = "matchmaking.watched"
_BEATS_PER_PATIENCE = 6
_PLAYERS_PER_MESSAGE = 1000

_log = logs.get()


class Watchers:
    """Whose tickets are watched, here and elsewhere."""

    def __init__(self, nats: Client, view: View, unwatched_seconds: float) -> None:
        self._nats = nats
        self._view = view
        self._beat_seconds = unwatched_seconds / _BEATS_PER_PATIENCE

    async def follow(self) -> None:
        """Hear all replicas from now on, this one included."""
        await self._nats.subscribe(_SUBJECT, cb=self._hear)

    async def run(self) -> None:
        """Tell for ever."""
        while True:
            await asyncio.sleep(self._beat_seconds)
            try:
                await self._tell()
            except NatsError as error:
                _log.warning("watchers not told", error=repr(error))

    async def _tell(self) -> None:
        players = iter(self._view.watched_here())
        while some := list(islice(players, _PLAYERS_PER_MESSAGE)):
            await self._nats.publish(_SUBJECT, json.dumps(some).encode())

    async def _hear(self, message: Msg) -> None:
        try:
            self._view.heard_of(json.loads(message.data))
        except (ValueError, TypeError):
            _log.warning("watchers not understood", size=len(message.data))
