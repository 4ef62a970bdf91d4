"""Envoy's configuration, made from the edge's settings. The only source of it, wherever the edge runs.

Streams have no time-outs: heartbeats every 15 seconds keep them, and a client that vanished is noticed by its
connection. Unary calls end by their own deadlines. The page's files are direct responses, held in memory: Envoy's file
server is marked as unfinished. A room that drains or hangs is noticed by its gRPC health within
seconds and gets no new calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena_services.common.addresses import split_address
from arena_services.edge import tls
from arena_services.edge.config import EdgeSettings

MATCHMAKING_SERVICE = "arena.matchmaking.v1.MatchmakingService"
ROOM_SERVICE = "arena.room.v1.RoomService"
CHAT_SERVICE = "arena.room.v1.ChatService"
HEALTH_PATH = "/healthz"
_ADMIN_PAGES = ("/ready", "/stats/prometheus")

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "application/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_GRPC_ERROR_HEADERS = "grpc-status,grpc-message,grpc-status-details-bin"
#: Nothing but what the page itself brings may run in it, and nobody may frame it.
_PAGE_HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
_METHOD_GET = {"name": ":method", "string_match": {"safe_regex": {"regex": "GET|HEAD"}}}
_LARGEST_PAGE_FILE = 4 * 1024 * 1024
_FOR_A_YEAR = "public, max-age=31536000, immutable"

_Json = dict[str, Any]

_NO_PAGE: _Json = {
    "match": {"path": "/"},
    "direct_response": {
        "status": 404,
        "body": {
            "inline_string": "The page has not been built; this address serves the API alone.\n"
        },
    },
}


def bootstrap(settings: EdgeSettings, sources: tls.Sources) -> _Json:
    """The whole configuration as a JSON object; `sources` is what `tls.open_sources` opened."""
    return {
        "node": {"id": "edge", "cluster": "arena"},
        "admin": {
            "address": _socket(settings.metrics_listen),
            # Whoever may look at the metrics must not be able to end the process.
            "allow_paths": [{"exact": path} for path in _ADMIN_PAGES],
        },
        "overload_manager": {
            "resource_monitors": [
                _typed(
                    "envoy.resource_monitors.global_downstream_max_connections",
                    "envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
                    max_active_downstream_connections=settings.max_connections,
                )
            ]
        },
        "static_resources": {
            "listeners": [_listener(settings, sources)],
            "clusters": [
                {
                    **_cluster(part, addresses, service),
                    **tls.towards_parts(settings, sources, part),
                }
                for part, addresses, service in (
                    ("matchmaking", settings.matchmaking_addresses, MATCHMAKING_SERVICE),
                    ("room", settings.room_addresses, ROOM_SERVICE),
                )
            ],
        },
    }


def _listener(settings: EdgeSettings, sources: tls.Sources) -> _Json:
    return {
        "name": "edge",
        "address": _socket(settings.listen),
        "per_connection_buffer_limit_bytes": settings.max_request_bytes,
        "filter_chains": [
            {
                **tls.towards_people(settings, sources),
                "filters": [
                    _typed(
                        "envoy.filters.network.http_connection_manager",
                        "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                        stat_prefix="edge",
                        stream_idle_timeout="0s",
                        request_headers_timeout="10s",
                        normalize_path=True,
                        merge_slashes=True,
                        server_header_transformation="APPEND_IF_ABSENT",
                        http2_protocol_options={
                            "max_concurrent_streams": 128,
                            "connection_keepalive": {"interval": "30s", "timeout": "10s"},
                        },
                        route_config=_routes(settings),
                        http_filters=_filters(settings),
                    )
                ],
            }
        ],
    }


def _filters(settings: EdgeSettings) -> list[_Json]:
    """In the order in which a request passes them; the response comes back the other way."""
    return [
        _http_filter("cors", "envoy.extensions.filters.http.cors.v3.Cors"),
        _http_filter(
            "local_ratelimit",
            "envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
            **_rate_limit(settings.calls_per_second),
        ),
        _http_filter(
            "compressor",
            "envoy.extensions.filters.http.compressor.v3.Compressor",
            compressor_library=_typed(
                "gzip", "envoy.extensions.compression.gzip.compressor.v3.Gzip", window_bits=15
            ),
        ),
        _http_filter("grpc_web", "envoy.extensions.filters.http.grpc_web.v3.GrpcWeb"),
        _http_filter("router", "envoy.extensions.filters.http.router.v3.Router"),
    ]


def _routes(settings: EdgeSettings) -> _Json:
    return {
        "max_direct_response_body_size_bytes": _LARGEST_PAGE_FILE,
        "virtual_hosts": [
            {
                "name": "all",
                "domains": ["*"],
                "typed_per_filter_config": {
                    "envoy.filters.http.cors": _cors(settings.allowed_origins)
                },
                "routes": [
                    {
                        "match": {"path": HEALTH_PATH},
                        "direct_response": {"status": 200, "body": {"inline_string": "alive\n"}},
                    },
                    _api_route(MATCHMAKING_SERVICE, "matchmaking"),
                    _api_route(ROOM_SERVICE, "room"),
                    _api_route(CHAT_SERVICE, "room"),
                    *_page_routes(settings.page_dir),
                ],
            }
        ],
    }


def _api_route(service: str, cluster: str) -> _Json:
    return {
        "match": {"prefix": f"/{service}/"},
        "route": {
            "cluster": cluster,
            "timeout": "0s",
            "idle_timeout": "0s",
            "max_stream_duration": {"grpc_timeout_header_max": "0s"},
            # Only what has certainly not reached a service is sent again.
            "retry_policy": {"retry_on": "connect-failure,refused-stream", "num_retries": 3},
        },
    }


def _page_routes(page_dir: Path) -> list[_Json]:
    """A route for each file of the page, and `/` for its start. Hashed files under assets/ never change."""
    files = sorted(path for path in page_dir.rglob("*") if path.is_file())
    routes = [_page_route(f"/{path.relative_to(page_dir).as_posix()}", path) for path in files]
    start = page_dir / "index.html"
    return [*routes, _page_route("/", start)] if start in files else [_NO_PAGE]


def _page_route(url_path: str, file: Path) -> _Json:
    headers = {
        **_PAGE_HEADERS,
        "content-type": _TYPES.get(file.suffix, "application/octet-stream"),
        "cache-control": _FOR_A_YEAR if url_path.startswith("/assets/") else "no-cache",
    }
    return {
        "match": {"path": url_path, "headers": [_METHOD_GET]},
        "direct_response": {"status": 200, "body": {"filename": str(file.resolve())}},
        "response_headers_to_add": [
            {"header": {"key": key, "value": value}, "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}
            for key, value in headers.items()
        ],
    }


def _cluster(name: str, addresses: Iterable[str], service: str) -> _Json:
    return {
        "name": name,
        "type": "STRICT_DNS",
        "connect_timeout": "1s",
        "lb_policy": "LEAST_REQUEST",
        # Rooms may be listed that do not run, more than half of all: where none is well, and only there, all are tried.
        "common_lb_config": {"healthy_panic_threshold": {"value": 1}},
        "load_assignment": {
            "cluster_name": name,
            "endpoints": [
                {"lb_endpoints": [{"endpoint": {"address": _socket(it)}} for it in addresses]}
            ],
        },
        "health_checks": [
            {
                "timeout": "1s",
                "interval": "1s",
                "no_traffic_interval": "1s",
                "unhealthy_threshold": 2,
                "healthy_threshold": 1,
                "grpc_health_check": {"service_name": service},
            }
        ],
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": _message(
                "envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
                explicit_http_config={
                    "http2_protocol_options": {
                        "connection_keepalive": {"interval": "10s", "timeout": "5s"}
                    }
                },
            )
        },
    }


def _cors(origins: Iterable[str]) -> _Json:
    matchers = [{"safe_regex": {"regex": ".*"}} if it == "*" else {"exact": it} for it in origins]
    return _message(
        "envoy.extensions.filters.http.cors.v3.CorsPolicy",
        allow_origin_string_match=matchers,
        allow_methods="POST",
        allow_headers="authorization,content-type,grpc-timeout,x-grpc-web,x-user-agent,"
        "connect-protocol-version,connect-timeout-ms",
        expose_headers=_GRPC_ERROR_HEADERS,
        max_age="7200",
    )


def _rate_limit(calls_per_second: int) -> _Json:
    always = {"default_value": {"numerator": 100, "denominator": "HUNDRED"}}
    return {
        "stat_prefix": "edge",
        "local_rate_limit_per_downstream_connection": True,
        "token_bucket": {
            "max_tokens": 4 * calls_per_second,
            "tokens_per_fill": calls_per_second,
            "fill_interval": "1s",
        },
        "filter_enabled": always,
        "filter_enforced": always,
        "rate_limited_as_resource_exhausted": True,
    }


def _socket(address: str) -> _Json:
    host, port = split_address(address)
    return {"socket_address": {"address": host, "port_value": port}}


def _http_filter(name: str, kind: str, **fields: Any) -> _Json:
    return _typed(f"envoy.filters.http.{name}", kind, **fields)


def _typed(name: str, kind: str, **fields: Any) -> _Json:
    return {"name": name, "typed_config": _message(kind, **fields)}


def _message(kind: str, **fields: Any) -> _Json:
    return {"@type": f"type.googleapis.com/{kind}", **fields}
