"""The 20 deeds: what each does, to whom, and when it cannot be played."""

from __future__ import annotations

from arena_engine.singhasan import events as e
from arena_engine.singhasan import hands, lasting
from arena_engine.singhasan.cards import aims_at
from arena_engine.singhasan.choices import option_texts
from arena_engine.singhasan.deal import refill_row
from arena_engine.singhasan.kinds import Cause, Ideology
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.position import KINDS, USED_HORSE, USED_SHIELD
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    KINGSMARCH,
    SKYREACH,
    THORNWOLD,
    VEILHAVEN,
    acting,
    four,
    happened,
)
from tests.engine.singhasan.schemes import (
    CONSPIRACY,
    GOLD,
    OATH,
    SONG,
    STEEL,
    choose,
    hold,
    named,
    play,
    plays,
    why_not,
)


def test_assassins_remove_one_or_two_of_one_rivals_followers_from_one_province() -> None:
    p = acting("1 thornwold 3", "1 capital 1", "2 thornwold 1")
    play(p, named("Assassins in the Night", rival=1, at=THORNWOLD, count=2))
    assert (p.followers(1, THORNWOLD), p.followers(2, THORNWOLD), p.supply[1]) == (1, 1, 24)
    assert happened(p, e.FollowersRemoved) == [e.FollowersRemoved(1, THORNWOLD, 2)]
    assert "1 follower at most" in str(
        why_not(p, named("Assassins in the Night", rival=1, at=CAPITAL, count=2))
    )


def test_assassins_may_break_an_oath_at_once() -> None:
    p = acting("1 thornwold 6")
    assert p.sworn[THORNWOLD] == 1
    play(p, named("Assassins in the Night", rival=1, at=THORNWOLD, count=1))
    assert p.sworn[THORNWOLD] == -1
    assert happened(p, e.ProvinceBroke) == [e.ProvinceBroke(1, THORNWOLD)]


def test_night_drive_moves_a_rivals_followers_across_one_border() -> None:
    p = acting("1 thornwold 3")
    play(p, named("The Night Drive", rival=1, at=THORNWOLD, to=KINGSMARCH, count=2))
    assert (p.followers(1, THORNWOLD), p.followers(1, KINGSMARCH)) == (1, 2)
    assert happened(p, e.FollowersMoved) == [e.FollowersMoved(1, THORNWOLD, KINGSMARCH, 2)]
    far = named("The Night Drive", rival=1, at=THORNWOLD, to=VEILHAVEN, count=1)
    assert why_not(p, far) == "Veilhaven does not border Thornwold."


def test_night_drive_takes_no_more_than_there_is_room_for() -> None:
    p = acting("1 thornwold 3", "0 kingsmarch 8")
    action = named("The Night Drive", rival=1, at=THORNWOLD, to=KINGSMARCH, count=2)
    assert why_not(p, action) == "It can be 1 follower at most, not 2."


def test_turned_cloaks_convert_where_the_player_is_at_least_as_strong() -> None:
    p = acting("0 thornwold 2", "1 thornwold 3", "0 capital 1", "1 capital 0+1")
    stronger = named("Turned Cloaks", rival=1, at=THORNWOLD)
    assert why_not(p, stronger) == "There is nothing it could be played at."
    p = acting("0 thornwold 1+1", "1 thornwold 2", "1 capital 1")
    assert "no follower in the Fallen" in str(
        why_not(p, named("Turned Cloaks", rival=1, at=CAPITAL))
    )
    play(p, stronger)
    assert (p.followers(0, THORNWOLD), p.followers(1, THORNWOLD)) == (3, 1)
    assert happened(p, e.FollowerReplaced) == [e.FollowerReplaced(THORNWOLD, 1, 0)]


def test_bought_captain_converts_anywhere_and_is_paid() -> None:
    p = acting("1 thornwold 2")
    play(p, named("The Bought Captain", rival=1, at=THORNWOLD))
    assert (p.followers(0, THORNWOLD), p.followers(1, THORNWOLD)) == (1, 1)
    assert four(p, 1) == (2, 0, 0, 0)


