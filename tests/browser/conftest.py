"""A platform, a browser, and people who come to the page. Every page must stay still and raise no complaint."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from tests.browser.chromium import chromium
from tests.browser.person import PATIENCE_MS, Person
from tests.browser.screens import DESKTOP
from tests.browser.stage import SECRETS
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ROOT, started

PAGE = ROOT / "services" / "web" / "dist"
ARTEFACTS = Path(__file__).parent / "artefacts"

_WATCH_SHIFTS = """
globalThis.layoutShifts = [];
new PerformanceObserver(list => {
    for (const { hadRecentInput, sources, startTime, lastInputTime } of list.getEntries())
        if (!hadRecentInput)
            for (const { node, previousRect, currentRect } of sources)
                globalThis.layoutShifts.push({
                    node: node?.outerHTML ?? node?.data ?? "no longer on the page",
                    at: startTime, input: lastInputTime, from: previousRect, to: currentRect,
                    page: document.body.innerText,
                });
}).observe({ type: "layout-shift", buffered: true });
"""


class Arrive(Protocol):
    """Brings somebody to the page, in a browser profile of their own."""

    def __call__(self, name: str = "Ann", **options: Any) -> Person:
        """`options`: how the browser is, as in Playwright's `new_context`; a desktop by default."""


@contextmanager
def running_platform(data_dir: Path) -> Iterator[RunningPlatform]:
    """A platform with the built page, bots that do not pause, and the same draws in every match."""
    assert (PAGE / "index.html").is_file(), "the page is not built. Type: make page"
    settings = {
        "ARENA_BOT_THINK_MS": "0",
        "ARENA_PAGE_DIR": str(PAGE),
        "ARENA_ROOMS": "2",
        "ARENA_ROOM_TEST_SECRETS": SECRETS,
    }
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        assert running.process.stdout is not None
        for line in running.process.stdout:
            if json.loads(line)["event"] == "ready":
                break
        yield RunningPlatform(data_dir)


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPlatform]:
    with running_platform(tmp_path_factory.mktemp("platform")) as running:
        yield running


@pytest.fixture(scope="session")
def url(platform: RunningPlatform) -> str:
    found = platform.info().page_url
    assert found is not None
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def arrive(browser: Browser, url: str, request: pytest.FixtureRequest) -> Iterator[Arrive]:
    people: list[Person] = []

    def arrive(name: str = "Ann", **options: Any) -> Person:
        context = browser.new_context(**{**DESKTOP, **options})
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(_WATCH_SHIFTS)
        person = Person(context.new_page(), url, name, bool(options.get("has_touch")))
        person.page.on("pageerror", lambda error: person.problems.append(str(error)))
        person.page.on("console", lambda message: _note(person, message))
        people.append(person)
        return person

    yield arrive
    has_failed = request.node.stash.get(_HAS_FAILED, False)
    for person in people:
        if has_failed:
            name = re.sub(r"\W+", "-", f"failed {request.node.name} {person.name}")
            person.page.screenshot(path=ARTEFACTS / f"{name}.png")
        shifts = person.page.evaluate("globalThis.layoutShifts")
        person.page.context.close()
        assert has_failed or person.problems == []
        assert has_failed or shifts == []


def _note(person: Person, message: ConsoleMessage) -> None:
    if message.type in {"error", "warning"}:
        person.problems.append(message.text)


_HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    if report.when == "call":
        item.stash[_HAS_FAILED] = report.failed
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """People take their time, and more of it on a busy machine."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.timeout(180))
