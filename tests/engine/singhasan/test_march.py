"""March: where, whose, how often, and what shields followers from it."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import lasting, legends
from arena_engine.singhasan.changes import loose
from arena_engine.singhasan.explain_act import explain_march
from arena_engine.singhasan.march import (
    fill_marches,
    finish_march,
    march_action,
    march_aims,
    pay_march,
)
from arena_engine.singhasan.position import FACT_MARCHED, Position
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    HOLLOWMERE,
    KINGSMARCH,
    SALTCOAST,
    SKYREACH,
    THORNWOLD,
    VEILHAVEN,
    acting,
    forbid,
    listed,
    log_of,
    protect,
)


def march(p: Position, start: int, goal: int, owner: int = 0) -> None:
    action = march_action(start, goal, owner)
    assert explain_march(p, 0, action) is None
    pay_march(p, action)
    finish_march(p, 0, action, 0)


def marches(p: Position) -> set[tuple[int, int, int]]:
    return {(a >> 5 & 31, a >> 10 & 31, a >> 15 & 31) for a in listed(p, fill_marches)}


def test_march_goes_across_a_shared_border_from_where_the_claimant_holds_sway() -> None:
    p = acting("0 emberfen 2", "1 emberfen 1", "0 kingsmarch 1", "1 kingsmarch 1")
    near = (CAPITAL, VEILHAVEN, HOLLOWMERE)
    assert marches(p) == {(EMBERFEN, goal, owner) for goal in near for owner in (0, 1)}


def test_march_moves_one_follower_and_is_told_as_such() -> None:
    p = acting("0 emberfen 2", "1 emberfen 1")
    march(p, EMBERFEN, CAPITAL, owner=1)
    assert (p.followers(1, EMBERFEN), p.followers(1, CAPITAL)) == (0, 1)
    assert log_of(p) == [e.Marched(0, 1, EMBERFEN, CAPITAL)]


def test_each_province_is_marched_from_once_a_turn() -> None:
    p = acting("0 emberfen 3", "0 veilhaven 2")
    march(p, EMBERFEN, CAPITAL)
    assert explain_march(p, 0, march_action(EMBERFEN, CAPITAL, 0)) == (
        "You have marched from Emberfen this turn."
    )
    march(p, VEILHAVEN, CAPITAL)


def test_sway_gained_in_mid_turn_counts_and_one_follower_marches_on() -> None:
    p = acting("0 emberfen 2", "1 capital 1", "0 capital 1")
    march(p, EMBERFEN, CAPITAL)
    march(p, CAPITAL, KINGSMARCH)
    march(p, KINGSMARCH, SKYREACH)
    assert p.followers(0, SKYREACH) == 1


def test_sway_lost_in_mid_turn_does_not_count() -> None:
    p = acting("0 emberfen 2", "0 capital 3", "1 capital 2", "1 emberfen 1")
    march(p, EMBERFEN, CAPITAL, owner=1)
    assert explain_march(p, 0, march_action(CAPITAL, KINGSMARCH, 0)) == (
        "A March needs Sway, strictly the most followers; you have none in the Fallen Capital."
    )


def test_march_may_make_a_rival_swear() -> None:
    p = acting("0 emberfen 2", "1 emberfen 1", "1 capital 7")
    march(p, EMBERFEN, CAPITAL, owner=1)
    assert p.sworn[CAPITAL] == 1


def test_needed_followers_and_those_on_rifts_do_not_march() -> None:
    p = acting("0 emberfen 4+1", "0 kingsmarch 0+2", "0 veilhaven 6")
    assert marches(p) == {(VEILHAVEN, goal, 0) for goal in (CAPITAL, SKYREACH, EMBERFEN)}
    march(p, VEILHAVEN, CAPITAL)
    assert loose(p, 0, VEILHAVEN) == 0


def test_march_never_ends_on_a_rift_or_in_a_full_province() -> None:
    p = acting("0 skyreach 2", "1 veilhaven 4", "2 veilhaven 3")
    assert explain_march(p, 0, march_action(SKYREACH, VEILHAVEN, 0)) == (
        "Veilhaven has no free seat off its Rifts."
    )
    assert (SKYREACH, VEILHAVEN, 0) not in marches(p)


def test_march_goes_neither_out_of_nor_into_a_sealed_province() -> None:
    p = acting("0 emberfen 6", "0 capital 1")
    p.sealed[EMBERFEN] = 1
    assert "Sealed" in (explain_march(p, 0, march_action(EMBERFEN, CAPITAL, 0)) or "")
    assert "Sealed" in (explain_march(p, 0, march_action(CAPITAL, EMBERFEN, 0)) or "")
    assert {(start, goal) for start, goal, _ in marches(p)} == {
        (CAPITAL, goal) for goal in (THORNWOLD, KINGSMARCH, VEILHAVEN, HOLLOWMERE, SKYREACH)
    }


def test_march_goes_into_a_protected_province_but_not_out_of_it() -> None:
    p = acting("0 emberfen 2", "0 capital 2")
    protect(p, EMBERFEN)
    assert explain_march(p, 0, march_action(EMBERFEN, CAPITAL, 0)) == (
        "A card in force protects Emberfen: nothing in it can be removed, moved or converted."
    )
    march(p, CAPITAL, EMBERFEN)


def test_lions_skin_keeps_rivals_from_marching_ones_followers() -> None:
    p = acting("0 emberfen 3", "1 emberfen 1", "2 emberfen 1", answers={1: (0, 3, 0, 0)})
    assert {owner for _, _, owner in marches(p)} == {0, 2}
    assert explain_march(p, 0, march_action(EMBERFEN, CAPITAL, 1)) == (
        "Seat 1 wears the Lion's Skin: rivals cannot March its followers."
    )


def test_lions_skin_does_not_keep_its_wearer_from_marching_its_own() -> None:
    p = acting("0 emberfen 1", answers={0: (0, 3, 0, 0)})
    assert len(marches(p)) == 3
    assert legends.level(p, 0, legends.HERACLES) == 3


def test_wildfolk_are_never_marched_and_count_against_sway() -> None:
    p = acting("0 emberfen 1", "0 capital 2", players=2)
    assert {(start, owner) for start, _, owner in marches(p)} == {(CAPITAL, 0)}
    assert "no rival" in (explain_march(p, 0, march_action(CAPITAL, EMBERFEN, 2)) or "")


def test_march_is_aimed_at_the_owner_and_at_nobody_where_that_is_oneself() -> None:
    assert march_aims(0, march_action(EMBERFEN, CAPITAL, 2)) == 0b100
    assert march_aims(0, march_action(EMBERFEN, CAPITAL, 0)) == 0


def test_shielded_march_uses_up_the_march_of_its_province_and_moves_nobody() -> None:
    p = acting("0 emberfen 3", "1 emberfen 1")
    action = march_action(EMBERFEN, CAPITAL, 1)
    pay_march(p, action)
    finish_march(p, 0, action, 0b010)
    assert (p.followers(1, EMBERFEN), log_of(p)) == (1, [])
    assert explain_march(p, 0, action) == "You have marched from Emberfen this turn."


def test_shielded_march_is_none_for_the_duel() -> None:
    p = acting("0 emberfen 3", "1 emberfen 1", "0 capital 1")
    march(p, EMBERFEN, CAPITAL, owner=1)
    finish_march(p, 0, march_action(CAPITAL, EMBERFEN, 1), 0b010)
    assert p.facts[FACT_MARCHED * 3] == 1


def test_march_can_be_forbidden_by_a_card() -> None:
    p = acting("0 emberfen 3")
    forbid(p, 0, lasting.FORBID_MARCH)
    assert not marches(p)
    assert explain_march(p, 0, march_action(EMBERFEN, CAPITAL, 0)) == (
        "A card in force forbids you to March."
    )


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (march_action(EMBERFEN, KINGSMARCH, 0), "Emberfen and Kingsmarch share no border."),
        (march_action(EMBERFEN, EMBERFEN, 0), "Emberfen and Emberfen share no border."),
        (
            march_action(EMBERFEN, SALTCOAST, 0),
            "The Salt Coast lies under the sea: it is not in play with 3 claimants.",
        ),
        (march_action(EMBERFEN, 20, 0), "There is no province 20; they go from 0 to 8."),
        (march_action(20, EMBERFEN, 0), "There is no province 20; they go from 0 to 8."),
        (march_action(EMBERFEN, CAPITAL, 3), "Seat 3 is no rival of yours."),
        (
            march_action(EMBERFEN, CAPITAL, 2),
            "Seat 2 has no loose follower in Emberfen: off the Rifts and not needed for its oath.",
        ),
    ],
)
def test_march_that_is_not_legal_says_why(action: int, reason: str) -> None:
    assert explain_march(acting("0 emberfen 2"), 0, action) == reason
