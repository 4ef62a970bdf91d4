"""What a mouse does on the board."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import MY_TURN, Person

RELICS = ("Crown", "Horse", "Shield", "Boat", "Loot")


def _seated(arrive: Arrive) -> Person:
    """Somebody whose turn it is, with nothing picked up."""
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    return ann


def test_tap_selects_formation_and_lights_its_targets(arrive: Arrive) -> None:
    ann = _seated(arrive)
    home = ann.king()
    lit = ann.pick(home)
    expect(ann.hint).to_have_text("Tap a lit triangle.")
    assert len(ann.units.all()) == 3
    # The King sets the pace: one triangle, so only neighbours.
    assert 1 <= len(lit) <= 3

    # Tapping a unit isolates it: a Knight goes further than a King.
    ann.press(ann.units.nth(1))
    expect(ann.page.get_by_role("button", pressed=True)).to_have_count(1)
    assert len(ann.lit()) > len(lit)

    # Further taps add and drop, and the last one stays.
    ann.press(ann.units.nth(2))
    expect(ann.page.get_by_role("button", pressed=True)).to_have_count(2)
    ann.press(ann.units.nth(1))
    ann.press(ann.units.nth(2))
    expect(ann.page.get_by_role("button", pressed=True)).to_have_count(1)


def test_tap_on_lit_triangle_moves(arrive: Arrive) -> None:
    ann = _seated(arrive)
    target = ann.pick(ann.king())[0]
    ann.go(target)
    expect(
        ann.log.filter(has_text=re.compile(r"^Ann moves the King and 2 Knights"))
    ).to_be_attached()
    assert ann.king().number == target.number


def test_unit_tapped_on_the_board_is_isolated(arrive: Arrive) -> None:
    ann = _seated(arrive)
    home = ann.king()
    ann.pick(home)
    box = ann.tile(home.number).bounding_box()
    assert box is not None
    # A formation of three stands with its King at the tip and its Knights along the base.
    base = 0.2 if _points_down(ann, home.number) else 0.8
    for side in (0.35, 0.65):
        ann.page.mouse.click(box["x"] + side * box["width"], box["y"] + base * box["height"])
    expect(ann.page.get_by_role("button", name="Knight", pressed=True)).to_have_count(2)
    expect(ann.page.get_by_role("button", name="King", pressed=True)).to_have_count(0)


def _points_down(person: Person, number: int) -> bool:
    points = person.tile(number).get_attribute("points") or ""
    heights = sorted(float(corner.split(",")[1]) for corner in points.split())
    return abs(heights[1] - heights[2]) > abs(heights[0] - heights[1])


def test_tap_on_another_own_formation_selects_that(arrive: Arrive) -> None:
    ann = _seated(arrive)
    ann.pick(ann.king())
    ann.press(ann.units.nth(1))
    # No relic: a Boat, for one, would bring the King company.
    bare = [tile for tile in ann.lit() if not any(relic in tile.label for relic in RELICS)]
    ann.go(max(bare, key=ann.king().distance))
    ann.end_turn()
    assert ann.wait_for_turn()
    # The Knight is two triangles away, out of the King's reach.
    ann.pick(ann.king())
    expect(ann.units).to_have_count(2)
    ann.pick(next(tile for tile in ann.own() if "King" not in tile.label))
    expect(ann.units).to_have_count(1)


def test_tap_on_unlit_triangle_clears_and_says_why(arrive: Arrive) -> None:
    ann = _seated(arrive)
    ann.pick(ann.king())
    far = max(ann.tiles(), key=ann.king().distance)
    ann.tap(far)
    expect(ann.units).to_have_count(0)
    expect(ann.hint).not_to_have_text(MY_TURN)
    assert len(ann.hint.inner_text()) > 10
    expect(ann.hint).to_have_text(MY_TURN)


def test_double_click_on_empty_space_clears(arrive: Arrive) -> None:
    ann = _seated(arrive)
    ann.pick(ann.king())
    board = ann.page.get_by_role("main").bounding_box()
    assert board is not None
    ann.page.mouse.dblclick(board["x"] + 5, board["y"] + board["height"] - 5)
    expect(ann.units).to_have_count(0)


def test_pointing_at_a_target_previews_it(arrive: Arrive) -> None:
    ann = _seated(arrive)
    target = ann.pick(ann.king())[0]
    ann.tile(target.number).hover()
    preview = target.label.partition("target: ")[2]
    expect(ann.hint).to_have_text(preview)


def test_wheel_zooms_drag_pans_and_recenter_goes_back(arrive: Arrive) -> None:
    ann = _seated(arrive)
    fitted = ann.tile(0).bounding_box()
    assert fitted is not None
    ann.tile(40).hover()
    ann.page.mouse.wheel(0, -600)
    assert ann.scale() > 1.5 * fitted["width"]

    before = ann.tile(40).bounding_box()
    x, y = 500.0, 450.0
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x - 60, y - 40, steps=6)
    ann.page.mouse.up()
    after = ann.tile(40).bounding_box()
    assert before is not None
    assert after is not None
    assert before["x"] - after["x"] > 40
    assert before["y"] - after["y"] > 25
    # The drag was no tap.
    expect(ann.hint).to_have_text(MY_TURN)

    ann.open_menu("Recenter board")
    assert ann.tile(0).bounding_box() == fitted
