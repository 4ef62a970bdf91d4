"""What each relic does, and who collects it."""

from __future__ import annotations

import pytest

from arena_engine.crowns.events import CardDrawn, Gilded, MovesGained, RelicWasted, Spawned
from arena_engine.crowns.messages import ChooseShield, EndTurn
from tests.engine.positions import (
    a_move,
    act,
    all_of,
    card,
    collected,
    find,
    hand,
    legal,
    move,
    position,
    relics_at,
    returning,
    seat_view,
    standing,
    view,
    why_not,
)

ALL_TEN = "0:kkk@40 0:kkk@43 0:kkk@46 0:k@60"


def test_crown_is_collected_by_a_king() -> None:
    state = position("0:K@40", relics="crown@41")
    assert collected(move(state, 40, 41, "K")) == ["crown"]
    assert seat_view(state, 0).crowns == 1
    assert relics_at(state, 41) == []


def test_crown_is_collected_by_a_group_with_the_king() -> None:
    state = position("0:Kkg@40", relics="crown@41")
    move(state, 40, 41, "Kkg")
    assert seat_view(state, 0).crowns == 1


@pytest.mark.parametrize("group", ["k", "g", "kkg"])
def test_crown_stays_under_knights(group: str) -> None:
    state = position(f"0:{group}@40", relics="crown@41")
    assert collected(move(state, 40, 41, group)) == []
    assert relics_at(state, 41) == ["crown"]
    assert seat_view(state, 0).crowns == 0


def test_king_that_joins_knights_on_a_crown_collects_it() -> None:
    state = position("0:K@40 0:kk@41", relics="crown@41")
    move(state, 40, 41, "K")
    assert seat_view(state, 0).crowns == 1


def test_only_the_moved_group_collects() -> None:
    state = position("0:k@40 0:K@41", relics="crown@41")
    assert collected(move(state, 40, 41, "k")) == []
    assert relics_at(state, 41) == ["crown"]


@pytest.mark.parametrize("relic", ["horse", "shield", "boat", "loot"])
@pytest.mark.parametrize("group", ["K", "k", "g"])
def test_other_relics_are_collected_by_every_piece(relic: str, group: str) -> None:
    state = position(f"0:{group}@40", relics=f"{relic}@41")
    assert collected(move(state, 40, 41, group)) == [relic]
    assert relics_at(state, 41) == []
    assert returning(state) == [relic]


def test_horse_gives_two_more_moves() -> None:
    state = position("0:k@40 0:k@60", relics="horse@41")
    events = move(state, 40, 41, "k")
    assert find(events, MovesGained).moves_left == 2
    assert view(state).turn == 0
    move(state, 60, 61, "k")
    move(state, 41, 42, "k")
    assert view(state).turn == 1


def test_horse_collected_with_a_horse_move_adds_two_more() -> None:
    state = position("0:k@40", relics="horse@41 horse@42")
    move(state, 40, 41, "k")
    move(state, 41, 42, "k")
    assert view(state).moves_left == 3


def test_turn_with_horse_moves_left_may_be_ended() -> None:
    state = position("0:k@40", relics="horse@41")
    move(state, 40, 41, "k")
    assert EndTurn() in legal(state)
    act(state, EndTurn())
    assert view(state).turn == 1


def test_shield_with_one_candidate_triangle_resolves_itself() -> None:
    state = position("0:k@40 0:g@60", relics="shield@41")
    events = move(state, 40, 41, "k")
    assert find(events, Gilded).triangle == 41
    assert standing(state, 41) == "0:g"
    assert view(state).turn == 1


def test_shield_with_two_normal_knights_on_one_triangle_resolves_itself() -> None:
    state = position("0:g@40 0:kk@60", relics="shield@41")
    move(state, 40, 41, "g")
    assert standing(state, 60) == "0:kg"


def test_shield_with_several_candidates_lets_the_player_choose() -> None:
    state = position("0:k@40 0:k@60", relics="shield@41")
    move(state, 40, 41, "k")
    assert view(state).turn == 0
    assert sorted(view(state).shield_choices) == [41, 60]
    act(state, ChooseShield(60))
    assert standing(state, 60) == "0:g"
    assert standing(state, 41) == "0:k"
    assert view(state).turn == 1


