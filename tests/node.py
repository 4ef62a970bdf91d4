"""The Node client as tests and benchmarks run it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "clients" / "node"


def find_node() -> str:
    """Node as `make` uses it: from the virtual environment where it had to be installed there."""
    path = f"{ROOT / '.venv' / 'node'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    found = shutil.which("node", path=path)
    if found is None or not (CLIENT / "node_modules").is_dir():
        raise FileNotFoundError("Node or the packages of clients/node are missing; type: make test")
    return found
