"""What `tracing` does while it is on: spans by OpenTelemetry, sent in the background by OTLP over gRPC.

Whether a trace is kept is drawn from its id with the platform's key. So all services decide alike without asking, and
nobody outside can have a trace kept: a caller's `traceparent` is continued, its flags are not believed.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterable, Sequence
from contextvars import ContextVar, Token
from hashlib import blake2b
from typing import Self

import grpc
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import Attributes

from arena_engine.errors import EngineError
from arena_services.common import logs
from arena_services.common.config import ServiceSettings
from arena_services.common.errors import ArenaError, InvalidArgumentError
from arena_services.common.log.subjects import is_match_id
from arena_services.common.metrics import TRACES_DROPPED
from arena_services.common.tracing import NOTHING, TRACEPARENT, About, Folded, Kind, Work

#: Spans that may wait to be sent; more are dropped.
_MOST_WAITING = 4096
#: Few enough that writing them does not keep a move waiting for long: both need the interpreter.
_SENT_AT_ONCE = 128
_SENT_EVERY_MS = 1000
_SEND_SECONDS = 2.0
_DECISION_BYTES = 8
#: Codes that are a server's fault and not its caller's.
_FAULTS = frozenset({"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE"})

_log = logs.get()
_EMPTY = Context()
_present: ContextVar[trace.Span | None] = ContextVar("present_span", default=None)
_propagator = TraceContextTextMapPropagator()


class KeyedShare(Sampler):
    """Keeps a share of all traces, by a keyed hash of their ids."""

    def __init__(self, key: bytes, share: float) -> None:
        """`share`: from 0 to 1."""
        self._key = blake2b(key, digest_size=32, person=b"arena-traces").digest()
        self._bound: int = round(share * 2 ** (8 * _DECISION_BYTES))
        self._share = share

    def is_kept(self, trace_id: int) -> bool:
        """Whether a trace is kept: the same answer in every process with this key and share."""
        digest = blake2b(trace_id.to_bytes(16, "big"), digest_size=_DECISION_BYTES, key=self._key)
        drawn = int.from_bytes(digest.digest(), "big")
        return drawn < self._bound

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: trace.SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[trace.Link] | None = None,
        trace_state: trace.TraceState | None = None,
    ) -> SamplingResult:
        """See `Sampler`."""
        decision = Decision.RECORD_AND_SAMPLE if self.is_kept(trace_id) else Decision.DROP
        return SamplingResult(decision, attributes)

    def get_description(self) -> str:
        """See `Sampler`."""
        return f"KeyedShare({self._share:g})"


class _Span:
    """Work that is traced. See `tracing.Work`."""

    def __init__(
        self, span: trace.Span, parent: trace.Span | None, match: Folded | None = None
    ) -> None:
        self._span = span
        self._parent = parent
        self._match = match
        self._before: Token[trace.Span | None] | None = None

    def __enter__(self) -> Self:
        self._before = _present.set(self._span)
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            _present.reset(self._before)
        self.end(_code_of(error[1]))

    def held(self) -> _Block:
        return _Block(self._span)

    def over(self) -> _Block:
        self.end()
        return _Block(self._parent)

    def end(self, code: str = "OK") -> None:
        if self._match is not None:
            self._span.set_attribute("arena.match_id", self._match.match_id)
            self._span.set_attribute("arena.game", self._match.hosted.game.name)
            self._span.set_attribute("arena.sequence", self._match.sequence)
        self._span.set_attribute("arena.code", code)
        if code in _FAULTS:
            self._span.set_status(trace.StatusCode.ERROR)
        self._span.end()


class _Block:
    """A block with a present span."""

    def __init__(self, span: trace.Span | None) -> None:
        self._span = span
        self._before: Token[trace.Span | None]

    def __enter__(self) -> None:
        self._before = _present.set(self._span)

    def __exit__(self, *error: object) -> None:
        _present.reset(self._before)


def _code_of(error: object) -> str:
    """The canonical code of what ended a block, or OK."""
    match error:
        case None:
            return "OK"
        case ArenaError():
            return error.code.name
        case EngineError():
            return InvalidArgumentError.code.name
        case grpc.aio.AioRpcError():
            return error.code().name
        case asyncio.CancelledError() | GeneratorExit():
            return "CANCELLED"
    return "INTERNAL"


class Spans:
    """The spans of one process."""

    def __init__(self, service: str, settings: ServiceSettings) -> None:
        # It has a line for every attempt that fails; we have one when they begin to and one when they end.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        name = {"service.name": f"arena-{service}", "service.instance.id": settings.instance}
        self._provider = TracerProvider(
            KeyedShare(settings.token_key.get_secret_value().encode(), settings.traces_share),
            Resource.create({"service.namespace": "arena", **name}),
            shutdown_on_exit=False,
            span_limits=SpanLimits(max_span_attributes=16, max_links=128),
        )
        exporter = _Exporter(
            OTLPSpanExporter(settings.traces_endpoint, insecure=True, timeout=_SEND_SECONDS)
        )
        self._provider.add_span_processor(_Processor(exporter))
        self._tracer = self._provider.get_tracer("arena")

    def part(self, name: str, match: Folded | None, kind: Kind, room_id: str) -> Work:
        """See `tracing.span`. Nothing is part of a span that has ended: a task was made in it and lives on."""
        parent = _present.get()
        if parent is None or not parent.is_recording():
            return NOTHING
        context = trace.set_span_in_context(parent, _EMPTY)
        about = About(room_id=room_id) if room_id else About()
        return _Span(self._start(name, kind, context, (), about), parent, match)

    def begin(self, name: str, kind: Kind, parent: str, links: Iterable[str], about: About) -> Work:
        """See `tracing.begin`."""
        found = (_read(each) for each in links if each)
        linked = [trace.Link(each) for each in found if each.is_valid]
        return _Span(self._start(name, kind, _context(parent), linked, about), None)

    def _start(
        self,
        name: str,
        kind: Kind,
        context: Context,
        links: Sequence[trace.Link],
        about: About,
    ) -> trace.Span:
        return self._tracer.start_span(
            name, context, trace.SpanKind[kind.value], _attributes(about), links
        )

    def traceparent(self) -> str:
        """See `tracing.traceparent`."""
        span = _present.get()
        return "" if span is None else _written(span.get_span_context())

    def headers(self) -> dict[str, str]:
        """See `tracing.headers`."""
        span = _present.get()
        if span is None or not span.is_recording():
            return {}
        return {TRACEPARENT: _written(span.get_span_context())}

    def trace_id(self) -> str:
        """The present trace's id, if it is kept; otherwise empty."""
        span = _present.get()
        if span is None or not span.is_recording():
            return ""
        return trace.format_trace_id(span.get_span_context().trace_id)

    def apart(self) -> _Block:
        """See `tracing.apart`."""
        return _Block(None)

    def close(self, seconds: float) -> None:
        """Send what waits, and give up what is not taken within some time."""
        closing = threading.Thread(target=self._provider.shutdown, name="traces-end", daemon=True)
        closing.start()
        closing.join(seconds)


