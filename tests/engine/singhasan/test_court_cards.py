"""The 10 court cards: played in the window before a rival answers, and aimed at that rival."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import hands, lasting
from arena_engine.singhasan.cards import aims_at
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.phases import ACT
from arena_engine.singhasan.position import COURT_BY_LOT, COURT_HUSHED, COURT_NO_REDRAW
from tests.engine.singhasan.boards import CAPITAL, KINGSMARCH, THORNWOLD, four, happened
from tests.engine.singhasan.schemes import (
    CONSPIRACY,
    GOLD,
    hold,
    in_court,
    named,
    play,
    plays,
    why_not,
)

COURT_CARDS = [card.name for card in CONSPIRACIES if card.is_court]
DEEDS = [card.name for card in CONSPIRACIES if not card.is_court]


def test_court_cards_are_for_the_window_and_deeds_for_the_own_act_step() -> None:
    p = in_court("1 thornwold 3", stock={1: (3, 3, 3, 3)})
    for name in DEEDS:
        assert why_not(p, named(name)) == (
            "A deed is played in your own turn, once the court is answered."
        )
    hold(p, 0, *COURT_CARDS)
    assert all(plays(p, name) for name in COURT_CARDS)
    p.phase = ACT
    p.turn = 0
    for name in COURT_CARDS:
        assert why_not(p, named(name)) == "A court card is played before a rival answers."


def test_claimant_who_answers_plays_no_court_card() -> None:
    p = in_court("1 thornwold 3", "0 thornwold 1")
    hold(p, 1, *COURT_CARDS)
    assert all(plays(p, name, seat=1) == [] for name in COURT_CARDS)


@pytest.mark.parametrize("name", COURT_CARDS)
def test_every_court_card_is_aimed_at_who_answers(name: str) -> None:
    p = in_court("1 thornwold 3", players=4, stock={1: (3, 3, 3, 3)})
    hold(p, 3, name)
    for action in plays(p, name, seat=3):
        assert aims_at(p, 3, action) == 0b0010


@pytest.mark.parametrize("name", COURT_CARDS)
def test_shield_cancels_the_claimants_part_alone_and_the_card_is_spent(name: str) -> None:
    p = in_court("1 thornwold 3", stock={1: (3, 3, 3, 3)})
    hold(p, 0, name)
    play(p, plays(p, name)[0], shielded=0b010)
    assert not hands.holds(p, 0, CONSPIRACY[name])
    assert (p.court, p.court_tax, p.question, len(p.lasting)) == (0, 0, 1, 0)
    assert (p.followers(1, THORNWOLD), four(p, 1)) == (3, (3, 3, 3, 3))
    gains = sum(sum(vars(event.resources).values()) for event in happened(p, e.ResourcesGained))
    assert gains == (1 if "You gain 1" in CONSPIRACIES[CONSPIRACY[name] - 1].text else 0)


def test_poisoned_ink_taxes_the_answer() -> None:
    p = in_court()
    play(p, named("Poisoned Ink"))
    assert p.court_tax == 2


def test_taxes_of_several_rivals_stand_side_by_side_and_end_at_what_an_answer_pays() -> None:
    p = in_court(players=4)
    play(p, named("Poisoned Ink"), seat=2)
    play(p, named("Cast of Bones"), seat=0)
    assert p.court_tax == (2 << 8) + 1
    hold(p, 3, "Poisoned Ink")
    assert why_not(p, named("Poisoned Ink"), seat=3) == (
        "All that this answer pays goes to others already."
    )


def test_hushed_bells_take_the_tribute() -> None:
    p = in_court()
    play(p, named("Hushed Bells"))
    assert p.court == COURT_HUSHED
    assert four(p, 0) == (0, 0, 1, 0)
    assert why_not(p, named("Hushed Bells")) == "Tribute is hushed already."


def test_loaded_question_replaces_the_question_and_forbids_the_redraw() -> None:
    p = in_court()
    play(p, named("The Loaded Question"))
    assert p.question not in {0, 1}
    assert p.question_at[0] == 1
    assert p.court & COURT_NO_REDRAW
    assert happened(p, e.QuestionSentAway) == [e.QuestionSentAway(0, 1)]


def test_cast_of_bones_draws_the_answer_by_lot() -> None:
    p = in_court()
    play(p, named("Cast of Bones"))
    assert p.court == COURT_BY_LOT
    assert p.court_tax == 1


def test_clerks_seal_takes_two_and_forbids_the_redraw() -> None:
    p = in_court(stock={1: (3, 1, 0, 0)})
    play(p, named("The Clerk's Seal", kind=GOLD))
    assert p.court == COURT_NO_REDRAW
    assert (four(p, 0), four(p, 1)) == ((2, 0, 0, 0), (1, 1, 0, 0))
    p = in_court()
    assert why_not(p, named("The Clerk's Seal", kind=GOLD)) == "There are no resources to take."


def test_knife_at_the_banquet_removes_one_follower() -> None:
    p = in_court("1 thornwold 2", "2 thornwold 1")
    play(p, named("A Knife at the Banquet", at=THORNWOLD))
    assert [p.followers(seat, THORNWOLD) for seat in (1, 2)] == [1, 1]
    assert four(p, 0) == (0, 1, 0, 0)


def test_sudden_summons_move_followers_across_one_border() -> None:
    p = in_court("1 thornwold 3")
    play(p, named("Sudden Summons", at=THORNWOLD, to=KINGSMARCH, count=2))
    assert [p.followers(1, at) for at in (THORNWOLD, KINGSMARCH, CAPITAL)] == [1, 2, 0]


def test_road_wardens_stop_marches_and_trade_for_one_turn() -> None:
    p = in_court()
    play(p, named("Road Wardens"))
    for what in (lasting.FORBID_MARCH, lasting.FORBID_BANK, lasting.FORBID_OFFER):
        assert [lasting.is_forbidden(p, seat, what) for seat in range(3)] == [False, True, False]
    lasting.end_turn(p, 1)
    assert len(p.lasting) == 0


def test_writ_of_silence_forbids_conspiracies_and_powers() -> None:
    p = in_court("2 thornwold 2")
    play(p, named("Writ of Silence"))
    assert lasting.is_forbidden(p, 1, lasting.FORBID_POWER)
    assert lasting.is_forbidden(p, 1, lasting.FORBID_BUY)
    p.phase = ACT
    hold(p, 1, "Assassins in the Night")
    action = named("Assassins in the Night", rival=2, at=THORNWOLD, count=1)
    assert why_not(p, action, seat=1) == "A card in force forbids you to play deeds."


def test_famine_prices_make_hires_dearer_for_one_turn() -> None:
    p = in_court()
    play(p, named("Famine Prices"))
    assert [lasting.hire_change(p, seat) for seat in range(3)] == [0, 2, 0]
    lasting.end_turn(p, 1)
    assert lasting.hire_change(p, 1) == 0
