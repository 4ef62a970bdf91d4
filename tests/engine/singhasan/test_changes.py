"""Followers that come, go and change place, and the questions asked before they do."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import changes
from arena_engine.singhasan import events as e
from tests.engine.singhasan.boards import (
    ASHFALL,
    CAPITAL,
    EMBERFEN,
    KINGSMARCH,
    SALTCOAST,
    THORNWOLD,
    acting,
    log_of,
    protect,
)


def test_placed_followers_come_from_the_supply_as_one_change() -> None:
    p = acting()
    changes.place(p, 1, EMBERFEN, 2, 1)
    assert (p.supply[1], p.followers(1, EMBERFEN)) == (23, 3)
    assert log_of(p) == [e.FollowersPlaced(1, EMBERFEN, 3)]


def test_removed_followers_go_back_to_the_supply_of_their_owner() -> None:
    p = acting("1 emberfen 3+1")
    changes.remove(p, 1, EMBERFEN, 2)
    assert (p.supply[1], p.followers(1, EMBERFEN)) == (24, 2)
    assert log_of(p) == [e.FollowersRemoved(1, EMBERFEN, 2)]


def test_moved_followers_leave_the_supply_alone() -> None:
    p = acting("1 emberfen 3")
    changes.move(p, 1, EMBERFEN, CAPITAL, 2)
    assert (p.followers(1, EMBERFEN), p.followers(1, CAPITAL), p.supply[1]) == (1, 2, 23)
    assert log_of(p) == [e.FollowersMoved(1, EMBERFEN, CAPITAL, 2)]


def test_replaced_follower_returns_to_its_owners_supply() -> None:
    p = acting("1 emberfen 3")
    changes.replace(p, EMBERFEN, 1, 0)
    assert (p.supply[0], p.supply[1]) == (25, 24)
    assert (p.followers(0, EMBERFEN), p.followers(1, EMBERFEN)) == (1, 2)
    assert log_of(p) == [e.FollowerReplaced(EMBERFEN, 1, 0)]


def test_change_that_its_caller_tells_logs_only_what_it_does_to_oaths() -> None:
    p = acting("1 emberfen 4")
    changes.place(p, 1, EMBERFEN, 1, 0, is_told=False)
    assert log_of(p) == [e.ProvinceSworn(1, EMBERFEN)]


def test_free_seats_are_counted_apart_on_and_off_the_rifts() -> None:
    p = acting("0 kingsmarch 3+1", "2 kingsmarch 2")
    assert changes.free_ordinary(p, KINGSMARCH) == 11 - 2 - 5
    assert changes.free_rifts(p, KINGSMARCH) == 1
    assert changes.free_seats(p, KINGSMARCH) == 5


def test_sunk_province_has_no_free_seats() -> None:
    p = acting()
    assert changes.free_seats(p, ASHFALL) == changes.free_rifts(p, SALTCOAST) == 0


def test_wildfolk_take_a_seat_that_is_no_rift() -> None:
    p = acting(players=2)
    assert changes.free_ordinary(p, EMBERFEN) == 9 - 1 - 1
    assert changes.free_rifts(p, EMBERFEN) == 1


@pytest.mark.parametrize(
    ("followers", "loose"),
    [
        (["0 capital 7"], 7),  # not sworn: all off the Rifts
        (["0 capital 4+2"], 4),
        (["0 capital 8"], 0),  # sworn at 8: none to spare
        (["0 capital 10"], 2),
        (["0 capital 8+2"], 2),  # the surplus
        (["0 emberfen 5+1"], 0),  # another province
    ],
)
def test_loose_is_the_smaller_of_those_off_rifts_and_the_surplus(
    followers: list[str], loose: int
) -> None:
    assert changes.loose(acting(*followers), 0, CAPITAL) == loose


def test_rivals_followers_in_a_province_sworn_to_another_are_all_loose() -> None:
    p = acting("0 emberfen 5", "1 emberfen 2+1")
    assert changes.loose(p, 1, EMBERFEN) == 2


def test_sway_is_strictly_the_most_and_counts_rifts() -> None:
    p = acting("0 thornwold 1+1", "1 thornwold 2", "2 thornwold 1")
    assert not changes.has_sway(p, 0, THORNWOLD)
    changes.place(p, 0, THORNWOLD, 0, 1)
    assert changes.has_sway(p, 0, THORNWOLD)
    assert not changes.has_sway(p, 1, THORNWOLD)


def test_nobody_holds_sway_in_an_empty_province() -> None:
    assert not changes.has_sway(acting(), 0, THORNWOLD)


def test_one_against_one_wildfolk_is_no_sway() -> None:
    p = acting("0 thornwold 1", "0 capital 2", players=2)
    assert not changes.has_sway(p, 0, THORNWOLD)
    assert changes.has_sway(p, 0, CAPITAL)


def test_sealed_protected_and_sunk_provinces_cannot_be_touched() -> None:
    p = acting()
    p.sealed[CAPITAL] = 1
    protect(p, EMBERFEN)
    assert not any(changes.can_touch(p, where) for where in (CAPITAL, EMBERFEN, ASHFALL))
    assert changes.can_touch(p, THORNWOLD)


def test_protected_province_can_be_entered_and_a_sealed_one_cannot() -> None:
    p = acting()
    p.sealed[CAPITAL] = 1
    protect(p, EMBERFEN)
    assert changes.can_enter(p, EMBERFEN)
    assert not changes.can_enter(p, CAPITAL)
    assert not changes.can_enter(p, ASHFALL)


def test_province_whose_only_free_seats_are_rifts_cannot_be_entered() -> None:
    p = acting("0 emberfen 4", "1 emberfen 4")
    assert changes.free_seats(p, EMBERFEN) == 1
    assert not changes.can_enter(p, EMBERFEN)
