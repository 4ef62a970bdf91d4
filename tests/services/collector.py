"""A collector of traces, as far as a service sees one: it takes spans by OTLP over gRPC and keeps them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Seen:
    """A span, and which process it is of."""

    process: str
    span: Span

    @property
    def about(self) -> dict[str, Any]:
        """Its attributes."""
        return {
            each.key: getattr(each.value, each.value.WhichOneof("value") or "")
            for each in self.span.attributes
        }

    @property
    def code(self) -> str:
        """How it ended."""
        return str(self.about["arena.code"])

    def links_to(self, other: Seen) -> bool:
        """Whether it names another one as what led to it."""
        return (other.span.trace_id, other.span.span_id) in {
            (link.trace_id, link.span_id) for link in self.span.links
        }


class Collector(TraceServiceServicer):
    """What was taken."""

    def __init__(self) -> None:
        self.address = ""
        self.is_stuck = threading.Event()
        """While set, nothing that is sent is answered."""
        self._requests: list[ExportTraceServiceRequest] = []

    def Export(self, request: ExportTraceServiceRequest, context: Any) -> Any:
        """Take spans."""
        while self.is_stuck.is_set() and context.is_active():
            threading.Event().wait(0.02)
        self._requests.append(request)
        return ExportTraceServiceResponse()

    @property
    def raw(self) -> bytes:
        """Every byte that was sent."""
        return b"".join(request.SerializeToString() for request in list(self._requests))

    @property
    def seen(self) -> list[Seen]:
        """Every span, in the order of coming."""
        return [
            Seen(_instance(resource), span)
            for request in list(self._requests)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def named(self, name: str) -> list[Seen]:
        """The spans of a name."""
        return [each for each in self.seen if each.span.name == name]

    def tree(self, trace_id: bytes) -> list[str]:
        """A trace as lines, indented: the name and the process of each span, by when they began."""
        spans = [each for each in self.seen if each.span.trace_id == trace_id]
        known = {each.span.span_id for each in spans}
        return [
            line
            for top in _by_time(spans)
            if top.span.parent_span_id not in known
            for line in _lines(top, spans, 0)
        ]

    async def find(
        self, name: str, count: int = 1, patience_seconds: float = _PATIENCE_SECONDS
    ) -> list[Seen]:
        """The spans of a name, once there are so many."""
        async with asyncio.timeout(patience_seconds):
            while len(found := self.named(name)) < count:
                await asyncio.sleep(0.05)
        return found


def _by_time(spans: list[Seen]) -> list[Seen]:
    return sorted(spans, key=lambda each: each.span.start_time_unix_nano)


def _lines(top: Seen, spans: list[Seen], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{top.span.name} ({top.process})"
    for each in _by_time(spans):
        if each.span.parent_span_id == top.span.span_id:
            yield from _lines(each, spans, depth + 1)


def _instance(resource: Any) -> str:
    return next(
        str(each.value.string_value)
        for each in resource.resource.attributes
        if each.key == "service.instance.id"
    )


@contextmanager
def collecting() -> Iterator[Collector]:
    """Collect while the block runs, from threads: a service may stop within it and wait for the last spans."""
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(4))
    add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]  # no stubs
    collector.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield collector
    finally:
        collector.is_stuck.clear()
        server.stop(0).wait()
