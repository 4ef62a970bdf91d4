"""What a service's process does without."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import arena_services

_SERVICES = ("bot", "fleet", "matchmaking", "room", "timer")


@pytest.mark.parametrize("service", _SERVICES)
def test_a_service_says_what_it_does_without_before_it_imports_anything(service: str) -> None:
    source = Path(arena_services.__file__).with_name(service) / "__main__.py"
    imports = [
        node
        for node in ast.parse(source.read_text()).body
        if isinstance(node, ast.Import)
        or (isinstance(node, ast.ImportFrom) and node.module != "__future__")
    ]
    assert ast.unparse(imports[0]) == "import arena_services.common.lean"


def test_a_service_runs_without_aiohttp() -> None:
    look = "import sys, arena_services.timer.__main__; print('aiohttp.client' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", look], text=True) == "False\n"
