"""The powers of the act step, one rule after the other."""

from __future__ import annotations

import pytest

from arena_engine.singhasan import events as e
from arena_engine.singhasan import lasting
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.explain_powers import explain_power
from arena_engine.singhasan.kinds import Cause, Power
from arena_engine.singhasan.messages import Resources
from arena_engine.singhasan.packing import CHARM, FIRST, SECOND, STABLES, THIRD, WALLS, WOODEN_HORSE
from arena_engine.singhasan.position import CHARMED_TWICE, Position
from arena_engine.singhasan.powers import fill_powers, finish_power, pay_power, power_aims
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    SKYREACH,
    THORNWOLD,
    VEILHAVEN,
    acting,
    forbid,
    four,
    happened,
    listed,
    log_of,
    protect,
)

ODYSSEUS, HERACLES, ORPHEUS, HECTOR = (
    {0: tuple(5 * (i == legend) for i in range(4))} for legend in range(4)
)
RICH = {0: (9, 9, 9, 9)}


def horse(province: int, rival: int) -> int:
    return WOODEN_HORSE | province << FIRST | rival << SECOND


def stables(province: int, rival: int, count: int) -> int:
    return STABLES | province << FIRST | rival << SECOND | count << THIRD


def charm(start: int, goal: int) -> int:
    return CHARM | start << FIRST | goal << SECOND


def walls(province: int) -> int:
    return WALLS | province << FIRST


def use(p: Position, action: int, shielded: int = 0) -> None:
    assert action in listed(p, fill_powers)
    assert explain_power(p, 0, action) is None
    pay_power(p, 0, action)
    finish_power(p, 0, action, shielded)


def test_horse_replaces_a_rival_follower_anywhere_without_presence() -> None:
    p = acting("1 emberfen 2", stock=RICH, answers=ODYSSEUS)
    use(p, horse(EMBERFEN, 1))
    assert (p.followers(0, EMBERFEN), p.followers(1, EMBERFEN)) == (1, 1)
    assert (p.supply[0], p.supply[1]) == (25, 25)
    assert four(p, 0) == (7, 9, 9, 9)
    assert log_of(p) == [
        e.ResourcesLost(0, Resources(gold=2), Cause.POWER),
        e.PowerUsed(0, Power.WOODEN_HORSE, EMBERFEN, 1),
        e.FollowerReplaced(EMBERFEN, 1, 0),
    ]


def test_horse_is_one_change_that_breaks_and_swears_together() -> None:
    p = acting("1 emberfen 5", "0 emberfen 4", stock=RICH, answers=ODYSSEUS)
    use(p, horse(EMBERFEN, 1))
    assert p.sworn[EMBERFEN] == 0
    assert [type(event) for event in log_of(p)][-3:] == [
        e.FollowerReplaced,
        e.ProvinceBroke,
        e.ProvinceSworn,
    ]


def test_horse_needs_a_follower_in_the_own_supply() -> None:
    p = acting("1 emberfen 2", stock=RICH, answers=ODYSSEUS)
    p.supply[0] = 0
    assert listed(p, fill_powers) == []
    assert explain_power(p, 0, horse(EMBERFEN, 1)) == (
        "Your supply is empty: there is nobody to leave the Wooden Horse."
    )


def test_stables_remove_1_to_3_as_the_claimant_chooses() -> None:
    p = acting("0 emberfen 1", "1 emberfen 4", stock=RICH, answers=HERACLES)
    assert listed(p, fill_powers) == [stables(EMBERFEN, 1, count) for count in (1, 2, 3)]
    use(p, stables(EMBERFEN, 1, 2))
    assert p.followers(1, EMBERFEN) == 2
    assert four(p, 0) == (9, 8, 9, 9)


def test_stables_need_own_presence_and_a_rift_follower_is_enough() -> None:
    p = acting("0 emberfen 0+1", "1 emberfen 1", "1 capital 1", stock=RICH, answers=HERACLES)
    assert listed(p, fill_powers) == [stables(EMBERFEN, 1, 1)]
    assert explain_power(p, 0, stables(CAPITAL, 1, 1)) == (
        "You have no followers in the Fallen Capital, and the Stables are cleaned where you have some."
    )


def test_stables_may_break_a_province() -> None:
    p = acting("0 emberfen 1", "1 emberfen 5", stock=RICH, answers=HERACLES)
    use(p, stables(EMBERFEN, 1, 1))
    assert p.sworn[EMBERFEN] == -1


def test_charm_moves_two_followers_one_after_the_other_for_one_price() -> None:
    p = acting("0 emberfen 2", stock=RICH, answers=ORPHEUS)
    use(p, charm(EMBERFEN, THORNWOLD))
    assert four(p, 0) == (9, 9, 7, 9)
    use(p, charm(EMBERFEN, SKYREACH))
    assert four(p, 0) == (9, 9, 7, 9)
    assert p.followers(0, THORNWOLD) == p.followers(0, SKYREACH) == 1
    assert p.used[0] & CHARMED_TWICE
    assert explain_power(p, 0, charm(SKYREACH, EMBERFEN)) == (
        "Charm the Stones is used up for this turn."
    )
    assert len(happened(p, e.PowerUsed)) == 1


