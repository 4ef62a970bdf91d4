"""`arena nats`: becomes one NATS server, alone or of a cluster, with the configuration made from settings.

The same rendering as on one machine: who may say and hear what, and that an append is acknowledged once the disk has
it, are said once. SIGTERM has the server give up what it leads and go; clients know all servers and turn to another.
"""

from __future__ import annotations

import os

from arena_services.common import config
from arena_services.local import nats_server, renewals
from arena_services.local.data_folder import write_private
from arena_services.local.nats_settings import NatsSettings


def main() -> None:
    """Become NATS."""
    settings = config.load(NatsSettings)
    path = settings.nats_config_dir / f"{settings.instance}.conf"
    write_private(path, settings.to_config().render(settings.nats_store_dir))
    server = nats_server.program()
    if settings.tls is not None:
        renewals.tell_of(settings.tls)
    os.execv(server, [server, "--config", str(path)])  # noqa: S606 - becoming NATS is the point


if __name__ == "__main__":
    main()
