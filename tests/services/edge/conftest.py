"""What the edge's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Arena</title>")
    (folder / "assets" / "index-1a2b.js").write_text("play();\n" * 1000)
    return folder
