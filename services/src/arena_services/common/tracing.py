"""Traces: what one call, action or expiry sets off, through all processes, as a tree of spans.

Off unless a collector is named (`ARENA_TRACES_ENDPOINT`): then everything here returns at once, and OpenTelemetry is
not even imported. `spans` is what does the work while it is on.

A span says who did what to which match for how long, and nothing else: `About` is all that can be said of it. What
failed is told by its canonical code, never by a message, since messages may quote what a player alone may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, Self, TypedDict, Unpack

from arena_services.common.config import ServiceSettings

if TYPE_CHECKING:
    from arena_services.common.games import HostedGame
    from arena_services.common.spans import Spans

TRACEPARENT = "traceparent"
#: How long a stop waits for the last spans to be taken, if the grace time is not shorter.
_FLUSH_SECONDS = 2.0


class Kind(Enum):
    """What a span is to those on the other side."""

    INTERNAL = "INTERNAL"
    SERVER = "SERVER"
    CLIENT = "CLIENT"
    PRODUCER = "PRODUCER"


class About(TypedDict, total=False):
    """All that a span may tell beside its name, times and code."""

    match_id: str
    game: str
    sequence: int
    seat: int
    room_id: str
    """The other room, of a span that waits for one. A span's own process stands in its resource."""
    expiries: int


class Folded(Protocol):
    """A match as far as it has come. What is told of it is read when a span ends."""

    match_id: str
    sequence: int

    @property
    def hosted(self) -> HostedGame:
        """Its game."""


class Work(Protocol):
    """Something under way. As a context manager: the block is it, and ends it."""

    def __enter__(self) -> Self:
        """Begin the block: what begins within is part of this."""

    def __exit__(self, *error: object) -> None:
        """End the block, and this."""

    def held(self) -> AbstractContextManager[object]:
        """A block that is part of this and does not end it."""

    def over(self) -> AbstractContextManager[object]:
        """End this; the block is part of what this was part of."""

    def end(self, code: str = "OK") -> None:
        """End this with a canonical code."""


class _Nothing:
    """Work that is not traced."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def held(self) -> Self:
        return self

    over = held

    def end(self, code: str = "OK") -> None:
        pass


NOTHING = _Nothing()
_NO_HEADERS: dict[str, str] = {}

_spans: Spans | None = None


@contextmanager
def exporting(service: str, settings: ServiceSettings) -> Iterator[None]:
    """Trace while the block runs, if a collector is named. At its end the last spans are sent, or given up soon."""
    global _spans  # noqa: PLW0603 - spans are begun deep within code that has nothing else to do with them
    if settings.traces_endpoint is None:
        yield
        return
    # It takes a service a second and 9 MB to import, which one that does not trace is spared.
    from arena_services.common.spans import Spans  # noqa: PLC0415

    _spans = Spans(service, settings)
    try:
        yield
    finally:
        spans, _spans = _spans, None
        spans.close(min(settings.grace_seconds, _FLUSH_SECONDS))


def span(
    name: str, match: Folded | None = None, kind: Kind = Kind.INTERNAL, room_id: str = ""
) -> Work:
    """Begin a part of what is traced here; nothing where nothing is.

    Every move passes through here several times: nothing is looked at before it is needed.
    """
    return NOTHING if _spans is None else _spans.part(name, match, kind, room_id)


def begin(
    name: str,
    kind: Kind = Kind.INTERNAL,
    parent: str = "",
    links: Iterable[str] = (),
    **about: Unpack[About],
) -> Work:
    """Begin a trace, or another process's part of the one that `parent`, a traceparent, names.

    `links`: traceparents of what led to this; empty ones are passed over.
    """
    return NOTHING if _spans is None else _spans.begin(name, kind, parent, links, about)


def serve(service: str, method: str, context: Any, request: Any) -> Work:
    """Begin the answer to a unary call of one of our own services."""
    if _spans is None or not service.startswith("arena."):
        return NOTHING
    about = About(match_id=getattr(request, "match_id", ""))
    if about["match_id"] and hasattr(request, "seat"):
        about["seat"] = request.seat
    return _spans.begin(f"{service}/{method}", Kind.SERVER, incoming(context), (), about)


def serve_message(call: str, request: Any, stream: str) -> Work:
    """Begin the answer to a message of a stream, which `stream`, a traceparent or nothing, says what is part of.

    The message is no part of the stream: that may be open for hours.
    """
    if _spans is None:
        return NOTHING
    name = f"{call} {request.WhichOneof('request')}"
    about = About(match_id=request.match_id, seat=request.seat)
    return _spans.begin(name, Kind.SERVER, request.traceparent, (stream,), about)


def incoming(context: Any) -> str:
    """The traceparent that a call came with; empty without one, and while nothing is traced."""
    if _spans is None:
        return ""
    pairs = context.invocation_metadata() or ()
    return next(
        (value for key, value in pairs if key == TRACEPARENT and isinstance(value, str)), ""
    )


def traceparent() -> str:
    """What names the present span to other processes; empty where nothing is traced."""
    return "" if _spans is None else _spans.traceparent()


def carried(metadata: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Metadata of a call, with what makes it part of the present trace."""
    present = traceparent()
    return (*metadata, (TRACEPARENT, present)) if present else metadata


def headers() -> dict[str, str]:
    """NATS headers by which whoever handles an entry later finds the span that wrote it; none unless it is kept."""
    return _NO_HEADERS if _spans is None else _spans.headers()


def apart() -> AbstractContextManager[object]:
    """A block that is part of nothing: tasks inherit what they were made in, and some outlive it by far."""
    return nullcontext() if _spans is None else _spans.apart()


def add_trace_id(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Say in a log line which trace it belongs to: a processor of structlog's."""
    if _spans is not None and (trace_id := _spans.trace_id()):
        event["trace_id"] = trace_id
    return event