def test_charm_checks_oaths_after_each_follower_and_may_break_ones_own_province() -> None:
    p = acting("0 emberfen 5", "0 capital 7", stock=RICH, answers=ORPHEUS)
    use(p, charm(EMBERFEN, CAPITAL))
    assert (p.sworn[EMBERFEN], p.sworn[CAPITAL]) == (-1, 0)
    use(p, charm(CAPITAL, EMBERFEN))
    assert (p.sworn[EMBERFEN], p.sworn[CAPITAL]) == (0, -1)


def test_second_charm_needs_no_song_but_the_legend_still() -> None:
    p = acting("0 emberfen 2", stock={0: (0, 0, 2, 0)}, answers=ORPHEUS)
    use(p, charm(EMBERFEN, CAPITAL))
    assert explain_power(p, 0, charm(EMBERFEN, CAPITAL)) is None
    p.answers[2] = 4
    assert explain_power(p, 0, charm(EMBERFEN, CAPITAL)) == (
        "Charm the Stones wakes at 5 answers of the Thousand Voices; you hold 4."
    )
    assert listed(p, fill_powers) == []


def test_charm_neither_off_nor_onto_rifts() -> None:
    p = acting("0 emberfen 0+1", "0 capital 1", "1 veilhaven 7", stock=RICH, answers=ORPHEUS)
    assert explain_power(p, 0, charm(EMBERFEN, CAPITAL)) == (
        "You have no follower off the Rifts in Emberfen."
    )
    assert explain_power(p, 0, charm(CAPITAL, VEILHAVEN)) == (
        "Veilhaven has no free seat off its Rifts."
    )
    assert not {charm(EMBERFEN, CAPITAL), charm(CAPITAL, VEILHAVEN)} & set(listed(p, fill_powers))


def test_powers_never_touch_a_follower_on_a_rift() -> None:
    for answers, action in ((ODYSSEUS, horse(EMBERFEN, 1)), (HERACLES, stables(EMBERFEN, 1, 1))):
        p = acting("0 emberfen 1", "1 emberfen 0+1", stock=RICH, answers=answers)
        assert listed(p, fill_powers) == []
        assert explain_power(p, 0, action) == "Seat 1 has no follower off the Rifts in Emberfen."


@pytest.mark.parametrize("guard", ["sealed", "protected"])
def test_powers_touch_nothing_in_a_sealed_or_protected_province(guard: str) -> None:
    for answers, action in (
        (ODYSSEUS, horse(EMBERFEN, 1)),
        (HERACLES, stables(EMBERFEN, 1, 1)),
        (ORPHEUS, charm(EMBERFEN, CAPITAL)),
    ):
        p = acting("0 emberfen 2", "1 emberfen 2", stock=RICH, answers=answers)
        if guard == "sealed":
            p.sealed[EMBERFEN] = 1
        else:
            protect(p, EMBERFEN)
        assert listed(p, fill_powers) == []
        assert "nothing in it" in (explain_power(p, 0, action) or "")


def test_charm_goes_into_a_protected_province_and_not_into_a_sealed_one() -> None:
    p = acting("0 emberfen 2", stock=RICH, answers=ORPHEUS)
    protect(p, CAPITAL)
    p.sealed[VEILHAVEN] = 1
    assert explain_power(p, 0, charm(EMBERFEN, CAPITAL)) is None
    assert explain_power(p, 0, charm(EMBERFEN, VEILHAVEN)) == (
        "Veilhaven is Sealed: only a hire adds to it."
    )


def test_walls_seal_a_sworn_province_for_1_more_point() -> None:
    p = acting("0 emberfen 5", "1 capital 8", stock=RICH, answers=HECTOR)
    before = score(p, 0)
    assert listed(p, fill_powers) == [walls(EMBERFEN)]
    use(p, walls(EMBERFEN))
    assert (p.sealed[EMBERFEN], score(p, 0)) == (1, before + 1)
    assert four(p, 0) == (9, 9, 9, 7)
    assert log_of(p)[-2:] == [
        e.PowerUsed(0, Power.WALLS_OF_TROY, EMBERFEN),
        e.ProvinceSealed(0, EMBERFEN),
    ]


def test_walls_seal_only_what_is_sworn_to_the_claimant_and_once() -> None:
    p = acting("0 emberfen 5", "1 capital 8", stock=RICH, answers=HECTOR)
    assert explain_power(p, 0, walls(CAPITAL)) == "The Fallen Capital is not sworn to you."
    use(p, walls(EMBERFEN))
    p.used[0] = 0
    assert explain_power(p, 0, walls(EMBERFEN)) == "Emberfen is Sealed already."
    assert listed(p, fill_powers) == []


def test_protected_province_can_be_sealed() -> None:
    p = acting("0 emberfen 5", stock=RICH, answers=HECTOR)
    protect(p, EMBERFEN)
    use(p, walls(EMBERFEN))
    assert p.sealed[EMBERFEN] == 1


