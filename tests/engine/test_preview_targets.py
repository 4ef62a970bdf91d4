"""What an action would do, before it is done, and all targets of a selection."""

from __future__ import annotations

import pytest

from arena_engine.crowns.kinds import Relic
from arena_engine.crowns.messages import Action, CardInHand, Group, PlayCard, Preview
from arena_engine.errors import IllegalSelectionError
from arena_engine.game import State
from tests.engine.positions import a_card, a_move, card, near, position


def preview_of(state: State, action: Action) -> Preview:
    """What seat 0 is told of an action."""
    shown = state.preview(0, state.pack(action))
    assert isinstance(shown, Preview)
    return shown


def test_preview_of_a_quiet_move_is_empty() -> None:
    shown = preview_of(position("0:k@40"), a_move(40, 41, "k"))
    assert not shown.is_blocked
    assert (shown.knights_defeated, shown.kings_defeated, shown.relics) == (0, (), ())
    assert (shown.crowns, shown.wins) == (0, False)


def test_preview_of_an_attack_counts_the_defeated() -> None:
    state = position("0:kkk@40 1:Kkk@41", players=3)
    shown = preview_of(state, a_move(40, 41, "kkk"))
    assert (shown.knights_defeated, shown.kings_defeated, shown.wins) == (2, (1,), False)


def test_preview_of_an_attack_on_a_shield_is_blocked() -> None:
    state = position("0:kk@40 1:kg@41", relics="crown@41")
    shown = preview_of(state, a_move(40, 41, "kk"))
    assert shown.is_blocked
    assert (shown.knights_defeated, shown.relics) == (0, ())


def test_preview_of_collecting_names_relics_and_crowns() -> None:
    state = position("0:K@40", relics="crown@41 fallen@41", crowns=[1])
    shown = preview_of(state, a_move(40, 41, "K"))
    assert shown.relics == (Relic.CROWN, Relic.FALLEN_CROWN)
    assert (shown.crowns, shown.wins) == (2, False)


def test_preview_of_the_escape_wins() -> None:
    shown = preview_of(position("0:K@14", crowns=[3]), a_move(14, 4, "K"))
    assert shown.wins


def test_preview_of_the_last_rivals_defeat_wins() -> None:
    shown = preview_of(position("0:k@40 1:K@41"), a_move(40, 41, "k"))
    assert (shown.kings_defeated, shown.wins) == ((1,), True)


def test_preview_of_fortune_at_the_gate_wins() -> None:
    number = card("gold")
    shown = preview_of(position("0:K", crowns=[2], hands=[[number]]), a_card(number))
    assert (shown.crowns, shown.wins) == (1, True)


def test_preview_of_muster_against_a_lone_king_defeats_it() -> None:
    number = card("green")
    state = position("0:K@60 1:K@4", hands=[[number]])
    shown = preview_of(state, a_card(number))
    assert (shown.kings_defeated, shown.wins) == ((1,), True)


def test_preview_changes_nothing() -> None:
    state = position("0:K@40 1:k@41", relics="crown@41")
    before = state.to_text(), state.state_hash()
    preview_of(state, a_move(40, 41, "K"))
    assert (state.to_text(), state.state_hash()) == before


def test_preview_of_loot_does_not_name_the_card() -> None:
    states = [position("0:k@40", relics="loot@41", deck=deck) for deck in ([5, 6], [6, 5])]
    one, other = (preview_of(state, a_move(40, 41, "k")) for state in states)
    assert one == other


def test_targets_of_a_group_are_all_triangles_with_action_or_reason() -> None:
    state = position("0:k@40 1:kk@41 0:kkk@39")
    targets = state.targets(0, Group(40, knights=1)).targets
    assert len({t.triangle for t in targets}) == len(targets)
    for target in targets:
        assert (target.action is None) == bool(target.reason) == (target.preview is None)
        if target.action is not None:
            assert state.explain(0, state.pack(target.action)) is None
    by_triangle = {t.triangle: t for t in targets}
    assert "ower" in by_triangle[41].reason
    assert by_triangle[39].reason
    assert by_triangle[26].action == a_move(40, 26, "k")


def test_targets_agree_with_the_legal_actions() -> None:
    state = position("0:Kk@40 1:k@41 0:gg@39", relics="horse@26")
    targets = state.targets(0, Group(40, king=True, knights=1)).targets
    legal = {t.triangle for t in targets if t.action is not None}
    assert legal == near(40) - {39}


@pytest.mark.parametrize(
    "selection",
    [Group(41, knights=1), Group(40, knights=2), Group(60, knights=1), Group(40), CardInHand(1)],
)
def test_selection_of_what_the_seat_does_not_hold_is_refused(selection: object) -> None:
    state = position("0:k@40 1:k@60")
    with pytest.raises(IllegalSelectionError):
        state.targets(0, selection)


def test_targets_of_snatch_are_the_rivals() -> None:
    number = card("red")
    state = position("0:K@40", players=3, crowns=[0, 1, 0], hands=[[number]])
    by_rival = {t.rival: t for t in state.targets(0, CardInHand(number)).targets}
    assert by_rival[1].action == PlayCard(number, rival=1)
    assert by_rival[2].reason


def test_targets_of_snare_are_rival_triangles() -> None:
    number = card("black")
    state = position("0:K@40 1:k@60", snares="60", hands=[[number]])
    by_triangle = {t.triangle: t for t in state.targets(0, CardInHand(number)).targets}
    assert by_triangle[91].action == PlayCard(number, triangle=91)
    assert by_triangle[60].reason


def test_targets_of_sneak_come_in_two_steps() -> None:
    number = card("violet")
    state = position("0:K@40 0:k@43", hands=[[number]])
    first = {t.triangle for t in state.targets(0, CardInHand(number)).targets}
    assert first >= {40, 43}
    second = state.targets(0, CardInHand(number, triangle=43)).targets
    legal = {t.triangle for t in second if t.action is not None}
    assert legal == set(range(96)) - {40, 43, 91}


def test_targets_change_nothing() -> None:
    state = position("0:Kk@40 1:k@41", relics="loot@26")
    before = state.to_text()
    state.targets(0, Group(40, king=True))
    assert state.to_text() == before
