"""`arena nats`: becomes one NATS server, alone or of a cluster, with the configuration made from settings.

The same rendering as on one machine: who may say and hear what, and that an append is acknowledged once the disk has
it, are said once. SIGTERM has the server give up what it leads and go; clients know all servers and turn to another.
"""

from __future__ import annotations

import os
from pathlib import Path

from arena_services.common import config
from arena_services.local import nats_server, renewals
from arena_services.local.data_folder import write_private
from arena_services.local.nats_settings import NatsSettings

#: Of the container that this runs in (cgroup v2): bytes, or "max".
_MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")


def main() -> None:
    """Become NATS."""
    settings = config.load(NatsSettings)
    path = settings.nats_config_dir / f"{settings.instance}.conf"
    write_private(path, settings.to_config().render(settings.nats_store_dir))
    server = nats_server.program()
    if settings.tls is not None:
        renewals.tell_of(settings.tls)
    command = [server, "--config", str(path)]
    os.execve(server, command, {**memory_share(), **os.environ})  # noqa: S606 - becoming NATS is the point


def memory_share(limit: Path = _MEMORY_LIMIT) -> dict[str, str]:
    """What tells Go to collect its garbage before it has nine tenths of what its container may have.

    By itself it lets the heap double, and learns of the limit by being killed. Nothing where there is no limit.
    """
    try:
        allowed = limit.read_text().strip()
    except OSError:
        return {}
    return {"GOMEMLIMIT": str(int(allowed) * 9 // 10)} if allowed.isdigit() else {}


if __name__ == "__main__":
    main()
