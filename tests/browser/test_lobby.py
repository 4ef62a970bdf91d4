"""From the lobby into matches, and back to them."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.screens import PHONE


def test_lobby_remembers_name_and_choices(arrive: Arrive) -> None:
    ann = arrive()
    ann.visit()
    ann.choose("Players", "3")
    ann.choose("Arena", "Large")
    ann.press_button("Play")
    ann.sit_down()
    assert len(ann.tiles()) == 150
    ann.page.goto(f"{ann.url}#/")
    expect(ann.page.get_by_label("Your name")).to_have_value("Ann")
    expect(ann.page.get_by_role("radio", name="3", exact=True)).to_be_checked()
    expect(ann.page.get_by_role("radio", name="Large")).to_be_checked()


def test_queue_shows_the_wait_and_cancel_leads_back(arrive: Arrive) -> None:
    ann = arrive()
    ann.visit()
    ann.choose("Players", "5")
    ann.choose("Against", "People")
    ann.press_button("Play")
    expect(ann.page.get_by_text("Looking for players")).to_be_visible()
    expect(ann.page.get_by_text("1 of 5 here")).to_be_visible()
    countdown = ann.page.get_by_text("Bots fill the empty seats in")
    before = countdown.inner_text()
    expect(countdown).not_to_have_text(before)
    ann.press_button("Cancel")
    expect(ann.page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    # It is over on the other side, too: the next match starts.
    ann.choose("Against", "Bots")
    ann.press_button("Play")
    ann.sit_down()


def test_reload_goes_on_with_the_match(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    home = ann.king().number
    ann.page.reload()
    ann.sit_down()
    assert ann.wait_for_turn()
    assert ann.king().number == home


def test_lobby_offers_the_running_match(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    address = ann.page.url
    ann.page.goto(ann.url)
    expect(ann.page.get_by_text("You have a match under way.")).to_be_visible()
    ann.press_button("Rejoin")
    ann.sit_down()
    assert ann.page.url == address


def test_spectator_follows_a_link_and_sees_no_hand(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    ann.go(ann.pick(ann.king())[0])
    ann.end_turn()
    assert ann.wait_for_turn()
    ann.open_menu("Link for watchers")
    link = ann.page.get_by_role("textbox", name="Link for watchers").input_value()

    bob = arrive("Bob")
    bob.page.goto(link)
    bob.sit_down()
    expect(bob.page.get_by_text("You are watching.")).to_be_visible()
    expect(bob.page.get_by_role("list", name="Your hand")).to_have_count(0)
    # What happened before he came is told, and so is what happens now.
    moves = bob.log.filter(has_text=re.compile("^Ann moves"))
    expect(moves).to_have_count(1)
    expect(bob.log).to_have_count(ann.log.count())
    _close_dialog(ann)
    ann.go(ann.pick(ann.king())[0])
    expect(moves).to_have_count(2)


def test_match_address_without_a_seat_leads_to_watching(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    ann.play_bots()
    bob.page.goto(ann.page.url.rpartition("/")[0])
    bob.sit_down()
    expect(bob.page.get_by_text("You are watching.")).to_be_visible()


def test_rules_can_be_read_in_mid_match(arrive: Arrive) -> None:
    ann = arrive(**PHONE)
    ann.play_bots()
    ann.open_menu("How to play")
    rules = ann.page.get_by_role("dialog", name="How to play")
    expect(rules.get_by_role("heading")).to_be_in_viewport()
    expect(rules.get_by_role("listitem").filter(has_text="Fallen Crown")).to_be_attached()
    ann.press(rules.get_by_role("button", name="Close"))
    expect(rules).to_have_count(0)


def _close_dialog(person: Person) -> None:
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def test_address_without_a_match_says_so_and_leads_back(arrive: Arrive) -> None:
    ann = arrive()
    ann.page.goto(f"{ann.url}#/watch/{'a' * 26}")
    expect(ann.page.get_by_role("alert")).to_have_text("There is no such match.")
    ann.press_button("To the lobby")
    expect(ann.page.get_by_label("Your name")).to_be_visible()
    ann.problems.clear()


def test_game_without_a_board_says_where_it_is_played(arrive: Arrive) -> None:
    ann = arrive()
    ann.visit()
    singhasan = ann.page.locator("section").filter(has_text="Singhasan is played here, too")
    expect(singhasan).to_contain_text("no board on this page yet")
    expect(singhasan.get_by_text("make play GAME=singhasan")).to_be_visible()
    # Nothing to press that leads nowhere.
    expect(singhasan.get_by_role("button")).to_have_count(0)
    expect(ann.page.get_by_role("radio", name="Singhasan")).to_have_count(0)
