"""Small HTTP questions to processes on this machine: is it ready, what does its monitoring page say."""

from __future__ import annotations

import asyncio
from typing import NamedTuple
from urllib.parse import urlsplit

_PATIENCE_SECONDS = 2.0
_OK = 200


class Reply(NamedTuple):
    """An HTTP reply."""

    status: int
    body: bytes


async def get(url: str) -> Reply | None:
    """The reply to an HTTP GET; None when there is none within two seconds."""
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    # HTTP/1.0: the reply ends with the connection, in one piece.
    request = f"GET {path} HTTP/1.0\r\nHost: {parts.netloc}\r\n\r\n"
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            try:
                writer.write(request.encode())
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            finally:
                writer.close()
        return Reply(int(head.split(b" ", 2)[1]), body)
    except (OSError, TimeoutError, IndexError, ValueError):
        return None


async def is_ready(url: str) -> bool:
    """Whether a GET is answered with 200."""
    reply = await get(url)
    return reply is not None and reply.status == _OK