def test_conversion_needs_a_follower_in_the_own_supply() -> None:
    p = acting("0 capital 13", "0 kingsmarch 9", "0 veilhaven 4", "1 thornwold 2")
    assert p.supply[0] == 0
    action = named("The Bought Captain", rival=1, at=THORNWOLD)
    assert why_not(p, action) == "There is nothing it could be played at."


def test_moonlit_muster_brings_followers_where_one_stands_and_never_onto_rifts() -> None:
    p = acting("0 thornwold 0+1")
    play(p, named("Moonlit Muster", to=THORNWOLD, count=2))
    assert (p.standing[THORNWOLD], p.on_rifts[THORNWOLD]) == (2, 1)
    assert happened(p, e.HeadlineCalled) == []
    assert why_not(p, named("Moonlit Muster", to=CAPITAL, count=1)) == (
        "You have no follower in the Fallen Capital."
    )


def test_ferrymen_take_own_followers_anywhere_but_off_rifts() -> None:
    p = acting("0 thornwold 2+1")
    play(p, named("The Ferrymen's Favour", at=THORNWOLD, to=EMBERFEN, count=2))
    assert (p.followers(0, THORNWOLD), p.followers(0, EMBERFEN)) == (1, 2)
    assert plays(p, "The Ferrymen's Favour") == []


def test_ferrymen_may_break_the_own_oath() -> None:
    p = acting("0 thornwold 6")
    play(p, named("The Ferrymen's Favour", at=THORNWOLD, to=SKYREACH, count=3))
    assert p.sworn[THORNWOLD] == -1


def test_guard_is_changed_between_two_provinces() -> None:
    p = acting("0 thornwold 2", "1 kingsmarch 2")
    play(p, named("Changing of the Guard", rival=1, at=THORNWOLD, to=KINGSMARCH))
    assert [p.followers(0, THORNWOLD), p.followers(0, KINGSMARCH)] == [1, 1]
    assert [p.followers(1, THORNWOLD), p.followers(1, KINGSMARCH)] == [1, 1]
    same = named("Changing of the Guard", rival=1, at=THORNWOLD, to=THORNWOLD)
    assert why_not(p, same) == "It stands there already."


def test_guard_is_changed_in_full_provinces_too() -> None:
    p = acting("0 emberfen 8+1", "1 veilhaven 7+2")
    play(p, named("Changing of the Guard", rival=1, at=EMBERFEN, to=VEILHAVEN))
    assert (p.followers(1, EMBERFEN), p.followers(0, VEILHAVEN)) == (1, 1)


def test_customs_raid_takes_up_to_four_of_one_resource() -> None:
    p = acting(stock={1: (6, 2, 0, 0)})
    play(p, named("Customs Raid", rival=1, kind=GOLD))
    assert (four(p, 0), four(p, 1)) == ((4, 0, 0, 0), (2, 2, 0, 0))
    assert happened(p, e.ResourcesGained) == [e.ResourcesGained(0, Resources(gold=4), Cause.CARD)]
    p = acting(stock={1: (6, 2, 0, 0)})
    play(p, named("Customs Raid", rival=1, kind=STEEL))
    assert four(p, 0) == (0, 2, 0, 0)
    assert why_not(p, named("Customs Raid", rival=1, kind=SONG)) == "Seat 1 holds no Song."
    assert why_not(p, named("Customs Raid", rival=2, kind=SONG)) == "Seat 2 holds no resources."


