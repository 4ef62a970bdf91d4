"""Whole matches and their ends."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person, meet, nearest


def _charge(person: Person) -> None:
    """One turn that walks the own King, alone, at the nearest rival: soon one of the two Kings falls."""
    if person.place_shield():
        return
    person.tap(person.king())
    if person.units.count() > 1:
        person.press_button("King")
    lit = person.lit()
    if lit:
        others = re.compile(rf", (?!{person.name}: )[^:,]+: .*(King|Knight)")
        person.go(nearest(lit, [tile for tile in person.tiles() if others.search(tile.label)]))
    person.end_turn()


@pytest.mark.timeout(300)
def test_whole_match_ends_with_a_ranking_and_another_begins(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    while ann.wait_for_turn():
        _charge(ann)
    expect(ann.result.get_by_role("listitem")).to_have_count(2)
    expect(ann.result.get_by_role("heading")).to_have_text(re.compile("^You win!$| wins$"))
    former = ann.page.url
    ann.press_button("Play again")
    expect(ann.page).not_to_have_url(former)
    ann.sit_down()
    assert ann.wait_for_turn()
    assert ann.page.url != former


def test_resigning_asks_first(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    ann.open_menu("Resign")
    question = ann.page.get_by_role("dialog", name="Give up this match?")
    ann.press(question.get_by_role("button", name="Stay"))
    expect(question).to_have_count(0)
    assert ann.wait_for_turn()
    ann.open_menu("Resign")
    ann.press(question.get_by_role("button", name="Resign"))
    expect(ann.result.get_by_role("heading")).to_have_text(re.compile(" wins$"))
    ann.press_button("Look at the board")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    expect(ann.hint).to_have_text("The match is over.")


def test_leaving_asks_first_and_the_seat_can_be_taken_back(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    meet(ann, bob)
    ann.open_menu("Leave the match")
    question = ann.page.get_by_role("dialog", name="Leave this match?")
    ann.press(question.get_by_role("button", name="Leave"))
    expect(ann.page.get_by_label("Your name")).to_be_visible()
    her_seat = bob.page.get_by_role("listitem").filter(has_text="Ann")
    expect(her_seat.get_by_role("img", name="bot")).to_be_visible()
    ann.press_button("Rejoin")
    ann.sit_down()
    expect(ann.page.get_by_text("A bot is playing your seat.")).to_be_visible()
    ann.press_button("Take it back")
    expect(her_seat.get_by_role("img", name="bot")).to_have_count(0)


def test_clock_runs_with_the_server_and_a_turn_is_missed(arrive: Arrive) -> None:
    ann = arrive()
    ann.visit()
    ann.choose("Players", "2")
    ann.choose("Turn timer", "30 s")
    ann.press_button("Play")
    ann.sit_down()
    assert ann.wait_for_turn()
    mine = ann.page.get_by_role("listitem").filter(has_text="Ann").get_by_role("timer")
    expect(mine).to_have_text(re.compile("^0:2[0-8]$"))
    # A reload gives no time back.
    ann.page.reload()
    ann.sit_down()
    expect(mine).to_have_text(re.compile("^0:(1\\d|2[0-7])$"))
    expect(ann.log.filter(has_text="Ann misses a turn.")).to_be_attached(timeout=40_000)
    expect(ann.page.get_by_title("Missed turns: 1 in a row, 1 in all")).to_be_visible()
