"""Hiring: what it costs, where followers fit, Rifts and the Headlines they call, Song of the Road."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import lasting
from arena_engine.singhasan.changes import free_rifts
from arena_engine.singhasan.explain_act import explain_hire
from arena_engine.singhasan.hire import CARD_ANY, CARD_COST, CARD_FOLLOWERS, do_hire, fill_hires
from arena_engine.singhasan.kinds import Cause, Power
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import FIRST, FOURTH, HIRE, PAYMENT, SECOND, THIRD, field
from arena_engine.singhasan.position import FOLLOWERS, USED_SONG, Position
from arena_engine.singhasan.stock import nibble, payment_of, sum_of
from tests.engine.singhasan.boards import (
    ASHFALL,
    CAPITAL,
    EMBERFEN,
    THORNWOLD,
    VEILHAVEN,
    acting,
    change,
    forbid,
    four,
    happened,
    listed,
    log_of,
    packed,
    protect,
)

RICH = {0: (9, 9, 9, 9)}
SINGER = {0: (0, 0, 3, 0)}


def card_of(followers: int, *, has_any: bool = False) -> int:
    """A Follower card of a size, with or without a part in any kind."""
    return next(
        card
        for card in range(1, FOLLOWERS + 1)
        if CARD_FOLLOWERS[card] == followers and (CARD_ANY[card] > 0) == has_any
    )


def with_row(p: Position, *cards: int) -> Position:
    for slot, card in enumerate(cards):
        p.row[slot] = card
    return p


def hire(
    p: Position, province: int, on_rifts: int = 0, *, song: bool = False, payment: int = -1
) -> int:
    """A hire from the first place of the row, for its printed price unless told."""
    card = p.row[0]
    paid = payment if payment >= 0 else CARD_COST[card] + CARD_ANY[card]
    return HIRE | province << SECOND | on_rifts << THIRD | song << FOURTH | paid << PAYMENT


def places(p: Position) -> set[tuple[int, int, int]]:
    """Province, number on Rifts and Song of all listed hires."""
    return {(field(a, SECOND), field(a, THIRD), field(a, FOURTH)) for a in listed(p, fill_hires)}


@pytest.mark.parametrize(("followers", "price"), [(1, 4), (2, 6), (3, 8)])
def test_card_of_1_2_or_3_followers_costs_4_6_or_8(followers: int, price: int) -> None:
    p = with_row(acting(stock=RICH), card_of(followers))
    do_hire(p, 0, hire(p, EMBERFEN))
    assert p.followers(0, EMBERFEN) == followers
    assert (p.supply[0], p.total(0)) == (26 - followers, 36 - price)


def test_hire_is_told_and_leaves_its_place_in_the_row_empty() -> None:
    p = with_row(acting(stock=RICH), card_of(2), card_of(1))
    card = p.row[0]
    paid = [nibble(CARD_COST[card], kind) for kind in range(4)]
    do_hire(p, 0, hire(p, EMBERFEN))
    assert log_of(p) == [
        e.ResourcesLost(0, Resources(*paid), Cause.HIRE),
        e.Hired(0, card, EMBERFEN, 2, 0, with_song=False),
    ]
    assert list(p.row) == [0, card_of(1), 0]
    assert list(p.follower_used[: p.follower_used_size]) == [card]
    assert explain_hire(p, 0, hire(p, EMBERFEN)) == "Place 0 of the hire row is empty."


def test_claimant_chooses_how_many_go_on_rifts() -> None:
    p = with_row(acting(stock=RICH), card_of(3))
    assert {(on, song) for where, on, song in places(p) if where == CAPITAL} == {
        (0, 0),
        (1, 0),
        (2, 0),
    }
    assert {on for where, on, _ in places(p) if where == EMBERFEN} == {0, 1}
    assert explain_hire(p, 0, hire(p, EMBERFEN, 2)) == (
        "Emberfen has too few free Rifts: 2 are needed, 1 are free."
    )


def test_where_only_rifts_are_free_followers_go_there() -> None:
    p = with_row(acting("1 veilhaven 4", "2 veilhaven 2", stock=RICH), card_of(3))
    assert {on for where, on, _ in places(p) if where == VEILHAVEN} == {2}
    assert explain_hire(p, 0, hire(p, VEILHAVEN, 1)) == (
        "Off its Rifts Veilhaven has room for 1: put 2 on Rifts."
    )


def test_all_that_a_card_places_must_fit_in_one_province() -> None:
    p = with_row(acting("1 emberfen 4", "2 emberfen 3", stock=RICH), card_of(3), card_of(2))
    hires = {(field(a, FIRST), field(a, SECOND)) for a in listed(p, fill_hires)}
    assert (0, EMBERFEN) not in hires
    assert (1, EMBERFEN) in hires
    assert explain_hire(p, 0, hire(p, EMBERFEN, 1)) == (
        "Emberfen has too few free seats: 3 are needed, 2 are free."
    )


def test_each_follower_on_a_rift_calls_a_headline_face_down() -> None:
    p = with_row(acting(stock=RICH), card_of(3))
    do_hire(p, 0, hire(p, CAPITAL, 2))
    assert p.on_rifts[CAPITAL] == 2
    assert list(p.called) == [32, 31]  # of seat 0, from the top of the deck
    assert p.headline_size == 30
    assert happened(p, e.HeadlineCalled) == [e.HeadlineCalled(0)] * 2
    assert free_rifts(p, CAPITAL) == 0


def test_hiring_may_make_a_province_swear() -> None:
    p = with_row(acting("0 emberfen 4", stock=RICH), card_of(1))
    do_hire(p, 0, hire(p, EMBERFEN, 1))
    assert p.sworn[EMBERFEN] == 0


def test_hiring_into_a_sealed_province_is_allowed() -> None:
    p = with_row(acting("0 emberfen 5", stock=RICH), card_of(2))
    p.sealed[EMBERFEN] = 1
    assert (EMBERFEN, 1, 0) in places(p)
    assert explain_hire(p, 0, hire(p, EMBERFEN, 1)) is None


def test_short_supply_places_what_there_is_for_the_full_price() -> None:
    p = with_row(acting(stock=RICH), card_of(3))
    p.supply[0] = 2
    do_hire(p, 0, hire(p, EMBERFEN))
    assert (p.followers(0, EMBERFEN), p.supply[0], p.total(0)) == (2, 0, 28)


def test_short_supply_needs_room_only_for_what_there_is() -> None:
    p = with_row(acting("1 emberfen 4", "2 emberfen 4", stock=RICH), card_of(3))
    p.supply[0] = 1
    assert (EMBERFEN, 1, 0) in places(p)
    assert explain_hire(p, 0, hire(p, EMBERFEN, 1)) is None


def test_empty_supply_hires_nobody() -> None:
    p = with_row(acting(stock=RICH), card_of(1))
    p.supply[0] = 0
    assert places(p) == set()
    assert explain_hire(p, 0, hire(p, EMBERFEN)) == (
        "Your supply is empty: there is nobody to hire."
    )


def test_song_of_the_road_adds_a_follower_for_1_song() -> None:
    p = with_row(acting(stock=RICH, answers=SINGER), card_of(1))
    action = hire(p, EMBERFEN, song=True)
    assert explain_hire(p, 0, action) is None
    do_hire(p, 0, action)
    assert (p.followers(0, EMBERFEN), p.total(0)) == (2, 36 - 4 - 1)
    assert p.used[0] & USED_SONG
    assert happened(p, e.PowerUsed) == [e.PowerUsed(0, Power.SONG_OF_THE_ROAD)]
    assert happened(p, e.Hired)[0].followers == 2


def test_extra_follower_may_go_on_a_rift_and_must_fit_like_the_others() -> None:
    p = with_row(acting("1 emberfen 4", "2 emberfen 3", stock=RICH, answers=SINGER), card_of(2))
    assert {place for place in places(p) if place[0] == EMBERFEN} == {(EMBERFEN, 1, 0)}
    q = with_row(acting(stock=RICH, answers=SINGER), card_of(1))
    assert (THORNWOLD, 2, 1) in places(q)


def test_song_of_the_road_works_once_a_turn() -> None:
    p = with_row(acting(stock=RICH, answers=SINGER), card_of(1), card_of(1))
    do_hire(p, 0, hire(p, EMBERFEN, song=True))
    p.row[0] = card_of(1)
    assert not any(song for _, _, song in places(p))
    assert explain_hire(p, 0, hire(p, EMBERFEN, song=True)) == (
        "Song of the Road is used up for this turn."
    )


def test_song_of_the_road_needs_orpheus() -> None:
    p = with_row(acting(stock=RICH, answers={0: (0, 0, 2, 0)}), card_of(1))
    assert explain_hire(p, 0, hire(p, EMBERFEN, song=True)) == (
        "Song of the Road wakes at 3 answers of the Thousand Voices; you hold 2."
    )


def test_song_of_the_road_needs_somebody_in_the_supply_beside_the_card() -> None:
    p = with_row(acting(stock=RICH, answers=SINGER), card_of(2))
    p.supply[0] = 2
    assert not any(song for _, _, song in places(p))
    assert explain_hire(p, 0, hire(p, EMBERFEN, song=True)) == (
        "Your supply has nobody left for the Song of the Road to add."
    )


def test_the_songs_price_is_not_to_be_had_twice() -> None:
    card = next(c for c in range(1, 41) if nibble(CARD_COST[c], 2) and not CARD_ANY[c])
    price = tuple(nibble(CARD_COST[card], kind) for kind in range(4))
    p = with_row(acting(stock={0: price}, answers=SINGER), card)
    assert {song for _, _, song in places(p)} == {0}
    assert "You do not have" in (explain_hire(p, 0, hire(p, EMBERFEN, song=True)) or "")


def test_song_of_the_road_falls_to_a_card_that_forbids_powers() -> None:
    p = with_row(acting(stock=RICH, answers=SINGER), card_of(1))
    forbid(p, 0, lasting.FORBID_POWER)
    assert {song for _, _, song in places(p)} == {0}
    assert "forbids" in (explain_hire(p, 0, hire(p, EMBERFEN, song=True)) or "")


def test_any_part_takes_any_kind() -> None:
    card = card_of(2, has_any=True)
    for kind in range(4):
        p = with_row(acting(stock=RICH), card)
        paid = CARD_COST[card] + (CARD_ANY[card] << 4 * kind)
        assert explain_hire(p, 0, hire(p, EMBERFEN, payment=paid)) is None


def test_surcharge_is_paid_in_any_kind() -> None:
    card = card_of(1)
    p = with_row(acting(stock=RICH), card)
    change(p, 0, lasting.HIRE_CHANGE, 1)
    assert "does not pay that" in (explain_hire(p, 0, hire(p, EMBERFEN)) or "")
    for kind in range(4):
        paid = CARD_COST[card] + (1 << 4 * kind)
        assert explain_hire(p, 0, hire(p, EMBERFEN, payment=paid)) is None
    assert {sum_of(payment_of(a)) for a in listed(p, fill_hires)} == {5}


def test_discount_comes_off_the_part_the_payer_chooses() -> None:
    card = card_of(1)
    p = with_row(acting(stock=RICH), card)
    change(p, 0, lasting.HIRE_CHANGE, -1)
    asked = [kind for kind in range(4) if nibble(CARD_COST[card], kind)]
    for kind in asked:
        paid = CARD_COST[card] - (1 << 4 * kind)
        assert explain_hire(p, 0, hire(p, EMBERFEN, payment=paid)) is None
    assert {sum_of(payment_of(a)) for a in listed(p, fill_hires)} == {3}


def test_surcharges_and_discounts_in_force_add_up() -> None:
    p = with_row(acting(stock=RICH), card_of(1))
    for amount in (2, -1):
        change(p, 0, lasting.HIRE_CHANGE, amount)
    assert {sum_of(payment_of(a)) for a in listed(p, fill_hires)} == {5}
    for _ in range(3):
        change(p, 0, lasting.HIRE_CHANGE, -2)
    assert {payment_of(a) for a in listed(p, fill_hires)} == {0}
    assert explain_hire(p, 0, hire(p, EMBERFEN, payment=0)) is None


def test_protected_province_can_be_hired_into() -> None:
    p = with_row(acting(stock=RICH), card_of(1))
    protect(p, EMBERFEN)
    assert explain_hire(p, 0, hire(p, EMBERFEN, 1)) is None


def test_listed_hires_are_legal_and_cost_what_the_claimant_has() -> None:
    for card in range(1, FOLLOWERS + 1):
        p = with_row(acting("1 veilhaven 4", "2 veilhaven 2", stock={0: (3, 2, 3, 2)}), card)
        for action in listed(p, fill_hires):
            assert explain_hire(p, 0, action) is None
            q = p.clone()
            do_hire(q, 0, action)
            assert min(four(q, 0)) >= 0


def test_hiring_can_be_forbidden_by_a_card() -> None:
    p = with_row(acting(stock=RICH), card_of(1))
    forbid(p, 0, lasting.FORBID_HIRE)
    assert places(p) == set()
    assert explain_hire(p, 0, hire(p, EMBERFEN)) == "A card in force forbids you to hire."


def test_hire_that_is_not_legal_says_why() -> None:
    p = with_row(acting(stock={0: (1, 1, 1, 1)}), card_of(1))
    assert explain_hire(p, 0, hire(p, ASHFALL)) == (
        "The Ashfall Steppe lies under the sea: it is not in play with 3 claimants."
    )
    assert explain_hire(p, 0, hire(p, EMBERFEN, 2)) == (
        "You hire 1 here, so 2 cannot stand on Rifts."
    )
    assert explain_hire(p, 0, hire(p, EMBERFEN) | 3 << FIRST) == (
        "The hire row has no place 3; they go from 0 to 2."
    )
    assert "does not pay that" in (
        explain_hire(p, 0, hire(p, EMBERFEN, payment=packed(4, 4))) or ""
    )
    assert "You do not have" in (explain_hire(p, 0, hire(p, EMBERFEN)) or "")
