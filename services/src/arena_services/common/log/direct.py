"""Reads a subject in one request, from whichever server has a copy of its stream.

In a cluster a consumer costs ten times as much, for all servers have to agree on making it and on dropping it; and
whoever takes over the matches of a room reads many logs at once. A copy may lag behind, so that this is for those who
know what there is to find. What is found never changes.
"""

from __future__ import annotations

import asyncio
import json

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

_BATCH = 500
_ANSWER_SECONDS = 1.5
_STATUS = "Status"
_SEQUENCE = "Nats-Sequence"
_TIME = "Nats-Time-Stamp"
_ADDED = {_SEQUENCE, _TIME, "Nats-Stream", "Nats-Subject", "Nats-Num-Pending", "Nats-Last-Sequence"}


async def read_directly(
    nats: Client, stream: str, subject: str, since: int, up_to: int
) -> list[Msg] | None:
    """All of a subject from a stream sequence up to one that is known to hold one of them, in order.

    None where the copy that answered lags behind, or nobody answers: in time, or at all, because the stream is not open
    to this. Then a consumer has to do.
    """
    found: list[Msg] = []
    while not found or place_of(found[-1]) < up_to:
        try:
            part = await _read_part(nats, stream, subject, since)
        except (TimeoutError, NatsError):
            return None
        if not part:
            return None
        found += part
        since = place_of(part[-1]) + 1
    return found


def place_of(message: Msg) -> int:
    """The stream sequence of what was read."""
    return int((message.headers or {})[_SEQUENCE])


def time_of(message: Msg) -> str:
    """When what was read was stored, as RFC 3339 has it."""
    return (message.headers or {})[_TIME]


def headers_of(message: Msg) -> dict[str, str]:
    """The headers that are stored with what was read."""
    return {name: value for name, value in (message.headers or {}).items() if name not in _ADDED}


async def _read_part(nats: Client, stream: str, subject: str, since: int) -> list[Msg]:
    """The next messages, some hundreds at most."""
    part: list[Msg] = []
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def take(message: Msg) -> None:
        if _STATUS not in (message.headers or {}):
            part.append(message)
        elif not ended.done():
            ended.set_result(None)

    inbox = nats.new_inbox()
    subscription = await nats.subscribe(inbox, cb=take)
    wanted = {"seq": max(1, since), "next_by_subj": subject, "batch": _BATCH}
    try:
        await nats.publish(f"$JS.API.DIRECT.GET.{stream}", json.dumps(wanted).encode(), reply=inbox)
        async with asyncio.timeout(_ANSWER_SECONDS):
            await ended
    finally:
        if not nats.is_closed:
            await subscription.unsubscribe()
    return part
