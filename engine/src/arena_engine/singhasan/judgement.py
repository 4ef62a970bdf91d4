"""What a position is worth to a seat, in hundredths of a point: the yardstick player's eyes.

Only what the seat may know is looked at: never the order of a deck, the face of a Conspiracy, what an answer stands
for or a Headline that has not been turned up. So a position and any other that looks alike to the seat judge alike.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan import lasting
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.changes import free_seats
from arena_engine.singhasan.court import TRIBUTE_FOR
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.hands import hand_size, holds
from arena_engine.singhasan.hire import ROAD_SONG
from arena_engine.singhasan.legends import STANDS, level
from arena_engine.singhasan.listing import filled
from arena_engine.singhasan.phases import ANSWER, COURT
from arena_engine.singhasan.position import (
    CONSPIRACIES,
    COURT_BY_LOT,
    COURT_HUSHED,
    COURT_NO_REDRAW,
    KINDS,
    Position,
)
from arena_engine.singhasan.powers import HORSE_GOLD, STABLES_STEEL, WALLS_OATH
from arena_engine.singhasan.programs import is_court_card
from arena_engine.singhasan.stock import GOLD, OATH, SONG, STEEL, limit

_POINT: Final = 100
_WIN: Final = 100_000

# What counts of the worth that rivals have: of the only one; else of the strongest, and of each other one. Where all
# gang up on the strongest, scores come out even: with 60 and 25 every eighth match of five is tied, with these one in
# twelve.
_ONLY_RIVAL: Final = 90
_STRONGEST: Final = 15
_OTHER: Final = 30

# Followers on the way to an oath: for each one, and more the nearer it is. Where too few seats are left for it, a part.
_FOLLOWER: Final = 40
_NEARNESS: Final = 30
_CUT_OFF_PART: Final = 3
#: A follower that an oath can do without, for the first of them; and an oath that nothing can break.
_SPARE: Final = 30
_MOST_SPARE: Final = 2

#: How much counts of what is not sworn yet, in hundredths, by the turns that are left for it.
_HOPE: Final = vec[i64]([30, 60, 85, 100])

#: The first, second ... resource of a kind; what is beyond the limit will be discarded.
_RESOURCE: Final = vec[i64]([15, 14, 12, 10, 8, 7, 6, 5])
_LAST_RESOURCE: Final = 4
_DISCARDED: Final = 6
#: Any one resource, where it is not known which.
_SOME_RESOURCE: Final = 12
#: Answers of a kind: Tribute comes with every second one, powers with the third and the fifth.
_ANSWERS: Final = vec[i64]([0, 30, 80, 170, 230, 400])
_MORE_ANSWERS: Final = 430
#: The first, second ... Conspiracy in a hand whose faces are not known; and known ones.
_CARD: Final = vec[i64]([52, 44, 34, 22])
_MORE_CARDS: Final = 8
_DEED: Final = 32
_COURT_CARD: Final = 8
#: For those who take their last turn: cards and resources still give them a chance, no more.
_NOW_OR_NEVER: Final = 20

# What lasting effects are worth to those they are for.
_HIRE_CHANGE: Final = -14
_CONSPIRACY_CHANGE: Final = -5
_LIMIT_CHANGE: Final = 3
#: By `lasting.FORBID_*`.
_FORBIDDEN: Final = vec[i64]([0, -30, -60, -10, -4, -12, -20, -12])
_STANDING_POWER: Final = -35
_PROTECTED: Final = 25
_BY_LOT: Final = -15
_NO_REDRAW: Final = -5

# What it costs to have used up a March, and a power that could be paid for again; in the order of the bits of `used`.
_MARCHED: Final = 10
_USED: Final = vec[i64]([50, 60, 30, 40])
_USED_KIND: Final = vec[i64]([GOLD, STEEL, SONG, OATH])
_USED_PRICE: Final = vec[i64]([HORSE_GOLD, STABLES_STEEL, ROAD_SONG, WALLS_OATH])

#: What bringing about the end is worth to who leads, and costs who does not.
_END: Final = 120


class Standpoint:
    """How one seat looks at a match in one decision.

    By seat: `weights` (hundredths of what is worth something to that seat that count here; below 0 for rivals), `hope`
    (hundredths of what is not sworn that count for that seat), `worth_later` (likewise, of cards and resources).
    """

    def __init__(self, p: Position, seat: i64) -> None:
        self.seat = seat
        n = p.board.players
        self.weights = filled(n, 100)
        self.hope = filled(n, 100)
        self.worth_later = filled(n, 100)
        for other in range(n):
            left = turns_left(p, other)
            self.hope[other] = _HOPE[min(left, len(_HOPE) - 1)]
            if left == 0:
                self.worth_later[other] = _NOW_OR_NEVER
        self.had_ended = p.ending != 0
        self.own_cards = filled(CONSPIRACIES + 1, 0)
        for card in range(1, CONSPIRACIES + 1):
            if holds(p, seat, card):
                self.own_cards[card] = 1
        self._weigh_rivals(p)

    def _weigh_rivals(self, p: Position) -> None:
        n = p.board.players
        strongest: i64 = -1
        most: i64 = -1
        for other in range(n):
            if other == self.seat:
                continue
            self.weights[other] = -_OTHER
            worth: i64 = 0
            for province in range(PROVINCE_COUNT):
                worth += share(p, other, province, self.hope[other])
            if worth > most:
                most = worth
                strongest = other
        self.weights[strongest] = -(_ONLY_RIVAL if n == 2 else _STRONGEST)


def turns_left(p: Position, seat: i64) -> i64:
    """How many turns a seat has after the one under way, if nothing new brings the end about; 3 for more."""
    steps = seat - p.turn
    if steps < 0:
        steps += p.board.players
    if p.last_turns >= 0:
        return 1 if 0 < steps < p.last_turns else 0
    rounds = p.board.round_cap - p.round
    left = rounds + 1 if seat > p.turn else rounds
    if p.ending != 0:
        left = min(left, 1)
    return min(left, 3)


def share(p: Position, seat: i64, province: i64, hope: i64) -> i64:
    """What a province is worth to a seat: its oath where more than half stand for it, else the way to one."""
    count = p.followers(seat, province)
    if count == 0:
        return 0
    board = p.board
    swears = board.swears[province]
    if count >= swears:
        if p.sealed[province] != 0:
            return (swears + 1) * _POINT + _MOST_SPARE * _SPARE
        spare = count - swears
        standing = p.standing[seat * PROVINCE_COUNT + province]
        if spare > _MOST_SPARE or spare >= standing:
            spare = _MOST_SPARE
        return swears * _POINT + spare * _SPARE
    worth = count * _FOLLOWER + count * count * _NEARNESS // swears
    if swears - count > free_seats(p, province):
        worth //= _CUT_OFF_PART
    return worth * hope // 100


def ground(p: Position, view: Standpoint, province: i64) -> i64:
    """What a province is worth from a standpoint."""
    worth: i64 = 0
    for seat in range(p.board.players):
        worth += view.weights[seat] * share(p, seat, province, view.hope[seat])
    return worth // 100


def purse(p: Position, seat: i64) -> i64:
    """What a seat's resources are worth to it: the fewer of a kind, the more each of them."""
    worth: i64 = 0
    for kind in range(KINDS):
        worth += _pile(p.stock[seat * KINDS + kind])
    beyond = p.total(seat) - limit(p, seat)
    return worth - beyond * _DISCARDED if beyond > 0 else worth


