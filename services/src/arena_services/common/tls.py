"""Mutual TLS between the parts, where a platform has certificates for it.

Each part shows one certificate, as server and as client, and takes those of one authority alone. Rooms are reached by
addresses that no certificate can know; so a caller asks for the name of the part that it means to reach. Files that
are renewed are read again: see `renewal`.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

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

    def read(self) -> tuple[bytes, bytes, bytes]:
        """What stands in the three. Raises OSError, also while they do not belong together: amid being renewed."""
        before = self.version()
        _context(self.ca_file, self)
        cert, key, ca = (each.read_bytes() for each in self._files())
        if self.version() != before:
            raise OSError("the certificates are being renewed")
        return cert, key, ca

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
        """For connections from now on. Raises OSError, also while certificate and key do not belong together."""
        return _context(self.ca_file, self.own)


def _context(ca_file: Path | None, own: Tls | None) -> ssl.SSLContext:
    """For connections to whom an authority has signed, who may be shown a certificate. Raises OSError."""
    context = ssl.create_default_context(cafile=ca_file)
    if own is not None:
        context.load_cert_chain(
            own.cert_file, own.key_file, password=str
        )  # nobody is asked for one
    return context
