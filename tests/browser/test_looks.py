"""How it looks on the screens that people have: pictures to look at, and what can be told without eyes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ARTEFACTS, PAGE, Arrive
from tests.browser.person import Person
from tests.browser.screens import DESKTOP, PHONE, PHONE_ACROSS, TABLET

_AXE = PAGE.parent / "node_modules" / "axe-core" / "axe.min.js"
_SCREENS = {"phone": PHONE, "phone-across": PHONE_ACROSS, "tablet": TABLET, "desktop": DESKTOP}
_BOXES = "tiles => tiles.map(tile => tile.getBoundingClientRect().toJSON())"
# What a finger still hits.
_SMALLEST_TARGET = 24


def _look(person: Person, name: str) -> None:
    """Keep a picture; nothing sticks out of the screen, and axe has nothing to say."""
    person.page.screenshot(path=ARTEFACTS / f"{name}.png", animations="disabled")
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    person.page.evaluate(_AXE.read_text())
    found = person.page.evaluate("axe.run().then(({ violations }) => violations)")
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name


def _assert_fits(person: Person, width: float, height: float) -> None:
    """All of the arena is in sight, and fingers can hit its triangles."""
    boxes = person.page.locator("[data-triangle]").evaluate_all(_BOXES)
    assert boxes
    for box in boxes:
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert min(box["width"], box["height"]) >= _SMALLEST_TARGET


@pytest.mark.parametrize("screen", _SCREENS)
def test_screen_shows_everything_without_overflow(arrive: Arrive, screen: str) -> None:
    options = _SCREENS[screen]
    ann = arrive(**options)
    ann.visit()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Crowns")
    expect(ann.page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    _look(ann, f"{screen}-lobby")
    ann.choose("Players", "6" if screen == "desktop" else "4")
    ann.press_button("Play")
    ann.sit_down()
    assert ann.wait_for_turn()
    _assert_fits(ann, **options["viewport"])
    ann.pick(ann.king())
    _look(ann, f"{screen}-picked")
    ann.press_button("Menu")
    expect(ann.page.get_by_role("menuitem", name="Resign")).to_be_in_viewport(ratio=1)
    _look(ann, f"{screen}-menu")
    ann.page.keyboard.press("Escape")
    ann.open_menu("Resign")
    _look(ann, f"{screen}-question")
    ann.press(ann.page.get_by_role("dialog").get_by_role("button", name="Resign"))
    ann.result.wait_for(timeout=60_000)
    for button in ann.result.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)
    _look(ann, f"{screen}-result")


@pytest.mark.parametrize(
    ("screen", "wishes"),
    [
        ("desktop", {"color_scheme": "dark"}),
        ("phone", {"color_scheme": "dark", "reduced_motion": "reduce"}),
        ("desktop", {"forced_colors": "active"}),
    ],
)
def test_device_may_ask_for_dark_stillness_and_its_own_colours(
    arrive: Arrive, screen: str, wishes: dict[str, Any]
) -> None:
    name = "-".join([screen, *map(str, wishes.values())])
    ann = arrive(**_SCREENS[screen], **wishes)
    ann.visit()
    _look(ann, f"{name}-lobby")
    ann.press_button("Play")
    ann.sit_down()
    assert ann.wait_for_turn()
    ann.pick(ann.king())
    _look(ann, f"{name}-picked")
    if "reduced_motion" in wishes:
        endless = (
            "document.getAnimations().filter(it => it.effect.getTiming().iterations === Infinity)"
        )
        assert ann.page.evaluate(f"{endless}.length") == 0
