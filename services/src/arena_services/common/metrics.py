"""Metrics that every service has, and the small HTTP server for /metrics, /healthz and /readyz."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from arena_services.common import logs
from arena_services.common.addresses import split_address

LATENCY_BUCKETS = (
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
)

RPC_SECONDS = Histogram(
    "arena_rpc_seconds",
    "Time to answer a unary call, by canonical code.",
    ["service", "method", "code"],
    buckets=LATENCY_BUCKETS,
)
STREAMS_OPEN = Gauge("arena_rpc_streams_open", "Streams that are open now.", ["service", "method"])
STREAM_SECONDS = Histogram(
    "arena_rpc_stream_seconds",
    "How long streams that ended were open, by canonical code.",
    ["service", "method", "code"],
    buckets=(0.1, 1.0, 10.0, 60.0, 600.0, 3600.0),
)
STREAM_MESSAGES = Counter(
    "arena_rpc_stream_messages_total", "Messages sent on streams.", ["service", "method"]
)
LIMITED = Counter(
    "arena_limited_total",
    "Requests and streams refused because a player had too many: TOO_MANY_REQUESTS, TOO_MANY_STREAMS.",
    ["reason"],
)
for _reason in ("TOO_MANY_REQUESTS", "TOO_MANY_STREAMS"):
    LIMITED.labels(_reason)  # shown as 0 before the first time: a rate needs somewhere to rise from
READY = Gauge("arena_ready", "1 while the process takes calls, as /readyz says.")
NATS_CONNECTED = Gauge("arena_nats_connected", "1 while connected to NATS.")
TRACES_DROPPED = Counter(
    "arena_traces_dropped_total",
    "Spans that were not sent: queue_full where the collector is too slow, not_taken where it failed.",
    ["reason"],
)
for _reason in ("queue_full", "not_taken"):
    TRACES_DROPPED.labels(_reason)
HEADERS_READ = Counter("arena_log_headers_read_total", "Headers of log entries that were read.")
HEADER_READERS_LOST = Counter(
    "arena_log_header_readers_lost_total", "Times that a partition had to be read anew."
)
BUCKETS_READ_ANEW = Counter(
    "arena_buckets_read_anew_total", "Times that a bucket had to be read anew.", ["bucket"]
)


_log = logs.get()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever hung up before the answer is no fault of ours; everything else is logged as such."""
        error = sys.exception()
        if not isinstance(error, OSError):
            _log.error("a page was not answered", exc_info=error)


@contextmanager
def serve(listen: str, is_ready: Callable[[], bool]) -> Iterator[str]:
    """Serve metrics and probes from a thread while the block runs; yields the address it listens on."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            match self.path.partition("?")[0]:
                case "/metrics":
                    self._answer(200, generate_latest(), CONTENT_TYPE_LATEST)
                case "/healthz":
                    self._answer(200, b"alive\n")
                case "/readyz" if is_ready():
                    self._answer(200, b"ready\n")
                case "/readyz":
                    self._answer(503, b"not ready\n")
                case _:
                    self._answer(404, b"see /metrics, /healthz, /readyz\n")

        def _answer(self, code: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Probes are not worth a line."""

    READY.set_function(lambda: float(is_ready()))
    disable_created_metrics()  # type: ignore[no-untyped-call]  # a series for each series, which nobody looks at
    server = _Server(split_address(listen), Handler)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield f"{listen.rpartition(':')[0]}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
