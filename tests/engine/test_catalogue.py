"""The catalogue: what clients show of the Loot deck."""

from __future__ import annotations

from collections import Counter

from arena_engine.crowns import GAME


def test_catalogue_forty_characters_by_number_with_unique_names_and_flavours() -> None:
    cards = GAME.catalogue().cards
    assert [card.number for card in cards] == list(range(1, 41))
    assert len({card.name for card in cards}) == len({card.flavour for card in cards}) == 40
    assert all(card.text for card in cards)


def test_catalogue_colour_decides_ability() -> None:
    counts = Counter((card.colour, card.ability) for card in GAME.catalogue().cards)
    assert counts == {
        ("gold", "Fortune"): 3,
        ("red", "Snatch"): 5,
        ("violet", "Sneak"): 5,
        ("blue", "Aegis"): 7,
        ("green", "Muster"): 8,
        ("white", "Gallop"): 7,
        ("black", "Snare"): 5,
    }
