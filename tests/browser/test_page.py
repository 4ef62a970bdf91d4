"""What the page asks of browser and network."""

from __future__ import annotations

import gzip
import json
from urllib.parse import urlsplit

from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import PAGE, Arrive

_LARGEST_SCRIPT = 200 * 1000


def test_script_is_small() -> None:
    scripts = list(PAGE.rglob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) < _LARGEST_SCRIPT


def test_tab_holds_one_stream_and_talks_to_one_host(arrive: Arrive) -> None:
    ann = arrive()
    hosts: set[str] = set()
    streams: set[Request] = set()
    most = 0

    def began(request: Request) -> None:
        nonlocal most
        hosts.add(urlsplit(request.url).netloc)
        if "/Watch" in urlsplit(request.url).path:
            streams.add(request)
            most = max(most, len(streams))

    def ended(request: Request) -> None:
        streams.discard(request)

    ann.page.on("request", began)
    ann.page.on("requestfinished", ended)
    ann.page.on("requestfailed", ended)
    ann.play_bots()
    for _ in range(3):
        assert ann.wait_for_turn()
        ann.go(ann.pick(ann.king())[0])
        ann.end_turn()
    ann.page.goto(f"{ann.url}#/")
    ann.press_button("Rejoin")
    ann.sit_down()
    assert most == 1
    assert hosts == {urlsplit(ann.url).netloc}


def test_page_older_than_its_server_asks_once_to_reload(arrive: Arrive) -> None:
    ann = arrive()
    ann.visit()
    newer = ann.page.get_by_text("A newer version of this page is ready.")
    come_back = "document.dispatchEvent(new Event('visibilitychange'))"
    ann.page.evaluate(come_back)
    ann.page.wait_for_load_state("networkidle")
    expect(newer).to_have_count(0)

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps({"version": "newer"}), content_type="application/json")

    ann.page.route("**/version.json", answer)
    ann.page.evaluate(come_back)
    expect(newer).to_be_visible()
    ann.press_button("Later")
    expect(newer).to_have_count(0)
    ann.page.evaluate(come_back)
    ann.page.wait_for_load_state("networkidle")
    expect(newer).to_have_count(0)
