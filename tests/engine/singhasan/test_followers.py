"""The Follower cards: sizes, prices and their balance."""

from __future__ import annotations

from collections import Counter

from arena_engine.singhasan.content.followers import FOLLOWERS

CARDS_OF_ANY = [card for card in FOLLOWERS if card.any]


def test_followers_40_cards_of_one_for_4_two_for_6_and_three_for_8() -> None:
    sizes = Counter((card.followers, sum(card.cost) + card.any) for card in FOLLOWERS)
    assert sizes == {(1, 4): 14, (2, 6): 16, (3, 8): 10}


def test_followers_a_third_of_the_cards_has_half_the_price_any() -> None:
    assert len(CARDS_OF_ANY) in {13, 14}
    assert all(card.any == sum(card.cost) for card in CARDS_OF_ANY)
    assert {card.followers for card in CARDS_OF_ANY} == {1, 2, 3}


def test_followers_mixes_spread_evenly_over_three_or_four_kinds() -> None:
    for card in FOLLOWERS:
        named = [number for number in card.cost if number]
        kinds = len(named) + (card.any > 0)
        assert kinds >= 3, card
        assert max(named) - min(named) <= 1, card


def test_followers_deck_asks_for_every_resource_equally_often() -> None:
    assert {sum(card.cost[kind] for card in FOLLOWERS) for kind in range(4)} == {48}


def test_followers_each_size_asks_for_every_resource_about_as_often() -> None:
    for size in (1, 2, 3):
        asked = [
            sum(card.cost[kind] for card in FOLLOWERS if card.followers == size)
            for kind in range(4)
        ]
        assert max(asked) - min(asked) <= 1, (size, asked)


def test_followers_names_and_lines_are_unique_and_fit_the_card() -> None:
    assert len({card.name for card in FOLLOWERS}) == 40
    assert len({card.line for card in FOLLOWERS}) == 40
    assert all(len(card.name) <= 30 for card in FOLLOWERS)
    assert all(len(card.line) <= 75 and card.line.endswith(".") for card in FOLLOWERS)
