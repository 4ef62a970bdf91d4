"""Lasting effects: for whom, how strongly, and each to its stated moment."""

from __future__ import annotations

from arena_engine.singhasan import events as e
from arena_engine.singhasan import lasting
from arena_engine.singhasan.position import Position
from tests.engine.singhasan.boards import CAPITAL, THORNWOLD, acting, happened
from tests.engine.singhasan.schemes import named, play, turn_up


def start(
    p: Position, what: int, until: int, amount: int = 1, seat: int = 0, card: int = 1
) -> None:
    lasting.begin(p, lasting.pack(what, 0b111, amount, -1, until), seat, card, 0)


def test_changes_add_up_for_their_subjects_alone() -> None:
    p = acting()
    for amount, card in ((2, 1), (-1, 2)):
        effect = lasting.pack(lasting.HIRE_CHANGE, 0b101, amount, -1, lasting.UNTIL_NEXT_TURN)
        lasting.begin(p, effect, 0, card, 0)
    assert [lasting.hire_change(p, seat) for seat in range(3)] == [1, 0, 1]
    assert lasting.conspiracy_change(p, 0) == lasting.limit_change(p, 0) == 0


def test_changes_keep_their_sign_and_strength() -> None:
    for amount in range(-8, 8):
        p = acting()
        start(p, lasting.LIMIT_CHANGE, lasting.UNTIL_NEXT_TURN, amount)
        assert lasting.limit_change(p, 2) == amount


def test_bans_forbid_one_thing_to_their_subjects() -> None:
    p = acting()
    effect = lasting.pack(lasting.FORBIDDEN, 0b010, lasting.FORBID_MARCH, -1, 0)
    lasting.begin(p, effect, 0, 0, 30)
    assert lasting.is_forbidden(p, 1, lasting.FORBID_MARCH)
    assert not lasting.is_forbidden(p, 0, lasting.FORBID_MARCH)
    assert not lasting.is_forbidden(p, 1, lasting.FORBID_HIRE)


def test_protection_is_of_one_province() -> None:
    p = acting()
    play(p, named("The Long Truce", at=THORNWOLD, kind=0))
    assert lasting.is_protected(p, THORNWOLD)
    assert not lasting.is_protected(p, CAPITAL)


def test_until_the_turn_ends_is_the_turn_under_way() -> None:
    p = acting()
    start(p, lasting.HIRE_CHANGE, lasting.UNTIL_TURN_END, seat=2)
    lasting.end_turn(p, 0)
    assert lasting.hire_change(p, 0) == 0


def test_until_your_next_turn_is_the_beginning_of_the_callers() -> None:
    p = acting()
    start(p, lasting.HIRE_CHANGE, lasting.UNTIL_NEXT_TURN, seat=1)
    lasting.end_turn(p, 1)
    lasting.begin_turn(p, 2)
    lasting.end_turn(p, 2)
    lasting.end_round(p)
    lasting.begin_turn(p, 0)
    assert lasting.hire_change(p, 0) == 1
    lasting.begin_turn(p, 1)
    assert lasting.hire_change(p, 0) == 0


def test_until_the_end_of_your_next_turn_outlives_the_turn_that_brought_it() -> None:
    p = acting()
    start(p, lasting.INCOME_CHANGE, lasting.UNTIL_NEXT_TURN_END, seat=1)
    lasting.end_turn(p, 1)
    lasting.begin_turn(p, 2)
    lasting.end_turn(p, 2)
    lasting.begin_turn(p, 1)
    assert lasting.income_change(p, 1) == 1
    lasting.end_turn(p, 1)
    assert lasting.income_change(p, 1) == 0


def test_until_the_next_round_is_complete_outlives_the_round_under_way() -> None:
    p = acting()
    start(p, lasting.HIRE_CHANGE, lasting.UNTIL_NEXT_ROUND_END)
    lasting.end_round(p)
    assert lasting.hire_change(p, 0) == 1
    lasting.end_turn(p, 0)
    lasting.end_round(p)
    assert lasting.hire_change(p, 0) == 0


def test_effects_of_one_card_share_a_chip_and_end_together() -> None:
    p = acting()
    p.turn = 1
    p.phase = 2
    play(p, named("Writ of Silence"))
    assert [lasting.chip_of(effect) for effect in p.lasting] == [1, 1, 1]
    assert happened(p, e.LastingBegan) == [e.LastingBegan(1, 0, 0, 29)]
    lasting.end_turn(p, 1)
    assert happened(p, e.LastingEnded) == [e.LastingEnded(1)]
    assert len(p.lasting) == 0


def test_chip_of_an_ended_effect_is_given_again() -> None:
    p = acting()
    turn_up(p, "The Lean Season")
    turn_up(p, "The Bridges Are Down")
    turn_up(p, "Roads of Mud")
    assert [begun.chip for begun in happened(p, e.LastingBegan)] == [1, 2, 3]
    lasting.begin_turn(p, 0)
    turn_up(p, "Open Granaries")
    assert happened(p, e.LastingEnded) == [e.LastingEnded(2)]
    assert happened(p, e.LastingBegan)[-1].chip == 2


def test_effect_knows_its_card_caller_and_moment() -> None:
    p = acting()
    turn_up(p, "The Bridges Are Down", seat=2)
    effect = p.lasting[0]
    assert (lasting.source_of(effect), lasting.headline_of(effect)) == (2, 30)
    assert lasting.conspiracy_of(effect) == 0
    assert lasting.subjects_of(effect) == 0b111
    assert lasting.until_of(effect) == lasting.UNTIL_NEXT_TURN
    assert lasting.province_of(effect) == -1
