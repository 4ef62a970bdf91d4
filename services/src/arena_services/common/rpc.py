"""gRPC as every service serves it: failures mapped to statuses, calls counted, health and reflection."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from arena_engine.errors import EngineError
from arena_services.common import logs, tracing
from arena_services.common.errors import (
    ArenaError,
    InternalError,
    InvalidArgumentError,
    ResourceExhaustedError,
)
from arena_services.common.metrics import (
    RPC_SECONDS,
    STREAM_MESSAGES,
    STREAM_SECONDS,
    STREAMS_OPEN,
)
from arena_services.common.renewal import server_credentials
from arena_services.common.tls import Tls

#: What a request may weigh. Everything a client can sensibly say fits many times over.
MAX_REQUEST_BYTES = 64 * 1024
#: Beyond this the connection's own limit answers, without our words.
_MAX_MESSAGE_BYTES = 4 * 1024 * 1024
ERROR_DOMAIN = "arena"
#: The health service's name for "this process answers", whether it is ready or drains.
LIVENESS = "liveness"

SERVER_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.so_reuseport", 0),
)

_log = logs.get()


def as_arena_error(error: Exception) -> ArenaError:
    """What a caller hears of any failure; ours are logged and kept from them."""
    if isinstance(error, ArenaError):
        return error
    if isinstance(error, EngineError):
        return InvalidArgumentError("REFUSED_BY_RULES", str(error))
    _log.error("unexpected failure", exc_info=error)
    return InternalError("INTERNAL", "The server failed to answer; it has been logged. Try again.")


def read_request(raw: bytes, parse: Callable[[bytes], Any]) -> Any:
    """A request as a message. Raises `ResourceExhaustedError` for too large a one, `InvalidArgumentError` for none."""
    if len(raw) > MAX_REQUEST_BYTES:
        raise ResourceExhaustedError(
            "MESSAGE_TOO_LARGE",
            f"The request has {len(raw)} bytes; at most {MAX_REQUEST_BYTES} are taken.",
        )
    try:
        return parse(raw)
    except DecodeError as error:
        raise InvalidArgumentError(
            "MALFORMED_MESSAGE", "The request does not read as a message of this call."
        ) from error


def status_of(error: ArenaError) -> Any:
    """A failure as a rich gRPC status."""
    detail = AnyMessage()
    detail.Pack(ErrorInfo(reason=error.reason, domain=ERROR_DOMAIN))
    return rpc_status.to_status(Status(code=error.number, message=error.message, details=[detail]))


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """The machine-readable reason of a failed call; empty where it carries none."""
    try:
        status = rpc_status.from_call(cast(grpc.Call, error))
    except ValueError:  # the line broke off with another code than the one that was on its way
        return ""
    for detail in status.details if status else ():
        info = ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return ""


class Interceptor(grpc.aio.ServerInterceptor):
    """Reads requests, maps failures to statuses, counts calls.

    Requests are parsed here and not by gRPC, which answers one that does not read with its own exception's text.
    """

    def __init__(self) -> None:
        self._wrapped: dict[str, Any] = {}
        """Handlers by the full name of their method."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Wrap the call's handler."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None and (handler := await continuation(handler_call_details)) is not None:
            wrapped = self._wrapped[method] = _wrap(handler, *method.split("/")[1:])
        return wrapped


def _wrap(handler: Any, service: str, method: str) -> Any:
    parse = handler.request_deserializer
    if handler.unary_unary is not None:
        return grpc.unary_unary_rpc_method_handler(
            _unary(handler.unary_unary, parse, service, method), None, handler.response_serializer
        )
    if handler.unary_stream is not None and service.startswith("arena."):
        return grpc.unary_stream_rpc_method_handler(
            _stream(_reading(handler.unary_stream, parse), service, method),
            None,
            handler.response_serializer,
        )
    if handler.stream_stream is not None and service.startswith("arena."):
        return grpc.stream_stream_rpc_method_handler(
            _stream(handler.stream_stream, service, method), parse, handler.response_serializer
        )
    return handler


