"""What NATS stores and may store: asked of JetStream by the fleet's own user, and of the servers' monitoring pages.

JetStream tells of streams and of who reads them, from whoever leads each. How much a server may store it does not tell:
that stands on each server's page, /varz. Where pages are out of reach, as at a NATS of others, what the account may
store stands in for them, if it has a limit.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import urllib3
from nats.aio.client import Client
from nats.errors import Error as NatsError
from urllib3.exceptions import HTTPError

from arena_services.fleet.errors import UnreadError

_API = "$JS.API"
#: JetStream itself waits some seconds for streams that nobody leads.
ASK_SECONDS = 10.0
_PAGE_SECONDS = 5.0
#: A copy is heard each second. NATS goes on to call one current for a while after its server died.
_SILENT_NANOSECONDS = 10_000_000_000
_OK = 200

ACCOUNT = "account"
"""The name of the account's store among those of servers."""


@dataclass(frozen=True)
class Copies:
    """How a stream's copies are."""

    current: int
    behind: int = 0
    """They are heard, and lack entries."""
    away: int = 0
    """They are not heard."""


@dataclass(frozen=True)
class Stream:
    """One stream."""

    name: str
    copies: Copies
    bytes: int | None = None
    """What it holds; None where nobody leads it, as for the next two."""
    limit_bytes: int | None = None
    """What it may hold; 0: there is no limit."""
    messages: int | None = None
    consumers: int = 0
    """How many read it."""


@dataclass(frozen=True)
class Reader:
    """A lasting reader of a stream: the bots' or timer's, of headers. Those of a moment have names drawn by lot."""

    stream: str
    name: str
    pending: int
    """Entries that it has not been given yet."""


@dataclass(frozen=True)
class Store:
    """Where streams are kept."""

    server: str
    bytes: int
    limit_bytes: int


async def read_streams(nats: Client) -> list[Stream]:
    """All streams. Raises `UnreadError`."""
    found = []
    async for answer in _pages(nats, "STREAM.LIST"):
        found += [stream_of(said) for said in answer.get("streams") or ()]
        found += [Stream(name, Copies(0, away=1)) for name in answer.get("missing") or ()]
    return found


async def read_readers(nats: Client, streams: Sequence[Stream]) -> list[Reader]:
    """The lasting readers of streams. Raises `UnreadError`."""
    return [
        reader
        for stream in streams
        if stream.consumers
        async for answer in _pages(nats, f"CONSUMER.LIST.{stream.name}")
        for reader in _readers_of(answer)
    ]


async def read_account(nats: Client) -> Store | None:
    """What the account stores, and may store; None where it has no limit. Raises `UnreadError`."""
    said = await _ask(nats, "INFO", {})
    limit = int(said["limits"]["max_storage"])
    return Store(ACCOUNT, int(said["storage"]), limit) if limit > 0 else None


class Pages:
    """The servers' monitoring pages."""

    def __init__(self) -> None:
        self._http = urllib3.PoolManager(retries=False)

    async def read(self, address: str) -> Store:
        """What the server whose page is at host:port stores, and may store. Raises `UnreadError`."""
        url = f"http://{address}/varz"
        try:
            page = await asyncio.to_thread(self._http.request, "GET", url, timeout=_PAGE_SECONDS)
            if page.status != _OK:
                raise UnreadError(f"{url} answers {page.status}")
            said = json.loads(page.data)
            jetstream = said["jetstream"]
            return Store(
                str(said["server_name"]),
                int(jetstream["stats"]["storage"]),
                int(jetstream["config"]["max_storage"]),
            )
        except (HTTPError, OSError, ValueError, KeyError) as error:
            raise UnreadError(f"{url}: {error!r}") from error


def stream_of(said: Mapping[str, Any]) -> Stream:
    """A stream as JetStream tells of it."""
    state, config = said["state"], said["config"]
    return Stream(
        str(config["name"]),
        _copies_of(said.get("cluster") or {}),
        bytes=int(state["bytes"]),
        limit_bytes=max(0, int(config["max_bytes"])),
        messages=int(state["messages"]),
        consumers=int(state["consumer_count"]),
    )


def _copies_of(cluster: Mapping[str, Any]) -> Copies:
    """The leader's is current; so is the only one of a server that is in no cluster."""
    others = cluster.get("replicas") or ()
    away = [each for each in others if _is_away(each)]
    behind = [each for each in others if not each.get("current") and each not in away]
    return Copies(1 + len(others) - len(away) - len(behind), len(behind), len(away))


def _is_away(copy: Mapping[str, Any]) -> bool:
    return bool(copy.get("offline")) or int(copy.get("active", 0)) > _SILENT_NANOSECONDS


def _readers_of(answer: Mapping[str, Any]) -> Iterator[Reader]:
    for said in answer.get("consumers") or ():
        if said["config"].get("durable_name"):
            yield Reader(str(said["stream_name"]), str(said["name"]), int(said["num_pending"]))


async def _pages(nats: Client, call: str) -> AsyncIterator[dict[str, Any]]:
    """The answers to a call that lists, one after the other."""
    offset = 0
    while True:
        answer = await _ask(nats, call, {"offset": offset})
        yield answer
        offset += int(answer["limit"])
        if offset >= int(answer["total"]):
            return


async def _ask(nats: Client, call: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        reply = await nats.request(f"{_API}.{call}", json.dumps(asked).encode(), ASK_SECONDS)
        answer: dict[str, Any] = json.loads(reply.data)
    except (NatsError, TimeoutError, OSError, ValueError) as error:
        raise UnreadError(f"{call}: {error!r}") from error
    if "error" in answer:
        raise UnreadError(f"{call}: {answer['error'].get('description')}")
    return answer