def test_shield_choice_comes_before_everything_else() -> None:
    state = position("0:k@40 0:k@60", more="shield: 40\nmoves: 2\ndone: move")
    assert legal(state) == [ChooseShield(40), ChooseShield(60)]
    assert why_not(state, a_move(40, 41, "k"))
    assert why_not(state, EndTurn())
    act(state, ChooseShield(40))
    assert a_move(40, 41, "g") in legal(state)


def test_shield_choice_of_another_triangle_is_not_legal() -> None:
    state = position("0:k@40 0:k@60 0:g@43 1:k@46", more="shield: 40\nmoves: 0\ndone: move")
    for triangle in (4, 43, 46, 70):
        assert why_not(state, ChooseShield(triangle))


def test_choosing_a_shield_without_one_is_not_legal() -> None:
    state = position("0:k@40")
    assert why_not(state, ChooseShield(40))


@pytest.mark.parametrize("pieces", ["0:K@40", "0:Kg@40 0:g@60"])
def test_shield_without_normal_knight_is_used_up(pieces: str) -> None:
    state = position(pieces, relics="shield@41")
    events = move(state, 40, 41, "K")
    assert find(events, RelicWasted).seat == 0
    assert relics_at(state, 41) == []
    assert returning(state) == ["shield"]


def test_boat_spawns_a_normal_knight_at_the_gate() -> None:
    state = position("0:k@40", relics="boat@41")
    events = move(state, 40, 41, "k")
    assert find(events, Spawned).triangle == 4
    assert standing(state, 4) == "0:Kk"
    assert seat_view(state, 0).reserve == 8


def test_boat_at_an_empty_gate_spawns() -> None:
    state = position("0:K@40", relics="boat@41")
    move(state, 40, 41, "K")
    assert standing(state, 4) == "0:k"


def test_boat_at_a_full_gate_is_used_up() -> None:
    state = position("0:Kkg 0:k@40", relics="boat@41")
    events = move(state, 40, 41, "k")
    assert find(events, RelicWasted).seat == 0
    assert standing(state, 4) == "0:Kkg"
    assert seat_view(state, 0).reserve == 7


def test_boat_with_an_empty_reserve_is_used_up() -> None:
    state = position(ALL_TEN, relics="boat@41")
    events = move(state, 40, 41, "k")
    assert find(events, RelicWasted).seat == 0
    assert standing(state, 4) == "0:K"


def test_spawned_knight_collects_nothing() -> None:
    state = position("0:K@40", relics="boat@41 fallen@4")
    assert collected(move(state, 40, 41, "K")) == ["boat"]
    assert relics_at(state, 4) == ["fallen"]


def test_loot_draws_the_top_card() -> None:
    state = position("0:k@40", relics="loot@41", deck=[7, 9])
    events = move(state, 40, 41, "k")
    assert find(events, CardDrawn).seat == 0
    assert hand(state, 0) == [7]
    assert view(state).deck_size == 39


def test_loot_with_three_cards_in_hand_is_used_up() -> None:
    cards = [card("gold"), card("red"), card("blue")]
    state = position("0:k@40", relics="loot@41", hands=[cards])
    events = move(state, 40, 41, "k")
    assert find(events, RelicWasted).seat == 0
    assert not all_of(events, CardDrawn)
    assert hand(state, 0) == cards
    assert returning(state) == ["loot"]


def test_crown_is_collected_before_fallen_crowns_and_three_in_all() -> None:
    state = position("0:K@40", players=3, relics="fallen@41 crown@41 fallen@41", crowns=[1])
    assert collected(move(state, 40, 41, "K")) == ["crown", "fallen"]
    assert seat_view(state, 0).crowns == 3
    assert relics_at(state, 41) == ["fallen"]


def test_several_fallen_crowns_are_collected_together() -> None:
    state = position("0:K@40", players=3, relics="fallen@41 fallen@41")
    assert collected(move(state, 40, 41, "K")) == ["fallen", "fallen"]
    assert seat_view(state, 0).crowns == 2


def test_fallen_crown_stays_under_knights() -> None:
    state = position("0:k@40", relics="fallen@41")
    assert collected(move(state, 40, 41, "k")) == []
    assert relics_at(state, 41) == ["fallen"]
