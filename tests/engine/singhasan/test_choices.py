"""Choices that cards ask for: who is asked, what the clock takes, and when nobody has to be asked."""

from __future__ import annotations

from arena_engine.singhasan import events as e
from arena_engine.singhasan.choices import choose_by_clock, fill_choices, option_texts, source
from arena_engine.singhasan.effects import is_waiting, run
from arena_engine.singhasan.explain_cards import explain_choice
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import CHOOSE, FIRST
from tests.engine.singhasan.boards import CAPITAL, THORNWOLD, acting, four, happened
from tests.engine.singhasan.schemes import HEADLINE, choose, named, play, turn_up


def test_choice_lists_each_option_once() -> None:
    p = acting()
    turn_up(p, "Harvest Home")
    out = ActionList()
    fill_choices(p, out)
    assert list(out.items[: out.count]) == [CHOOSE | n << FIRST for n in range(4)]
    assert explain_choice(p, CHOOSE | 3 << FIRST) is None
    assert explain_choice(p, CHOOSE | 4 << FIRST) == "There is no option 4: there are 4, from 0."


def test_clock_takes_the_first_option() -> None:
    p = acting(stock={0: (1, 5, 0, 0)})
    turn_up(p, "Rot in the Stores")
    while is_waiting(p):
        choose_by_clock(p)
    assert four(p, 0) == (1, 2, 0, 0)
    assert happened(p, e.ChoiceMade)[0] == e.ChoiceMade(0, 0, by_clock=True)


def test_clock_sends_home_who_no_oath_needs() -> None:
    p = acting("0 capital 8", "0 thornwold 1")
    turn_up(p, "Homesick")
    choose_by_clock(p)
    assert (p.followers(0, CAPITAL), p.followers(0, THORNWOLD)) == (8, 0)


def test_nobody_is_asked_where_there_is_one_way() -> None:
    p = acting("0 thornwold 2")
    turn_up(p, "Homesick")
    assert not is_waiting(p)
    assert happened(p, e.ChoiceMade) == []
    assert p.followers(0, THORNWOLD) == 1


def test_card_does_nothing_where_there_is_no_way() -> None:
    p = acting()
    for name in ("Homesick", "Turned Around in Fog", "Deserters Come Over", "Seized Letters"):
        turn_up(p, name)
        assert not is_waiting(p)
        assert p.program == 0
    assert {type(event) for event in p.log or []} == {e.HeadlineTurned}


def test_choice_survives_a_copy_of_the_position() -> None:
    p = acting("1 thornwold 2", "1 capital 2")
    play(p, named("Rumours of Home", rival=1))
    q = p.clone()
    choose(p, 1, "In Thornwold")
    assert option_texts(q) == option_texts(p) == ("In the Fallen Capital", "In Thornwold")
    choose(q, 1, "In the Fallen Capital")
    assert (q.followers(1, CAPITAL), q.followers(1, THORNWOLD)) == (1, 2)
    assert (p.followers(1, CAPITAL), p.followers(1, THORNWOLD)) == (2, 1)


def test_choice_tells_which_card_asks() -> None:
    p = acting("1 thornwold 2", "1 capital 2")
    assert option_texts(p) == ()
    play(p, named("Rumours of Home", rival=1))
    assert source(p) == (0, 10)
    q = acting()
    turn_up(q, "Harvest Home")
    assert source(q) == (HEADLINE["Harvest Home"], 0)


def test_run_does_not_go_on_while_a_choice_is_open() -> None:
    p = acting()
    turn_up(p, "Harvest Home")
    before = list(p.registers), p.step
    run(p)
    assert (list(p.registers), p.step) == before


def test_shield_spares_the_rival_the_choice() -> None:
    p = acting("1 thornwold 2", "1 capital 2", stock={1: (5, 0, 0, 0)})
    for name in ("Rumours of Home", "Hostages"):
        play(p, named(name, rival=1), shielded=0b010)
        assert not is_waiting(p)
    assert (p.supply[1], four(p, 1)) == (22, (5, 0, 0, 0))
