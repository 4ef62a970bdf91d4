"""The figures of a match, gathered from its events."""

from __future__ import annotations

from arena_engine.crowns import GAME
from arena_engine.crowns.messages import Resign
from arena_engine.game import State
from tests.engine.positions import a_card, a_move, card, position


def figures_after(state: State, *actions: object) -> dict[str, int]:
    """The figures that actions of the seats on turn change, those that are not 0."""
    gathered = GAME.statistics()
    for action in actions:
        (awaited,) = state.awaited()
        gathered.observe(state.apply(awaited.seat, state.pack(action), 0), state)
    return {name: number for name, number in gathered.figures().items() if number}


def test_figures_are_all_named_before_anything_happened() -> None:
    figures = GAME.statistics().figures()
    assert set(figures.values()) == {0}
    assert {"rounds", "attacks.won", "cards.gold.played", "relics.horse.collected"} <= set(figures)


def test_attack_is_counted_with_its_defeated() -> None:
    state = position("0:kkk@40 1:Kkk@41", players=3)
    assert figures_after(state, a_move(40, 41, "kkk")) == {
        "rounds": 1,
        "attacks.won": 1,
        "attacks.kings_defeated": 1,
        "attacks.knights_defeated": 2,
        "eliminations.by_rivals": 1,
    }


def test_stopped_attack_is_counted() -> None:
    figures = figures_after(position("0:k@40 1:g@41"), a_move(40, 41, "k"))
    assert figures == {"rounds": 1, "attacks.blocked": 1}


def test_relics_are_counted_as_collected_and_as_wasted() -> None:
    state = position("0:K@40", relics="horse@41 shield@42")
    assert figures_after(state, a_move(40, 41, "K"), a_move(41, 42, "K")) == {
        "relics.horse.collected": 1,
        "relics.shield.collected": 1,
        "relics.shield.wasted": 1,
    }


def test_cards_are_counted_by_colour() -> None:
    state = position("0:K@40", hands=[[card("green")]], relics="loot@41")
    assert figures_after(state, a_card(card("green")), a_move(40, 41, "K")) == {
        "rounds": 1,
        "cards.green.played": 1,
        "cards.drawn": 1,
        "knights.spawned": 1,
        "relics.loot.collected": 1,
    }


def test_third_crown_counts_a_bearer() -> None:
    state = position("0:K@40", relics="crown@41", crowns=[2])
    assert figures_after(state, a_move(40, 41, "K"))["crowns.bearers"] == 1


def test_resigning_is_counted_apart() -> None:
    figures = figures_after(position(players=3), Resign())
    assert figures == {"rounds": 1, "eliminations.by_resigning": 1}
