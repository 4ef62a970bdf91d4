"""Hiring: followers from the row into one province, some of them on Rifts, which call Headlines."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import free_ordinary, free_rifts, place
from arena_engine.singhasan.content.followers import FOLLOWERS
from arena_engine.singhasan.events import HeadlineCalled, Hired, PowerUsed
from arena_engine.singhasan.kinds import Power
from arena_engine.singhasan.lasting import FORBID_HIRE, FORBID_POWER, hire_change, is_forbidden
from arena_engine.singhasan.legends import ORPHEUS, level
from arena_engine.singhasan.listing import ActionList
from arena_engine.singhasan.packing import FIRST, FOURTH, HIRE, PAYMENT, SECOND, THIRD, field
from arena_engine.singhasan.position import (
    FACT_HEADLINES,
    FACT_HIRED,
    FACT_POWERS,
    KINDS,
    ROW,
    USED_SONG,
    Position,
)
from arena_engine.singhasan.stock import BY_HIRE, BY_POWER, SONG, canonical, lose, pay, payment_of

#: What Song of the Road costs, in Song.
ROAD_SONG: Final = 1
#: The most followers that one hire brings, the extra one included.
MOST_HIRED: Final = 4


def _packed(cost: tuple[int, int, int, int]) -> int:
    return sum(part << (4 * kind) for kind, part in enumerate(cost))


# By number of the Follower card; 0 is no card.
CARD_FOLLOWERS: Final = vec[i64]([0] + [card.followers for card in FOLLOWERS])
CARD_COST: Final = vec[i64]([0] + [_packed(card.cost) for card in FOLLOWERS])
CARD_ANY: Final = vec[i64]([0] + [card.any for card in FOLLOWERS])


def fill_hires(p: Position, seat: i64, out: ActionList) -> None:
    """Append hires: each card of the row in each province and spread over its Rifts, for the canonical payment.

    `explain` takes every other payment as well.
    """
    if p.supply[seat] == 0 or is_forbidden(p, seat, FORBID_HIRE):
        return
    rooms: i64 = -1
    for slot in range(i64(ROW)):
        if p.row[slot] == 0:
            continue
        for with_song in range(i64(2)):
            if with_song != 0 and not can_sing(p, seat, p.row[slot]):
                continue
            payment = canonical_hire(p, seat, p.row[slot], with_song)
            if payment < 0:
                continue
            if rooms < 0:
                rooms = _rooms(p)
            count = hired_count(p, seat, p.row[slot], with_song)
            _fill_places(rooms, count, hire_action(slot, 0, 0, with_song, payment), out)


def _rooms(p: Position) -> i64:
    """Free seats by province, in 6 bits each: 4 for those off the Rifts, 2 for Rifts."""
    rooms: i64 = 0
    for province in range(i64(PROVINCE_COUNT)):
        room = free_ordinary(p, province) | (free_rifts(p, province) << 4)
        rooms |= room << (6 * province)
    return rooms


def _fill_places(rooms: i64, count: i64, base: i64, out: ActionList) -> None:
    """Append a hire of so many followers into each province, with each number of them on Rifts that can be."""
    for province in range(i64(PROVINCE_COUNT)):
        ordinary = (rooms >> (6 * province)) & 15
        rifts = (rooms >> (6 * province + 4)) & 3
        for on_rifts in range(max(count - ordinary, 0), min(count, rifts) + 1):
            out.add(base | (province << SECOND) | (on_rifts << THIRD))


def hire_action(slot: i64, province: i64, on_rifts: i64, with_song: i64, payment: i64) -> i64:
    """A packed hire."""
    return (
        HIRE
        | (slot << FIRST)
        | (province << SECOND)
        | (on_rifts << THIRD)
        | (with_song << FOURTH)
        | (payment << PAYMENT)
    )


def fewest_on_rifts(p: Position, province: i64, count: i64) -> i64:
    """How many of so many followers have to go on Rifts, for want of other seats."""
    return max(count - free_ordinary(p, province), 0)


def canonical_hire(p: Position, seat: i64, card: i64, with_song: i64) -> i64:
    """The canonical payment of a card, beside what the Song costs; -1 where the seat cannot pay both."""
    if p.stock[seat * KINDS + SONG] < with_song * ROAD_SONG:
        return -1
    change = hire_change(p, seat)
    any_kind = CARD_ANY[card] + max(change, 0)
    # What the Song costs is set aside meanwhile.
    p.stock[seat * KINDS + SONG] -= with_song * ROAD_SONG
    payment = canonical(p, seat, CARD_COST[card], any_kind, discount=max(-change, 0))
    p.stock[seat * KINDS + SONG] += with_song * ROAD_SONG
    return payment


def has_song(p: Position, seat: i64) -> bool:
    """Whether Song of the Road is awake, unused this turn, affordable and not forbidden."""
    return (
        level(p, seat, ORPHEUS) > 0
        and p.used[seat] & USED_SONG == 0
        and p.stock[seat * KINDS + SONG] >= ROAD_SONG
        and not is_forbidden(p, seat, FORBID_POWER)
    )


def can_sing(p: Position, seat: i64, card: i64) -> bool:
    """Whether Song of the Road can add a follower to a card."""
    return p.supply[seat] > CARD_FOLLOWERS[card] and has_song(p, seat)


def hired_count(p: Position, seat: i64, card: i64, with_song: i64) -> i64:
    """How many followers a card brings: as many as the supply has, at most."""
    return min(CARD_FOLLOWERS[card] + with_song, p.supply[seat])


def do_hire(p: Position, seat: i64, action: i64) -> None:
    """Hire as a legal action says. Each follower on a Rift draws a Headline, face down."""
    slot = field(action, FIRST)
    province = field(action, SECOND)
    on_rifts = field(action, THIRD)
    with_song = field(action, FOURTH)
    card = p.row[slot]
    count = hired_count(p, seat, card, with_song)
    pay(p, seat, payment_of(action), BY_HIRE)
    if with_song != 0:
        _sing(p, seat)
    use_follower(p, slot)
    p.facts[FACT_HIRED * p.board.players + seat] += count
    if p.log is not None:
        p.log.append(Hired(seat, card, province, count, on_rifts, with_song != 0))
    place(p, seat, province, count - on_rifts, on_rifts, is_told=False)
    for _ in range(on_rifts):
        _call_headline(p, seat)


def use_follower(p: Position, slot: i64) -> None:
    """Put a card of the hire row to the used ones; its place is empty until the row refills."""
    p.follower_used[p.follower_used_size] = u8(p.row[slot])
    p.follower_used_size += 1
    p.row[slot] = 0


def _sing(p: Position, seat: i64) -> None:
    lose(p, seat, SONG, ROAD_SONG, BY_POWER)
    p.used[seat] |= USED_SONG
    p.facts[FACT_POWERS * p.board.players + seat] += 1
    if p.log is not None:
        p.log.append(PowerUsed(seat, Power.SONG_OF_THE_ROAD))


def _call_headline(p: Position, seat: i64) -> None:
    if p.headline_size == 0:
        return
    p.headline_size -= 1
    card = i64(p.headline_deck[p.headline_size])
    p.called = append(p.called, card | (seat << 8))
    p.facts[FACT_HEADLINES * p.board.players + seat] += 1
    if p.log is not None:
        p.log.append(HeadlineCalled(seat))
