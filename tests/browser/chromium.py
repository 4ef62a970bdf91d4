"""Chromium as Debian ships it, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str:
    """The browser to drive: the one that ARENA_CHROMIUM names, or the first on the path."""
    found = os.environ.get("ARENA_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise FileNotFoundError("no Chromium on the path. Type: make test-browser")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser without windows."""
    # Chromium's own sandbox does not work for root, and containers often allow none.
    flags = [*_QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=flags)
        yield browser
        browser.close()