def test_perjurer_takes_an_answer_of_the_players_choice_and_pays_for_it() -> None:
    p = acting(answers={1: (3, 1, 0, 0)})
    p.question_at[6] = 3 + 4
    play(p, named("The Perjurer", rival=1, kind=GOLD))
    assert p.answers[KINDS] == 2
    assert four(p, 1) == (2, 0, 0, 0)
    assert happened(p, e.AnswerLost) == [e.AnswerLost(1, Ideology.GOLDEN_ROAD, 7)]
    assert happened(p, e.LegendChanged) == [e.LegendChanged(1, Ideology.GOLDEN_ROAD, 0)]
    assert "no answer of the Unbroken Oath" in str(
        why_not(p, named("The Perjurer", rival=1, kind=OATH))
    )


def test_rumours_of_home_let_the_rival_choose_who_goes() -> None:
    p = acting("1 thornwold 2", "1 capital 1", "2 capital 2")
    play(p, named("Rumours of Home", rival=1))
    choose(p, 1, "In Thornwold")
    choose(p, 1, "In the Fallen Capital")
    assert (p.followers(1, THORNWOLD), p.followers(1, CAPITAL)) == (1, 0)
    assert (p.program, p.choice_seat) == (0, -1)


def test_rumours_of_home_take_what_there_is() -> None:
    p = acting("1 thornwold 1+1")
    play(p, named("Rumours of Home", rival=1))
    assert p.program == 0
    assert p.followers(1, THORNWOLD) == 1


def test_burning_fields_cost_every_rival_there_a_follower() -> None:
    p = acting("0 thornwold 0+1", "1 thornwold 2", "2 thornwold 1", "1 capital 1")
    action = named("Burning Fields", at=THORNWOLD)
    assert aims_at(p, 0, action) == 0b110
    play(p, action)
    assert [p.followers(seat, THORNWOLD) for seat in range(3)] == [1, 1, 0]


def test_burning_fields_are_aimed_at_those_who_stand_there() -> None:
    p = acting("0 thornwold 1", "1 thornwold 2", "2 thornwold 0+1")
    assert aims_at(p, 0, named("Burning Fields", at=THORNWOLD)) == 0b010


def test_long_truce_protects_a_province_and_brings_resources() -> None:
    p = acting("1 thornwold 2")
    play(p, named("The Long Truce", at=THORNWOLD, kind=SONG))
    assert four(p, 0) == (0, 0, 2, 0)
    hold(p, 0, "Assassins in the Night")
    assert plays(p, "Assassins in the Night") == []
    assert why_not(p, named("The Long Truce", at=THORNWOLD, kind=SONG)) == (
        "Thornwold is protected already."
    )
    lasting.begin_turn(p, 0)
    assert plays(p, "Assassins in the Night") != []


def test_kings_shilling_sweeps_the_row_and_makes_hires_cheaper_this_turn() -> None:
    p = acting()
    refill_row(p)
    before = list(p.row)
    play(p, named("The King's Shilling"))
    assert not set(before) & set(p.row)
    assert 0 not in list(p.row)
    assert p.follower_used_size == 3
    assert [lasting.hire_change(p, seat) for seat in range(3)] == [-2, 0, 0]
    lasting.end_turn(p, 0)
    assert lasting.hire_change(p, 0) == 0


def test_burned_bridges_move_one_follower_and_keep_the_rival_from_marching() -> None:
    p = acting("1 thornwold 2")
    play(p, named("Burned Bridges", rival=1, at=THORNWOLD, to=CAPITAL))
    assert p.followers(1, CAPITAL) == 1
    assert lasting.is_forbidden(p, 1, lasting.FORBID_MARCH)
    assert not lasting.is_forbidden(p, 2, lasting.FORBID_MARCH)
    lasting.end_turn(p, 0)
    assert lasting.is_forbidden(p, 1, lasting.FORBID_MARCH)
    lasting.begin_turn(p, 0)
    assert not lasting.is_forbidden(p, 1, lasting.FORBID_MARCH)


