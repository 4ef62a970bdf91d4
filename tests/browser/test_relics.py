"""Relics and cards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive


@pytest.mark.timeout(300)
def test_loot_card_is_drawn_read_and_played(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    while ann.wait_for_turn():
        if ann.hand.count() > 0 and ann.play_card():
            break
        ann.fetch("Loot card")
    expect(ann.log.filter(has_text=re.compile("^Ann takes a Loot card"))).not_to_have_count(0)
    expect(ann.log.filter(has_text=re.compile("^Ann plays "))).not_to_have_count(0)


@pytest.mark.timeout(300)
def test_shield_turns_a_knight_golden(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    golden = ann.log.filter(has_text="A Knight of Ann turns golden.")
    while ann.wait_for_turn() and golden.count() == 0:
        ann.fetch("Shield")
    expect(golden).not_to_have_count(0)
    assert any("Golden Knight" in tile.label for tile in ann.own())
