"""The rooms of `arena up`, asked of the process that runs them: a line of JSON each way, on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from arena_services.fleet import metrics
from arena_services.fleet.errors import (
    ConflictError,
    FleetError,
    NotFoundError,
    UnreachableError,
)
from arena_services.fleet.rooms import Sight, Standing, Turn

_CALL_SECONDS = 5.0
_ERRORS: Final[Mapping[str, type[FleetError]]] = {
    "conflict": ConflictError,
    "not_found": NotFoundError,
}


class Machine:
    """Rooms that are processes of one machine."""

    def __init__(self, address: str, key: str) -> None:
        """`address`, `key`: where whoever runs them listens, and what it wants to be shown."""
        self._host, _, self._port = address.rpartition(":")
        self._key = key

    async def look(self) -> Sight:
        """See `Rooms`."""
        seen = await self._ask("look")
        return Sight(
            int(seen["replicas"]),
            {
                name: Standing(tuple(each["health"]), each["turn"])
                for name, each in seen["standings"].items()
            },
            seen["version"],
        )

    async def scale(self, sight: Sight, to: int) -> None:
        """See `Rooms`."""
        await self._ask("scale", version=sight.version, to=to)

    async def mark(self, name: str, turn: Turn) -> None:
        """See `Rooms`."""
        await self._ask("mark", name=name, turn=int(turn))

    async def _ask(self, call: str, **fields: Any) -> dict[str, Any]:
        line = json.dumps({"key": self._key, "call": call, **fields}).encode() + b"\n"
        try:
            async with asyncio.timeout(_CALL_SECONDS):
                reader, writer = await asyncio.open_connection(self._host, int(self._port))
                try:
                    writer.write(line)
                    answer: dict[str, Any] = json.loads(await reader.readline())
                finally:
                    writer.close()
        except (OSError, TimeoutError, ValueError) as error:
            raise UnreachableError(f"{call}: {error!r}") from error
        if "error" in answer:
            raise _ERRORS.get(answer["error"], FleetError)(f"{call}: {answer['text']}")
        return answer


class Alone:
    """Leads, as the only fleet process of a machine."""

    is_blind = False
    is_held = True

    def __init__(self) -> None:
        metrics.IS_LEADER.set(1)

    def check(self) -> None:
        """Nothing takes the lead away."""
