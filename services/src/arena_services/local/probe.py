"""Small HTTP questions to processes on this machine: is it ready, what does its monitoring page say."""

from __future__ import annotations

import asyncio
from contextlib import closing
from http.client import HTTPConnection, HTTPException
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
    return await asyncio.to_thread(_get, url)


def _get(url: str) -> Reply | None:
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    with closing(HTTPConnection(parts.netloc, timeout=_PATIENCE_SECONDS)) as connection:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return Reply(answer.status, answer.read())
        except (OSError, HTTPException):
            return None


async def is_ready(url: str) -> bool:
    """Whether a GET is answered with 200."""
    reply = await get(url)
    return reply is not None and reply.status == _OK
