"""How relics that were collected come back."""

from __future__ import annotations

from arena_engine.crowns.events import RelicAppeared
from arena_engine.crowns.messages import EndTurn
from tests.engine.positions import (
    RELIC_WORDS,
    act,
    all_of,
    arena,
    find,
    move,
    position,
    relics_at,
    returning,
    view,
)


def test_relic_comes_back_at_the_end_of_the_round() -> None:
    state = position("0:k@40 1:k@60", relics="boat@41")
    assert not all_of(move(state, 40, 41, "k"), RelicAppeared)
    assert returning(state) == ["boat"]
    back = find(move(state, 60, 61, "k"), RelicAppeared)
    assert RELIC_WORDS[back.relic] == "boat"
    assert relics_at(state, back.triangle) == ["boat"]
    assert returning(state) == []


def test_relics_come_back_in_the_order_of_collection() -> None:
    state = position("0:k@40 1:k@60", relics="loot@41 boat@61")
    move(state, 40, 41, "k")
    events = all_of(move(state, 60, 61, "k"), RelicAppeared)
    assert [RELIC_WORDS[e.relic] for e in events] == ["loot", "boat"]


def test_round_ends_when_the_turn_passes_to_a_seat_not_above() -> None:
    state = position("0:k@40 2:k@60", players=3, more="turn: 2\nround: 4")
    move(state, 60, 61, "k")
    assert (view(state).turn, view(state).round) == (0, 5)
    move(state, 40, 41, "k")
    assert (view(state).turn, view(state).round) == (1, 5)


def test_round_ends_though_the_last_seat_is_out() -> None:
    state = position("1:k@60", players=3, out=[2], more="turn: 1\nreturning: horse@40")
    assert len(all_of(move(state, 60, 61, "k"), RelicAppeared)) == 1
    assert view(state).round == 2


def test_relic_comes_back_on_a_numbered_triangle_without_pieces_and_relics() -> None:
    """One triangle is left free on the whole arena."""
    relics = " ".join(f"horse@{t}" for t in range(96) if t not in (4, 91, 14, 81, 50))
    state = position("0:K@14 1:K@81", relics=relics, more="turn: 1\nreturning: boat@3")
    move(state, 81, 91, "K")
    assert relics_at(state, 50) or relics_at(state, 81)
    assert relics_at(state, 4) == relics_at(state, 91) == []


def test_relic_without_a_place_comes_back_a_round_later() -> None:
    relics = " ".join(f"horse@{t}" for t in range(96) if t not in (4, 91))
    state = position(relics=relics)
    move(state, 4, 14, "K")
    act(state, EndTurn())
    move(state, 91, 81, "K")
    assert not all_of(act(state, EndTurn()), RelicAppeared)
    assert returning(state) == ["horse", "horse"]
    move(state, 14, 4, "K")
    move(state, 81, 91, "K")
    assert returning(state) == []
    assert relics_at(state, 14) == relics_at(state, 81) == ["horse"]


def test_crown_comes_back_elsewhere_and_far_from_every_gate() -> None:
    gates = arena().gates(2)
    far = {t for t in range(96) if all(arena().steps(g)[t] >= 3 for g in gates)}
    spots = set()
    for secret in range(150):
        state = position("0:K@40 1:k@61", relics="crown@41", more=f"secret: {secret:064x}")
        move(state, 40, 41, "K")
        spots.add(find(move(state, 61, 62, "k"), RelicAppeared).triangle)
    assert 41 not in spots
    assert spots < far
    assert len(spots) > 30


def test_crown_does_not_come_back_where_it_was_collected_though_free() -> None:
    """All other places are taken, so it waits."""
    relics = " ".join(f"horse@{t}" for t in range(96) if t not in (4, 91, 40, 81))
    state = position("1:K@81", relics=relics, more="turn: 1\nreturning: crown@40")
    move(state, 81, 91, "K")
    assert returning(state) == ["crown"]
    assert relics_at(state, 40) == []


def test_crown_without_a_place_does_not_keep_others_from_coming_back() -> None:
    """The only free triangles are too near to a Gate for a Crown."""
    relics = " ".join(f"horse@{t}" for t in range(96) if t not in (4, 91, 81, 3))
    more = "turn: 1\nreturning: crown@40 boat@50"
    state = position("1:K@81", relics=relics, more=more)
    move(state, 81, 91, "K")
    assert returning(state) == ["crown"]
    assert "boat" in relics_at(state, 3) + relics_at(state, 81)


def test_fallen_crown_does_not_come_back() -> None:
    state = position("0:K@40 1:k@60", relics="fallen@41")
    move(state, 40, 41, "K")
    assert returning(state) == []
    assert not all_of(move(state, 60, 61, "k"), RelicAppeared)


def test_relic_used_without_effect_comes_back() -> None:
    state = position("0:K@40 1:k@60", relics="shield@41")
    move(state, 40, 41, "K")
    assert len(all_of(move(state, 60, 61, "k"), RelicAppeared)) == 1
