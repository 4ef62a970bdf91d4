"""Where a platform elsewhere lets people in: one address for all calls, plain or by TLS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import grpc

from arena_services.common.channels import open_channel

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Entrance:
    """An edge, or whatever else serves the public API."""

    address: str
    """host:port."""
    is_tls: bool = False
    ca_file: Path | None = None
    """The authority that signed its certificate, PEM; None: one that everybody trusts."""
    server_name: str | None = None
    """The name that the certificate must bear; None: the address's host."""

    @classmethod
    def parse(cls, text: str, ca_file: Path | None = None, server_name: str | None = None) -> Self:
        """From `host:port`, `http://host[:port]` or `https://host[:port]`. Raises ValueError."""
        parts = urlsplit(text if "://" in text else f"//{text}")
        port = parts.port or _PORTS.get(parts.scheme)
        if parts.scheme not in {"", *_PORTS} or not parts.hostname or port is None:
            raise ValueError(f"{text!r} is no host:port, http://host or https://host")
        is_tls = parts.scheme == "https"
        if not is_tls and (ca_file or server_name):
            raise ValueError(f"{text!r} is reached without TLS: certificates have no say in it")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        return cls(f"{host}:{port}", is_tls, ca_file, server_name)

    def open(self, address: str) -> grpc.aio.Channel:
        """A channel to it, or to another address in its manner. Raises OSError for an authority not to be read."""
        if not self.is_tls:
            return open_channel(address)
        trusted = self.ca_file.read_bytes() if self.ca_file else None
        return open_channel(address, grpc.ssl_channel_credentials(trusted), self.server_name)
