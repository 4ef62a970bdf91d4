"""Two people, each in a browser of their own."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person, meet


def _match_of(person: Person) -> str:
    found = re.search(r"#/match/(\w+)/", person.page.url)
    assert found is not None
    return found[1]


def _play_some_turns(ann: Person, bob: Person) -> None:
    """Each sees what the other does."""
    for mover, other in [(ann, bob), (bob, ann)] * 2:
        expect(mover.hint).to_have_text(re.compile("^(Your turn|.* is thinking)"))
        if not mover.hint.inner_text().startswith("Your turn"):
            continue
        target = mover.pick(mover.king())[0]
        mover.go(target)
        mover.end_turn()
        moved = re.compile(f", {mover.name}: King")
        expect(other.tile(target.number)).to_have_attribute("aria-label", moved)


def test_two_who_queue_meet_and_play(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    meet(ann, bob)
    assert _match_of(ann) == _match_of(bob)
    _play_some_turns(ann, bob)
    bob.open_menu("Resign")
    bob.press(bob.page.get_by_role("dialog").get_by_role("button", name="Resign"))
    expect(ann.result.get_by_role("heading")).to_have_text("You win!")
    expect(bob.result.get_by_role("heading")).to_have_text("Ann wins")