def test_purloined_letter_takes_a_conspiracy_by_its_cost_alone() -> None:
    p = acting()
    hold(p, 1, "The Tithe", "Famine Prices")
    play(p, named("The Purloined Letter", rival=1))
    assert option_texts(p) == (
        "Conspiracy 1 of the hand, which costs 5",
        "Conspiracy 2 of the hand, which costs 4",
    )
    choose(p, 0, "Conspiracy 2 of the hand, which costs 4")
    assert hands.holds(p, 0, CONSPIRACY["Famine Prices"])
    assert happened(p, e.ConspiracyTaken) == [e.ConspiracyTaken(1, 0, 30, 4)]
    assert why_not(p, named("The Purloined Letter", rival=2)) == "Seat 2 holds no Conspiracies."


def test_spiders_web_draws_and_sees() -> None:
    p = acting()
    p.conspiracy_pile[0] = 3
    p.conspiracy_size = 1
    hold(p, 1, "The Tithe")
    play(p, named("The Spider's Web", rival=1))
    assert hands.holds(p, 0, 3)
    assert four(p, 0) == (0, 0, 0, 0)
    assert happened(p, e.CardsSeen) == [
        e.CardsSeen(0, 1, (20,), ()),
        e.CardsSeen(0, None, (), (32, 31)),
    ]
    assert why_not(p, named("The Spider's Web", rival=1)) == "The pile of Conspiracies is empty."


def test_fresh_horses_refresh_marches_and_powers_but_not_the_shield() -> None:
    p = acting()
    action = named("Fresh Horses")
    assert why_not(p, action) == "You have neither Marched nor used a power this turn."
    p.marched = 0b11
    p.used[0] = USED_HORSE | USED_SHIELD
    play(p, action)
    assert (p.marched, p.used[0]) == (0, USED_SHIELD)


def test_flooded_fords_move_each_follower_where_the_player_says() -> None:
    p = acting("1 emberfen 4")
    play(p, named("Flooded Fords", rival=1, at=EMBERFEN))
    choose(p, 0, "To Veilhaven")
    choose(p, 0, "To Hollowmere")
    choose(p, 0, "No more")
    assert [p.followers(1, at) for at in (EMBERFEN, VEILHAVEN)] == [2, 1]
    assert p.program == 0


def test_hostages_are_paid_for_or_lost_as_the_rival_chooses() -> None:
    p = acting("1 thornwold 2", "1 capital 1", stock={1: (3, 3, 0, 0)})
    play(p, named("Hostages", rival=1))
    choose(p, 1, "Give 5 resources")
    for kind in ("Gold", "Steel", "Gold", "Steel"):
        choose(p, 1, kind)
    choose(p, 1, "Gold")
    assert (four(p, 0), four(p, 1)) == ((3, 2, 0, 0), (0, 1, 0, 0))
    assert p.supply[1] == 23

    p = acting("1 thornwold 2", "1 capital 1", stock={1: (3, 3, 0, 0)})
    play(p, named("Hostages", rival=1))
    choose(p, 1, "Lose 2 followers")
    choose(p, 0, "In the Fallen Capital")
    assert (p.followers(1, THORNWOLD), p.followers(1, CAPITAL)) == (1, 0)


def test_hostages_cannot_be_paid_for_in_part() -> None:
    p = acting("1 thornwold 2", stock={1: (4, 0, 0, 0)})
    play(p, named("Hostages", rival=1))
    assert p.choice_seat == -1
    assert (four(p, 1), p.supply[1]) == ((4, 0, 0, 0), 26)


def test_tithe_pays_for_sworn_provinces_up_to_eight() -> None:
    p = acting("0 emberfen 5", "0 veilhaven 5", "0 skyreach 5", "0 hollowmere 5", "1 capital 1")
    play(p, named("The Tithe", kind=OATH))
    assert four(p, 0) == (0, 0, 0, 8)
    p = acting("0 emberfen 5")
    play(p, named("The Tithe", kind=OATH))
    assert four(p, 0) == (0, 0, 0, 2)
    p = acting("0 emberfen 4")
    assert why_not(p, named("The Tithe", kind=OATH)) == "No province is sworn to you."
