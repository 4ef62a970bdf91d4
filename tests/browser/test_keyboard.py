"""Everything without a mouse."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person

_FOCUSED = "() => document.activeElement?.getAttribute('aria-label') ?? ''"


def _tab_to(person: Person, selector: str) -> None:
    """Press Tab until what `selector` names has the focus."""
    for _ in range(40):
        if person.page.evaluate("what => document.activeElement?.matches(what)", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def _into_match(person: Person) -> None:
    keys = person.page.keyboard
    person.page.goto(person.url)
    _tab_to(person, "input[type=text]")
    keys.press("ControlOrMeta+a")
    keys.type(person.name)
    _tab_to(person, "fieldset:first-of-type input")
    for _ in range(2):
        keys.press("ArrowLeft")
    _tab_to(person, "button.primary")
    keys.press("Enter")
    person.sit_down()
    assert person.wait_for_turn()
    _tab_to(person, "[data-triangle]")


def test_keys_lead_into_a_match_and_move(arrive: Arrive) -> None:
    ann = arrive()
    _into_match(ann)
    keys = ann.page.keyboard
    assert "Gate of Ann" in ann.page.evaluate(_FOCUSED)

    keys.press("Enter")
    ann.lit()
    keys.press("2")
    expect(ann.page.get_by_role("button", pressed=True)).to_have_count(1)
    keys.press("3")
    expect(ann.page.get_by_role("button", pressed=True)).to_have_count(2)
    keys.press("Escape")
    expect(ann.units).to_have_count(0)

    keys.press("Enter")
    ann.lit()
    for there, back in [("Up", "Down"), ("Down", "Up"), ("Left", "Right"), ("Right", "Left")]:
        keys.press(f"Arrow{there}")
        if "target: " in ann.page.evaluate(_FOCUSED):
            break
        keys.press(f"Arrow{back}")
    before = ann.log.count()
    preview = ann.page.evaluate(_FOCUSED).partition("target: ")[2]
    expect(ann.hint).to_have_text(preview)
    keys.press("Enter")
    expect(ann.log.nth(before)).to_have_text(re.compile("^Ann moves the King and 2 Knights"))


def test_keys_zoom_open_log_and_resign(arrive: Arrive) -> None:
    ann = arrive()
    _into_match(ann)
    keys = ann.page.keyboard
    fitted = ann.scale()
    keys.press("+")
    keys.press("+")
    assert ann.scale() > 1.2 * fitted
    keys.press("0")
    assert abs(ann.scale() - fitted) < 1

    _tab_to(ann, "[aria-haspopup=menu]")
    keys.press("Enter")
    keys.press("ArrowUp")
    expect(ann.page.get_by_role("menuitem", name="Resign")).to_be_focused()
    keys.press("Escape")
    expect(ann.page.get_by_role("menu")).to_have_count(0)
    keys.press("Enter")
    keys.press("ArrowUp")
    keys.press("Enter")
    _tab_to(ann, "dialog button.danger")
    keys.press("Enter")
    expect(ann.result).to_contain_text(re.compile(r"^\w+ wins"))
