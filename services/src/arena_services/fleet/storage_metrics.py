"""Shows what NATS stores, and how full it is, for as long as that is known.

Every fleet process shows the same, whoever leads. What could not be read for a minute is shown no more: an old figure
would be believed, and a zero too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar

from nats.aio.client import Client
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena_services.common import logs
from arena_services.fleet import metrics
from arena_services.fleet.errors import UnreadError
from arena_services.fleet.storage import (
    ACCOUNT,
    Pages,
    Reader,
    Store,
    Stream,
    read_account,
    read_readers,
    read_streams,
)

_EVERY_SECONDS = 10.0
FRESH_SECONDS = 60.0

_T = TypeVar("_T")

_log = logs.get()


class _Fact(Generic[_T]):
    """Something that is read again and again."""

    def __init__(self, what: str, unknown: _T) -> None:
        """`what`: its kind, as metrics call it."""
        self._what = what
        self._unknown = unknown
        self._known = unknown
        self._read_at = 0.0
        self._is_failing = False

    @property
    def value(self) -> _T:
        """What was read last, or the unknown one once that is too long ago."""
        is_fresh = time.monotonic() - self._read_at < FRESH_SECONDS
        return self._known if is_fresh else self._unknown

    async def read(self, how: Callable[[], Awaitable[_T]]) -> None:
        """Read it. A failure is counted, and logged when it is the first in a row."""
        try:
            self._known, self._read_at = await how(), time.monotonic()
        except (UnreadError, LookupError, TypeError, ValueError) as error:
            metrics.UNREAD.labels(self._what).inc()
            if not self._is_failing:
                _log.warning(
                    "NATS does not tell what it stores", what=self._what, error=repr(error)
                )
            self._is_failing = True
        else:
            self._is_failing = False


class Storage(Collector):
    """Reads it every few seconds; a collector of metrics."""

    def __init__(self, nats: Client, pages: Sequence[str]) -> None:
        """`pages`: host:port of the servers' monitoring pages."""
        self._nats = nats
        self._pages = Pages()
        self._streams = _Fact[Sequence[Stream]]("streams", ())
        self._readers = _Fact[Sequence[Reader]]("readers", ())
        self._stores = {place: _Fact[Store | None]("store", None) for place in (*pages, ACCOUNT)}

    async def run(self) -> None:
        """Read for ever."""
        while True:
            await self.read()
            await asyncio.sleep(_EVERY_SECONDS)

    async def read(self) -> None:
        """Read all of it once."""
        async with asyncio.TaskGroup() as tasks:
            for place, store in self._stores.items():
                tasks.create_task(store.read(partial(self._store, place)), name=place)
            tasks.create_task(self._read_streams(), name="streams")

    async def _read_streams(self) -> None:
        await self._streams.read(lambda: read_streams(self._nats))
        await self._readers.read(lambda: read_readers(self._nats, self._streams.value))

    async def _store(self, place: str) -> Store | None:
        return await (read_account(self._nats) if place == ACCOUNT else self._pages.read(place))

    def collect(self) -> Iterator[Metric]:
        """All that is known now, for Prometheus."""
        yield from self._of_streams()
        pending = GaugeMetricFamily(
            "arena_consumer_pending",
            "Entries that a reader of headers has not been given yet.",
            labels=["stream", "consumer"],
        )
        for reader in self._readers.value:
            pending.add_metric([reader.stream, reader.name], reader.pending)
        yield pending
        held = GaugeMetricFamily("arena_nats_store_bytes", "What NATS stores.", labels=["server"])
        limit = GaugeMetricFamily(
            "arena_nats_store_limit_bytes", "What NATS may store.", labels=["server"]
        )
        known = [store for fact in self._stores.values() if (store := fact.value) is not None]
        for server, store in {store.server: store for store in known}.items():
            held.add_metric([server], store.bytes)
            limit.add_metric([server], store.limit_bytes)
        yield from (held, limit)

    def _of_streams(self) -> Iterator[Metric]:
        streams = self._streams.value
        for name, text, field in (
            ("bytes", "What a stream holds.", "bytes"),
            ("limit_bytes", "What a stream may hold; 0 for no limit.", "limit_bytes"),
            ("messages", "Entries in a stream.", "messages"),
        ):
            shown = GaugeMetricFamily(f"arena_stream_{name}", text, labels=["stream"])
            for stream in streams:
                if (value := getattr(stream, field)) is not None:
                    shown.add_metric([stream.name], value)
            yield shown
        copies = GaugeMetricFamily(
            "arena_stream_replicas", "Copies of a stream.", labels=["stream", "state"]
        )
        for stream in streams:
            for state in ("current", "behind", "away"):
                copies.add_metric([stream.name, state], getattr(stream.copies, state))
        yield copies
