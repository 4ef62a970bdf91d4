"""What can be done with what a player picks up: every target, legal or not, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena_engine.errors import IllegalSelectionError
from arena_engine.singhasan import hands, phases
from arena_engine.singhasan.actions import pack
from arena_engine.singhasan.cards import fill_plays
from arena_engine.singhasan.content.conspiracies import CONSPIRACIES
from arena_engine.singhasan.hire import fill_hires
from arena_engine.singhasan.kinds import Power
from arena_engine.singhasan.march import fill_marches
from arena_engine.singhasan.messages import (
    CharmTheStones,
    Hire,
    HireCard,
    Legend,
    Scheme,
    Selection,
    Target,
    Warrior,
)
from arena_engine.singhasan.position import Position
from arena_engine.singhasan.powers import fill_powers
from arena_engine.singhasan.targets import targets
from tests.engine.singhasan.boards import (
    CAPITAL,
    EMBERFEN,
    HOLLOWMERE,
    KINGSMARCH,
    THORNWOLD,
    VEILHAVEN,
    acting,
    listed,
)

ACT_POWERS = (
    Power.WOODEN_HORSE,
    Power.CLEAN_THE_STABLES,
    Power.CHARM_THE_STONES,
    Power.WALLS_OF_TROY,
)
NOT_AIMED = (
    "Only the Wooden Horse, Clean the Stables, Charm the Stones and Walls of Troy"
    " are aimed at the map."
)
IN_PLAY = range(7)
CARDS = range(1, len(CONSPIRACIES) + 1)


def busy() -> Position:
    """A position in which most things can be done."""
    p = acting(
        "0 emberfen 5",
        "0 thornwold 3+1",
        "1 thornwold 2",
        "1 capital 8",
        "2 veilhaven 4+1",
        "1 veilhaven 2",
        "2 emberfen 1",
        stock={0: (9, 9, 9, 9), 1: (3, 0, 2, 4), 2: (0, 1, 0, 0)},
        answers={0: (5, 5, 5, 5), 1: (1, 0, 2, 3)},
    )
    for slot, card in enumerate((1, 20, 40)):
        p.row[slot] = card
    return p


def found(p: Position, selection: Selection) -> tuple[Target, ...]:
    return targets(p, 0, selection).targets


def at(p: Position, selection: Selection, province: int) -> Target:
    (target,) = [t for t in found(p, selection) if t.province == province]
    return target


def actions(p: Position, selection: Selection) -> list[int]:
    """All legal actions that a selection leads to."""
    return [pack(t.action) for t in found(p, selection) if t.action is not None]


def holding(p: Position, card: int) -> Position:
    """Seat 0 holds a card, and it is time for it: its own act step, or the window before seat 1 answers."""
    hands.take(p, 0, card)
    hands.take(p, 1, card % len(CONSPIRACIES) + 1)
    if CONSPIRACIES[card - 1].is_court:
        p.turn, p.question = 1, 3
        p.in_court = 0b101
        phases.enter(p, phases.COURT)
        phases.open_decisions(p)
    return p


def plays(p: Position, scheme: Scheme) -> Iterator[int]:
    """All plays that picking up a Conspiracy leads to, however much has to be chosen on the way."""
    for target in found(p, scheme):
        if target.action is not None:
            yield pack(target.action)
        elif not target.reason:
            yield from plays(p, _chosen(scheme, target))


def _chosen(scheme: Scheme, target: Target) -> Scheme:
    if target.rival is not None:
        return replace(scheme, rival=target.rival)
    if target.kind:
        return replace(scheme, kind=target.kind)
    if target.province is None or scheme.province is None:
        return replace(scheme, province=target.province)
    return replace(scheme, to_province=target.province)


def test_every_province_in_play_is_a_target_of_a_hire() -> None:
    p = busy()
    assert [t.province for t in found(p, HireCard(0))] == list(IN_PLAY)
    for target in found(p, HireCard(2)):
        assert (target.action is None) == bool(target.reason)
        assert (target.action is None) == (target.preview is None)


def test_hires_that_are_picked_up_are_those_that_are_listed() -> None:
    p = busy()
    selections = [
        HireCard(slot, on_rifts, with_song)
        for slot in range(3)
        for on_rifts in range(4)
        for with_song in (False, True)
    ]
    reached = {action for s in selections for action in actions(p, s)}
    assert reached == set(listed(p, fill_hires))


def test_hire_goes_on_rifts_where_no_other_seats_are_free() -> None:
    p = acting("1 veilhaven 4", "2 veilhaven 3", stock={0: (9, 9, 9, 9)})
    p.row[0] = 1
    action = at(p, HireCard(0), VEILHAVEN).action
    assert isinstance(action, Hire)
    assert action.on_rifts == 1


def test_card_that_cannot_be_paid_says_so_everywhere() -> None:
    p = acting(stock={0: (0, 0, 1, 0)}, answers={0: (0, 0, 3, 0)})
    p.row[0] = 1
    for card in (HireCard(0), HireCard(0, with_song=True)):
        (reason,) = {t.reason for t in found(p, card)}
        assert "you cannot pay that" in reason


def test_marches_that_are_picked_up_are_those_that_are_listed() -> None:
    p = busy()
    reached = [
        action
        for province in IN_PLAY
        for owner in range(3)
        if p.followers(owner, province)
        for action in actions(p, Warrior(province, owner))
    ]
    assert sorted(reached) == sorted(listed(p, fill_marches))


def test_warrior_has_every_other_province_as_a_target() -> None:
    p = busy()
    assert [t.province for t in found(p, Warrior(EMBERFEN, 2))] == [0, 1, 2, 3, 5, 6]
    assert at(p, Warrior(EMBERFEN, 2), KINGSMARCH).reason == (
        "Emberfen and Kingsmarch share no border."
    )
    assert at(p, Warrior(EMBERFEN, 2), HOLLOWMERE).action is not None


def test_uses_of_powers_that_are_picked_up_are_those_that_are_listed() -> None:
    p = busy()
    selections = [Legend(power) for power in ACT_POWERS]
    selections += [Legend(Power.CHARM_THE_STONES, province) for province in IN_PLAY]
    reached = [action for s in selections for action in actions(p, s)]
    assert sorted(reached) == sorted(listed(p, fill_powers))


def test_stables_offer_each_count_of_each_rival() -> None:
    p = busy()
    legal = [t for t in found(p, Legend(Power.CLEAN_THE_STABLES)) if t.action]
    assert {(t.province, t.rival, t.count) for t in legal} == {
        (THORNWOLD, 1, 1),
        (THORNWOLD, 1, 2),
        (EMBERFEN, 2, 1),
    }


def test_charm_first_asks_which_province_the_follower_leaves() -> None:
    p = busy()
    first = Legend(Power.CHARM_THE_STONES)
    assert (at(p, first, EMBERFEN).action, at(p, first, EMBERFEN).reason) == (None, "")
    assert (
        at(p, first, CAPITAL).reason == "You have no follower off the Rifts in the Fallen Capital."
    )
    goal = at(p, Legend(Power.CHARM_THE_STONES, EMBERFEN), VEILHAVEN)
    assert goal.reason == "Veilhaven has no free seat off its Rifts." or isinstance(
        goal.action, CharmTheStones
    )


def test_legend_that_sleeps_says_so_everywhere() -> None:
    p = acting("1 capital 2", stock={0: (9, 9, 9, 9)}, answers={0: (4, 4, 4, 4)})
    for power in ACT_POWERS:
        (reason,) = {t.reason for t in found(p, Legend(power))}
        assert "wakes at 5 answers" in reason


@pytest.mark.parametrize("card", CARDS)
def test_plays_that_are_picked_up_are_those_that_are_listed(card: int) -> None:
    p = holding(busy(), card)
    p.marched = 1  # Something to refresh.
    assert sorted(plays(p, Scheme(card))) == sorted(listed(p, fill_plays))


@pytest.mark.parametrize("card", CARDS)
def test_scheme_out_of_its_time_says_so_everywhere(card: int) -> None:
    p = holding(busy(), card)
    phases.enter(p, phases.ANSWER)
    phases.open_decisions(p)
    (reason,) = {t.reason for t in found(p, Scheme(card))}
    assert reason == "The match waits for an answer to the court."


@pytest.mark.parametrize(
    "selection",
    [HireCard(0), Warrior(EMBERFEN, 0), *(Legend(power) for power in ACT_POWERS)],
)
def test_out_of_turn_nothing_has_a_legal_target(selection: Selection) -> None:
    p = busy()
    p.turn = 1
    phases.enter(p, phases.ACT)
    phases.open_decisions(p)
    (reason,) = {t.reason for t in found(p, selection)}
    assert reason == "It is the turn of seat 1."


@pytest.mark.parametrize(
    ("selection", "reason"),
    [
        (HireCard(3), "The hire row has no place 3; they go from 0 to 2."),
        (HireCard(-1), "The hire row has no place -1; they go from 0 to 2."),
        (HireCard(1), "Place 1 of the hire row is empty."),
        (Warrior(9, 0), "There is no province 9; they go from 0 to 8."),
        (Warrior(EMBERFEN, 1), "Seat 1 has no follower in Emberfen."),
        (Warrior(EMBERFEN, 5), "Seat 5 has no follower in Emberfen."),
        (HireCard(0, -1), "A hire brings 4 followers at most."),
        (HireCard(0, 32), "A hire brings 4 followers at most."),
        (Legend(Power.SONG_OF_THE_ROAD), NOT_AIMED),
        (Legend(Power.UNSPECIFIED), NOT_AIMED),
        (
            Legend(Power.WALLS_OF_TROY, EMBERFEN),
            "Only Charm the Stones takes a follower from a province.",
        ),
        (
            Legend(Power.CHARM_THE_STONES, 8),
            "The Salt Coast lies under the sea: it is not in play with 3 claimants.",
        ),
        (Scheme(1), "Conspiracy 1 is not in your hand."),
        (Scheme(0), "Conspiracy 0 is not in your hand."),
        (Scheme(99), "Conspiracy 99 is not in your hand."),
    ],
)
def test_what_is_not_there_cannot_be_picked_up(selection: Selection, reason: str) -> None:
    p = busy()
    p.row[1] = 0
    p.answers[3] = 5
    with pytest.raises(IllegalSelectionError) as raised:
        found(p, selection)
    assert str(raised.value) == reason


def test_scheme_that_names_what_its_card_does_not_cannot_be_picked_up() -> None:
    plain = next(n for n in CARDS if not CONSPIRACIES[n - 1].names)
    p = holding(busy(), plain)
    with pytest.raises(IllegalSelectionError):
        found(p, Scheme(plain, rival=1))


@pytest.mark.parametrize(
    ("selection", "what"),
    [
        (Scheme(1, rival=0), "rival"),
        (Scheme(1, rival=3), "rival"),
        (Scheme(1, rival=31), "rival"),
        (Scheme(1, rival=1, province=8), "province"),
        (Scheme(1, rival=1, province=31), "province"),
        (Scheme(2, rival=1, province=0, to_province=31), "second province"),
    ],
)
def test_scheme_that_names_what_there_is_not_cannot_be_picked_up(
    selection: Scheme, what: str
) -> None:
    p = holding(busy(), selection.card)
    with pytest.raises(IllegalSelectionError) as raised:
        found(p, selection)
    assert str(raised.value) == f"There is no such {what} to choose."


@pytest.mark.parametrize("seat", [-2, -1, 3])
def test_seat_that_is_not_in_the_match_picks_up_nothing(seat: int) -> None:
    with pytest.raises(IllegalSelectionError):
        targets(busy(), seat, HireCard(0))