def _pile(amount: i64) -> i64:
    worth: i64 = 0
    for i in range(amount):
        worth += _RESOURCE[i] if i < len(_RESOURCE) else _LAST_RESOURCE
    return worth


def hand(p: Position, view: Standpoint, seat: i64) -> i64:
    """What a seat's Conspiracies are worth to it; faces are seen only of those that the seat knew."""
    worth: i64 = 0
    unknown: i64 = 0
    for card in range(1, CONSPIRACIES + 1):
        if not holds(p, seat, card):
            continue
        if seat == view.seat and view.own_cards[card] != 0:
            worth += _COURT_CARD if is_court_card(card) else _DEED
        else:
            worth += _CARD[unknown] if unknown < len(_CARD) else _MORE_CARDS
            unknown += 1
    return worth


def one_more_card(p: Position, seat: i64) -> i64:
    """What another Conspiracy would be worth to a seat."""
    size = hand_size(p, seat)
    return _CARD[size] if size < len(_CARD) else _MORE_CARDS


def judge(p: Position, view: Standpoint) -> i64:
    """What a whole position is worth from a standpoint."""
    if p.how:
        return _WIN if p.winner == view.seat else -_WIN
    worth: i64 = 0
    for province in range(PROVINCE_COUNT):
        if p.board.in_play[province] != 0:
            worth += ground(p, view, province)
    if p.ending != 0 and not view.had_ended:
        worth += end_worth(p, view.seat)
    holdings: i64 = 0
    for seat in range(p.board.players):
        held = (purse(p, seat) + hand(p, view, seat)) * view.worth_later[seat] // 100
        held += _answers(p, seat) * view.hope[seat] // 100
        if seat == p.turn:
            held -= _used_up(p, seat)
        holdings += view.weights[seat] * (held + _effects(p, seat))
    return worth + holdings // 100


