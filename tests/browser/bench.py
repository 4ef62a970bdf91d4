"""How fast the page is, by Chromium's own trace: `make bench-page`.

First paint is measured with an empty cache on this machine; frames while a finger drags the zoomed board, with the
page's processor slowed down four times. What the machine lets through at all is told by a control: a page with nothing
on it but one square, moved in the same way by the same finger.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.chromium import chromium
from tests.browser.conftest import PAGE, running_platform
from tests.browser.person import Person
from tests.browser.screens import DESKTOP, PHONE

_SLOWDOWN = 4
_UPDATE = "ProxyMain::BeginMainFrame"
_MOVE = "pointermove"
_PAINTS = {"firstPaint": "first_paint", "firstContentfulPaint": "first_contentful_paint"}
_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline.frame", "loading"]
_CATEGORIES += ["blink.user_timing", "benchmark", "cc", "rail"]

_CONTROL = """<!doctype html>
<meta name="viewport" content="width=device-width">
<style>
    main { position: fixed; inset: 0; touch-action: none; contain: strict }
    div { width: 200px; height: 200px; background: peru; will-change: transform }
</style>
<main><div></div></main>
<script>
    const pose = new KeyframeEffect(document.querySelector("div"), null, { duration: 1, fill: "both" });
    new Animation(pose).pause();
    addEventListener("pointermove", ({ clientX, clientY }) => {
        const transform = `translate(${clientX}px, ${clientY}px)`;
        pose.setKeyframes([{ transform }, { transform }]);
    });
</script>
"""

_Event = dict[str, Any]


def _trace(browser: Browser, page: Page, do: Callable[[], None]) -> list[_Event]:
    """Chromium's trace of what is done meanwhile."""
    browser.start_tracing(page=page, categories=_CATEGORIES)
    do()
    events: list[_Event] = json.loads(browser.stop_tracing())["traceEvents"]
    return events


def measure_loading(browser: Browser, url: str) -> dict[str, float]:
    """Milliseconds until the page first paints, and until it paints what it has to say."""
    page = browser.new_context(**DESKTOP).new_page()
    events = _trace(browser, page, lambda: _open(page, url))
    page.context.close()
    marks = [it for it in events if it["name"] in {"navigationStart", *_PAINTS}]
    (start,) = (it for it in marks if it["args"]["data"].get("documentLoaderURL") == url)
    load = start["args"]["data"]["navigationId"]
    return {
        f"{_PAINTS[it['name']]}_ms": (it["ts"] - start["ts"]) / 1000
        for it in marks
        if it["name"] in _PAINTS and it["args"]["data"]["navigationId"] == load
    }


def _open(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Play", exact=True).wait_for()


def measure_panning(browser: Browser, url: str, screen: dict[str, Any]) -> dict[str, float]:
    """Panning the zoomed board of a match of six."""
    person = Person(browser.new_context(**{**screen, "has_touch": True}).new_page(), url, "Ann")
    person.play_bots(players=6)
    person.wait_for_turn()
    for _ in range(4):
        person.page.keyboard.press("+")
    return _measure_drag(browser, person.page)


def measure_control(browser: Browser, screen: dict[str, Any]) -> dict[str, float]:
    """Moving a square on an empty page."""
    page = browser.new_context(**{**screen, "has_touch": True}).new_page()
    page.set_content(_CONTROL)
    return _measure_drag(browser, page)


def _measure_drag(browser: Browser, page: Page) -> dict[str, float]:
    """Frames drawn a second while a finger drags the main part of a page, and how many were dropped."""
    board = page.get_by_role("main").bounding_box()
    assert board is not None
    x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWDOWN})
    events = _trace(browser, page, lambda: _drag(devtools, x, y))
    page.context.close()
    moves = [it["ts"] for it in events if it.get("args", {}).get("data", {}).get("type") == _MOVE]
    begin, end = min(moves), max(moves)
    events = [it for it in events if begin <= it.get("ts", 0) <= end]
    names = [it["name"] for it in events]
    updates = [it for it in events if it["name"] == _UPDATE and "tdur" in it]
    seconds = (end - begin) / 1e6
    return {
        "frames_per_second": names.count("DrawFrame") / seconds,
        "dropped_per_second": names.count("DroppedFrame") / seconds,
        # Computing time of the page's own thread: tells the page from the machine.
        "page_ms_per_frame": sum(it["tdur"] for it in updates) / 1000 / max(1, len(updates)),
    }


def _drag(devtools: CDPSession, x: float, y: float) -> None:
    """One long drag, at a finger's pace."""
    gesture = {"x": x - 75, "y": y, "xDistance": 150, "yDistance": 0, "speed": 50}
    devtools.send("Input.synthesizeScrollGesture", {**gesture, "gestureSourceType": "touch"})


def measure_script() -> dict[str, float]:
    """Kilobytes of script and style, compressed."""
    sizes = {kind: _compressed(kind) for kind in ("js", "css")}
    return {"script_kb": sizes["js"] / 1000, "style_kb": sizes["css"] / 1000}


def _compressed(kind: str) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in PAGE.rglob(f"*.{kind}"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory() as data_dir, running_platform(Path(data_dir)) as platform:
        url = platform.info().page_url
        assert url is not None
        with chromium() as browser:
            figures = {
                "size": measure_script(),
                "loading": measure_loading(browser, url),
                "panning_desktop": measure_panning(browser, url, DESKTOP),
                "control_desktop": measure_control(browser, DESKTOP),
                "panning_phone": measure_panning(browser, url, PHONE),
                "control_phone": measure_control(browser, PHONE),
            }
    if as_json:
        print(json.dumps(figures))
        return
    for part, values in figures.items():
        for name, value in values.items():
            print(f"{part.replace('_', ' '):16} {name.replace('_', ' '):28} {value:8.1f}")


if __name__ == "__main__":
    main()
