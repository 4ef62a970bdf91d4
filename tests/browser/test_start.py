"""How soon a match begins. Alone in its file: side by side, small files run last, when the machine has most time."""

from __future__ import annotations

import time

from tests.browser.conftest import Arrive


def test_match_against_bots_starts_in_three_clicks_and_five_seconds(arrive: Arrive) -> None:
    ann = arrive()
    began = time.monotonic()
    ann.page.goto(ann.url)
    ann.choose("Players", "2")
    ann.choose("Against", "Bots")
    ann.press_button("Play")
    ann.sit_down()
    assert ann.wait_for_turn()
    assert time.monotonic() - began < 5
