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


def test_friends_meet_at_a_private_table_and_again_after_the_match(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    ann.visit()
    ann.choose("Players", "3")
    ann.press_button("Play with friends")
    expect(ann.page.get_by_text("Free seat")).to_have_count(2)
    bob.page.goto(ann.table_link())
    bob.page.get_by_label("Your name").fill("Bob")
    bob.press_button("Sit down")
    expect(ann.page.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    expect(bob.page.get_by_role("listitem").filter(has_text="Ann")).to_be_visible()
    ann.press_button("Start now with 1 bot")
    ann.sit_down()
    bob.sit_down()
    former = _match_of(ann)
    assert _match_of(bob) == former

    for person in (ann, bob):
        person.open_menu("Resign")
        person.press(person.page.get_by_role("dialog").get_by_role("button", name="Resign"))
    for person in (ann, bob):
        expect(person.result.get_by_role("listitem")).to_have_count(3)
        person.press_button("Play again")
    expect(ann.page.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    bob.press_button("Start now with 1 bot")
    ann.sit_down()
    bob.sit_down()
    assert _match_of(ann) == _match_of(bob) != former


def test_table_can_be_left(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    ann.visit()
    ann.choose("Players", "4")
    ann.press_button("Play with friends")
    bob.page.goto(ann.table_link())
    bob.press_button("Sit down")
    seated = ann.page.get_by_text("Free seat")
    expect(seated).to_have_count(2)
    bob.press_button("Leave the table")
    expect(seated).to_have_count(3)
    expect(bob.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_newer_window_takes_the_seat_until_it_is_asked_back(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    second = Person(ann.page.context.new_page(), ann.url, "Ann")
    second.page.goto(ann.page.url)
    second.sit_down()
    notice = "You play this match in another window or on another device."
    expect(ann.page.get_by_text(notice)).to_be_visible()
    ann.press_button("Play here")
    expect(second.page.get_by_text(notice)).to_be_visible()
    expect(ann.page.get_by_text(notice)).to_have_count(0)
    ann.go(ann.pick(ann.king())[0])