def _unary(
    call: Callable[[Any, Any], Awaitable[Any]],
    parse: Callable[[bytes], Any],
    service: str,
    method: str,
) -> Any:
    async def answer(raw: bytes, context: Any) -> Any:
        start, code = time.perf_counter(), "OK"
        try:
            request = read_request(raw, parse)
            with tracing.serve(service, method, context, request):
                return await call(request, context)
        except grpc.aio.AbortError:
            code = _code_name(context)
            raise
        except Exception as error:
            failure = as_arena_error(error)
            code = failure.code.name
            await context.abort_with_status(status_of(failure))
        finally:
            RPC_SECONDS.labels(service, method, code).observe(time.perf_counter() - start)

    return answer


def _reading(
    call: Callable[[Any, Any], AsyncGenerator[Any, None]], parse: Callable[[bytes], Any]
) -> Callable[[bytes, Any], AsyncGenerator[Any, None]]:
    def read(raw: bytes, context: Any) -> AsyncGenerator[Any, None]:
        return call(read_request(raw, parse), context)

    return read


def _stream(
    call: Callable[[Any, Any], AsyncGenerator[Any, None]], service: str, method: str
) -> Any:
    # A coroutine that writes, not a generator that yields: when the client goes away, whatever the call holds is let
    # go at once, in this task, and not when the garbage collector comes round.
    sent = STREAM_MESSAGES.labels(service, method)
    is_open = STREAMS_OPEN.labels(service, method)

    async def answer(request: Any, context: Any) -> None:
        start, code = time.perf_counter(), "OK"
        with is_open.track_inprogress():
            try:
                async with aclosing(call(request, context)) as responses:
                    async for response in responses:
                        await context.write(response)
                        sent.inc()
                        del response  # the next one may be long in coming
            except (grpc.aio.AbortError, asyncio.CancelledError):
                code = "CANCELLED"
                raise
            except grpc.aio.InternalError:
                code = "CANCELLED"  # the client went away while a response was being written
            except Exception as error:
                failure = as_arena_error(error)
                code = failure.code.name
                await context.abort_with_status(status_of(failure))
            finally:
                seconds = time.perf_counter() - start
                STREAM_SECONDS.labels(service, method, code).observe(seconds)

    return answer


def _code_name(context: Any) -> str:
    code = context.code()
    return code.name if isinstance(code, grpc.StatusCode) else "UNKNOWN"


class Server:
    """A gRPC server with health and reflection, not ready until told so."""

    def __init__(self, listen: str, tls: Tls | None = None) -> None:
        """With `tls` it lets in who shows a certificate of the same authority; without, it is plain."""
        self._server = grpc.aio.server(interceptors=[Interceptor()], options=list(SERVER_OPTIONS))
        self._listen = listen
        self._tls = tls
        self._names: list[str] = []
        self._health = health.aio.HealthServicer()
        self.is_ready = False
        self.address = listen

    @property
    def raw(self) -> grpc.aio.Server:
        """What `add_..._to_server` takes."""
        return self._server

    def name(self, *services: str) -> None:
        """Note the full names of services that were added, for health and reflection."""
        self._names.extend(services)

    async def start(self) -> None:
        """Listen; `address` tells where."""
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        shown = (*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(shown, self._server)
        host, _, _ = self._listen.rpartition(":")
        try:
            port = self._bind()
        except RuntimeError as error:
            raise SystemExit(
                f"cannot listen on {self._listen} ({error}); set ARENA_LISTEN to a free host:port"
            ) from error
        await self._server.start()
        self.address = f"{host}:{port}"
        await self._health.set(LIVENESS, health_pb2.HealthCheckResponse.SERVING)
        await self.set_ready(False)

    def _bind(self) -> int:
        if self._tls is None:
            return self._server.add_insecure_port(self._listen)
        return self._server.add_secure_port(self._listen, server_credentials(self._tls))

    async def set_ready(self, is_ready: bool) -> None:
        """Tell probes and balancers whether to send anything here."""
        self.is_ready = is_ready
        serving = health_pb2.HealthCheckResponse.SERVING
        status = serving if is_ready else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", *self._names):
            await self._health.set(name, status)

    async def stop(self, grace_seconds: float) -> None:
        """Refuse new calls and give open ones so long to end."""
        await self._server.stop(grace_seconds)
