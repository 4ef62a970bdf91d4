"""Runs services of the older build as processes, beside those of this one."""

from __future__ import annotations

import sys
import tarfile
from dataclasses import replace
from pathlib import Path

from arena_services.local.process import ProcessSpec
from tests.e2e.older.pack import BUILD
from tests.services.running import service_spec


def unpack(folder: Path) -> Path:
    """Lay the older build out in a folder; returns where Python finds it."""
    place = folder / "older-build"
    with tarfile.open(BUILD) as packed:
        packed.extractall(place, filter="data")
    return place


def older_spec(
    build: Path, service: str, name: str, nats_url: str, folder: Path
) -> tuple[ProcessSpec, str]:
    """As `service_spec`, for a service of the older build."""
    spec, address = service_spec(service, name, nats_url, folder)
    # Of the command alone: what starts it, and ends it with the test, is of this build.
    command = ("/usr/bin/env", f"PYTHONPATH={build}", sys.executable, *spec.command[1:])
    return replace(spec, command=command), address
