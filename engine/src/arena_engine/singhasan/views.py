"""What everybody may know of a position, what one seat may, and events as far as each may know them.

Hidden from all are the orders of decks and pile, what an answer stands for before it is given, and called Headlines;
from others the faces of held Conspiracies, what a claimant has looked at, and what a duellist has answered. Public is
all the rest: `resampling` makes a whole position of it again.

Most of a view is as it was an action before. What it is made of is kept, so that equal parts are the same object, in
views of all matches: that spares making them, and whoever encodes them may tell by it what they have encoded already.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena_engine.singhasan import actions, choices, duel, phases, quiz
from arena_engine.singhasan.board import PROVINCE_COUNT
from arena_engine.singhasan.ending import score
from arena_engine.singhasan.events import (
    CardsSeen,
    ConspiracyBought,
    ConspiracyTaken,
    Event,
    EventBody,
    MatchEnded,
)
from arena_engine.singhasan.kinds import Colour, Ending, Phase, Power, Sigil, Speed
from arena_engine.singhasan.lasting import (
    chip_of,
    conspiracy_change,
    conspiracy_of,
    headline_of,
    hire_change,
    source_of,
    until_of,
)
from arena_engine.singhasan.position import (
    BOT,
    CHARMED_ONCE,
    CHARMED_TWICE,
    CLAIMED,
    CONSPIRACIES,
    COURT_REDRAWN,
    COURT_SWAPPED,
    FACT_COUNT,
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
from arena_engine.singhasan.seen import (
    Aim,
    Chip,
    Choice,
    Common,
    Duel,
    OfferedCards,
    OfferView,
    Own,
    Presence,
    ProvinceView,
    SeatView,
    View,
)
from arena_engine.singhasan.stock import limit
from arena_engine.singhasan.words import card_text

#: Parts of views that are kept, of each sort; more than there are of all but seats.
_PARTS_KEPT: Final = 16_384
#: `question_at` of a Question that was sent away, and of the first that is kept.
_SENT_AWAY: Final = 1
_KEPT: Final = 3
_NO_ANSWER: Final = -1
_AMOUNTS: Final = 0xFFFF
#: What the chronicle of a court card leaves in `court`.
_COURT_CARDS: Final = 7
_POWERS: Final = (
    (USED_HORSE, Power.WOODEN_HORSE),
    (USED_STABLES, Power.CLEAN_THE_STABLES),
    (USED_SONG, Power.SONG_OF_THE_ROAD),
    (CHARMED_ONCE, Power.CHARM_THE_STONES),
    (USED_SHIELD, Power.SHIELD_OF_TROY),
    (USED_WALLS, Power.WALLS_OF_TROY),
)


def common(p: Position, events: Sequence[Event]) -> Common:
    """The message for everybody."""
    return Common(events=tuple([_public(event) for event in events]), view=view(p))


def own(p: Position, seat: int, events: Sequence[Event]) -> Own:
    """The message for one seat."""
    private = tuple([event for event in events if seat in _insiders(event.event)])
    answer = p.duel_answer[seat] if _is_in_duel(p, seat) else _NO_ANSWER
    return Own(
        events=private,
        hand=_hand(p, seat),
        offered=_offered(p) if seat == p.turn else (),
        duel_answer=None if answer == _NO_ANSWER else answer,
    )


def _insiders(event: EventBody) -> tuple[int, ...]:
    """The seats that alone see an event whole; none for what everybody sees."""
    if isinstance(event, ConspiracyBought | CardsSeen):
        return (event.seat,)
    if isinstance(event, ConspiracyTaken):
        return (event.from_seat, event.to_seat)
    return ()


def _public(event: Event) -> Event:
    body = event.event
    if isinstance(body, ConspiracyBought):
        return Event(event.index, ConspiracyBought(body.seat, 0, body.cost))
    if isinstance(body, ConspiracyTaken):
        taken = ConspiracyTaken(body.from_seat, body.to_seat, 0, body.cost)
        return Event(event.index, taken)
    if isinstance(body, CardsSeen):
        return Event(event.index, CardsSeen(body.seat, body.rival, (), ()))
    return event


def _hand(p: Position, seat: i64) -> tuple[int, ...]:
    held = [
        (i64(p.conspiracy_order[i]), i + 1)
        for i in range(CONSPIRACIES)
        if i64(p.conspiracy_at[i]) == seat + HELD
    ]
    return tuple([card for _, card in sorted(held)])


def _offered(p: Position) -> tuple[OfferedCards, ...]:
    """The Conspiracies in open offers, by the numbers that only their holder sees."""
    return tuple(
        [
            OfferedCards(place, cards)
            for place in range(len(p.offers))
            if p.offers[place] != 0 and (cards := actions.unpack_offer(p.offers[place]).give_cards)
        ]
    )


def _is_in_duel(p: Position, seat: i64) -> bool:
    """Whether a seat takes part in the question or the strike under way."""
    return p.phase in (phases.QUIZ, phases.STRIKE) and p.duellists >> seat & 1 != 0


def view(p: Position) -> View:
    """The public position."""
    kept, sent_away, in_deck = _questions(p)
    costs = _hand_costs(p)
    return View(
        speed=Speed(p.speed),
        players=p.board.players,
        round=p.round,
        turn=p.turn,
        phase=Phase(p.phase),
        resume=Phase(p.resume_phase),
        ending=Ending(p.ending),
        last_turns=p.last_turns if p.last_turns >= 0 else None,
        seats=tuple([_seat_view(p, s, kept[s], costs[s]) for s in range(p.board.players)]),
        provinces=tuple([_province_view(p, b) for b in range(PROVINCE_COUNT)]),
        presences=_presences(p),
        question=p.question,
        is_swapped=p.court & COURT_SWAPPED != 0,
        is_redrawn=p.court & COURT_REDRAWN != 0,
        court_cards=p.court & _COURT_CARDS,
        court_tax=p.court_tax,
        in_court=_bits(p.in_court),
        row=tuple([int(p.row[i]) for i in range(ROW)]),
        marched=_bits(p.marched),
        called=tuple([entry >> 8 for entry in p.called]),
        chips=_chips(p),
        offers=_offers(p),
        offers_made=len(p.offers),
        top_cost=_top_cost(p),
        pile_size=p.conspiracy_size,
        spent=tuple([i + 1 for i in range(CONSPIRACIES) if i64(p.conspiracy_at[i]) == SPENT]),
        question_deck=in_deck,
        sent_away=sent_away,
        follower_deck=p.follower_size,
        follower_used=tuple([int(p.follower_used[i]) for i in range(p.follower_used_size)]),
        headline_deck=p.headline_size,
        turned=_turned(p),
        aim=_aim(p),
        choice=_choice(p),
        duel=_duel(p),
        has_answered=p.has_answered != 0,
        has_acted=p.has_acted != 0,
        last_played_by=p.last_played_by if p.last_played_by >= 0 else None,
        answered=p.answered,
        actions=p.actions,
        decision=p.decision,
        deadline_ms=p.deadline if p.deadline >= 0 else None,
        act_ms=p.act_ms if p.act_ms >= 0 else None,
        ended=_ended(p),
    )


def _top_cost(p: Position) -> i64:
    if p.conspiracy_size == 0:
        return 0
    return COSTS[i64(p.conspiracy_pile[p.conspiracy_size - 1])]


def _bits(bits: i64) -> tuple[int, ...]:
    """The numbers of the bits that are set."""
    if bits == 0:
        return ()
    return tuple([i for i in range(PROVINCE_COUNT) if bits >> i & 1])


def _questions(p: Position) -> tuple[list[tuple[int, ...]], tuple[int, ...], int]:
    """By seat the Questions whose answers it keeps, by ideology; those sent away; how many are in the deck."""
    kept: list[list[int]] = [[] for _ in range(p.board.players * KINDS)]
    sent_away = []
    in_deck = 0
    for i in range(QUESTIONS):
        at = i64(p.question_at[i])
        if at >= _KEPT:
            kept[at - _KEPT].append(i + 1)
        elif at == _SENT_AWAY:
            sent_away.append(i + 1)
        elif at == 0:
            in_deck += 1
    by_seat = []
    for seat in range(p.board.players):
        at = seat * KINDS
        by_seat.append(tuple(kept[at] + kept[at + 1] + kept[at + 2] + kept[at + 3]))
    return by_seat, tuple(sent_away), in_deck


def _hand_costs(p: Position) -> list[tuple[int, ...]]:
    return [tuple([COSTS[card] for card in _hand(p, seat)]) for seat in range(p.board.players)]


def _seat_view(
    p: Position, seat: i64, kept: tuple[int, ...], hand_costs: tuple[int, ...]
) -> SeatView:
    at, players = seat * KINDS, p.board.players
    return _seat(
        (p.colour[seat], p.sigil[seat], p.flags[seat], p.used[seat]),
        (_four(p.stock, at), _four(p.answers, at), _four(p.reached, at)),
        (kept, hand_costs),
        (
            score(p, seat),
            limit(p, seat),
            p.supply[seat],
            hire_change(p, seat),
            conspiracy_change(p, seat),
            p.duel_score[seat],
        ),
        (p.missed_run[seat], p.missed_all[seat], p.bank_ms[seat], p.decisions[seat]),
        tuple([p.facts[fact * players + seat] for fact in range(FACT_COUNT)]),
    )


def _four(numbers: vec[i64], at: i64) -> tuple[int, ...]:
    """Four numbers from a place on."""
    return (numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3])


@lru_cache(_PARTS_KEPT)
def _seat(
    looks: tuple[int, ...],
    kinds: tuple[tuple[int, ...], ...],
    cards: tuple[tuple[int, ...], ...],
    counts: tuple[int, ...],
    clocks: tuple[int, ...],
    facts: tuple[int, ...],
) -> SeatView:
    colour, sigil, flags, used = looks
    resources, answers, reached = kinds
    kept, hand_costs = cards
    return SeatView(
        colour=Colour(colour),
        sigil=Sigil(sigil),
        has_claimed=bool(flags & CLAIMED),
        score=counts[0],
        resources=resources,
        limit=counts[1],
        answers=answers,
        kept=kept,
        reached=reached,
        supply=counts[2],
        hand_costs=hand_costs,
        hire_change=counts[3],
        conspiracy_change=counts[4],
        used=tuple([power for bit, power in _POWERS if used & bit]),
        charms=bool(used & CHARMED_ONCE) + bool(used & CHARMED_TWICE),
        missed_in_a_row=clocks[0],
        missed_in_all=clocks[1],
        is_bot=bool(flags & BOT),
        has_person=bool(flags & PERSON),
        bank_ms=clocks[2],
        decision=clocks[3],
        facts=facts,
        duel_score=counts[5],
    )


def _province_view(p: Position, province: i64) -> ProvinceView:
    in_play = p.board.in_play[province]
    return _province(in_play, in_play * p.board.wildfolk, p.sworn[province], p.sealed[province])


@lru_cache(_PARTS_KEPT)
def _province(in_play: int, wildfolk: int, sworn: int, is_sealed: int) -> ProvinceView:
    return ProvinceView(bool(in_play), wildfolk, sworn if sworn >= 0 else None, bool(is_sealed))


def _presences(p: Position) -> tuple[Presence, ...]:
    found = []
    for province in range(PROVINCE_COUNT):
        for seat in range(p.board.players):
            at = seat * PROVINCE_COUNT + province
            if p.standing[at] != 0 or p.on_rifts[at] != 0:
                found.append(_presence(province, seat, p.standing[at], p.on_rifts[at]))
    return tuple(found)


@lru_cache(_PARTS_KEPT)
def _presence(province: int, seat: int, standing: int, on_rifts: int) -> Presence:
    return Presence(province, seat, standing, on_rifts)


def _turned(p: Position) -> tuple[int, ...]:
    """The Headlines that are neither in the deck nor called: all of them have been seen."""
    hidden = {int(p.headline_deck[i]) for i in range(p.headline_size)}
    hidden |= {entry & 0xFF for entry in p.called}
    return tuple([card for card in range(1, HEADLINES + 1) if card not in hidden])


def _chips(p: Position) -> tuple[Chip, ...]:
    """Lasting effects by chip, in the order in which they began."""
    if len(p.lasting) == 0:
        return ()
    effects: dict[int, list[int]] = {}
    for packed in p.lasting:
        effects.setdefault(chip_of(packed), []).append(packed)
    return tuple([_chip(tuple(parts)) for parts in effects.values()])


#: When an effect ends, by `lasting.UNTIL_*`, in words.
_UNTIL_WORDS: Final = (
    "until this turn ends",
    "until its next turn begins",
    "until its next turn ends",
    "until the next round ends",
)


@lru_cache(_PARTS_KEPT)
def _chip(effects: tuple[int, ...]) -> Chip:
    first = effects[0]
    headline, conspiracy = headline_of(first), conspiracy_of(first)
    return Chip(
        chip=chip_of(first),
        seat=source_of(first),
        headline=headline,
        conspiracy=conspiracy,
        text=card_text(headline, conspiracy),
        until=_UNTIL_WORDS[until_of(first)],
        effects=effects,
    )


def _offers(p: Position) -> tuple[OfferView, ...]:
    return tuple(
        [
            _offer(place, p.offers[place], p.declined[place])
            for place in range(len(p.offers))
            if p.offers[place] != 0
        ]
    )


@lru_cache(_PARTS_KEPT)
def _offer(place: int, packed: int, declined: int) -> OfferView:
    offer = actions.unpack_offer(packed)
    return OfferView(
        offer=place,
        rival=offer.rival,
        give=offer.give,
        ask=offer.ask,
        give_costs=tuple([int(COSTS[card]) for card in offer.give_cards]),
        ask_cards=offer.ask_cards,
        declined=_bits(declined),
    )


def _aim(p: Position) -> Aim | None:
    if p.pending_seat < 0:
        return None
    return Aim(
        seat=p.pending_seat,
        action=actions.unpack(p.pending),
        aimed=_bits(p.aimed),
        asked=_bits(p.asked),
        shielded=_bits(p.shielded),
    )


def _choice(p: Position) -> Choice | None:
    if p.choice_seat < 0:
        return None
    headline, conspiracy = choices.source(p)
    return Choice(
        seat=p.choice_seat,
        headline=headline,
        conspiracy=conspiracy,
        options=choices.option_texts(p),
        program=p.program,
        step=p.step,
        registers=tuple([int(register) for register in p.registers]),
    )


def _duel(p: Position) -> Duel | None:
    if p.duellists == 0:
        return None
    is_quiz, is_strike = p.phase == phases.QUIZ, p.phase == phases.STRIKE
    return Duel(
        seats=_bits(p.duellists),
        number=p.duel_number,
        question=quiz.question_text(p) if is_quiz else "",
        choices=quiz.choice_texts(p) if is_quiz else (),
        quiz=tuple([int(word) for word in p.quiz]),
        swing_ms=duel.SWING_MS if is_strike else 0,
        mark_ms=p.mark_ms if is_strike else 0,
        swing_at_ms=p.swing_at if is_strike else None,
    )


def _ended(p: Position) -> MatchEnded | None:
    if not p.how:
        return None
    return MatchEnded(p.how, p.winner, tuple([int(score(p, s)) for s in range(p.board.players)]))
