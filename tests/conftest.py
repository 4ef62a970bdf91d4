"""For all tests: which engine is tested, and that it is the one asked for."""

from __future__ import annotations

import os
from pathlib import Path

import arena_engine


def is_compiled() -> bool:
    """Whether the engine that tests import has compiled modules."""
    return any(Path(arena_engine.__path__[0]).rglob("*.so"))


def pytest_report_header() -> str:
    kind = "compiled" if is_compiled() else "interpreted"
    return f"arena_engine: {kind}, from {arena_engine.__path__[0]}"


def pytest_sessionstart() -> None:
    wanted = os.environ.get("ARENA_TEST_ENGINE")
    if wanted == "interpreted" and is_compiled():
        raise RuntimeError(
            "the interpreted engine was to be tested, and the compiled one is imported"
        )
