"""A client of NATS by TLS, where the library alone would say too much, wait for ever, or keep what was renewed."""

from __future__ import annotations

from typing import Any

from nats.aio.client import Client
from nats.aio.transport import TcpTransport
from nats.errors import Error as NatsError

from arena_services.common.renewal import Renewable
from arena_services.common.tls import NatsTls


class TlsClient(Client):
    """Connects by TLS or not at all, with certificates that may be renewed at any time."""

    def __init__(self, tls: NatsTls) -> None:
        """Raises OSError for files that cannot be read."""
        super().__init__()
        self._context = Renewable(tls, tls.context)
        self._server_name = tls.server_name

    @property
    def asked(self) -> dict[str, Any]:
        """What `connect` has to be called with."""
        name = self._server_name
        return {"tls": self._context.made, **({"tls_hostname": name} if name else {})}

    def renew(self) -> None:
        """Use renewed certificates from the next attempt on."""
        if self._context.renew():
            self.options["tls"] = self._context.made

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:  # noqa: FBT002 - as in the library
        # The library would go on plainly, and show its password.
        if initial_connection and not info.get("tls_required"):
            raise NatsError("it offers no TLS, and ARENA_NATS_URL asks for it")
        await super()._process_info(info, initial_connection)

    async def _process_connect_init(self) -> None:
        try:
            await super()._process_connect_init()
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        """Of a connection whose handshake failed: the library would wait for ever for the end of what it gave away."""
        transport, self._transport = self._transport, None
        if isinstance(transport, TcpTransport) and transport._bare_io_writer is not None:  # noqa: SLF001
            transport._bare_io_writer.transport.abort()  # noqa: SLF001
