"""Accounts: what a player id is called. Rooms read them to show names."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.kv import KeyValue

from arena_services.common.errors import UnavailableError
from arena_services.common.log.streams import ensure_bucket

PLAYERS_BUCKET = "players"


class Players:
    """The stored accounts: player id -> {"name": ...}."""

    def __init__(self, bucket: KeyValue) -> None:
        self._bucket = bucket

    @classmethod
    async def open(cls, js: JetStreamContext, replicas: int) -> Players:
        """The platform's accounts."""
        return cls(await ensure_bucket(js, PLAYERS_BUCKET, replicas))

    async def store(self, names: Mapping[str, str]) -> None:
        """Store names by player id; again does no harm. Raises `UnavailableError`."""
        try:
            await asyncio.gather(
                *(
                    self._bucket.put(player_id, json.dumps({"name": name}).encode())
                    for player_id, name in names.items()
                )
            )
        except (NatsError, TimeoutError) as error:
            raise UnavailableError(
                "STORE_UNAVAILABLE", f"The store did not answer ({error!r}); try again in a moment."
            ) from error
