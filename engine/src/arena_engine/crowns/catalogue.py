"""What Crowns is made of, as clients show it. Fields are those of the proto message of the same name."""

from __future__ import annotations

from dataclasses import dataclass

from arena_engine.crowns.cards import CARDS


@dataclass(frozen=True)
class Card:
    """One character of the Loot deck, with what its colour can do."""

    number: int
    name: str
    ability: str
    colour: str
    text: str
    flavour: str


@dataclass(frozen=True)
class Catalogue:
    """The forty characters, by number from 1."""

    cards: tuple[Card, ...]


def catalogue() -> Catalogue:
    """All of it."""
    return Catalogue(
        tuple(
            Card(
                card.number,
                card.name,
                card.ability.name,
                card.ability.colour,
                card.ability.text,
                card.flavour,
            )
            for card in CARDS
        )
    )
