"""Where the fleet asks for rooms on this machine: a line of JSON each way, on loopback, for who shows the key.

{"key": ..., "call": "look"}                               {"replicas": 1, "standings": {...}, "version": "0", ...}
{"key": ..., "call": "scale", "version": "0", "to": 2}     {}
{"key": ..., "call": "mark", "name": "room-1", "turn": -1} {"error": "not_found", "text": "there is no room room-1"}
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from typing import Any, Self

from arena_services.local.errors import RoomsChangedError, UnknownRoomError
from arena_services.local.ports import HOST
from arena_services.local.room_pool import RoomPool

_PATIENCE_SECONDS = 5.0


class Desk:
    """Serves while it is open."""

    def __init__(self, pool: RoomPool) -> None:
        self.key = secrets.token_hex(16)
        """Whoever shows it may ask."""
        self.address = ""
        """host:port, once it is open."""
        self._pool = pool
        self._server: asyncio.Server | None = None

    async def open(self) -> Self:
        """Serve from now on."""
        self._server = await asyncio.start_server(self._serve, HOST, 0)
        self.address = f"{HOST}:{self._server.sockets[0].getsockname()[1]}"
        return self

    def close(self) -> None:
        """Serve nobody any more."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                answer = self._answer(json.loads(await reader.readline()))
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (TimeoutError, OSError, ValueError, RecursionError):
            pass  # whoever it is does not speak as the fleet does, or not any more
        finally:
            writer.close()

    def _answer(self, asked: Any) -> dict[str, Any]:
        try:
            if not hmac.compare_digest(str(asked["key"]), self.key):
                return {"error": "forbidden", "text": "the key is wrong"}
            match asked["call"]:
                case "look":
                    return self._pool.look()
                case "scale":
                    self._pool.scale(str(asked["version"]), int(asked["to"]))
                case "mark":
                    self._pool.mark(str(asked["name"]), int(asked["turn"]))
                case call:
                    return {"error": "other", "text": f"there is no call {call!r}"}
        except RoomsChangedError as error:
            return {"error": "conflict", "text": str(error)}
        except UnknownRoomError as error:
            return {"error": "not_found", "text": str(error)}
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            return {"error": "other", "text": repr(error)}
        return {}
