"""The one guard that every card's change of the board goes through."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import guard
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    KINGSMARCH,
    SALTCOAST,
    THORNWOLD,
    acting,
    protect,
)
from tests.engine.singhasan.schemes import hold, named, plays, turn_up, why_not


def test_followers_on_rifts_are_not_touched() -> None:
    p = acting("1 thornwold 0+2", "0 thornwold 1")
    assert guard.leaving(p, 1, THORNWOLD) == guard.NOBODY
    assert guard.replacing(p, 1, THORNWOLD, 0) == guard.NOBODY
    guard.shift(p, 1, THORNWOLD, guard.HOME, 2)
    assert p.followers(1, THORNWOLD) == 2


def test_sealed_provinces_are_neither_left_nor_entered() -> None:
    p = acting("1 thornwold 2", "0 capital 1")
    p.sealed[THORNWOLD] = 1
    assert guard.leaving(p, 1, THORNWOLD) == guard.SEALED
    assert guard.entering(p, THORNWOLD) == guard.SEALED
    assert guard.shifting(p, 0, CAPITAL, THORNWOLD) == guard.SEALED
    assert guard.shifting(p, 0, guard.HOME, THORNWOLD) == guard.SEALED


def test_protected_provinces_are_not_left_but_may_be_entered() -> None:
    p = acting("1 thornwold 2", "0 capital 1")
    protect(p, THORNWOLD)
    assert guard.leaving(p, 1, THORNWOLD) == guard.PROTECTED
    assert guard.shifting(p, 0, CAPITAL, THORNWOLD) == guard.NOTHING


def test_provinces_out_of_play_are_nowhere() -> None:
    p = acting("0 capital 1")
    assert guard.entering(p, SALTCOAST) == guard.NOT_IN_PLAY
    assert guard.leaving(p, 0, SALTCOAST) == guard.NOT_IN_PLAY


def test_free_seats_hold_and_none_is_placed_on_a_rift() -> None:
    p = acting("1 emberfen 8", "0 capital 3")
    assert guard.entering(p, EMBERFEN) == guard.FULL
    q = acting("1 emberfen 6", "0 capital 5")
    assert guard.most(q, 0, CAPITAL, EMBERFEN) == 2
    guard.shift(q, 0, CAPITAL, EMBERFEN, 5)
    assert (q.followers(0, EMBERFEN), q.on_rifts[EMBERFEN]) == (2, 0)


def test_supply_holds() -> None:
    p = acting("0 capital 13", "0 thornwold 9", "0 kingsmarch 3", "1 emberfen 1")
    assert p.supply[0] == 1
    assert guard.most(p, 0, guard.HOME, EMBERFEN) == 1
    guard.shift(p, 0, guard.HOME, EMBERFEN, 2)
    assert (p.supply[0], p.followers(0, EMBERFEN)) == (0, 1)
    assert guard.shifting(p, 0, guard.HOME, EMBERFEN) == guard.NO_SUPPLY
    assert guard.replacing(p, 1, EMBERFEN, 0) == guard.NO_SUPPLY


def test_wildfolk_are_nobodys() -> None:
    p = acting("0 thornwold 1", players=2)
    assert guard.leaving(p, 1, THORNWOLD) == guard.NOBODY
    p.standing[0 * 9 + KINGSMARCH] = 8
    assert guard.entering(p, KINGSMARCH) == guard.FULL


def test_swap_needs_no_supply_and_leaves_both_as_they_were() -> None:
    p = acting("0 capital 13", "0 thornwold 9", "0 kingsmarch 4", "1 emberfen 2")
    assert p.supply[0] == 0
    guard.swap(p, 0, KINGSMARCH, 1, EMBERFEN)
    assert (p.followers(0, EMBERFEN), p.followers(1, KINGSMARCH)) == (1, 1)
    assert (p.followers(0, KINGSMARCH), p.followers(1, EMBERFEN)) == (3, 1)
    assert (p.supply[0], p.supply[1]) == (0, 24)


def test_change_that_the_guard_forbids_does_nothing() -> None:
    p = acting("1 thornwold 2", "0 capital 1")
    p.sealed[THORNWOLD] = 1
    before = list(p.standing), list(p.supply)
    guard.shift(p, 1, THORNWOLD, guard.HOME, 1)
    guard.convert(p, 1, THORNWOLD, 0)
    guard.swap(p, 0, CAPITAL, 1, THORNWOLD)
    assert (list(p.standing), list(p.supply)) == before
    assert p.log == []


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Assassins in the Night", {"rival": 1, "at": THORNWOLD, "count": 1}),
        ("The Night Drive", {"rival": 1, "at": THORNWOLD, "to": KINGSMARCH, "count": 1}),
        ("Turned Cloaks", {"rival": 1, "at": THORNWOLD}),
        ("The Bought Captain", {"rival": 1, "at": THORNWOLD}),
        ("Burning Fields", {"at": THORNWOLD}),
        ("Burned Bridges", {"rival": 1, "at": THORNWOLD, "to": KINGSMARCH}),
        ("Changing of the Guard", {"rival": 1, "at": CAPITAL, "to": THORNWOLD}),
        ("Flooded Fords", {"rival": 1, "at": THORNWOLD}),
        ("The Ferrymen's Favour", {"at": CAPITAL, "to": THORNWOLD, "count": 1}),
        ("Moonlit Muster", {"to": THORNWOLD, "count": 1}),
        ("The Long Truce", {"at": THORNWOLD, "kind": 0}),
    ],
)
def test_no_deed_touches_a_sealed_province(name: str, fields: dict[str, int]) -> None:
    p = acting("1 thornwold 1", "0 thornwold 2", "0 capital 2", "1 capital 1", "1 veilhaven 1")
    action = named(name, **fields)
    assert why_not(p, action) is None
    p.sealed[THORNWOLD] = 1
    assert why_not(p, action) == "Thornwold is Sealed."


@pytest.mark.parametrize(
    "name",
    ["Assassins in the Night", "The Night Drive", "Turned Cloaks", "Burning Fields", "Hostages"],
)
def test_no_deed_touches_a_follower_on_a_rift(name: str) -> None:
    p = acting("1 thornwold 0+2", "0 thornwold 3", "2 veilhaven 0+1")
    hold(p, 0, name)
    assert plays(p, name) == []


def test_headlines_touch_neither_rifts_nor_sealed_provinces() -> None:
    p = acting("0 thornwold 0+1", "0 capital 2", "1 veilhaven 2")
    p.sealed[CAPITAL] = p.sealed[4 - 1] = 1
    for name in ("Homesick", "Turned Around in Fog", "The Turncoat", "Red Winter", "Plague Carts"):
        turn_up(p, name)
    assert (p.followers(0, THORNWOLD), p.followers(0, CAPITAL), p.followers(1, 3)) == (1, 2, 2)
