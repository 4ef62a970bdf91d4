"""What is rarely seen in a match, brought about and looked at."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from arena_engine.crowns.kinds import Relic
from tests.browser.conftest import ARTEFACTS, Arrive
from tests.browser.person import MY_TURN, Person, sit_together
from tests.browser.stage import Stage
from tests.e2e.conftest import RunningPlatform


def _panel(person: Person, name: str) -> Locator:
    return (
        person.page.get_by_role("region", name="Players")
        .get_by_role("listitem")
        .filter(has_text=name)
    )


def _keep_picture(person: Person, name: str) -> None:
    person.page.screenshot(path=ARTEFACTS / f"sight-{name}.png", animations="disabled")


def test_bearer_wears_a_red_target_for_all_to_see(
    arrive: Arrive, platform: RunningPlatform
) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    sit_together(ann, bob)
    stage = Stage(platform, ann, bob)
    seat = stage.seat(ann)
    wishes = {ann: stage.king_to(ann, Relic.CROWN), bob: stage.far_from(bob, stage.gate(ann))}
    stage.play(wishes, lambda view: view.seats[seat].is_bearer and view.turn == seat)

    expect(ann.hint).to_have_text("You carry three Crowns: bring your King home to your Gate!")
    for person in (ann, bob):
        expect(_panel(person, "Ann").get_by_role("img", name="Crown Bearer")).to_be_visible()
        expect(person.log.filter(has_text="Ann is the Crown Bearer!")).to_be_attached()
        assert "Crown Bearer" in person.king_of("Ann").label
        target = person.page.locator(f".king.seat-{seat} .bearer circle")
        expect(target).to_be_visible()
        expect(target).to_have_css("stroke", "rgb(224, 39, 27)")
    _keep_picture(bob, "bearer")


def test_gate_that_rivals_stand_on_shows_it_and_a_boat_strikes_back(
    arrive: Arrive, platform: RunningPlatform
) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    sit_together(ann, bob)
    stage = Stage(platform, ann, bob)
    gate, rival = stage.gate(ann), stage.seat(bob)
    wishes = {ann: stage.far_from(ann, gate), bob: stage.knights_to(bob, gate)}
    stage.play(wishes, lambda view: rival in _who_stands_on(view, gate))

    for person in (ann, bob):
        expect(_panel(person, "Ann").get_by_role("img", name="Gate blockaded")).to_be_visible()
        expect(_panel(person, "Bob").get_by_role("img", name="Gate blockaded")).to_have_count(0)
        expect(person.tile(gate)).to_have_attribute("aria-label", re.compile("blockaded"))
        expect(person.page.locator(".blockade")).to_be_visible()
    _keep_picture(ann, "blockade")

    before = _knights_on(stage.view, gate)
    wishes[ann] = stage.any_to(ann, Relic.BOAT)
    stage.play(wishes, lambda view: _knights_on(view, gate) < before)
    expect(ann.log.filter(has_text="Ann's Gate strikes down a Knight of Bob.")).to_be_attached()


def _knights_on(view: Any, triangle: int) -> int:
    return sum(each.knights for each in view.formations if each.triangle == triangle)


def _who_stands_on(view: Any, triangle: int) -> set[int]:
    return {each.seat for each in view.formations if each.triangle == triangle}


def test_fallen_crown_is_told_of_and_taken(arrive: Arrive, platform: RunningPlatform) -> None:
    ann, bob, cid = arrive("Ann"), arrive("Bob"), arrive("Cid")
    sit_together(ann, bob, cid)
    stage = Stage(platform, ann, bob, cid)
    stage.resign(cid)
    seat, fallen = stage.seat(ann), stage.gate(cid)
    expect(ann.log.filter(has_text="Cid gives up.")).to_be_attached()
    expect(ann.tile(fallen)).to_have_attribute("aria-label", re.compile("Fallen Crown"))
    expect(ann.page.locator(".relic.fallen")).to_be_visible()
    ann.press(ann.tile(fallen))
    expect(ann.hint).to_contain_text("A fallen King's Crown.")
    _keep_picture(ann, "fallen-crown")

    def is_near(view: Any) -> bool:
        return view.turn == seat and stage.king_to(ann, Relic.FALLEN_CROWN)(view) == 1

    wishes = {ann: stage.king_to(ann, Relic.FALLEN_CROWN)}
    stage.play(wishes, is_near)
    assert ann.wait_for_turn()
    lit = ann.pick(ann.king())
    (target,) = (tile for tile in lit if tile.number == fallen)
    assert "Takes a Fallen Crown." in target.label
    ann.go(target)
    expect(ann.log.filter(has_text="Ann takes a Fallen Crown.")).to_be_attached()
    expect(_panel(ann, "Ann").get_by_role("img", name="1 Crown")).to_be_visible()


def test_snare_pins_a_formation_until_its_owners_next_turn_is_over(
    arrive: Arrive, platform: RunningPlatform
) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    sit_together(ann, bob)
    stage = Stage(platform, ann, bob)
    seat = stage.seat(ann)

    def is_ready(view: Any) -> bool:
        # A Snare on all that somebody has would be void.
        formations = sum(each.seat != seat for each in view.formations)
        return bool(view.turn == seat and view.seats[seat].hand_size and formations > 1)

    wishes = {ann: stage.any_to(ann, Relic.LOOT), bob: stage.knights_to(bob, stage.gate(ann))}
    stage.play(wishes, is_ready)

    assert ann.wait_for_turn()
    expect(ann.hand).to_contain_text("Snare")
    ann.press(ann.hand)
    (victim, *_) = [tile for tile in ann.lit() if tile.holds("Bob")]
    ann.go(victim)
    expect(ann.log.filter(has_text="A Snare holds a formation of Bob.")).to_be_attached()
    ann.go(ann.pick(ann.king())[0])
    ann.end_turn()

    assert bob.wait_for_turn()
    expect(bob.tile(victim.number)).to_have_attribute("aria-label", re.compile("snared"))
    expect(bob.page.locator(".snare.is-active")).to_be_visible()
    _keep_picture(bob, "snare")
    assert bob.pick(victim) == []
    expect(bob.hint).not_to_have_text(MY_TURN)
    bob.page.keyboard.press("Escape")
    free = next(tile for tile in bob.own() if tile.number != victim.number)
    bob.go(bob.pick(free)[0])
    bob.end_turn()
    expect(bob.page.locator(".snare")).to_have_count(0)
    expect(bob.log.filter(has_text="A Snare on Bob ends.")).to_be_attached()