def test_charm_may_move_one_follower_twice() -> None:
    p = acting("0 emberfen 1", stock=RICH, answers=ORPHEUS)
    use(p, charm(EMBERFEN, THORNWOLD))
    use(p, charm(THORNWOLD, SKYREACH))
    assert p.followers(0, SKYREACH) == 1


def test_seal_outlives_the_loss_of_hector() -> None:
    p = acting("0 emberfen 5", stock=RICH, answers=HECTOR)
    use(p, walls(EMBERFEN))
    p.answers[3] = 0
    assert score(p, 0) == 6


@pytest.mark.parametrize(
    ("answers", "action"),
    [
        (ODYSSEUS, horse(CAPITAL, 1)),
        (HERACLES, stables(CAPITAL, 1, 1)),
        (HECTOR, walls(EMBERFEN)),
    ],
)
def test_power_is_used_once_a_turn(answers: dict[int, tuple[int, ...]], action: int) -> None:
    p = acting("0 emberfen 5", "0 capital 1", "1 capital 3", stock=RICH, answers=answers)
    use(p, action)
    assert listed(p, fill_powers) == []
    assert "used up for this turn" in (explain_power(p, 0, action) or "")


@pytest.mark.parametrize(
    ("answers", "action", "poor", "reason"),
    [
        (ODYSSEUS, horse(CAPITAL, 1), (1, 9, 9, 9), "The Wooden Horse costs 2 Gold."),
        (HERACLES, stables(CAPITAL, 1, 1), (9, 0, 9, 9), "Clean the Stables costs 1 Steel."),
        (ORPHEUS, charm(EMBERFEN, CAPITAL), (9, 9, 1, 9), "Charm the Stones costs 2 Song."),
        (HECTOR, walls(EMBERFEN), (9, 9, 9, 1), "Walls of Troy costs 2 Oath."),
    ],
)
def test_power_is_paid_in_the_resource_of_its_legend(
    answers: dict[int, tuple[int, ...]], action: int, poor: tuple[int, ...], reason: str
) -> None:
    p = acting("0 emberfen 5", "0 capital 1", "1 capital 3", stock={0: poor}, answers=answers)
    assert listed(p, fill_powers) == []
    assert explain_power(p, 0, action) == reason


@pytest.mark.parametrize(
    "action",
    [horse(CAPITAL, 1), stables(CAPITAL, 1, 1), charm(EMBERFEN, CAPITAL), walls(EMBERFEN)],
)
def test_power_sleeps_below_5_answers(action: int) -> None:
    p = acting("0 emberfen 5", "0 capital 1", "1 capital 3", stock=RICH, answers={0: (4, 4, 4, 4)})
    assert listed(p, fill_powers) == []
    assert "wakes at 5 answers" in (explain_power(p, 0, action) or "")


def test_powers_can_be_forbidden_by_a_card() -> None:
    p = acting("0 emberfen 5", "1 capital 3", stock=RICH, answers={0: (5, 5, 5, 5)})
    assert listed(p, fill_powers)
    forbid(p, 0, lasting.FORBID_POWER)
    assert listed(p, fill_powers) == []
    assert explain_power(p, 0, walls(EMBERFEN)) == (
        "A card in force forbids you the powers of your legends."
    )


def test_horse_and_stables_are_aimed_at_their_rival_charm_and_walls_at_nobody() -> None:
    assert power_aims(horse(CAPITAL, 2)) == power_aims(stables(CAPITAL, 2, 1)) == 0b100
    assert power_aims(charm(CAPITAL, 2)) == power_aims(walls(CAPITAL)) == 0


def test_shielded_power_is_paid_and_used_up_without_effect() -> None:
    p = acting("0 emberfen 1", "1 emberfen 2", stock=RICH, answers=HERACLES)
    use(p, stables(EMBERFEN, 1, 2), shielded=0b010)
    assert p.followers(1, EMBERFEN) == 2
    assert four(p, 0) == (9, 8, 9, 9)
    assert listed(p, fill_powers) == []


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (horse(CAPITAL, 0), "Seat 0 is no rival of yours."),
        (horse(7, 1), "The Ashfall Steppe lies under the sea: it is not in play with 3 claimants."),
        (stables(CAPITAL, 1, 0), "Clean the Stables removes 1 to 3, not 0."),
        (stables(CAPITAL, 1, 4), "Clean the Stables removes 1 to 3, not 4."),
        (stables(CAPITAL, 1, 3), "Seat 1 has 2 off the Rifts in the Fallen Capital."),
        (charm(CAPITAL, CAPITAL), "A follower has to end in another province than it began."),
        (charm(CAPITAL, 9), "There is no province 9; they go from 0 to 8."),
    ],
)
def test_power_that_is_not_legal_says_why(action: int, reason: str) -> None:
    p = acting("0 capital 1", "1 capital 2+1", stock=RICH, answers={0: (5, 5, 5, 5)})
    assert explain_power(p, 0, action) == reason
