"""What is made of certificates, made anew once their files were renewed.

Files are renewed one after the other, some by being removed and written again. Until they belong together once more,
what was made of them before still holds: nobody is refused because of a renewal. Servers use them from the next
handshake on, callers from the next call's channel on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import grpc

from arena_services.common import logs
from arena_services.common.tls import NatsTls, Tls

_T = TypeVar("_T")

_log = logs.get()


class Renewable(Generic[_T]):
    """Something made of certificates, as last made of files that belonged together."""

    def __init__(self, source: Tls | NatsTls, make: Callable[[], _T]) -> None:
        """`make` raises OSError for files that do not belong together or cannot be read; so does this."""
        self._source = source
        self._make = make
        self._version = source.version()
        self.made = make()
        """What there is to use until it is renewed."""
        self._is_late = False

    def renew(self) -> bool:
        """Whether it was made anew, because a file was renewed since."""
        try:
            version = self._source.version()
            if version == self._version:
                return False
            made = self._make()
        except OSError as error:
            if not self._is_late:
                _log.warning("renewed certificates cannot be used yet", error=repr(error))
            self._is_late = True
            return False
        self._version, self.made, self._is_late = version, made, False
        return True


def server_credentials(tls: Tls) -> grpc.ServerCredentials:
    """For a server that lets in who shows a certificate of the authority. Raises OSError."""
    shown = Renewable(tls, lambda: _server_configuration(tls))

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        return shown.made if shown.renew() else None

    return grpc.dynamic_ssl_server_credentials(
        shown.made,
        renewed,  # type: ignore[arg-type]  # None says that nothing has changed
        require_client_authentication=True,
    )


def _server_configuration(tls: Tls) -> grpc.ServerCertificateConfiguration:
    cert, key, ca = tls.read()
    return grpc.ssl_server_certificate_configuration([(key, cert)], ca)


def channel_credentials(tls: Tls) -> Renewable[grpc.ChannelCredentials]:
    """For calls to other parts. Raises OSError."""

    def make() -> grpc.ChannelCredentials:
        cert, key, ca = tls.read()
        return grpc.ssl_channel_credentials(ca, key, cert)

    return Renewable(tls, make)
