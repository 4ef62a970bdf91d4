"""Channels to other services, one for each address, kept open."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from arena_services.common.renewal import channel_credentials
from arena_services.common.tls import Tls, name_of

CLIENT_OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    # A peer that hangs is noticed within four seconds: two are as long as rooms take each other for alive unheard, so
    # that one which takes longer to answer has lost its matches anyway. The keepalive's own timeout does nothing before
    # that of pings, which is a minute unless said.
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.keepalive_timeout_ms", 2_000),
    ("grpc.http2.ping_timeout_ms", 2_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # How long one attempt may take: a handshake over a slow line or on a busy machine has to fit.
    ("grpc.min_reconnect_backoff_ms", 3_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


def open_channel(
    address: str,
    credentials: grpc.ChannelCredentials | None = None,
    server_name: str | None = None,
) -> grpc.aio.Channel:
    """A channel that comes back quickly and notices a dead peer.

    Args:
        address: host:port.
        credentials: For TLS; without them the channel is plain.
        server_name: The name that the server's certificate must bear, where it is not the address's host.
    """
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)
    names = (("grpc.ssl_target_name_override", server_name),) if server_name else ()
    return grpc.aio.secure_channel(address, credentials, options=(*CLIENT_OPTIONS, *names))


class Channels:
    """One channel for each address of a room, the only part that others call."""

    def __init__(
        self,
        tls: Tls | None = None,
        open_plain: Callable[[str], grpc.aio.Channel] = open_channel,
    ) -> None:
        """With `tls` callers show its certificate, and rooms have to show theirs; `open_plain` serves without.

        Raises OSError for certificates that cannot be read.
        """
        self._credentials = channel_credentials(tls) if tls else None
        self._open_plain = open_plain
        self._open: dict[str, grpc.aio.Channel] = {}
        self._former: list[grpc.aio.Channel] = []

    def to(self, address: str) -> grpc.aio.Channel:
        """The channel to an address, opened where there is none; anew once the certificate was renewed."""
        if self._credentials is not None and self._credentials.renew():
            # Streams on the former ones go on: a certificate is looked at when a connection begins.
            self._former += self._open.values()
            self._open = {}
        channel = self._open.get(address)
        if channel is None:
            channel = self._open[address] = self._open_to(address)
        return channel

    def _open_to(self, address: str) -> grpc.aio.Channel:
        if self._credentials is None:
            return self._open_plain(address)
        return open_channel(address, self._credentials.made, name_of("room"))

    async def close(self) -> None:
        """Close all."""
        channels, self._open, self._former = [*self._open.values(), *self._former], {}, []
        for channel in channels:
            await channel.close()
