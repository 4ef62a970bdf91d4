"""Mutual TLS between the parts, where a platform has certificates for it.

Each part shows one certificate, as server and as client, and takes those of one authority alone. Rooms are reached by
addresses that no certificate can know; so a caller asks for the name of the part that it means to reach. Files that
are renewed are read again: servers use them from the next handshake on, callers from the next call's channel on.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

NATS = "nats"
_DOMAIN = "arena.internal"


def name_of(part: str) -> str:
    """The DNS name that a part's certificate bears, wherever it runs."""
    return f"{part}.{_DOMAIN}"


@dataclass(frozen=True)
class Tls:
    """A part's certificate, its key, and whose certificates it takes: files in PEM."""

    cert_file: Path
    key_file: Path
    ca_file: Path

    def version(self) -> tuple[int, ...]:
        """Another one once a file has been renewed. Raises OSError."""
        return tuple(each.stat().st_mtime_ns for each in self._files())

    def server_credentials(self) -> grpc.ServerCredentials:
        """For a server that lets in who shows a certificate of the authority. Raises OSError."""
        used = self.version()

        def renewed() -> grpc.ServerCertificateConfiguration | None:
            nonlocal used
            try:
                version = self.version()
                if version == used:
                    return None
                configuration = self._server_configuration()
            except OSError:
                return None  # what was read before still holds
            used = version
            return configuration

        return grpc.dynamic_ssl_server_credentials(
            self._server_configuration(),
            renewed,  # type: ignore[arg-type]  # None says that nothing has changed
            require_client_authentication=True,
        )

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """For calls to other parts. Raises OSError."""
        cert, key, ca = (each.read_bytes() for each in self._files())
        return grpc.ssl_channel_credentials(ca, key, cert)

    def _server_configuration(self) -> grpc.ServerCertificateConfiguration:
        cert, key, ca = (each.read_bytes() for each in self._files())
        return grpc.ssl_server_certificate_configuration([(key, cert)], ca)

    def _files(self) -> tuple[Path, Path, Path]:
        return self.cert_file, self.key_file, self.ca_file


@dataclass(frozen=True)
class NatsTls:
    """How NATS is known by TLS, and what is shown to it."""

    ca_file: Path | None
    """The authority of its certificate; None: any that this machine trusts."""
    own: Tls | None = None
    """The part's certificate, for a NATS that asks for one."""
    server_name: str | None = None
    """The name that its certificate must bear; None: the host that was asked for."""

    def version(self) -> tuple[int, ...]:
        """Another one once a file has been renewed. Raises OSError."""
        authority = (self.ca_file.stat().st_mtime_ns,) if self.ca_file else ()
        return authority + (self.own.version() if self.own else ())

    def context(self) -> ssl.SSLContext:
        """For connections from now on. Raises OSError."""
        context = ssl.create_default_context(cafile=self.ca_file)
        if self.own is not None:
            context.load_cert_chain(self.own.cert_file, self.own.key_file)
        return context
