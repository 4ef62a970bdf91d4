"""Whole positions that fit what a seat, or a spectator, can know; what is hidden is drawn.

What a player has seen of hidden cards earlier in the match (a rival's hand, Conspiracies that were traded, the next
Headlines) is not in a view: positions drawn from it may differ there.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from arena_engine.singhasan.actions import pack
from arena_engine.singhasan.board import PROVINCE_COUNT, board_for
from arena_engine.singhasan.duel import SWING_MS
from arena_engine.singhasan.hands import take
from arena_engine.singhasan.kinds import Phase, Power
from arena_engine.singhasan.legends import KEPT, SENT_AWAY
from arena_engine.singhasan.messages import MakeOffer
from arena_engine.singhasan.position import (
    BOT,
    CHARMED_ONCE,
    CHARMED_TWICE,
    CLAIMED,
    CONSPIRACIES,
    COURT_REDRAWN,
    COURT_SWAPPED,
    FOLLOWERS,
    HEADLINES,
    HELD,
    KINDS,
    PERSON,
    QUESTIONS,
    ROW,
    SPENT,
    USED_HORSE,
    USED_SHIELD,
    USED_SONG,
    USED_STABLES,
    USED_WALLS,
    Position,
)
from arena_engine.singhasan.programs import COSTS
from arena_engine.singhasan.quiz import CHOICES
from arena_engine.singhasan.seen import Common, OfferView, Own, SeatView, View

_USED: Final = {
    Power.WOODEN_HORSE: USED_HORSE,
    Power.CLEAN_THE_STABLES: USED_STABLES,
    Power.SONG_OF_THE_ROAD: USED_SONG,
    Power.CHARM_THE_STONES: CHARMED_ONCE,
    Power.SHIELD_OF_TROY: USED_SHIELD,
    Power.WALLS_OF_TROY: USED_WALLS,
}
#: `question_at` of the Question under way.
_UNDER_WAY: Final = 2
_SECRET_BYTES: Final = 32


def resample(common: Common, own: Own | None, seat: int, rng: Random) -> Position:
    """A whole position that fits a view, and what `seat` knows beyond that; a spectator (-1) knows nothing more."""
    seen = common.view
    p = Position(board_for(seen.players), rng.randbytes(_SECRET_BYTES), seen.speed)
    _read_turn(p, seen)
    for number, one in enumerate(seen.seats):
        _read_seat(p, number, one)
    _read_map(p, seen)
    _read_cards(p, seen)
    _read_interruptions(p, seen)
    _deal_decks(p, seen, rng)
    _deal_conspiracies(p, seen, own, seat, rng)
    _read_offers(p, seen, own, seat, rng)
    _read_duel(p, seen, own, seat, rng)
    return p


def _or_none(number: int | None) -> int:
    return -1 if number is None else number


def _read_turn(p: Position, seen: View) -> None:
    p.round = seen.round
    p.turn = seen.turn
    p.phase = seen.phase
    p.resume_phase = seen.resume
    p.ending = seen.ending
    p.last_turns = _or_none(seen.last_turns)
    p.question = seen.question
    p.court = seen.court_cards | COURT_REDRAWN * seen.is_redrawn | COURT_SWAPPED * seen.is_swapped
    p.court_tax = seen.court_tax
    p.in_court = _bits(seen.in_court)
    p.marched = _bits(seen.marched)
    p.has_answered = int(seen.has_answered)
    p.has_acted = int(seen.has_acted)
    p.last_played_by = _or_none(seen.last_played_by)
    p.answered = seen.answered
    p.actions = seen.actions
    p.decision = seen.decision
    p.deadline = _or_none(seen.deadline_ms)
    p.act_ms = _or_none(seen.act_ms)
    if seen.ended is not None:
        p.how = seen.ended.how
        p.winner = seen.ended.winner


def _bits(numbers: Sequence[int]) -> int:
    return sum(1 << number for number in numbers)


def _read_seat(p: Position, seat: int, seen: SeatView) -> None:
    p.colour[seat] = seen.colour
    p.sigil[seat] = seen.sigil
    p.flags[seat] = CLAIMED * seen.has_claimed | BOT * seen.is_bot | PERSON * seen.has_person
    p.used[seat] = sum(_USED[power] for power in seen.used) | CHARMED_TWICE * (seen.charms > 1)
    p.supply[seat] = seen.supply
    p.missed_run[seat] = seen.missed_in_a_row
    p.missed_all[seat] = seen.missed_in_all
    p.bank_ms[seat] = seen.bank_ms
    p.decisions[seat] = seen.decision
    p.duel_score[seat] = seen.duel_score
    for kind in range(KINDS):
        p.stock[seat * KINDS + kind] = seen.resources[kind]
        p.answers[seat * KINDS + kind] = seen.answers[kind]
        p.reached[seat * KINDS + kind] = seen.reached[kind]
    for fact, tally in enumerate(seen.facts):
        p.facts[fact * p.board.players + seat] = tally
    kinds = [kind for kind in range(KINDS) for _ in range(seen.answers[kind])]
    for question, kind in zip(seen.kept, kinds, strict=True):
        p.question_at[question - 1] = u8(KEPT + seat * KINDS + kind)


def _read_map(p: Position, seen: View) -> None:
    for number, province in enumerate(seen.provinces):
        p.sworn[number] = _or_none(province.sworn)
        p.sealed[number] = int(province.is_sealed)
    for presence in seen.presences:
        at = presence.seat * PROVINCE_COUNT + presence.province
        p.standing[at] = presence.standing
        p.on_rifts[at] = presence.on_rifts


def _read_cards(p: Position, seen: View) -> None:
    for slot in range(ROW):
        p.row[slot] = seen.row[slot]
    p.follower_used = _deck(seen.follower_used, FOLLOWERS)
    p.follower_used_size = len(seen.follower_used)
    for question in seen.sent_away:
        p.question_at[question - 1] = u8(SENT_AWAY)
    if seen.question:
        p.question_at[seen.question - 1] = u8(_UNDER_WAY)
    for card in seen.spent:
        p.conspiracy_at[card - 1] = u8(SPENT)
    for chip in seen.chips:
        for effect in chip.effects:
            p.lasting = append(p.lasting, effect)


def _deck(cards: Sequence[int], room: int) -> vec[u8]:
    return vec[u8]([*cards, *[0] * (room - len(cards))])


def _read_interruptions(p: Position, seen: View) -> None:
    if (aim := seen.aim) is not None:
        p.pending = pack(aim.action)
        p.pending_seat = aim.seat
        p.aimed, p.asked, p.shielded = _bits(aim.aimed), _bits(aim.asked), _bits(aim.shielded)
    if (choice := seen.choice) is not None:
        p.choice_seat = choice.seat
        p.program = choice.program
        p.step = choice.step
        p.registers = vec[i64](list(choice.registers))


def _deal_decks(p: Position, seen: View, rng: Random) -> None:
    questions = [i + 1 for i in range(QUESTIONS) if p.question_at[i] == 0]
    followers = _others(FOLLOWERS, [*seen.row, *seen.follower_used])
    headlines = _others(HEADLINES, seen.turned)
    for deck in (questions, followers, headlines):
        rng.shuffle(deck)
    p.question_deck, p.question_size = _deck(questions, QUESTIONS), len(questions)
    p.follower_deck, p.follower_size = _deck(followers, FOLLOWERS), len(followers)
    for caller in seen.called:
        p.called = append(p.called, headlines.pop() | caller << 8)
    p.headline_deck, p.headline_size = _deck(headlines, HEADLINES), len(headlines)


def _others(count: int, known: Sequence[int]) -> list[int]:
    """The cards of a deck that are not among those whose place is known."""
    gone = set(known)
    return [card for card in range(1, count + 1) if card not in gone]


def _deal_conspiracies(p: Position, seen: View, own: Own | None, seat: int, rng: Random) -> None:
    """Deal hands and the top of the pile by the costs that their backs show."""
    hand = () if own is None else own.hand
    unknown = _others(CONSPIRACIES, [*hand, *seen.spent])
    rng.shuffle(unknown)

    def draw(cost: int) -> int:
        card = next(card for card in unknown if COSTS[card] == cost)
        unknown.remove(card)
        return card

    for number, one in enumerate(seen.seats):
        cards = hand if number == seat else [draw(cost) for cost in one.hand_costs]
        for card in cards:
            take(p, number, card)
    top = [draw(seen.top_cost)] if seen.pile_size else []
    p.conspiracy_pile = _deck([*unknown, *top], CONSPIRACIES)
    p.conspiracy_size = len(unknown) + len(top)


def _read_offers(p: Position, seen: View, own: Own | None, seat: int, rng: Random) -> None:
    known = {} if own is None else {offered.offer: offered.cards for offered in own.offered}
    offers = {offer.offer: offer for offer in seen.offers}
    for place in range(seen.offers_made):
        offer = offers.get(place)
        packed, declined = 0, 0
        if offer is not None:
            cards = known.get(place, ()) if seat == seen.turn else _guess(p, offer, rng)
            packed = pack(MakeOffer(offer.give, offer.ask, offer.rival, cards, offer.ask_cards))
            declined = _bits(offer.declined)
        p.offers = append(p.offers, packed)
        p.declined = append(p.declined, declined)


def _guess(p: Position, offer: OfferView, rng: Random) -> tuple[int, ...]:
    """Conspiracies that the active claimant holds in this position and that cost what the offer shows."""
    held = [i + 1 for i in range(CONSPIRACIES) if p.conspiracy_at[i] == p.turn + HELD]
    rng.shuffle(held)
    cards = []
    for cost in offer.give_costs:
        card = next(card for card in held if COSTS[card] == cost)
        held.remove(card)
        cards.append(card)
    return tuple(cards)


def _read_duel(p: Position, seen: View, own: Own | None, seat: int, rng: Random) -> None:
    if (duel := seen.duel) is None:
        return
    p.duellists = _bits(duel.seats)
    p.duel_number = duel.number
    p.quiz = vec[i64](list(duel.quiz))
    p.mark_ms = duel.mark_ms
    p.swing_at = _or_none(duel.swing_at_ms)
    for number in duel.seats:
        if seen.seats[number].decision or seen.phase not in {Phase.QUIZ, Phase.STRIKE}:
            continue
        if number == seat and own is not None:
            p.duel_answer[number] = _or_none(own.duel_answer)
        else:
            most = CHOICES if seen.phase == Phase.QUIZ else SWING_MS
            p.duel_answer[number] = rng.randrange(most)