def end_worth(p: Position, seat: i64) -> i64:
    """What it is worth to a seat that the end comes now: good for who leads, bad for who does not."""
    own = score(p, seat)
    for other in range(p.board.players):
        if other != seat and score(p, other) >= own:
            return -_END
    return _END


def _answers(p: Position, seat: i64) -> i64:
    worth: i64 = 0
    for kind in range(KINDS):
        count = p.answers[seat * KINDS + kind]
        worth += _ANSWERS[count] if count < len(_ANSWERS) else _MORE_ANSWERS
    return worth


def _used_up(p: Position, seat: i64) -> i64:
    """What the active claimant could do again if it had not done it this turn."""
    worth: i64 = 0
    for province in range(PROVINCE_COUNT):
        if p.marched >> province & 1:
            worth += _MARCHED
    for power in range(KINDS):
        if (
            p.used[seat] >> power & 1
            and p.stock[seat * KINDS + _USED_KIND[power]] >= _USED_PRICE[power]
        ):
            worth += _USED[power]
    return worth


def _effects(p: Position, seat: i64) -> i64:
    """What lasts for a seat, and what court cards have done to its answer under way."""
    worth: i64 = 0
    for i in range(len(p.lasting)):
        effect = p.lasting[i]
        what = effect & lasting.WHAT
        if what == lasting.PROTECTED:
            province = lasting.province_of(effect)
            if p.sworn[province] == seat:
                worth += _PROTECTED
        elif lasting.subjects_of(effect) >> seat & 1:
            worth += _effect(p, seat, what, lasting.amount_of(effect))
    return worth + _court(p, seat)


def _effect(p: Position, seat: i64, what: i64, amount: i64) -> i64:
    if what == lasting.HIRE_CHANGE:
        return amount * _HIRE_CHANGE
    if what == lasting.CONSPIRACY_CHANGE:
        return amount * _CONSPIRACY_CHANGE
    if what == lasting.LIMIT_CHANGE:
        return amount * _LIMIT_CHANGE
    if what == lasting.INCOME_CHANGE:
        return amount * _SOME_RESOURCE
    worth = _FORBIDDEN[amount]
    if amount == lasting.FORBID_POWER:
        for kind in range(KINDS):
            if level(p, seat, kind) == STANDS:
                worth += _STANDING_POWER
    return worth


def _court(p: Position, seat: i64) -> i64:
    if p.phase not in (COURT, ANSWER):
        return 0
    taxed = (p.court_tax >> (4 * seat)) & 15
    if seat != p.turn:
        return taxed * _SOME_RESOURCE
    worth: i64 = 0
    for other in range(p.board.players):
        worth -= ((p.court_tax >> (4 * other)) & 15) * _SOME_RESOURCE
    if p.court & COURT_HUSHED:
        for kind in range(KINDS):
            worth -= p.answers[seat * KINDS + kind] // TRIBUTE_FOR * _SOME_RESOURCE
    if p.court & COURT_BY_LOT:
        worth += _BY_LOT
    if p.court & COURT_NO_REDRAW:
        worth += _NO_REDRAW
    return worth
