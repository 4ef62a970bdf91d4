"""Hands of Conspiracies: who holds which card, in the order in which the hand took them."""

from __future__ import annotations

from mypy_extensions import i64, u8

from arena_engine.singhasan.position import CONSPIRACIES, HELD, SPENT, Position


def holds(p: Position, seat: i64, card: i64) -> bool:
    """Whether a seat holds a card, by its number from 1."""
    return 1 <= card <= CONSPIRACIES and i64(p.conspiracy_at[card - 1]) == seat + HELD


def hand_size(p: Position, seat: i64) -> i64:
    """How many Conspiracies a seat holds."""
    return p.hand_sizes[seat]


def card_at(p: Position, seat: i64, place: i64) -> i64:
    """The card in a place of a hand, from 0; 0 where the hand has no such place."""
    if place < 0:
        return 0
    for i in range(i64(CONSPIRACIES)):
        if i64(p.conspiracy_order[i]) == place + 1 and i64(p.conspiracy_at[i]) == seat + HELD:
            return i + 1
    return 0


def take(p: Position, seat: i64, card: i64) -> None:
    """Put a card that no hand holds at the end of a seat's hand."""
    p.hand_sizes[seat] += 1
    p.conspiracy_at[card - 1] = u8(seat + HELD)
    p.conspiracy_order[card - 1] = u8(p.hand_sizes[seat])


def drop(p: Position, card: i64) -> None:
    """Take a held card out of its hand, as spent; the others close ranks."""
    holder = p.conspiracy_at[card - 1]
    order = p.conspiracy_order[card - 1]
    p.hand_sizes[i64(holder) - HELD] -= 1
    p.conspiracy_at[card - 1] = u8(SPENT)
    p.conspiracy_order[card - 1] = u8(0)
    for i in range(i64(CONSPIRACIES)):
        if p.conspiracy_at[i] == holder and p.conspiracy_order[i] > order:
            p.conspiracy_order[i] = u8(i64(p.conspiracy_order[i]) - 1)


def pass_on(p: Position, card: i64, to_seat: i64) -> None:
    """Move a held card to another hand."""
    drop(p, card)
    take(p, to_seat, card)
