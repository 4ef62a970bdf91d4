"""The 32 Headlines: what each does when it is turned up, and who chooses."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import hands, lasting
from arena_engine.singhasan.choices import option_texts
from arena_engine.singhasan.deal import refill_row
from arena_engine.singhasan.kinds import Cause
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.position import KINDS, Position
from arena_engine.singhasan.stock import limit
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    KINGSMARCH,
    THORNWOLD,
    VEILHAVEN,
    acting,
    four,
    happened,
)
from tests.engine.singhasan.schemes import (
    CONSPIRACY,
    HEADLINE,
    choose,
    hold,
    plays,
    turn_up,
)


def next_turn_of(p: Position, seat: int) -> None:
    lasting.end_turn(p, 0)
    lasting.begin_turn(p, seat)


def test_headline_is_shown_before_it_does_anything() -> None:
    p = acting()
    turn_up(p, "The Festival of Storms", seat=2)
    assert p.log is not None
    assert p.log[0] == e.HeadlineTurned(2, HEADLINE["The Festival of Storms"])


# Boons


def test_harvest_home_brings_three_of_a_kind() -> None:
    p = acting()
    turn_up(p, "Harvest Home")
    choose(p, 0, "Song")
    assert four(p, 0) == (0, 0, 3, 0)
    assert happened(p, e.ResourcesGained) == [
        e.ResourcesGained(0, Resources(song=3), Cause.HEADLINE)
    ]


def test_volunteers_join_where_one_stands() -> None:
    p = acting("0 thornwold 0+1", "0 emberfen 2")
    turn_up(p, "Volunteers at the Gate")
    assert option_texts(p) == ("To Thornwold", "To Emberfen")
    choose(p, 0, "To Thornwold")
    assert (p.standing[THORNWOLD], p.on_rifts[THORNWOLD]) == (1, 1)


def test_deserters_come_over_where_one_stands_and_no_oath_needs_them() -> None:
    p = acting("0 thornwold 1", "0 emberfen 1", "1 thornwold 6", "1 emberfen 3", "2 capital 1")
    turn_up(p, "Deserters Come Over")
    assert (p.followers(0, EMBERFEN), p.followers(1, EMBERFEN)) == (2, 2)
    assert p.sworn[THORNWOLD] == 1


def test_open_granaries_make_the_next_turns_hires_cheaper() -> None:
    p = acting()
    turn_up(p, "Open Granaries")
    next_turn_of(p, 0)
    assert [lasting.hire_change(p, seat) for seat in range(3)] == [-2, 0, 0]
    lasting.end_turn(p, 0)
    assert lasting.hire_change(p, 0) == 0


def test_friend_in_the_archive_draws_or_brings_two() -> None:
    p = acting()
    p.conspiracy_pile[0] = 9
    p.conspiracy_size = 1
    q = p.clone()
    turn_up(p, "A Friend in the Archive")
    choose(p, 0, "Draw a Conspiracy")
    assert hands.holds(p, 0, 9)
    turn_up(q, "A Friend in the Archive")
    choose(q, 0, "Gain 2 of one resource")
    choose(q, 0, "Oath")
    assert four(q, 0) == (0, 0, 0, 2)


def test_friend_in_the_archive_cannot_draw_from_an_empty_pile() -> None:
    p = acting()
    turn_up(p, "A Friend in the Archive")
    assert option_texts(p) == ("Gold", "Steel", "Song", "Oath")


def test_safe_conduct_moves_up_to_two_to_where_one_stands() -> None:
    p = acting("0 thornwold 2", "0 emberfen 1")
    turn_up(p, "Safe Conduct")
    assert option_texts(p) == ("From Thornwold", "From Emberfen", "No more")
    choose(p, 0, "From Thornwold")
    choose(p, 0, "No more")
    assert (p.followers(0, THORNWOLD), p.followers(0, EMBERFEN)) == (1, 2)
    assert p.program == 0


def test_deep_vault_holds_more_for_a_turn() -> None:
    p = acting()
    turn_up(p, "The Deep Vault")
    choose(p, 0, "Gold")
    assert (four(p, 0), limit(p, 0), limit(p, 1)) == ((2, 0, 0, 0), 18, 12)
    next_turn_of(p, 0)
    assert limit(p, 0) == 18
    lasting.end_turn(p, 0)
    assert limit(p, 0) == 12


def test_season_of_verdicts_pays_more_for_the_next_answer() -> None:
    p = acting()
    turn_up(p, "A Season of Verdicts")
    assert [lasting.income_change(p, seat) for seat in range(3)] == [3, 0, 0]


def test_scandal_removes_a_loose_follower_of_a_chosen_rival() -> None:
    p = acting("1 thornwold 6", "1 emberfen 1", "2 capital 2")
    turn_up(p, "Scandal in a Rival House")
    choose(p, 0, "Seat 1")
    assert (p.followers(1, THORNWOLD), p.followers(1, EMBERFEN)) == (6, 0)


def test_comet_shows_the_next_headlines() -> None:
    p = acting()
    turn_up(p, "The Comet Reads Well")
    assert happened(p, e.CardsSeen) == [e.CardsSeen(0, None, (), (32, 31, 30))]
    assert four(p, 0) == (0, 0, 1, 1)


def test_peace_of_the_fair_protects_a_province_for_a_round() -> None:
    p = acting("0 thornwold 0+1", "1 thornwold 2", "0 emberfen 1")
    turn_up(p, "The Peace of the Fair")
    choose(p, 0, "In Thornwold")
    p.phase = 4
    hold(p, 0, "Assassins in the Night")
    assert plays(p, "Assassins in the Night") == []
    lasting.begin_turn(p, 0)
    assert not lasting.is_protected(p, THORNWOLD)


def test_loose_tongues_show_a_hand_and_make_conspiracies_cheaper() -> None:
    p = acting()
    hold(p, 1, "The Tithe", "Famine Prices")
    turn_up(p, "Loose Tongues")
    assert happened(p, e.CardsSeen) == [e.CardsSeen(0, 1, (20, 30), ())]
    assert lasting.conspiracy_change(p, 0) == -2


# Banes


def test_rot_in_the_stores_takes_three_of_the_callers_choice() -> None:
    p = acting(stock={0: (1, 3, 0, 0)})
    turn_up(p, "Rot in the Stores")
    assert option_texts(p) == ("Steel", "Gold")
    choose(p, 0, "Gold")
    assert four(p, 0) == (0, 1, 0, 0)


def test_homesick_sends_one_of_the_callers_followers_home() -> None:
    p = acting("0 emberfen 5", "0 thornwold 1", "0 capital 0+1")
    turn_up(p, "Homesick")
    assert option_texts(p) == ("In Thornwold", "In Emberfen")
    choose(p, 0, "In Thornwold")
    assert p.supply[0] == 26 - 6


def test_debt_called_in_pays_every_rival_as_far_as_it_goes() -> None:
    p = acting(players=4, stock={0: (1, 1, 0, 0)})
    turn_up(p, "A Debt Called In")
    choose(p, 0, "Steel")
    assert [four(p, seat) for seat in range(4)] == [
        (0, 0, 0, 0),
        (0, 1, 0, 0),
        (1, 0, 0, 0),
        (0, 0, 0, 0),
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [("Roads of Mud", lasting.FORBID_MARCH), ("The Statues Look Away", lasting.FORBID_POWER)],
)
def test_bans_hold_through_the_callers_next_turn(name: str, what: int) -> None:
    p = acting()
    turn_up(p, name)
    next_turn_of(p, 0)
    assert [lasting.is_forbidden(p, seat, what) for seat in range(3)] == [True, False, False]
    lasting.end_turn(p, 0)
    assert not lasting.is_forbidden(p, 0, what)


def test_strongroom_floods_and_binds_at_the_end_of_this_turn_already() -> None:
    p = acting()
    turn_up(p, "The Strongroom Floods")
    assert (limit(p, 0), limit(p, 1)) == (8, 12)


def test_recruits_want_more_and_galleries_stay_empty() -> None:
    p = acting()
    turn_up(p, "Recruits Want More")
    turn_up(p, "An Empty Gallery")
    assert (lasting.hire_change(p, 0), lasting.income_change(p, 0)) == (1, -2)


def test_words_taken_back_cost_three_resources_or_an_answer() -> None:
    p = acting(stock={0: (3, 0, 0, 0)}, answers={0: (1, 0, 0, 1)})
    q = p.clone()
    turn_up(p, "Words Taken Back")
    choose(p, 0, "Lose 3 resources")
    assert four(p, 0) == (0, 0, 0, 0)
    turn_up(q, "Words Taken Back")
    choose(q, 0, "Lose an answer")
    choose(q, 0, "The Unbroken Oath")
    assert list(q.answers[:KINDS]) == [1, 0, 0, 0]


def test_words_taken_back_take_the_answer_of_who_cannot_pay() -> None:
    p = acting(stock={0: (2, 0, 0, 0)}, answers={0: (0, 1, 0, 0)})
    turn_up(p, "Words Taken Back")
    assert (p.program, p.answers[1], four(p, 0)) == (0, 0, (2, 0, 0, 0))
    turn_up(p, "Words Taken Back")
    assert (p.program, four(p, 0)) == (0, (2, 0, 0, 0))


def test_fog_lets_the_next_claimant_move_one_of_the_callers_followers() -> None:
    p = acting("2 thornwold 1", "2 emberfen 1", "0 capital 3")
    turn_up(p, "Turned Around in Fog", seat=2)
    choose(p, 0, "From Thornwold")
    choose(p, 0, "To Kingsmarch")
    assert (p.followers(2, THORNWOLD), p.followers(2, KINGSMARCH)) == (0, 1)


def test_turncoat_goes_to_the_next_claimant_but_breaks_no_oath() -> None:
    p = acting("0 emberfen 5", "0 thornwold 2")
    turn_up(p, "The Turncoat")
    assert (p.followers(0, THORNWOLD), p.followers(1, THORNWOLD)) == (1, 1)
    assert p.sworn[EMBERFEN] == 0


def test_seized_letters_take_a_conspiracy_or_else_resources() -> None:
    p = acting(stock={0: (2, 0, 0, 0)})
    hold(p, 0, "The Tithe")
    turn_up(p, "Seized Letters")
    assert not hands.holds(p, 0, CONSPIRACY["The Tithe"])
    assert happened(p, e.ConspiracyLost) == [e.ConspiracyLost(0, CONSPIRACY["The Tithe"])]
    assert four(p, 0) == (2, 0, 0, 0)
    turn_up(p, "Seized Letters")
    assert four(p, 0) == (0, 0, 0, 0)


# Upheavals


def test_festival_of_storms_lasts_until_the_callers_next_turn() -> None:
    p = acting()
    turn_up(p, "The Festival of Storms", seat=1)
    assert [four(p, seat)[2] for seat in range(3)] == [1, 1, 1]
    next_turn_of(p, 0)
    assert [lasting.conspiracy_change(p, seat) for seat in range(3)] == [1, 1, 1]
    lasting.begin_turn(p, 1)
    assert lasting.conspiracy_change(p, 0) == 0


def test_red_winter_lets_everybody_choose_clockwise_from_the_caller() -> None:
    p = acting("0 thornwold 1", "0 capital 1", "1 thornwold 1", "1 capital 1", "2 capital 2")
    turn_up(p, "Red Winter", seat=1)
    assert p.followers(2, CAPITAL) == 2
    choose(p, 1, "In Thornwold")
    assert p.followers(2, CAPITAL) == 1
    choose(p, 0, "In Thornwold")
    assert [p.supply[seat] for seat in range(3)] == [25, 25, 25]


def test_great_fair_replaces_the_row_and_pays_everybody() -> None:
    p = acting()
    refill_row(p)
    before = list(p.row)
    turn_up(p, "The Great Fair")
    for seat, kind in ((0, "Gold"), (1, "Oath"), (2, "Song")):
        choose(p, seat, kind)
    assert not set(before) & set(p.row)
    assert [four(p, seat) for seat in range(3)] == [(2, 0, 0, 0), (0, 0, 0, 2), (0, 0, 2, 0)]


def test_plague_carts_come_where_most_followers_stand() -> None:
    p = acting("0 thornwold 2", "1 thornwold 1", "2 thornwold 0+1", "1 capital 1", "2 capital 2")
    turn_up(p, "Plague Carts")
    assert [p.followers(seat, THORNWOLD) for seat in range(3)] == [1, 0, 1]
    assert [p.followers(seat, CAPITAL) for seat in range(3)] == [0, 1, 2]


def test_plague_carts_among_level_provinces_come_where_the_caller_says() -> None:
    p = acting("0 thornwold 2", "0 capital 2", "1 emberfen 1+1", "2 capital 0+1", "2 emberfen 1")
    p.sealed[THORNWOLD] = 1
    turn_up(p, "Plague Carts", seat=1)
    assert option_texts(p) == ("In Emberfen", "In the Fallen Capital")
    choose(p, 1, "In Emberfen")
    assert [p.followers(seat, EMBERFEN) for seat in range(3)] == [0, 1, 0]
    assert p.followers(0, CAPITAL) == 2


def test_general_levy_brings_everybody_a_follower() -> None:
    p = acting("0 thornwold 1", "1 veilhaven 0+1", "2 emberfen 8")
    turn_up(p, "General Levy")
    assert [p.supply[seat] for seat in range(3)] == [24, 24, 18]
    assert (p.followers(0, THORNWOLD), p.followers(1, VEILHAVEN)) == (2, 2)


def test_bridges_stop_everybodys_marches_until_the_callers_next_turn() -> None:
    p = acting()
    turn_up(p, "The Bridges Are Down")
    next_turn_of(p, 1)
    assert all(lasting.is_forbidden(p, seat, lasting.FORBID_MARCH) for seat in range(3))
    lasting.begin_turn(p, 0)
    assert not lasting.is_forbidden(p, 1, lasting.FORBID_MARCH)


def test_lean_season_lasts_through_the_next_round() -> None:
    p = acting()
    turn_up(p, "The Lean Season")
    lasting.end_round(p)
    assert [lasting.hire_change(p, seat) for seat in range(3)] == [1, 1, 1]
    lasting.end_round(p)
    assert lasting.hire_change(p, 0) == 0


def test_reckoning_falls_on_those_with_most_points() -> None:
    p = acting("1 emberfen 5", "2 veilhaven 5", stock={1: (9, 0, 0, 0), 2: (0, 3, 0, 0)})
    turn_up(p, "The Reckoning")
    assert [four(p, seat) for seat in range(3)] == [(1, 0, 0, 0), (7, 0, 0, 0), (0, 3, 0, 0)]
