"""The page while parts of the platform die under it."""

from __future__ import annotations

import os
import signal
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import PATIENCE_MS, Person
from tests.e2e.conftest import RunningPlatform


def _move(person: Person) -> None:
    """Move, tapping again where the platform was not back in time to say what is in reach."""
    assert person.wait_for_turn()
    while not (lit := person.pick(person.king())):
        person.page.keyboard.press("Escape")
    person.go(lit[0])
    person.end_turn()


def _strike(platform: RunningPlatform, name: str, number: signal.Signals) -> None:
    """Send a process a signal and wait until another one is in its place."""
    former = platform.pid(name)
    os.kill(former, number)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        new = next(each for each in platform.info().processes if each.name == name)
        if new.state == "ready" and new.pid != former:
            return
        time.sleep(0.1)
    raise AssertionError(f"{name} does not come back")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_match_goes_on_when_its_room_ends(
    arrive: Arrive, platform: RunningPlatform, number: signal.Signals
) -> None:
    ann = arrive()
    ann.play_bots()
    _move(ann)
    # One of the two owns the match.
    for room in ("room-1", "room-2"):
        _strike(platform, room, number)
        _move(ann)
    ann.problems.clear()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_match_goes_on_when_the_edge_is_restarted(
    arrive: Arrive, platform: RunningPlatform, number: signal.Signals
) -> None:
    ann = arrive()
    ann.play_bots()
    _move(ann)
    _strike(platform, "edge", number)
    _move(ann)
    ann.problems.clear()


def test_quiet_sign_while_the_network_is_away(arrive: Arrive) -> None:
    ann = arrive()
    ann.play_bots()
    assert ann.wait_for_turn()
    ann.page.context.set_offline(offline=True)
    sign = ann.page.get_by_text("Reconnecting")
    expect(sign).to_be_visible(timeout=PATIENCE_MS)
    # The board stays, and nothing covers it.
    assert len(ann.own()) > 0
    ann.page.context.set_offline(offline=False)
    expect(sign).to_have_count(0, timeout=PATIENCE_MS)
    _move(ann)
    ann.problems.clear()