def _context(traceparent: str) -> Context:
    return _propagator.extract({TRACEPARENT: traceparent}, _EMPTY) if traceparent else _EMPTY


def _read(traceparent: str) -> trace.SpanContext:
    """What a traceparent names; something invalid for what is none."""
    return trace.get_current_span(_context(traceparent)).get_span_context()


def _written(context: trace.SpanContext) -> str:
    trace_id, span_id = (
        trace.format_trace_id(context.trace_id),
        trace.format_span_id(context.span_id),
    )
    return f"00-{trace_id}-{span_id}-{context.trace_flags:02x}"


def _attributes(about: About) -> dict[str, str | int]:
    """As attributes. What a caller gave as a match may be anything: only what can be one is told."""
    told = {f"arena.{key}": value for key, value in about.items()}
    if not is_match_id(about.get("match_id", "")):
        told.pop("arena.match_id", None)
    return told  # type: ignore[return-value]  # mypy knows no types of a TypedDict's items


class _Exporter(SpanExporter):
    """Counts what the collector does not take, and says when that begins and ends."""

    def __init__(self, exporter: SpanExporter) -> None:
        self.handed = 0
        """Spans that left the queue."""
        self._exporter = exporter
        self._is_failing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """See `SpanExporter`."""
        self.handed += len(spans)
        result = self._exporter.export(spans)
        is_failing = result is not SpanExportResult.SUCCESS
        if is_failing:
            TRACES_DROPPED.labels("not_taken").inc(len(spans))
        if is_failing != self._is_failing:
            self._is_failing = is_failing
            _log.warning(
                "the collector takes no traces" if is_failing else "traces are taken again"
            )
        return result

    def shutdown(self) -> None:
        """See `SpanExporter`."""
        self._exporter.shutdown()


class _Processor(BatchSpanProcessor):
    """Keeps spans until they are sent, and counts those that find no place: the oldest go."""

    def __init__(self, exporter: _Exporter) -> None:
        super().__init__(exporter, _MOST_WAITING, _SENT_EVERY_MS, _SENT_AT_ONCE)
        self._exporter = exporter
        self._ended = 0
        self._dropped = 0

    def on_end(self, span: ReadableSpan) -> None:
        """See `SpanProcessor`."""
        if self._ended - self._dropped - self._exporter.handed >= _MOST_WAITING:
            self._dropped += 1
            TRACES_DROPPED.labels("queue_full").inc()
        self._ended += 1
        super().on_end(span)
