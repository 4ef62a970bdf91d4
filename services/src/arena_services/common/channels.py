"""Channels to other services, one for each address, kept open."""

from __future__ import annotations

import grpc

CLIENT_OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    # A peer that hangs is noticed within five seconds. The keepalive's own timeout does nothing before that of pings,
    # which is a minute unless said.
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.keepalive_timeout_ms", 2_500),
    ("grpc.http2.ping_timeout_ms", 2_500),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # How long one attempt may take: a handshake over a slow line or on a busy machine has to fit.
    ("grpc.min_reconnect_backoff_ms", 3_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


def open_channel(address: str) -> grpc.aio.Channel:
    """A channel that comes back quickly and notices a dead peer."""
    return grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)


class Channels:
    """One channel for each address."""

    def __init__(self) -> None:
        self._open: dict[str, grpc.aio.Channel] = {}

    def to(self, address: str) -> grpc.aio.Channel:
        """The channel to an address, opened where there is none."""
        channel = self._open.get(address)
        if channel is None:
            channel = self._open[address] = open_channel(address)
        return channel

    async def close(self) -> None:
        """Close all."""
        channels, self._open = list(self._open.values()), {}
        for channel in channels:
            await channel.close()
