"""What fingers do on the board of a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import MY_TURN, Person
from tests.browser.screens import PHONE


def _fingers(person: Person, *moments: list[tuple[float, float]]) -> None:
    """Put fingers down at the first of the moments, move them, and lift them after the last."""
    devtools = person.page.context.new_cdp_session(person.page)
    kinds = ["touchStart", *["touchMove"] * (len(moments) - 1)]
    for kind, spots in zip(kinds, moments, strict=True):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(spots)]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # A tap right after a swipe only stops the swipe, says Chromium; people take longer.
    person.page.wait_for_timeout(500)


def test_taps_select_isolate_and_move(arrive: Arrive) -> None:
    ann = arrive(**PHONE)
    ann.play_bots()
    assert ann.wait_for_turn()
    ann.pick(ann.king())
    expect(ann.units).to_have_count(3)
    ann.press(ann.units.nth(2))
    target = ann.lit()[0]
    ann.go(target)
    assert target.number in {tile.number for tile in ann.own()}


def test_pinch_zooms_and_drag_pans_without_a_tap(arrive: Arrive) -> None:
    ann = arrive(**PHONE)
    ann.play_bots()
    assert ann.wait_for_turn()
    fitted = ann.scale()
    x, y = 195.0, 430.0
    _fingers(ann, *([(x - 20 - 12 * step, y), (x + 20 + 12 * step, y)] for step in range(8)))
    assert ann.scale() > 2 * fitted

    before = ann.tile(40).bounding_box()
    _fingers(ann, *([(x, y - 10 * step)] for step in range(8)))
    after = ann.tile(40).bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] - after["y"] > 40
    expect(ann.hint).to_have_text(MY_TURN)

    ann.open_menu("Recenter board")
    assert abs(ann.scale() - fitted) < 1
