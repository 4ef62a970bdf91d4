"""A platform, a browser, and people who come to the page. Every page must stay still and raise no complaint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage

from tests.browser.chromium import chromium
from tests.browser.person import PATIENCE_MS, Person
from tests.e2e.conftest import RunningPlatform
from tests.e2e.program import ROOT, started

PAGE = ROOT / "services" / "web" / "dist"
ARTEFACTS = Path(__file__).parent / "artefacts"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}

_WATCH_SHIFTS = """
globalThis.layoutShift = 0;
new PerformanceObserver(list => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) globalThis.layoutShift += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""


class Arrive(Protocol):
    """Brings somebody to the page, in a browser profile of their own."""

    def __call__(self, name: str = "Ann", **options: Any) -> Person:
        """`options`: how the browser is, as in Playwright's `new_context`; a desktop by default."""


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPlatform]:
    assert (PAGE / "index.html").is_file(), "the page is not built. Type: make page"
    data_dir = tmp_path_factory.mktemp("platform")
    settings = {"ARENA_BOT_THINK_MS": "0", "ARENA_PAGE_DIR": str(PAGE)}
    with started(data_dir, "up", "--ports", "auto", "--json", **settings) as running:
        assert running.process.stdout is not None
        for line in running.process.stdout:
            if json.loads(line)["event"] == "ready":
                break
        yield RunningPlatform(data_dir)


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
        shift = person.page.evaluate("globalThis.layoutShift")
        person.page.context.close()
        assert has_failed or person.problems == []
        assert has_failed or shift == 0, f"the page of {person.name} shifted by {shift}"


def _note(person: Person, message: ConsoleMessage) -> None:
    if message.type in {"error", "warning"}:
        person.problems.append(message.text)


_HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: Any = yield
    if report.when == "call":
        item.stash[_HAS_FAILED] = report.failed
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """People take their time, and more of it on a busy machine."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.timeout(180))
