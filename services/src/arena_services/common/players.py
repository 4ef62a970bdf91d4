"""Accounts: what a player id is called, in the KV bucket `players`. Matchmaking stores them, rooms show them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from arena_services.common.errors import store_unavailable
from arena_services.common.log.streams import ensure_bucket

PLAYERS_BUCKET = "players"


class Players:
    """The stored accounts: player id -> {"name": ...}. All calls may raise `UnavailableError`."""

    def __init__(self, bucket: KeyValue) -> None:
        self._bucket = bucket

    @classmethod
    async def open(cls, js: JetStreamContext, replicas: int) -> Players:
        """The platform's accounts."""
        return cls(await ensure_bucket(js, PLAYERS_BUCKET, replicas))

    async def store(self, names: Mapping[str, str]) -> None:
        """Store names by player id; again does no harm."""
        puts = [
            self._bucket.put(player_id, json.dumps({"name": name}).encode())
            for player_id, name in names.items()
        ]
        try:
            await asyncio.gather(*puts)
        except (NatsError, TimeoutError) as error:
            raise store_unavailable(error) from error

    async def names(self, player_ids: Iterable[str]) -> dict[str, str]:
        """Names by player id. Whoever has no account is called by the id."""
        wanted = tuple(player_ids)
        try:
            return dict(zip(wanted, await asyncio.gather(*map(self._name, wanted)), strict=True))
        except (NatsError, TimeoutError) as error:
            raise store_unavailable(error) from error

    async def _name(self, player_id: str) -> str:
        try:
            entry = await self._bucket.get(player_id)
        except KeyNotFoundError:
            return player_id
        return str(json.loads(entry.value or b"{}").get("name", player_id))
