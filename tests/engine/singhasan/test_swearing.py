"""Provinces swear and break the moment a count crosses their number; that may bring the end in sight."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import changes
from arena_engine.singhasan import events as e
from arena_engine.singhasan.board import PROVINCES, board_for
from arena_engine.singhasan.kinds import Ending
from arena_engine.singhasan.position import FACT_SWORN
from tests.engine.singhasan.boards import CAPITAL, EMBERFEN, NUMBER, acting, happened, log_of


@pytest.mark.parametrize("province", [q.id for q in PROVINCES])
def test_province_swears_at_more_than_half_its_seats(province: str) -> None:
    number = NUMBER[province]
    seats = PROVINCES[number].seats
    p = acting(f"0 {province} {seats // 2}", players=5)
    assert p.sworn[number] == -1
    changes.place(p, 0, number, 1, 0)
    assert p.sworn[number] == 0
    assert p.board.swears[number] == seats // 2 + 1


def test_followers_on_rifts_count_for_the_oath() -> None:
    assert acting("1 emberfen 4+1").sworn[EMBERFEN] == 1


def test_province_breaks_when_its_holder_drops_below_its_number() -> None:
    p = acting("0 emberfen 5")
    changes.remove(p, 0, EMBERFEN, 1)
    assert p.sworn[EMBERFEN] == -1
    assert log_of(p) == [e.FollowersRemoved(0, EMBERFEN, 1), e.ProvinceBroke(0, EMBERFEN)]


def test_sworn_province_stays_sworn_while_the_count_stays_at_its_number() -> None:
    p = acting("0 emberfen 6")
    changes.remove(p, 0, EMBERFEN, 1)
    assert p.sworn[EMBERFEN] == 0
    assert not happened(p, e.ProvinceBroke)


def test_break_and_swear_are_told_together_where_one_change_makes_both() -> None:
    p = acting("1 emberfen 5", "0 emberfen 4")
    changes.replace(p, EMBERFEN, 1, 0)
    assert log_of(p) == [
        e.FollowerReplaced(EMBERFEN, 1, 0),
        e.ProvinceBroke(1, EMBERFEN),
        e.ProvinceSworn(0, EMBERFEN),
    ]


def test_moved_follower_may_make_its_goal_swear_and_its_origin_break() -> None:
    p = acting("1 emberfen 5", "1 capital 7")
    changes.move(p, 1, EMBERFEN, CAPITAL)
    assert (p.sworn[EMBERFEN], p.sworn[CAPITAL]) == (-1, 1)


def test_end_is_triggered_when_every_province_in_play_has_sworn() -> None:
    board = board_for(2)
    here = [n for n in range(9) if board.in_play[n]]
    p = acting(
        *[f"{i % 2} {PROVINCES[n].id} {board.swears[n]}" for i, n in enumerate(here[:-1])],
        players=2,
    )
    assert p.ending == 0
    changes.place(p, 0, here[-1], board.swears[here[-1]], 0)
    assert p.ending == Ending.SWORN
    assert log_of(p)[-1] == e.EndTriggered(Ending.SWORN)


def test_end_stays_triggered_when_a_province_breaks_again() -> None:
    board = board_for(2)
    here = [n for n in range(9) if board.in_play[n]]
    p = acting(
        *[f"{i % 2} {PROVINCES[n].id} {board.swears[n]}" for i, n in enumerate(here)], players=2
    )
    changes.remove(p, 0, here[0], 1)
    assert p.sworn[here[0]] == -1
    assert p.ending == Ending.SWORN


def test_end_is_triggered_when_every_seat_is_filled() -> None:
    p = acting()
    for number in range(7):
        third, rest = divmod(changes.free_ordinary(p, number), 3)
        assert p.ending == 0
        for seat in range(3):
            first = seat == number % 3
            changes.place(p, seat, number, third + rest * first, 0)
        changes.place(p, (number + 1) % 3, number, 0, changes.free_rifts(p, number))
    assert p.ending == Ending.SEATS


def test_provinces_sworn_are_counted_for_the_duel() -> None:
    p = acting("0 emberfen 5", "1 capital 8")
    changes.remove(p, 0, EMBERFEN, 1)
    changes.place(p, 0, EMBERFEN, 1, 0)
    assert [p.facts[FACT_SWORN * 3 + seat] for seat in range(3)] == [2, 1, 0]
